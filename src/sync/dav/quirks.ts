import { randomUUID } from 'node:crypto';
import { withoutSlash } from '../remote/hrefs';

/**
 * Behavior of servers that no RFC describes: each with the server and the answer that was observed. The rest of the
 * room asks by these names and knows no server.
 */

/** SOGo: error bodies name the namespace `DAV` in place of `DAV:`. */
export const davNamespace = (uri: string): string => (uri === 'DAV' ? 'DAV:' : uri);

/**
 * SOGo: `getctag` and `sync-token` are seconds since 1970, or -1. Such a server also accepts `If-None-Match: *` over a
 * resource that exists, and a DELETE with an old ETag.
 */
export const isTimeTag = (tag: string): boolean => /^(-1|\d{9,11})$/.test(tag);

const presentSeconds = 3;

/**
 * SOGo: a change later in the second that its tag names does not change the tag. A tag that names the server's present
 * second (its clock in milliseconds) proves nothing: the next sync reads again.
 */
export function isTagOfThisSecond(tag: string | null, serverTime: number | undefined): tag is string {
  if (tag === null || serverTime === undefined || !isTimeTag(tag)) return false;
  return Math.abs(Number(tag) * 1000 - serverTime) <= presentSeconds * 1000;
}

/** SOGo: reports repeat what changed shortly before their token, and one from an unknown token names deletions, too. */
export const repeatsChanges = (token: string | undefined): boolean => token !== undefined && isTimeTag(token);

/** SOGo: a report from a token some seconds earlier misses nothing, but repeats known changes. */
export const tokenBefore = (token: string): string => `${Number(token) - presentSeconds}`;

/**
 * Xandikos: a time range finds a series by its first date alone, and so not one that began before. Series are asked for
 * by their rule as well.
 */
export const anySeries = { 'c:prop-filter': { _attributes: { name: 'RRULE' } } };

/**
 * The same query proves that a server knows when series are, if it finds one that began before `day` (`YYYYMMDD`): by a
 * text of the series alone, since an override in it has a date of its own.
 */
export const findsOldSeries = (texts: readonly string[], day: string): boolean =>
  texts.some(text => {
    const [event = '', ...others] = text.match(/^BEGIN:VEVENT\r?$.*?^END:VEVENT\r?$/gims) ?? [];
    const start = /^DTSTART[:;][^\n]*?(?<=:)(\d{8})/im.exec(event)?.[1];
    return others.length === 0 && /^RRULE[:;]/im.test(event) && start !== undefined && start < day;
  });

/** SOGo: a color of six digits is refused, one of eight is stored. */
export const withAlpha = (rgb: string, alpha: string): string => `#${rgb}${alpha}`.toUpperCase();

/**
 * SOGo: the name of a list has its emoji as references to two surrogates, which XML does not allow. The lists of an
 * account come in one answer, so that none of them could be read.
 */
export const withWholeCharacters = (xml: string): string =>
  xml.replace(/&#(5[56]\d{3});&#(5[67]\d{3});/g, (pair, high, low) => {
    const character = String.fromCharCode(high, low);
    return character.isWellFormed() ? character : pair;
  });

/** DAViCal: display names come escaped once too often, and nobody calls a list `&amp;`. */
export const unescapeName = (name: string | undefined): string | undefined =>
  name?.replace(/&(?:amp|lt|gt);/g, entity => ({ '&amp;': '&', '&lt;': '<', '&gt;': '>' })[entity] ?? entity);

/** DAViCal: in a list that one may only read, the question for the privileges is itself refused with 403. */
export const isReadOnlyByRefusal = (status: number | undefined): boolean => status === 403;

/** Xandikos: refuses a write with 207, the status in the one response inside. */
export const isRefusalInside = (status: number | undefined): boolean => status !== undefined && status >= 400;

/**
 * Xandikos: `supported-report-set` has no `report` elements around the names, and errors are inside a propstat. So
 * the names of all elements count, at any depth.
 */
export const namesAtAnyDepth = (elements: Iterable<{ readonly name: string }>): Set<string> =>
  new Set([...elements].map(({ name }) => name));

/** sabre/dav: after a PROPPATCH a sync-collection report names the list, without its slash: no task, no deletion. */
export const isListInReport = (href: string, list: string): boolean =>
  withoutSlash(href) === withoutSlash(list) || href.endsWith('/');

/**
 * Refusals of a whole multiget that its halves can be spared: sabre/dav 1.8 answers 404 if one resource is missing,
 * others fail on many or on one.
 */
export const multigetRefusals = ['tooLarge', 'timeout', 'gone', 'server'] as const;

/**
 * Cyrus: refuses a new collection whose name is not plain ASCII, and one whose name a deleted collection had. So the
 * name is random each time.
 */
export const newCollectionName = (): string => randomUUID();

/** Cyrus: a request without credentials succeeds, with `unauthenticated` as the principal (RFC 5397 3). */
export const unauthenticated = '{DAV:}unauthenticated';
