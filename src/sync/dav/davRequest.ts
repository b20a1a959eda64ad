import { createObject, davRequest, deleteObject, updateObject } from 'tsdav';
import { syncMessage } from '../messages';
import { isAddress } from '../remote/hrefs';
import { RemoteError } from '../remote/remote';
import type { HttpAnswer, HttpClient } from './httpClient';
import { httpError } from './httpErrors';
import { type Multistatus, parseLongMultistatus, parseMultistatus } from './multistatus';
import { isRefusalInside } from './quirks';

/** An element's content as the request builder takes it: `{}` is empty, a string is text, other keys are children. */
export type Content = { readonly [name: string]: Content | readonly Content[] | string | Record<string, string> };

/** The namespaces with tsdav's prefixes. */
const namespaces = {
  'xmlns:d': 'DAV:',
  'xmlns:c': 'urn:ietf:params:xml:ns:caldav',
  'xmlns:ca': 'http://apple.com/ns/ical/',
};

/** One request as tsdav builds it, sent by the `fetch` of the caller. */
type DavQuery = (send: typeof fetch) => Promise<unknown>;

/** The timeout of reports and of requests for all lists of a home: a server may read all its data for one. */
const listingTimeout = 120_000;

/** Properties by prefixed name, asked for. */
export const propRequest = (...names: string[]): Content => Object.fromEntries(names.map(name => [name, {}]));

/**
 * Text for the request builder, which undoes one level of `&amp;` before it escapes; XML has no way at all to write
 * the control characters that are dropped here.
 */
export const xmlText = (text: string): string =>
  text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '').replace(/&/g, '&amp;');

/** A request that tsdav has no function for, or none that follows the RFC. */
export const davQuery =
  (method: 'REPORT' | 'PROPPATCH' | 'MKCOL', url: string, root: string, content: Content, headers = {}): DavQuery =>
  send =>
    davRequest({
      url,
      init: { method, headers, body: { [root]: { _attributes: namespaces, ...content } } },
      parseOutgoing: false,
      fetch: send,
    });

export interface DavAnswer extends Multistatus {
  readonly url: string;
  /** The server's clock in epoch ms, if it sent one. */
  readonly serverTime: number | undefined;
}

/** Sends a request whose answer must be a 207, and reads it. */
export async function davAsk(http: HttpClient, query: DavQuery): Promise<DavAnswer> {
  const answer = await davSend(http, query);
  if (answer.status !== 207) throw httpError(answer);
  const serverTime = Date.parse(answer.headers.get('date') ?? '');
  const { responses, syncToken } = await parseLongMultistatus(answer.text);
  const known = responses.filter(({ href }) => isAddress(href, answer.url));
  const strange = responses.length - known.length;
  if (strange > 0)
    http.log?.('warn', `${answer.method} ${withoutQuery(answer.url)}: ${strange} responses have no address; left out.`);
  return {
    responses: known,
    syncToken,
    url: answer.url,
    serverTime: Number.isNaN(serverTime) ? undefined : serverTime,
  };
}

const withoutQuery = (url: string): string => url.replace(/[?#].*$/s, '');

const maxWriteAnswer = 2 ** 20;

/** Throws if a write was refused. */
export function accepted(answer: HttpAnswer): HttpAnswer {
  // The answer to a write is short; reading a long one would hold up everything else.
  if (answer.status === 207 && answer.text.length > maxWriteAnswer)
    throw new RemoteError('protocol', syncMessage('responseTooLarge', new URL(answer.url).host), { unsure: true });
  if (answer.status === 200 && /^text\/html\b/i.test(answer.headers.get('content-type') ?? ''))
    throw webPageError(answer);
  if (answer.status === 207) {
    const { responses } = parseMultistatus(answer.text);
    const refused = responses.find(({ status }) => isRefusalInside(status))?.status;
    if (refused !== undefined) throw httpError(answer, refused);
    return answer;
  }
  if (answer.status < 200 || answer.status >= 300) throw httpError(answer);
  return answer;
}

/** The page of a hotel or of a gateway that wants a login: whatever was asked, it was not done. */
const webPageError = ({ url }: HttpAnswer): RemoteError =>
  new RemoteError('protocol', syncMessage('webPage', new URL(url).host), { status: 200 });

/** `expect` is never left out: a PUT without a condition could overwrite what nobody here has seen. */
export function davPut(http: HttpClient, url: string, text: string, expect: string | 'absent'): Promise<HttpAnswer> {
  const headers = { 'Content-Type': 'text/calendar; charset=utf-8' };
  return davSend(http, send =>
    expect === 'absent'
      ? createObject({ url, data: text, headers: { ...headers, 'If-None-Match': '*' }, fetch: send })
      : updateObject({ url, data: text, etag: expect, headers, fetch: send }),
  );
}

export const davDelete = (http: HttpClient, url: string, expect?: string): Promise<HttpAnswer> =>
  davSend(http, send => deleteObject({ url, etag: expect, fetch: send }));

/**
 * Lets tsdav build the request and keeps the answer, of any status, from it: its own reading of answers changes values
 * ("1.50" into 1.5), drops headers and cuts bodies.
 */
export async function davSend(http: HttpClient, query: DavQuery): Promise<HttpAnswer> {
  let answer: HttpAnswer | undefined;
  await query(async (input, init) => {
    const method = init?.method ?? 'GET';
    const headers = Object.fromEntries(new Headers(init?.headers as Record<string, string>));
    const isListing = method === 'REPORT' || headers.depth === '1';
    answer = await http.send({
      method,
      url: String(input),
      headers,
      body: init?.body as string | undefined,
      timeoutMs: isListing ? listingTimeout : undefined,
    });
    return new Response(null, { status: 200 });
  });
  return answer!;
}
