import type { CalendarTexts } from '../../core/meetings/calendars';
import { isLoopback } from '../../core/sync/loopback';
import { syncMessage } from '../messages';
import { RemoteError } from '../remote/remote';
import type { HttpAnswer, HttpClient } from './httpClient';
import { httpError } from './httpErrors';

/**
 * The address that a feed is read at. `webcal:` is what providers write for https. Unencrypted ones are refused, but on
 * this computer.
 */
export function feedUrl(typed: string): URL {
  const text = typed.trim().replace(/^webcals?:/i, 'https:');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  if (!url || !isSafe) throw new RemoteError('rejected', syncMessage('feedAddressInvalid'));
  url.hash = '';
  return url;
}

/** The text of a feed; undefined if the server says that it has not changed. It sends GET, and nothing else. */
export async function readFeed(http: HttpClient, url: string, mark: string | null): Promise<CalendarTexts | undefined> {
  const answer = await http.send({ method: 'GET', url, headers: { Accept: 'text/calendar', ...conditionOf(mark) } });
  if (answer.status === 304 && mark !== null) return undefined;
  if (answer.status !== 200) throw feedError(answer);
  if (!/^\ufeff?\s*BEGIN:VCALENDAR/i.test(answer.text)) throw noCalendar(url);
  return { texts: [answer.text], mark: markOf(answer.headers) };
}

/** The page may name the address, which is a secret: the error has host and status alone. */
function feedError(answer: HttpAnswer): RemoteError {
  const { status, url } = answer;
  if (status < 400) return noCalendar(url);
  if ([403, 404, 410].includes(status))
    return new RemoteError('rejected', syncMessage('feedGone', new URL(url).host, status));
  return httpError({ ...answer, text: '' });
}

const noCalendar = (url: string) => new RemoteError('protocol', syncMessage('feedNoCalendar', new URL(url).host));

/** An ETag, or the date of the last change. */
const markOf = (headers: Headers): string | null => headers.get('etag') ?? headers.get('last-modified');

function conditionOf(mark: string | null): Readonly<Record<string, string>> {
  if (mark === null) return {};
  return /^(W\/)?"/.test(mark) ? { 'If-None-Match': mark } : { 'If-Modified-Since': mark };
}
