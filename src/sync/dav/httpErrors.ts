import { longestWait } from '../remote/backoff';
import { RemoteError, type RemoteErrorDetails, type RemoteErrorKind } from '../remote/remote';
import type { HttpAnswer } from './httpClient';
import { descendants, parseXml, type XmlElement } from './xml';

/** What an error body says: precondition names of RFC 4918 16, 4791 and 6578 without namespace, and words. */
interface ErrorBody {
  readonly conditions: ReadonlySet<string>;
  readonly words: string | undefined;
}

/** Turns an answer that is no success into an error. `inside` is the real status where a 207 only wraps it. */
export function httpError(answer: HttpAnswer, inside?: number): RemoteError {
  const status = inside ?? answer.status;
  const { conditions, words } = readErrorBody(answer.text);
  const kind = kindOf(status, answer.method, conditions, words);
  const host = new URL(answer.url).host;
  const details: RemoteErrorDetails = {
    status,
    ...(words && { serverMessage: words }),
    plain: plainSentence(kind, host, status, words),
    ...(kind === 'busy' && { retryAfterMs: retryAfter(answer.headers) }),
    // A server may fail after it did what was asked, and a proxy has not always heard the end of it.
    ...(status >= 500 && status !== 507 && { unsure: true }),
  };
  return new RemoteError(kind, sentence(kind, host, status, words), details);
}

function kindOf(
  status: number,
  method: string,
  conditions: ReadonlySet<string>,
  words: string | undefined,
): RemoteErrorKind {
  const isWrite = method === 'PUT';
  if (conditions.has('valid-sync-token')) return 'badToken';
  if (conditions.has('no-uid-conflict') || conditions.has('unique-scheduling-object-resource')) return 'uidTaken';
  switch (status) {
    case 401:
      return 'auth';
    case 400:
    case 415:
    case 422:
      // Nextcloud keeps the UIDs of deleted tasks in its bin and refuses them in words alone.
      return isWrite && /uid.*(already|exist)|already exists/i.test(words ?? '') ? 'uidTaken' : 'rejected';
    case 403:
      return isWrite && conditions.has('need-privileges') ? 'readOnly' : 'rejected';
    case 404:
    case 410:
      return 'gone';
    case 405:
    case 501:
      return 'unsupported';
    case 409:
      return isWrite ? 'noParent' : 'rejected';
    case 412:
      return 'conflict';
    case 413:
    case 507:
      return 'tooLarge';
    case 423:
      return 'locked';
    case 429:
    case 503:
      return 'busy';
    default:
      return status >= 500 ? 'server' : status >= 400 ? 'rejected' : 'protocol';
  }
}

function sentence(kind: RemoteErrorKind, host: string, status: number, words: string | undefined): string {
  const said = words ? ` Server message: ${words}` : '';
  switch (kind) {
    case 'auth':
      return `${host} rejected the username or password. Enter them again.`;
    case 'busy':
      return `${host} is busy (${status}). Dueline will retry automatically.`;
    case 'readOnly':
      return `${host} does not allow you to change this list.`;
    case 'gone':
      return `${host} no longer has this item (${status}).`;
    case 'tooLarge':
      return `${host} is out of storage, or the item is too large (${status}).${said}`;
    case 'locked':
      return `This item is locked by someone else on ${host}. Dueline will retry later.`;
    case 'unsupported':
      return `${host} does not allow this (${status}).${said}`;
    case 'protocol':
      return `${host} sent a response that is not CalDAV (${status}). Check the server address.`;
    case 'server':
      return `Server error from ${host} (${status}). Dueline will retry later.${said}`;
    default:
      return `${host} rejected this request (${status}).${said}`;
  }
}

/** Without what sync does next; undefined where the sentence says nothing of it. */
function plainSentence(
  kind: RemoteErrorKind,
  host: string,
  status: number,
  words: string | undefined,
): string | undefined {
  const said = words ? ` Server message: ${words}` : '';
  if (kind === 'busy') return `${host} is busy (${status}).`;
  if (kind === 'server') return `Server error from ${host} (${status}).${said}`;
  return undefined;
}

/** Taking markup out of a page can cost the square of its length; what it says stands near its begin. */
const longestPage = 20_000;

function readErrorBody(text: string): ErrorBody {
  const conditions = new Set<string>();
  const page = text.slice(0, longestPage);
  if (!page.trimStart().startsWith('<')) return { conditions, words: clean(page) };
  let root: XmlElement;
  try {
    root = parseXml(text);
  } catch {
    return { conditions, words: clean(page.replace(/<(script|style)[\s\S]*?<\/\1>/gi, ' ').replace(/<[^<>]*>/g, ' ')) };
  }
  let words: string | undefined;
  // Conditions may stand behind elements of other namespaces, or inside a propstat.
  for (const element of descendants(root)) {
    const local = element.name.slice(element.name.indexOf('}') + 1);
    conditions.add(local);
    if (local === 'message' || local === 'responsedescription') words ??= clean(element.text);
  }
  return { conditions, words };
}

function clean(text: string): string | undefined {
  const words = text.replace(/\s+/g, ' ').trim();
  return words === '' ? undefined : words.length > 300 ? `${words.slice(0, 299)}…` : words;
}

const shortestWait = 5_000;

/** Retry-After in seconds or as a date by the server's own clock (RFC 9110 10.2.3), within reason. */
function retryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  const serverTime = Date.parse(headers.get('date') ?? '');
  const now = Number.isNaN(serverTime) ? Date.now() : serverTime;
  const ms = /^\d+$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, shortestWait), longestWait);
}
