import { childOf, childrenOf, descendants, parseXml, type XmlElement } from '../../../src/sync/dav/xml';
import type { Answer, Request } from './server';
import { linesOf } from './texts';

export interface Places {
  readonly homes: readonly string[];
  readonly lists: Map<string, AList>;
}

interface AnItem {
  readonly etag: string;
  readonly text: string;
}

/** One calendar. Its properties are what the server shows; a test may change any of them at any time. */
export class AList {
  /** By path as sent. */
  readonly items = new Map<string, AnItem>();
  readonly log: string[] = [];
  color = '#2563EBFF';
  components: readonly string[] | undefined = ['VTODO'];
  privileges: readonly string[] = ['all'];
  hasReports = true;
  hasCtag = true;
  /** True if it names sync-collection among its reports. */
  namesReports = false;
  /** Shown instead of the counted one. */
  ctag: string | undefined;
  /** Tokens before this one are refused. */
  oldestToken = 0;
  /** Most members in one answer to sync-collection. */
  pageSize = Number.POSITIVE_INFINITY;
  /** True if a query returns the texts that it asks for. */
  returnsTexts = true;
  /** True if a change report does so, for which no RFC asks: all texts, or those whose path holds this. */
  reportsTexts: boolean | string = false;
  /**
   * Xandikos does this: a report passes over tasks that came and went since its token, and the ctag shows changes of
   * the content alone.
   */
  passesOver = false;
  /** Members that sync-collection calls gone although they never were there. */
  unknownHrefs: readonly string[] = [];
  #versions = 0;

  constructor(
    readonly path: string,
    public name: string,
  ) {}

  put(file: string, text: string): string {
    const etag = `"${++this.#versions}-${encodeURIComponent(this.name)}"`;
    const path = file.startsWith('/') ? file : this.path + file;
    this.items.set(path, { etag, text });
    this.log.push(path);
    return etag;
  }

  get(file: string): string {
    return this.items.get(this.path + file)!.text;
  }

  /** Goes back to what it had, as a server does that is restored from a backup: it knows no token of before. */
  restore(items: ReadonlyMap<string, AnItem>): void {
    const now = new Map(items);
    this.items.clear();
    for (const [path, item] of now) this.items.set(path, item);
    this.oldestToken = this.log.push(this.path);
  }

  remove(file: string): void {
    const path = file.startsWith('/') ? file : this.path + file;
    this.items.delete(path);
    this.log.push(path);
  }
}

const escapeXml = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

export const multistatus = (...responses: string[]): Answer => ({
  status: 207,
  headers: { 'content-type': 'application/xml; charset=utf-8' },
  body: `<?xml version="1.0"?><D:multistatus xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"
    xmlns:S="http://calendarserver.org/ns/" xmlns:A="http://apple.com/ns/ical/">${responses.join('')}</D:multistatus>`,
});

export const withProps = (href: string, props: string, status = 200): string =>
  `<D:response><D:href>${escapeXml(href)}</D:href><D:propstat><D:prop>${props}</D:prop>
    <D:status>HTTP/1.1 ${status} -</D:status></D:propstat></D:response>`;

export const withStatus = (href: string, status: number): string =>
  `<D:response><D:href>${escapeXml(href)}</D:href><D:status>HTTP/1.1 ${status} -</D:status></D:response>`;

/** An error body with a precondition of RFC 4918 16, and words as sabre writes them. */
export const problem = (status: number, condition: string, words = ''): Answer => ({
  status,
  headers: { 'content-type': 'application/xml' },
  body: `<d:error xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:s="http://sabredav.org/ns">
    <s:message>${escapeXml(words)}</s:message><${condition}/></d:error>`,
});

export function answerTo(places: Places, request: Request): Answer {
  const { method, path } = request;
  const list = places.lists.get(path);
  if (method === 'PROPFIND') return propfind(places, request);
  if (method === 'MKCALENDAR') return makeList(places, request);
  if (list && method === 'PROPPATCH') return proppatch(list, request);
  if (list && method === 'REPORT') return report(list, request);
  if (list && method === 'DELETE') {
    places.lists.delete(path);
    return { status: 204 };
  }
  const parent = [...places.lists.values()].find(one => path.startsWith(one.path));
  if (!parent) return { status: method === 'PUT' ? 409 : 404 };
  return oneItem(parent, request);
}

function oneItem(list: AList, { method, path, headers, body }: Request): Answer {
  const item = list.items.get(path);
  if (method === 'GET') return item ? { status: 200, headers: { etag: item.etag }, body: item.text } : { status: 404 };
  if (headers['if-none-match'] === '*' && item) return { status: 412 };
  if (headers['if-match'] !== undefined && headers['if-match'] !== item?.etag) return { status: 412 };
  if (method === 'PUT') {
    const uid = uidOf(body);
    if (!item && [...list.items.values()].some(one => uidOf(one.text) === uid))
      return problem(409, 'c:no-uid-conflict');
    return { status: item ? 204 : 201, headers: { etag: list.put(path, body) } };
  }
  if (method !== 'DELETE') return { status: 405 };
  if (!item) return { status: 404 };
  list.remove(path);
  return { status: 204 };
}

const uidOf = (text: string) => linesOf(text).find(line => line.startsWith('UID:'));

function propfind({ homes, lists }: Places, { path, headers, body }: Request): Answer {
  const describe = (list: AList) => describeList(list, body.includes('sync-token'));
  if (path === '/' || path === '/.well-known/caldav' || path === '/me/') {
    const home = homes.map(href => `<D:href>${href}</D:href>`).join('');
    return multistatus(
      withProps(
        path,
        `<D:current-user-principal><D:href>/me/</D:href></D:current-user-principal>
        <C:calendar-home-set>${home}</C:calendar-home-set>
        <C:calendar-user-address-set><D:href>mailto:Anna@Example.org</D:href></C:calendar-user-address-set><D:resourcetype><D:collection/></D:resourcetype>`,
      ),
    );
  }
  const collection = '<D:resourcetype><D:collection/></D:resourcetype>';
  if (homes.includes(path)) {
    const inside = [...lists.values()].filter(list => list.path.startsWith(path));
    return multistatus(withProps(path, collection), ...inside.map(describe));
  }
  const list = lists.get(path);
  if (!list) {
    const parent = [...lists.values()].find(one => path.startsWith(one.path));
    const item = parent?.items.get(path);
    return item ? multistatus(withProps(path, etagProp(item))) : { status: 404 };
  }
  if (headers.depth === '0') return multistatus(describe(list));
  return multistatus(withProps(path, collection), ...members(list));
}

const tokenOf = (list: AList, at = list.log.length) => `http://sync.example/${at}`;
const etagProp = ({ etag }: AnItem) => `<D:getetag>${escapeXml(etag)}</D:getetag>`;
/** A member in a response that includes its text. */
export const withText = (href: string, item: AnItem): string =>
  withProps(href, `${etagProp(item)}<C:calendar-data>${escapeXml(item.text)}</C:calendar-data>`);
const members = ({ items }: AList) => [...items].map(([href, item]) => withProps(href, etagProp(item)));

function describeList(list: AList, withToken: boolean): string {
  const { components } = list;
  return withProps(
    list.path,
    [
      '<D:resourcetype><D:collection/><C:calendar/></D:resourcetype>',
      `<D:displayname>${escapeXml(list.name)}</D:displayname><A:calendar-color>${list.color}</A:calendar-color>`,
      components &&
        `<C:supported-calendar-component-set>${components.map(name => `<C:comp name="${name}"/>`).join('')}</C:supported-calendar-component-set>`,
      `<D:current-user-privilege-set>${list.privileges
        .map(name => `<D:privilege><D:${name}/></D:privilege>`)
        .join('')}</D:current-user-privilege-set>`,
      list.hasReports && withToken && `<D:sync-token>${tokenOf(list)}</D:sync-token>`,
      list.namesReports &&
        '<D:supported-report-set><D:supported-report><D:report><D:sync-collection/></D:report></D:supported-report></D:supported-report-set>',
      list.hasCtag && `<S:getctag>${escapeXml(ctagOf(list))}</S:getctag>`,
    ]
      .filter(Boolean)
      .join(''),
  );
}

const ctagOf = ({ ctag, passesOver, items, log }: AList): string =>
  ctag ?? (passesOver ? [...items.values()].map(({ etag }) => etag).join() : `c${log.length}`);

function report(list: AList, { body }: Request): Answer {
  const root = parseXml(body);
  if (root.name.endsWith('}calendar-multiget')) {
    const hrefs = childrenOf(root, '{DAV:}href').map(href => href.text);
    return multistatus(
      ...hrefs.map(href => {
        const item = list.items.get(href);
        return item ? withText(href, item) : withStatus(href, 404);
      }),
    );
  }
  if (root.name.endsWith('}calendar-query')) return query(list, root);
  return list.hasReports ? changes(list, root) : problem(403, 'd:supported-report');
}

function query(list: AList, root: XmlElement): Answer {
  const uid = [...descendants(root)].find(({ name }) => name.endsWith('}text-match'))?.text ?? '';
  const kind = [...descendants(root)].findLast(({ name }) => name.endsWith('}comp-filter'))?.attributes.name ?? 'VTODO';
  const tasks = [...list.items].filter(
    ([, { text }]) => text.includes(`BEGIN:${kind}`) && (uidOf(text) ?? '').includes(uid),
  );
  const show =
    asksForTexts(root) && list.returnsTexts
      ? withText
      : (href: string, item: AnItem) => withProps(href, etagProp(item));
  return multistatus(...tasks.map(([href, item]) => show(href, item)));
}

const asksForTexts = (root: XmlElement): boolean =>
  [...descendants(root)].some(({ name }) => name.endsWith('}calendar-data'));

const reportsText = ({ reportsTexts }: AList, href: string): boolean =>
  typeof reportsTexts === 'string' ? href.includes(reportsTexts) : reportsTexts;

function changes(list: AList, root: XmlElement): Answer {
  const token = childOf(root, '{DAV:}sync-token')?.text ?? '';
  const from = token === '' ? 0 : Number(token.split('/').at(-1));
  if (token !== '' && !(from >= list.oldestToken && from <= list.log.length)) return problem(403, 'd:valid-sync-token');
  const to = Math.min(list.log.length, from + list.pageSize);
  const isAskedForText = asksForTexts(root);
  const responses = [...new Set(list.log.slice(from, to))].flatMap(href => {
    if (href === list.path) return [];
    const item = list.items.get(href);
    if (item) return isAskedForText && reportsText(list, href) ? withText(href, item) : withProps(href, etagProp(item));
    if (list.passesOver && !list.log.slice(0, from).includes(href)) return [];
    return token === '' ? [] : withStatus(href, 404);
  });
  const unknown = list.unknownHrefs.map(href => withStatus(href, 404));
  const more = to < list.log.length ? [withStatus(list.path, 507)] : [];
  return multistatus(...responses, ...unknown, ...more, `<D:sync-token>${tokenOf(list, to)}</D:sync-token>`);
}

const textIn = (root: XmlElement, name: string) => [...descendants(root)].find(one => one.name.endsWith(`}${name}`));

function makeList(places: Places, { path, body }: Request): Answer {
  if (places.lists.has(path)) return problem(405, 'd:resource-must-be-null');
  const root = parseXml(body);
  const list = new AList(path, textIn(root, 'displayname')?.text ?? path);
  list.color = textIn(root, 'calendar-color')?.text ?? list.color;
  const components = [...descendants(root)].filter(({ name }) => name.endsWith('}comp'));
  list.components = components.map(({ attributes }) => attributes.name!);
  places.lists.set(path, list);
  return { status: 201 };
}

function proppatch(list: AList, { path, body }: Request): Answer {
  const root = parseXml(body);
  list.name = textIn(root, 'displayname')?.text ?? list.name;
  list.color = textIn(root, 'calendar-color')?.text ?? list.color;
  return multistatus(withProps(path, '<D:displayname/><A:calendar-color/>'));
}

/** How many resources each list holds, by their names in the test. */
export const sizesOf = <K extends string>(lists: Record<K, AList>): Record<K, number> =>
  Object.fromEntries(Object.entries<AList>(lists).map(([name, { items }]) => [name, items.size])) as Record<K, number>;
