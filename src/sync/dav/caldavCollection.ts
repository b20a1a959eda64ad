import { calendarMultiGet, calendarQuery, propfind } from 'tsdav';
import { isWhole } from '../../core/ical/readResource';
import { messageOf } from '../../core/kernel/errors';
import type { Message } from '../../core/kernel/message';
import { withCrlf } from '../../core/lines/contentLines';
import { syncMessage } from '../messages';
import { headerEtag, propertyEtag } from '../remote/etags';
import { toHref, toUrl } from '../remote/hrefs';
import {
  type Etag,
  type Href,
  isRemote,
  type RemoteBatch,
  type RemoteChanges,
  type RemoteCollection,
  RemoteError,
  type RemoteItem,
  type RemoteListing,
  type RemoteMember,
} from '../remote/remote';
import { isSelf } from './caldavLists';
import {
  accepted,
  type Content,
  type DavAnswer,
  davAsk,
  davDelete,
  davPut,
  davQuery,
  propRequest,
  xmlText,
} from './davRequest';
import type { HttpClient } from './httpClient';
import { httpError } from './httpErrors';
import { type DavResponse, propText } from './multistatus';
import { isListInReport, multigetRefusals, repeatsChanges } from './quirks';

const calendarData = '{urn:ietf:params:xml:ns:caldav}calendar-data';

interface Answered {
  readonly responses: readonly DavResponse[];
  readonly url: string;
}

/** One list over CalDAV, at an absolute URL with a slash at its end. */
export class CaldavCollection implements RemoteCollection {
  readonly #self: Href;

  constructor(
    private readonly http: HttpClient,
    private readonly url: string,
    private readonly origin: string,
    /** True if the server overwrites and deletes despite the condition: reading the resource first is then all there is. */
    private readonly mustCheckFirst: () => boolean = () => false,
  ) {
    this.#self = toHref(url, url, origin);
  }

  member(name: string): Href {
    return toHref(name, this.url, this.origin);
  }

  async listing(expectSome: boolean): Promise<RemoteListing> {
    try {
      const found = await this.#query({});
      if (found.members.length > 0 || !expectSome) return found;
    } catch (error) {
      if (!isRemote(error, 'rejected', 'unsupported', 'tooLarge', 'protocol', 'server', 'conflict')) throw error;
    }
    return this.#members(await this.#propfind(this.url, '1', 'd:getetag', 'd:getcontenttype', 'd:resourcetype'));
  }

  /** Every resource in it, events too: all that goes if the list is deleted. */
  async everyMember(): Promise<RemoteListing> {
    return this.#members(await this.#propfind(this.url, '1', 'd:getetag'), () => true);
  }

  async everyItem(): Promise<RemoteListing & { readonly items: readonly RemoteItem[] }> {
    const answer = await this.#report({}, ['d:getetag', 'c:calendar-data']);
    const { found, isComplete } = this.#found(answer);
    const items = found.flatMap(({ member, response }) => {
      const text = response.props.get(calendarData)?.text;
      return text === undefined ? [] : [{ ...member, text }];
    });
    return { members: found.map(({ member }) => member), isComplete, items };
  }

  async findUid(uid: string): Promise<readonly RemoteMember[]> {
    const match = { _attributes: { collation: 'i;octet' }, _text: xmlText(uid) };
    const filter = { 'c:prop-filter': { _attributes: { name: 'UID' }, 'c:text-match': match } };
    const { members, isComplete } = await this.#query(filter);
    if (members.length === 0 && !isComplete)
      throw new RemoteError('protocol', syncMessage('noTaskReport', new URL(this.url).host));
    return members;
  }

  /** calendar-query for VTODO, ETags only: a calendar's thousand events stay where they are. */
  async #query(filter: Content): Promise<RemoteListing> {
    return this.#members(await this.#report(filter, ['d:getetag']));
  }

  #report(filter: Content, properties: readonly string[]): Promise<DavAnswer> {
    const todo = { _attributes: { name: 'VTODO' }, ...filter };
    const filters = { 'c:comp-filter': { _attributes: { name: 'VCALENDAR' }, 'c:comp-filter': todo } };
    const props = propRequest(...properties);
    return davAsk(this.http, send => calendarQuery({ url: this.url, depth: '1', props, filters, fetch: send }));
  }

  #propfind(url: string, depth: '0' | '1', ...properties: string[]): Promise<DavAnswer> {
    return davAsk(this.http, send => propfind({ url, depth, props: propRequest(...properties), fetch: send }));
  }

  #members(answer: Answered, isWanted = mayBeTask): RemoteListing {
    const { found, isComplete } = this.#found(answer, isWanted);
    return { members: found.map(({ member }) => member), isComplete };
  }

  #found(
    answer: Answered,
    isWanted = mayBeTask,
  ): { found: { member: RemoteMember; response: DavResponse }[]; isComplete: boolean } {
    const found: { member: RemoteMember; response: DavResponse }[] = [];
    let isComplete = true;
    for (const response of answer.responses) {
      const href = toHref(response.href, answer.url, this.origin);
      if (isSelf(href, this.#self)) {
        if (response.status === 507) isComplete = false;
        continue;
      }
      const etag = propertyEtag(propText(response, '{DAV:}getetag'));
      if ((response.status ?? 200) >= 400) {
        if (response.status !== 404 && response.status !== 410) isComplete = false;
      } else if (etag === undefined) {
        if (!href.endsWith('/')) isComplete = false;
      } else if (!href.endsWith('/') && isWanted(response)) {
        found.push({ member: { href, etag }, response });
      }
    }
    return { found, isComplete };
  }

  async changes(token: string | null, withTexts = false): Promise<RemoteChanges> {
    const content = {
      'd:sync-token': token === null ? {} : xmlText(token),
      'd:sync-level': '1',
      'd:prop': propRequest('d:getetag', ...(withTexts ? ['c:calendar-data'] : [])),
    };
    // tsdav's own has the elements in an order that RFC 6578 6.1 does not allow, and no depth.
    const answer = await davAsk(this.http, davQuery('REPORT', this.url, 'd:sync-collection', content, { Depth: '0' }));
    const changed = new Map<Href, RemoteMember>();
    const items = new Map<Href, RemoteItem>();
    const gone = new Set<Href>();
    let more = false;
    for (const response of answer.responses) {
      const href = toHref(response.href, answer.url, this.origin);
      if (response.status === 507) more = true;
      else if (isListInReport(href, this.#self)) continue;
      else if (response.status === 404 || response.status === 410) gone.add(href);
      else {
        const etag = propertyEtag(propText(response, '{DAV:}getetag'));
        if (etag !== undefined) {
          changed.set(href, { href, etag });
          const text = response.props.get(calendarData)?.text ?? '';
          // If a resource is named twice, its last answer counts: a text must not be kept with another one's tag.
          if (text.trim() === '') items.delete(href);
          else items.set(href, { href, etag, text });
        } else if (isWithheld(response))
          throw new RemoteError('protocol', syncMessage('noChangeReport', new URL(answer.url).host));
      }
    }
    return {
      changed: [...changed.values()],
      ...(withTexts && { items: [...items.values()] }),
      gone: [...gone].filter(href => !changed.has(href)),
      token: answer.syncToken ?? null,
      more,
      ...(repeatsChanges(answer.syncToken) && { repeats: true }),
    };
  }

  async fetch(hrefs: readonly Href[]): Promise<RemoteBatch> {
    if (hrefs.length === 0) return { items: [], gone: [] };
    try {
      return await this.#multiget(hrefs);
    } catch (error) {
      if (!isRemote(error, ...multigetRefusals, 'unsupported', 'rejected', 'protocol')) throw error;
      if (hrefs.length === 1 || isRemote(error, 'unsupported')) return this.#getEach(hrefs);
      const half = Math.ceil(hrefs.length / 2);
      return join([await this.fetch(hrefs.slice(0, half)), await this.fetch(hrefs.slice(half))]);
    }
  }

  async #multiget(hrefs: readonly Href[]): Promise<RemoteBatch> {
    const props = propRequest('d:getetag', 'c:calendar-data');
    const objectUrls = hrefs.map(xmlText);
    const answer = await davAsk(this.http, send =>
      calendarMultiGet({ url: this.url, depth: '1', props, objectUrls, fetch: send }),
    );
    const requested = new Set(hrefs);
    const items: RemoteItem[] = [];
    const gone: Href[] = [];
    for (const response of answer.responses) {
      const href = toHref(response.href, answer.url, this.origin);
      if (!requested.has(href)) continue;
      const text = response.props.get(calendarData)?.text;
      const etag = propertyEtag(propText(response, '{DAV:}getetag'));
      if (response.status === 404 || response.status === 410) gone.push(href);
      else if (text !== undefined && etag !== undefined) items.push({ href, etag, text });
      else continue;
      requested.delete(href);
    }
    // Several servers leave missing resources out of the answer; only a direct question proves it.
    return requested.size === 0 ? { items, gone } : join([{ items, gone }, await this.#getEach([...requested])]);
  }

  async #getEach(hrefs: readonly Href[]): Promise<RemoteBatch> {
    const items: RemoteItem[] = [];
    const gone: Href[] = [];
    const withheld: { href: Href; message: Message }[] = [];
    for (const href of hrefs) {
      try {
        const item = await this.#get(href);
        if (item) items.push(item);
        else gone.push(href);
      } catch (error) {
        if (!isRemote(error, 'rejected')) throw error;
        withheld.push({ href, message: messageOf(error) });
      }
    }
    if (items.length + withheld.length === 0) await this.#mustExist();
    return { items, gone, withheld };
  }

  /**
   * In a missing list, or behind a proxy that has lost its server, every task seems missing; that must not delete any.
   */
  async #mustExist(): Promise<void> {
    const { url } = this;
    const { responses } = await this.#propfind(url, '0', 'd:resourcetype');
    const status = responses[0]?.status ?? (responses[0]?.props.has('{DAV:}resourcetype') ? 200 : 404);
    if (status >= 400) throw new RemoteError('gone', syncMessage('listGoneOn', new URL(url).host), { status });
  }

  async #get(href: Href): Promise<RemoteItem | undefined> {
    const url = toUrl(href, this.origin);
    const first = await this.#textOf(url);
    if (first === undefined) return undefined;
    if (first.etag !== null) return { href, text: first.text, etag: first.etag };
    // Reads the tag first and the text after it: a text that is newer than its tag is noticed later, an older one would
    // stay.
    const etag = await this.#etagOf(url);
    if (etag === undefined) throw new RemoteError('protocol', syncMessage('noEtag', new URL(url).host));
    const second = await this.#textOf(url);
    return second && { href, etag, text: second.text };
  }

  async #textOf(url: string): Promise<{ readonly text: string; readonly etag: Etag | null } | undefined> {
    const answer = await this.http.send({ method: 'GET', url, headers: { Accept: 'text/calendar' } });
    if (answer.status === 404 || answer.status === 410) return undefined;
    if (answer.status !== 200) throw httpError(answer);
    const { text } = accepted(answer);
    // If an answer has no length, nothing else shows that its connection was cut.
    if (!isWhole(text)) throw new RemoteError('rejected', syncMessage('versionUnreadable'));
    return { text, etag: headerEtag(answer.headers.get('etag')) };
  }

  async #etagOf(url: string): Promise<Etag | undefined> {
    const answer = await this.#propfind(url, '0', 'd:getetag');
    const [response] = answer.responses;
    return response && propertyEtag(propText(response, '{DAV:}getetag'));
  }

  async put(href: Href, text: string, expect: Etag | 'absent'): Promise<Etag | null> {
    if (expect === 'absent' && this.mustCheckFirst() && (await this.#get(href))) throw changedMeanwhile();
    // The base came in an XML answer, which turned its CRLF into LF (RFC 5545 3.1 wants CRLF on the wire).
    const answer = accepted(await davPut(this.http, toUrl(href, this.origin), withCrlf(text), expect));
    return headerEtag(answer.headers.get('etag'));
  }

  async remove(href: Href, expect: Etag): Promise<void> {
    const url = toUrl(href, this.origin);
    if (this.mustCheckFirst() && (await this.#etagOf(url)) !== expect) throw changedMeanwhile();
    accepted(await davDelete(this.http, url, expect));
  }
}

const changedMeanwhile = () => new RemoteError('conflict', syncMessage('taskChanged'), { status: 412 });

/** The server has a resource there, and does not return it. */
const isWithheld = ({ status = 200, refused }: DavResponse): boolean =>
  status >= 400 || (refused.get('{DAV:}getetag') ?? 404) !== 404;

/** True unless the server names another component: an event need not be downloaded to be left alone. */
function mayBeTask(response: DavResponse): boolean {
  const type = propText(response, '{DAV:}getcontenttype');
  const component = type?.match(/component="?([a-z]+)/i)?.[1];
  return component === undefined || component.toUpperCase() === 'VTODO';
}

const join = (batches: readonly RemoteBatch[]): RemoteBatch => ({
  items: batches.flatMap(({ items }) => items),
  gone: batches.flatMap(({ gone }) => gone),
  withheld: batches.flatMap(({ withheld }) => withheld ?? []),
});
