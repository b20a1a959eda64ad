import { propfind } from 'tsdav';
import { syncMessage } from '../messages';
import { isAddress } from '../remote/hrefs';
import { isRemote, RemoteError, stopsAccount } from '../remote/remote';
import { type DavAnswer, davAsk, propRequest } from './davRequest';
import type { HttpClient } from './httpClient';
import { type DavResponse, hrefsOf } from './multistatus';
import { unauthenticated } from './quirks';
import { childOf } from './xml';

/** The addresses that an account is set up with: URLs, each absolute. */
export interface Discovery {
  readonly principalUrl: string | null;
  /** In the server's order; empty if `calendarUrl` is all there is. */
  readonly homes: readonly string[];
  /** The one calendar of an account that shows neither principal nor home. */
  readonly calendarUrl: string | null;
}

/** Looks up the calendar server of a domain (RFC 6764): host, port and path, or nothing. */
export type ServiceLookup = (domain: string) => Promise<string | undefined>;

interface StartingPoint {
  /** Addresses to try, most promising first. */
  readonly urls: readonly string[];
  /**
   * The origin that was typed. DNS is trusted no more than a redirect, so a host from a lookup does not become trusted.
   */
  readonly home: string;
}

const fallbackPaths = ['/.well-known/caldav', '/remote.php/dav/', '/dav/', '/caldav/', '/'];

/** Reads the user's input: a URL of any kind, a host, or an email address. Throws `protocol` for anything else. */
export async function startingPoint(typed: string, lookup: ServiceLookup): Promise<StartingPoint> {
  const text = typed.trim();
  if (/^https?:\/\//i.test(text)) {
    const url = parseUrl(text);
    return { urls: unique([url.href, ...onOrigin(url)]), home: url.origin };
  }
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) throw notAnAddress(typed);
  const domain = text.match(/^[^\s@/]+@([^\s@/]+)$/)?.[1];
  if (domain === undefined && /\s/.test(text)) throw notAnAddress(typed);
  const url = parseUrl(`${startsWithLoopback(domain ?? text) ? 'http' : 'https'}://${domain ?? text}`);
  const isHostOnly = domain !== undefined || url.pathname === '/';
  const service = isHostOnly && !startsWithLoopback(url.host) ? await lookup(url.hostname) : undefined;
  if (service !== undefined) {
    const found = parseUrl(service);
    const first = found.pathname === '/' ? onOrigin(found) : [found.href, ...onOrigin(found)];
    return { urls: unique([...first, ...onOrigin(url)]), home: url.origin };
  }
  return { urls: unique(isHostOnly ? onOrigin(url) : [url.href, ...onOrigin(url)]), home: url.origin };
}

/** Credentials found wrong stop the search at once: more tries would only lock the account. */
export async function discover(http: HttpClient, start: Pick<StartingPoint, 'urls'>): Promise<Discovery> {
  let calendarUrl: string | null = null;
  let failure: unknown;
  for (const url of start.urls) {
    try {
      const found = await inspect(http, url);
      if (found.homes.length > 0) return found;
      calendarUrl ??= found.calendarUrl;
      if (calendarUrl !== null && url === start.urls[0]) break;
    } catch (error) {
      // An unreachable service host may still be a typed host that works: only the last word counts then.
      if ((stopsAccount(error) || isRemote(error, 'redirect')) && !isRemote(error, 'offline')) throw error;
      if (isRemote(error, 'offline', 'timeout') && sameHost(url, start.urls.at(-1)!)) throw error;
      failure ??= error;
    }
  }
  if (calendarUrl !== null) return { principalUrl: null, homes: [], calendarUrl };
  const host = new URL(start.urls[0]!).host;
  throw new RemoteError('protocol', syncMessage('noService', host), { cause: failure });
}

/** Every home of a principal: there may be several, and on other hosts. */
export async function homesOf(http: HttpClient, principalUrl: string): Promise<string[]> {
  const answer = await askWhoIAm(http, principalUrl);
  const [response] = answer.responses;
  return response ? resolve(hrefsOf(response, homeSet), answer.url) : [];
}

const principal = '{DAV:}current-user-principal';
const homeSet = '{urn:ietf:params:xml:ns:caldav}calendar-home-set';

async function inspect(http: HttpClient, url: string): Promise<Discovery> {
  let answer = await askWhoIAm(http, url);
  if (isUnauthenticated(answer.responses[0]) && http.auth.insist()) answer = await askWhoIAm(http, url);
  const [response] = answer.responses;
  if (!response) return { principalUrl: null, homes: [], calendarUrl: null };
  const principalUrl = resolve(hrefsOf(response, principal), answer.url)[0] ?? null;
  let homes = resolve(hrefsOf(response, homeSet), answer.url);
  if (homes.length === 0 && principalUrl !== null) homes = await homesOf(http, principalUrl);
  const isCalendar = childOf(response.props.get('{DAV:}resourcetype'), '{urn:ietf:params:xml:ns:caldav}calendar');
  const isOutside = isCalendar && !homes.some(home => answer.url.startsWith(home));
  return isOutside
    ? { principalUrl: null, homes: [], calendarUrl: answer.url }
    : { principalUrl, homes, calendarUrl: isCalendar ? answer.url : null };
}

const principalProps = propRequest(
  'd:current-user-principal',
  'c:calendar-home-set',
  'd:resourcetype',
  'c:supported-calendar-component-set',
);

const askWhoIAm = (http: HttpClient, url: string): Promise<DavAnswer> =>
  davAsk(http, send => propfind({ url, depth: '0', props: principalProps, fetch: send }));

/** A request with credentials is needed to learn more. */
const isUnauthenticated = (response: DavResponse | undefined): boolean =>
  childOf(response?.props.get(principal), unauthenticated) !== undefined;

const resolve = (hrefs: readonly string[], base: string): string[] =>
  unique(hrefs.filter(href => isAddress(href, base)).map(href => new URL(href, base).href));

const unique = (urls: readonly string[]): string[] => [...new Set(urls)];

const onOrigin = (url: URL): string[] => fallbackPaths.map(path => new URL(path, url.origin).href);

const sameHost = (one: string, other: string): boolean => new URL(one).host === new URL(other).host;

const startsWithLoopback = (host: string): boolean =>
  /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?(\/|$)/i.test(host);

function parseUrl(text: string): URL {
  try {
    const url = new URL(text);
    if (url.hostname === '') throw notAnAddress(text);
    // Credentials typed into the address would end up in the store and in logs.
    url.username = '';
    url.password = '';
    url.hash = '';
    return url;
  } catch (error) {
    throw error instanceof RemoteError ? error : notAnAddress(text);
  }
}

/** A password that holds a `/`, a `#` or a blank makes the rest unreadable as an address: the last `@` ends it. */
function withoutLogin(typed: string): string {
  const [, scheme = '', rest = ''] = /^(\s*[a-z][a-z0-9+.-]*:\/\/)?(.*)$/is.exec(typed)!;
  return scheme + rest.replace(/^[^@]*:.*@/s, '…@');
}

export class NotAnAddress extends RemoteError {}

/** An address that was not understood is quoted and logged, so a password in it is removed. */
const notAnAddress = (typed: string): NotAnAddress =>
  new NotAnAddress('protocol', syncMessage('addressInvalid', withoutLogin(typed)));
