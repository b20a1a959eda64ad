import { lastSegment, toHref, withoutSlash } from '../remote/hrefs';
import type { RemoteList } from '../remote/remote';
import { parseColor } from './calendarColor';
import { type Content, propRequest } from './davRequest';
import { type DavResponse, hrefsOf, propText } from './multistatus';
import {
  isReadOnlyByRefusal,
  isTagOfThisSecond,
  isTimeTag,
  namesAtAnyDepth,
  tokenBefore,
  unescapeName,
} from './quirks';
import { childrenOf, descendants, type XmlElement } from './xml';

const caldav = '{urn:ietf:params:xml:ns:caldav}';
const calendarServer = '{http://calendarserver.org/ns/}';
const appleNamespace = '{http://apple.com/ns/ical/}';

const tokenProp = propRequest('d:sync-token');
const ctagProp = propRequest('cs:getctag');
const plainProps: Content = propRequest(
  'd:resourcetype',
  'd:displayname',
  'ca:calendar-color',
  'ca:calendar-order',
  'c:supported-calendar-component-set',
  'd:current-user-privilege-set',
  'd:owner',
  'd:supported-report-set',
);

/** The change tags to request. Servers read a whole list for its ctag, and even more for its sync token. */
export type Tags = 'none' | 'ctag' | 'token';

/** The properties that are requested of every list. */
export const listProps = (tags: Tags): Content => ({
  ...plainProps,
  ...(tags !== 'none' && ctagProp),
  ...(tags === 'token' && tokenProp),
});

/** True if a request without tokens would show every change; some servers take long to compute each list's token. */
export const isCtagSufficient = (response: DavResponse): boolean =>
  propText(response, `${calendarServer}getctag`) !== undefined && reports(response).has('{DAV:}sync-collection');

/** Reads one member of a calendar home; undefined if it is not a list with such components. */
export function readList(
  response: DavResponse,
  from: string,
  origin: string,
  serverTime: number | undefined,
  component: 'VTODO' | 'VEVENT' = 'VTODO',
): RemoteList | undefined {
  const types = new Set(response.props.get('{DAV:}resourcetype')?.children.map(({ name }) => name));
  // Without "calendar" it is a folder, a bin or an inbox; a subscription is a copy of someone else's feed.
  if (!types.has(`${caldav}calendar`) || types.has(`${calendarServer}subscribed`)) return undefined;
  const components = response.props.get(`${caldav}supported-calendar-component-set`);
  const names = componentNames(components);
  // RFC 4791 5.2.3: without the property every component is allowed.
  if (names && !names.has(component)) return undefined;
  const href = toHref(response.href, from, origin);
  const ctag = propText(response, `${calendarServer}getctag`) ?? null;
  const syncToken = propText(response, '{DAV:}sync-token') ?? null;
  return {
    href,
    name: truncateName(unescapeName(propText(response, '{DAV:}displayname')) ?? lastSegment(href)),
    color: parseColor(propText(response, `${appleNamespace}calendar-color`)),
    order: readInteger(propText(response, `${appleNamespace}calendar-order`)),
    owner: hrefsOf(response, '{DAV:}owner')[0] ?? null,
    isReadOnly: isReadOnly(response),
    ctag: isTagOfThisSecond(ctag, serverTime) ? null : ctag,
    syncToken: isTagOfThisSecond(syncToken, serverTime) ? tokenBefore(syncToken) : syncToken,
    ...([ctag, syncToken].some(tag => isTagOfThisSecond(tag, serverTime)) && { isChanging: true }),
    isTasksOnly: names?.size === 1,
    canReportChanges: syncToken !== null || reports(response).has('{DAV:}sync-collection'),
  };
}

/** A longer text is not a real name, and would be stored, shown and sent again with every change. */
const maxNameLength = 500;

const truncateName = (name: string): string =>
  name.length <= maxNameLength ? name : `${name.slice(0, maxNameLength - 1).replace(/[\ud800-\udbff]$/, '')}…`;

/** True if the server accepts writes that their condition forbids: a resource is then read before it is written. */
export const ignoresConditions = (response: DavResponse): boolean =>
  [`${calendarServer}getctag`, '{DAV:}sync-token'].some(name => isTimeTag(propText(response, name) ?? ''));

export const isSelf = (href: string, collection: string): boolean => withoutSlash(href) === withoutSlash(collection);

function componentNames(set: XmlElement | undefined): Set<string> | undefined {
  const names = childrenOf(set, `${caldav}comp`).map(comp => comp.attributes.name?.toUpperCase() ?? '');
  return names.length === 0 ? undefined : new Set(names);
}

const writing = ['all', 'write', 'write-content', 'bind'].map(name => `{DAV:}${name}`);

/**
 * Read-only is "neither write-content nor bind": a read-only share may well allow `write-properties`.
 */
function isReadOnly(response: DavResponse): boolean {
  const name = '{DAV:}current-user-privilege-set';
  const set = response.props.get(name);
  if (!set) return isReadOnlyByRefusal(response.refused.get(name));
  const granted = childrenOf(set, '{DAV:}privilege').flatMap(privilege => privilege.children.map(child => child.name));
  return granted.length > 0 && !writing.some(privilege => granted.includes(privilege));
}

function reports(response: DavResponse): Set<string> {
  const set = response.props.get('{DAV:}supported-report-set');
  return namesAtAnyDepth(set ? descendants(set) : []);
}

const readInteger = (text: string | undefined): number | null =>
  text !== undefined && /^-?\d{1,9}$/.test(text) ? Number(text) : null;
