import { coreMessage } from '../../core/kernel/messages';
import { type CalendarTexts, isWhole } from '../../core/meetings/calendars';
import { isLoopback } from '../../core/sync/loopback';
import { syncMessage } from '../messages';
import { RemoteError } from '../remote/remote';
import type { HttpAnswer, HttpClient } from './httpClient';
import { httpError } from './httpErrors';

/**
 * The URL of a feed from the address that the user typed. Providers write `webcal:` for https. Unencrypted addresses are
 * refused, except on this computer.
 */
export function feedUrl(typed: string): URL {
  const text = typed.trim().replace(/^webcals?:/i, 'https:');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  if (!url || !isSafe) throw new RemoteError('rejected', syncMessage('feedAddressInvalid'));
  url.hash = '';
  return url;
}

/** Reads the text of a feed with a GET request; undefined if the server reports that it has not changed. */
export async function readFeed(http: HttpClient, url: string, mark: string | null): Promise<CalendarTexts | undefined> {
  const answer = await http.send({ method: 'GET', url, headers: { Accept: 'text/calendar', ...conditionOf(mark) } });
  if (answer.status === 304 && mark !== null) return undefined;
  if (answer.status !== 200) throw feedError(answer);
  if (!/^\ufeff?\s*BEGIN:VCALENDAR/i.test(answer.text)) throw noCalendar(url);
  if (!isWhole(answer.text)) throw new RemoteError('protocol', coreMessage('calendarIncomplete', new URL(url).host));
  return { texts: [answer.text], mark: markOf(answer.headers) };
}

/** The answer may contain the address, which is a secret: the error has only the host and the status. */
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
