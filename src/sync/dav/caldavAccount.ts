import { makeCalendar, propfind } from 'tsdav';
import { syncMessage } from '../messages';
import { canonicalPath, toHref, toUrl, withSlash } from '../remote/hrefs';
import {
  type Etag,
  type Href,
  isRemote,
  type ListProperty,
  type NewRemoteList,
  type RemoteAccount,
  RemoteError,
  type RemoteList,
} from '../remote/remote';
import { CaldavCollection } from './caldavCollection';
import { ignoresConditions, isCtagSufficient, listProps, readList, type Tags } from './caldavLists';
import { formatColor } from './calendarColor';
import { accepted, type Content, davAsk, davDelete, davQuery, davSend, xmlText } from './davRequest';
import type { HttpClient } from './httpClient';
import { httpError } from './httpErrors';
import { parseMultistatus } from './multistatus';
import { isTimeTag, newCollectionName } from './quirks';

interface AccountUrls {
  /** Absolute URLs. */
  readonly homes: readonly string[];
  /** For an account without a home: the one calendar's URL. */
  readonly calendarUrl: string | null;
}

/** The port over CalDAV (RFC 4791). Hrefs are paths on the first home's origin, or whole URLs elsewhere. */
export class CaldavAccount implements RemoteAccount {
  readonly mayChangeUids = true;
  readonly #origin: string;
  #isCtagSufficient: boolean;
  #mustCheckFirst = false;

  /**
   * `wasCtagSufficient`: the value after an earlier request for the lists. `takeFound`: returns what that request found,
   * once, if nothing was read since.
   */
  constructor(
    readonly http: HttpClient,
    private readonly urls: AccountUrls,
    wasCtagSufficient = false,
    private readonly takeFound: () => readonly RemoteList[] | undefined = () => undefined,
  ) {
    this.#isCtagSufficient = wasCtagSufficient;
    // Without a home the list's own address is all there is to find it by, so hrefs are kept whole.
    this.#origin = urls.homes[0] === undefined ? '' : new URL(urls.homes[0]).origin;
  }

  get requests(): number {
    return this.http.requests;
  }

  /** True if the last request for the lists found change tags on every one, so that the next can do without tokens. */
  get wasCtagSufficient(): boolean {
    return this.#isCtagSufficient;
  }

  async lists(): Promise<readonly RemoteList[]> {
    const { homes, calendarUrl } = this.urls;
    const before = this.#usableTags();
    const tags = before ? 'none' : this.#isCtagSufficient ? 'ctag' : 'token';
    const found = new Map<Href, RemoteList>();
    this.#isCtagSufficient = true;
    for (const home of homes) {
      for (const list of await this.#propfind(home, '1', tags)) found.set(list.href, list);
    }
    if (homes.length === 0 && calendarUrl !== null) {
      for (const list of await this.#propfind(calendarUrl, '0', tags)) found.set(list.href, list);
    }
    const lists = [...found.values()];
    if (!before) return lists;
    this.#isCtagSufficient = lists.every(
      ({ href, canReportChanges }) => canReportChanges && before.get(href)?.ctag != null,
    );
    return lists.map(list => ({ ...list, ...before.get(list.href) }));
  }

  /**
   * The tags that *Add Account* has read: older than any listing to come, and so good to start from. Tags that count
   * seconds are read again, because they also show what the server does with conditions.
   */
  #usableTags(): ReadonlyMap<Href, Partial<RemoteList>> | undefined {
    const found = this.takeFound();
    if (!found?.every(({ syncToken }) => syncToken !== null && !isTimeTag(syncToken))) return undefined;
    return new Map(
      found.map(({ href, ctag, syncToken, canReportChanges }) => [href, { ctag, syncToken, canReportChanges }]),
    );
  }

  async list(href: Href): Promise<RemoteList | undefined> {
    try {
      return (await this.#propfind(toUrl(href, this.#origin), '0', 'token'))[0];
    } catch (error) {
      if (isRemote(error, 'gone')) return undefined;
      throw error;
    }
  }

  async #propfind(url: string, depth: '0' | '1', tags: Tags): Promise<RemoteList[]> {
    const props = listProps(tags);
    const ask = () => davAsk(this.http, send => propfind({ url, depth, props, fetch: send }));
    let answer = await ask();
    if (answer.responses.length === 0)
      throw new RemoteError('protocol', syncMessage('emptyResponse', new URL(url).host));
    // Without credentials some servers show an empty home instead of asking for them.
    if (depth === '1' && answer.responses.length === 1 && this.http.auth.insist()) {
      answer = await ask();
    }
    const lists = answer.responses.flatMap(response => {
      const list = readList(response, answer.url, this.#origin, answer.serverTime);
      if (!list) return [];
      if (ignoresConditions(response)) this.#mustCheckFirst = true;
      if (tags !== 'none' && !isCtagSufficient(response)) this.#isCtagSufficient = false;
      return list;
    });
    if (depth === '0' && lists.length === 0) {
      const { status } = answer.responses[0]!;
      if (status === 404 || status === 410) throw new RemoteError('gone', syncMessage('davListGone'));
      throw new RemoteError('rejected', syncMessage('listNoLongerTasks', new URL(url).host));
    }
    return lists;
  }

  collection(list: Pick<RemoteList, 'href'>): CaldavCollection {
    const url = withSlash(toUrl(list.href, this.#origin));
    return new CaldavCollection(this.http, url, this.#origin, () => this.#mustCheckFirst);
  }

  async createList(input: NewRemoteList, note: (href: Href) => Promise<void>, at?: Href): Promise<Href> {
    const [home] = this.urls.homes;
    if (home === undefined) throw new RemoteError('unsupported', syncMessage('singleList'));
    let failure: unknown;
    for (let attempt = 0; attempt < 2; attempt++) {
      const isKnown = attempt === 0 && at !== undefined;
      const url = isKnown ? toUrl(at, this.#origin) : withSlash(home) + withSlash(newCollectionName());
      await note(this.#hrefOf(url));
      try {
        await this.#make(url, input);
        return await this.#settle(url, input);
      } catch (error) {
        if (!isRemote(error, 'rejected', 'conflict', 'unsupported') || (error.details.status ?? 0) < 405) throw error;
        // The request whose answer was lost has arrived after all.
        if (isKnown && (await this.list(at))) return this.#settle(url, input);
        if (isRemote(error, 'unsupported')) throw error;
        failure = error;
      }
    }
    throw failure;
  }

  #hrefOf = (url: string): Href => toHref(canonicalPath(new URL(url).pathname), url, this.#origin);

  async #make(url: string, input: NewRemoteList): Promise<void> {
    const props: Content = {
      ...listValues(input),
      'c:supported-calendar-component-set': { 'c:comp': { _attributes: { name: 'VTODO' } } },
    };
    const answer = await davSend(this.http, send => makeCalendar({ url, props, fetch: send }));
    if (answer.status !== 405 && answer.status !== 501) {
      accepted(answer);
      return;
    }
    // RFC 5689: for servers that make calendars the general way only.
    const type = { 'd:resourcetype': { 'd:collection': {}, 'c:calendar': {} } };
    const content = { 'd:set': { 'd:prop': { ...type, ...props } } };
    accepted(await davSend(this.http, davQuery('MKCOL', url, 'd:mkcol', content)));
  }

  /** Some servers create the list but ignore its name and color: reads the list, and sets what is missing. */
  async #settle(url: string, input: NewRemoteList): Promise<Href> {
    const href = this.#hrefOf(url);
    const made = await this.list(href).catch(() => undefined);
    if (made && (made.name !== input.name || made.color !== input.color)) {
      await this.updateList(made.href, input).catch(() => undefined);
    }
    return made?.href ?? href;
  }

  async updateList(href: Href, input: NewRemoteList): Promise<readonly ListProperty[]> {
    const content = { 'd:set': { 'd:prop': listValues(input) } };
    const answer = await davSend(
      this.http,
      davQuery('PROPPATCH', toUrl(href, this.#origin), 'd:propertyupdate', content),
    );
    if (answer.status !== 207) throw httpError(answer);
    const [response] = parseMultistatus(answer.text).responses;
    if (!response || (response.status ?? 200) >= 400) throw httpError(answer, response?.status ?? 500);
    const isSet = (name: string) => response.props.has(name) && !response.refused.has(name);
    const refused: ListProperty[] = [];
    if (!isSet('{DAV:}displayname')) refused.push('name');
    if (!isSet('{http://apple.com/ns/ical/}calendar-color')) refused.push('color');
    return refused;
  }

  async deleteList(href: Href, known: ReadonlyMap<Href, Etag | null>, skipped: ReadonlySet<Href>): Promise<void> {
    try {
      // It goes with all that is in it: events, and what others have added since.
      const { members, isComplete } = await this.collection({ href }).everyMember();
      const isSeen = members.every(member => !skipped.has(member.href) && known.get(member.href) === member.etag);
      if (!isComplete || !isSeen)
        throw new RemoteError('protocol', syncMessage('listHasOthers', (await this.list(href))?.name ?? href));
      accepted(await davDelete(this.http, toUrl(href, this.#origin)));
    } catch (error) {
      if (!isRemote(error, 'gone')) throw error;
    }
  }
}

const listValues = (input: NewRemoteList): Content => ({
  'd:displayname': xmlText(input.name),
  'ca:calendar-color': xmlText(formatColor(input.color)),
});
