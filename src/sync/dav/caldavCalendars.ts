import { calendarQuery, propfind } from 'tsdav';
import { formatDay, formatUtc } from '../../core/lines/dateDigits';
import type { CalendarTexts, OfferedCalendar } from '../../core/meetings/calendars';
import type { MeetingWindow } from '../../core/meetings/meeting';
import { dayMs } from '../../core/time/units';
import { toUrl, withSlash } from '../remote/hrefs';
import { isRemote } from '../remote/remote';
import { listProps, readList } from './caldavLists';
import { type Content, type DavAnswer, davAsk, propRequest } from './davRequest';
import type { HttpClient } from './httpClient';
import { hrefsOf, propText } from './multistatus';
import { anySeries, findsOldSeries, isTagOfThisSecond } from './quirks';

interface CalendarUrls {
  /** Absolute URLs. */
  readonly homes: readonly string[];
  /** For an account without a home: the one calendar's URL. */
  readonly calendarUrl: string | null;
  readonly principalUrl: string | null;
}

const calendarData = '{urn:ietf:params:xml:ns:caldav}calendar-data';
const userAddresses = '{urn:ietf:params:xml:ns:caldav}calendar-user-address-set';
const ctag = '{http://calendarserver.org/ns/}getctag';
const token = '{DAV:}sync-token';

/** No first event of a series lasts longer, and so reaches into a window that begins after it. */
const longEventDays = 31;

/** The events of an account's calendars. It sends PROPFIND and REPORT, and nothing that changes anything. */
export class CaldavCalendars {
  constructor(
    private readonly http: HttpClient,
    private readonly urls: CalendarUrls,
  ) {}

  /** Those that may have events. */
  async offered(): Promise<readonly OfferedCalendar[]> {
    const { homes, calendarUrl } = this.urls;
    const found = new Map<string, OfferedCalendar>();
    const addFrom = async (url: string, depth: '0' | '1') => {
      const { responses, url: from, serverTime } = await this.#propfind(url, depth, listProps('none'));
      for (const response of responses) {
        // No origin is its own, so that its address is whole.
        const list = readList(response, from, '', serverTime, 'VEVENT');
        if (list) found.set(list.href, { name: list.name, color: hexOf(list.color), address: list.href });
      }
    };
    for (const home of homes) await addFrom(home, '1');
    if (homes.length === 0 && calendarUrl !== null) await addFrom(calendarUrl, '0');
    return [...found.values()];
  }

  /** The whole texts of the events in the window; undefined if the calendar has not changed since `mark`. */
  async read(address: string, { from, to }: MeetingWindow, mark: string | null): Promise<CalendarTexts | undefined> {
    const url = withSlash(toUrl(address, ''));
    const tags = await this.#propfind(url, '0', { ...propRequest('d:sync-token'), ...propRequest('cs:getctag') });
    const now = markOf(tags);
    if (now !== null && now === mark) return undefined;
    // A day more on both sides: a server places all-day events in a zone of its own.
    const range = { start: formatUtc(from - dayMs), end: formatUtc(to + dayMs) };
    const found = new Map(await this.#query(url, { 'c:time-range': { _attributes: range } }));
    const isWhole = findsOldSeries([...found.values()], formatDay(from - longEventDays * dayMs));
    const series = isWhole ? undefined : await unlessRefused(this.#query(url, anySeries));
    const texts = new Map([...found, ...(series ?? [])]);
    return { texts: [...texts.values()], mark: now, addresses: await this.#addresses() };
  }

  /** The texts of the events that a filter finds, by address. */
  async #query(url: string, filter: Content): Promise<readonly (readonly [href: string, text: string])[]> {
    const event = { _attributes: { name: 'VEVENT' }, ...filter };
    const filters = { 'c:comp-filter': { _attributes: { name: 'VCALENDAR' }, 'c:comp-filter': event } };
    const props = propRequest('d:getetag', 'c:calendar-data');
    const answer = await davAsk(this.http, send => calendarQuery({ url, depth: '1', props, filters, fetch: send }));
    return answer.responses.flatMap(({ href, props: found }) => {
      const text = found.get(calendarData)?.text;
      return text === undefined ? [] : [[href, text] as const];
    });
  }

  /** The user's own addresses, which invitations use; none if the server does not list them. */
  async #addresses(): Promise<readonly string[]> {
    const { principalUrl } = this.urls;
    if (principalUrl === null) return [];
    const answer = await unlessRefused(this.#propfind(principalUrl, '0', propRequest('c:calendar-user-address-set')));
    const hrefs = answer?.responses.flatMap(response => hrefsOf(response, userAddresses)) ?? [];
    return hrefs.map(href => href.replace(/^mailto:/i, '').toLowerCase());
  }

  #propfind = (url: string, depth: '0' | '1', props: ReturnType<typeof propRequest>): Promise<DavAnswer> =>
    davAsk(this.http, send => propfind({ url, depth, props, fetch: send }));
}

/**
 * Undefined if the server does not answer such a question. A failure of the moment ends the read, or meetings would come
 * and go with it.
 */
async function unlessRefused<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isRemote(error, 'rejected', 'unsupported', 'gone')) return undefined;
    throw error;
  }
}

function markOf({ responses: [response], serverTime }: DavAnswer): string | null {
  const found = response && (propText(response, token) ?? propText(response, ctag));
  return found === undefined || isTagOfThisSecond(found, serverTime) ? null : found;
}

const hexOf = (argb: number | null): string | null =>
  argb === null ? null : `#${(argb & 0xffffff).toString(16).padStart(6, '0')}`;
