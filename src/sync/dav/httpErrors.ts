import type { Message } from '../../core/kernel/message';
import { coreMessage } from '../../core/kernel/messages';
import { syncMessage } from '../messages';
import { maxWait } from '../remote/backoff';
import { RemoteError, type RemoteErrorDetails, type RemoteErrorKind } from '../remote/remote';
import type { HttpAnswer } from './httpClient';
import { descendants, parseXml, type XmlElement } from './xml';

/** An error body: precondition names of RFC 4918 16, 4791 and 6578 without namespace, and a text. */
interface ErrorBody {
  readonly conditions: ReadonlySet<string>;
  readonly words: string | undefined;
}

/** Turns an unsuccessful answer into an error. `inside` is the real status if a 207 only wraps it. */
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
    // A server may fail after it has carried out the request, and a proxy may not have received its answer.
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
      // Nextcloud keeps the UIDs of deleted tasks in its bin, and refuses them with a text alone.
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

function sentence(kind: RemoteErrorKind, host: string, status: number, words: string | undefined): Message {
  switch (kind) {
    case 'auth':
      return syncMessage('loginRejected', host);
    case 'busy':
      return syncMessage('busyRetry', host, status);
    case 'readOnly':
      return syncMessage('listForbidden', host);
    case 'gone':
      return syncMessage('gone', host, status);
    case 'tooLarge':
      return withServerMessage(syncMessage('storageFull', host, status), words);
    case 'locked':
      return syncMessage('locked', host);
    case 'unsupported':
      return withServerMessage(syncMessage('forbidden', host, status), words);
    case 'protocol':
      return syncMessage('notCaldav', host, status);
    case 'server':
      return withServerMessage(syncMessage('serverErrorRetry', host, status), words);
    default:
      return withServerMessage(syncMessage('requestRejected', host, status), words);
  }
}

/** The sentence without what sync does next; undefined if it has no such part. */
function plainSentence(
  kind: RemoteErrorKind,
  host: string,
  status: number,
  words: string | undefined,
): Message | undefined {
  if (kind === 'busy') return syncMessage('busy', host, status);
  if (kind === 'server') return withServerMessage(syncMessage('serverError', host, status), words);
  return undefined;
}

const withServerMessage = (message: Message, words: string | undefined): Message =>
  words ? coreMessage('sentences', message, syncMessage('serverMessage', words)) : message;

/** Removing markup from a page can cost the square of its length; its message is near the beginning. */
const maxPageLength = 20_000;

/**
 * A longer answer is not an error as in the RFCs, and parsing it would block everything else: it counts as a web page.
 */
const maxXmlLength = 2 ** 20;

function readErrorBody(text: string): ErrorBody {
  const conditions = new Set<string>();
  const page = text.slice(0, maxPageLength);
  if (!page.trimStart().startsWith('<')) return { conditions, words: clean(page) };
  let root: XmlElement;
  try {
    root = parseXml(text.slice(0, maxXmlLength));
  } catch {
    return { conditions, words: clean(page.replace(/<(script|style)[\s\S]*?<\/\1>/gi, ' ').replace(/<[^<>]*>/g, ' ')) };
  }
  let words: string | undefined;
  // Conditions may be behind elements of other namespaces, or inside a propstat.
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

const minWait = 5_000;

/** Retry-After in seconds, or as a date if the answer shows the server's own clock (RFC 9110 10.2.3), within reason. */
function retryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  const isSeconds = /^\d+$/.test(value.trim());
  const ms = isSeconds ? Number(value) * 1000 : Date.parse(value) - Date.parse(headers.get('date') ?? '');
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, minWait), maxWait);
}
