import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserLogin } from '../../core/sync/syncState';
import { minuteMs } from '../../core/time/units';
import { syncMessage } from '../messages';
import { RemoteError } from '../remote/remote';
import { readBody } from './httpClient';

const loginTimeoutMs = 20 * minuteMs;
const requestTimeoutMs = 5_000;
/** A few lines of JSON are all that is to come. */
const maxAnswerBytes = 1024 * 1024;

interface Offer {
  readonly login: string;
  readonly poll: { readonly token: string; readonly endpoint: string };
}

/**
 * Nextcloud's login flow v2: the server returns a page to open and an address that says if the user has agreed there;
 * the answer is an app password. Undefined if the server does not offer this flow.
 */
export async function browserLogin(
  typed: string,
  fetchIt: typeof fetch,
  pollMs = 1_000,
): Promise<BrowserLogin | undefined> {
  for (const base of basesOf(typed)) {
    const offer = await ask(fetchIt, `${base}/index.php/login/v2`);
    // The page that is opened and the address that is polled must belong to the server that was typed.
    if (!offer || !isOn(base, offer.login) || !isOn(base, offer.poll.endpoint)) continue;
    return { url: offer.login, wait: signal => wait(fetchIt, base, offer, pollMs, signal) };
  }
  return undefined;
}

/** The addresses at which Nextcloud may be: the typed path up to its own part, and the root. */
function basesOf(typed: string): readonly string[] {
  const text = typed.trim();
  if (/\s|@/.test(text) || text === '') return [];
  const address = /^https?:\/\//i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(address)) return [];
  const { origin, pathname } = new URL(address);
  const path = pathname.replace(/\/(remote|index)\.php.*$/, '').replace(/\/+$/, '');
  return [...new Set([origin + path, origin])];
}

const isOn = (base: string, url: string) => URL.canParse(url) && new URL(url).origin === new URL(base).origin;

async function ask(fetchIt: typeof fetch, url: string): Promise<Offer | undefined> {
  try {
    const answer = await fetchIt(url, {
      method: 'POST',
      headers: { 'User-Agent': 'Dueline' },
      redirect: 'manual',
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
    const offer = answer.ok ? ((await readJson(answer, url)) as Partial<Offer>) : undefined;
    const isOffer = typeof offer?.login === 'string' && typeof offer.poll?.token === 'string';
    return isOffer && typeof offer.poll?.endpoint === 'string' ? (offer as Offer) : undefined;
  } catch {
    return undefined;
  }
}

const readJson = async (answer: Response, url: string): Promise<unknown> =>
  JSON.parse(await readBody(answer, new URL(url), maxAnswerBytes));

async function wait(
  fetchIt: typeof fetch,
  base: string,
  { poll }: Offer,
  pollMs: number,
  signal?: AbortSignal,
): Promise<{ serverUrl: string; username: string; password: string }> {
  const end = performance.now() + loginTimeoutMs;
  while (performance.now() < end) {
    if (signal?.aborted) throw new RemoteError('cancelled', syncMessage('signInCanceled'));
    const found = await credentialsOf(fetchIt, poll);
    if (found)
      return {
        serverUrl: isOn(base, found.server) ? found.server : base,
        username: found.loginName,
        password: found.appPassword,
      };
    await sleep(pollMs, undefined, { signal }).catch(() => undefined);
  }
  throw new RemoteError('timeout', syncMessage('signInNotApproved'));
}

/** 404 until the user has agreed; a lost answer counts as not yet. */
async function credentialsOf(fetchIt: typeof fetch, poll: Offer['poll']) {
  try {
    const answer = await fetchIt(poll.endpoint, {
      method: 'POST',
      headers: { 'User-Agent': 'Dueline', 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ token: poll.token }).toString(),
      redirect: 'manual',
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
    if (!answer.ok) return undefined;
    const found = (await readJson(answer, poll.endpoint)) as Record<string, unknown>;
    const { server, loginName, appPassword } = found;
    return typeof server === 'string' && typeof loginName === 'string' && typeof appPassword === 'string'
      ? { server, loginName, appPassword }
      : undefined;
  } catch {
    return undefined;
  }
}
