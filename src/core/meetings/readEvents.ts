import { type Component, componentsNamed, frameOf } from '../ical/components';
import { type Coding, code, codingOf, type DateValue, readDateValue } from '../ical/dateValues';
import { emptyFields } from '../ical/row';
import { type Zones, zonesOf } from '../ical/zoneTable';
import type { Task } from '../kernel/model';
import { type ContentLine, paramOf, readLines, unescapeText } from '../lines/contentLines';
import { formatWall, parseDigits } from '../lines/dateDigits';
import { cleanLine, cleanText, unescapeUri } from '../lines/text';
import { hasThisAndFuture } from '../recurrence/thisAndFollowing';
import { addDuration, parseDuration, resolveZone } from '../time/dates';
import { dayMs } from '../time/units';
import type { Meeting, MeetingWindow } from './meeting';

/** One VEVENT. */
export interface EventReading {
  readonly uid: string;
  /** Its dates and its rule in the form that the recurrence of tasks needs; `due` is the end. */
  readonly row: Task;
  /** The TZID of a zone that only the text itself describes: dates are then wall clocks in it. */
  readonly privateZone: string | undefined;
  readonly zones: Zones;
  readonly start: DateValue;
  /** The occurrence of a series that this event replaces (RECURRENCE-ID). */
  readonly id: DateValue | undefined;
  readonly words: Pick<Meeting, 'title' | 'location' | 'link' | 'text' | 'isBusy' | 'isPrivate'>;
  /** Canceled, or declined by the user. */
  readonly isHidden: boolean;
}

/** Longer texts are cut: they are shown in one line, or in a hover. */
const [longestLine, longestText] = [500, 2000];
/** Reading stops after this many events, or this much text of events. */
const [maxEvents, maxOfText] = [50_000, 8 * 2 ** 20];
/** A longer component is left out: parsing it takes a hundred times its length. */
const longestComponent = 2 ** 20;

/**
 * The events of an iCalendar text that may be in the window. Each is read by itself: reading all lines of a feed of many
 * years at once would take several times the memory. Undefined for those that are not in it. `addresses` are the user's
 * own, in lower case.
 */
export function* readEvents(
  text: string,
  window: MeetingWindow,
  addresses: ReadonlySet<string>,
  onCut?: () => void,
): Generator<EventReading | undefined> {
  let zones: Zones | undefined;
  let [count, length] = [0, 0];
  for (const part of componentTexts(text, 'VEVENT', onCut)) {
    if (isOutside(part, window)) {
      yield undefined;
      continue;
    }
    length += part.length;
    if (++count > maxEvents || length > maxOfText) return onCut?.();
    zones ??= zonesIn(text);
    const lines = readLines(part);
    for (const event of componentsNamed(frameOf(lines).roots, 'VEVENT')) {
      const reading = readEvent(lines, event, zones, addresses);
      if (reading) yield reading;
    }
  }
}

/**
 * The text of each component of that name. Continuation lines begin with a space, so none of them is mistaken for a
 * component.
 */
function* componentTexts(text: string, name: string, onTooLong?: () => void): Generator<string> {
  const begin = new RegExp(`(?:^|[\\r\\n\\ufeff])BEGIN:${name}[ \\t]*(?=[\\r\\n])`, 'gi');
  const end = new RegExp(`[\\r\\n]END:${name}[ \\t]*(?=[\\r\\n]|$)`, 'gi');
  for (let found = begin.exec(text); found; found = begin.exec(text)) {
    end.lastIndex = begin.lastIndex;
    const last = end.exec(text);
    const to = last ? end.lastIndex : text.length;
    if (to - found.index > longestComponent) onTooLong?.();
    else yield text.slice(found.index, to).replace(/^[\r\n\ufeff]/, '');
    begin.lastIndex = to;
  }
}

function zonesIn(text: string): Zones {
  const lines = readLines([...componentTexts(text, 'VTIMEZONE')].join('\r\n').slice(0, longestComponent));
  return zonesOf(lines, frameOf(lines).roots);
}

/** The event may be on days that no line below shows: it has more dates, is long, or changes all following occurrences. */
const mayBeElsewhere = /[\r\n](?:RDATE[;:]|RECURRENCE-ID[^\r\n]*;RANGE=|DURATION[;:]P(?:\d+[WD]|T\d{3}))/i;
const [startLine, endLine, idLine] = ['DTSTART', 'DTEND', 'RECURRENCE-ID'].map(
  name => new RegExp(`[\\r\\n]${name}[;:](?:(?:[^\\r\\n]*:)?(\\d{4})(\\d\\d)(\\d\\d))?`, 'i'),
) as [RegExp, RegExp, RegExp];
const ruleLine = /[\r\n]RRULE[;:]([^\r\n]*(?:[\r\n]+[ \t][^\r\n]*)*)/i;
const untilDay = /\bUNTIL=(\d{4})(\d\d)(\d\d)/i;
/** `FREQ=WEEKLY;COUNT=10;BYDAY=MO`: a rule that has an occurrence at least once a week for each `INTERVAL`. */
const countedRule =
  /^(?:(?:FREQ=(?:DAILY|WEEKLY)|COUNT=\d{1,6}|INTERVAL=\d{1,3}|WKST=\w\w|BYDAY=[A-Z,]+)\s*(?:;|$))+$/i;
/** No occurrence that another one replaces lasts longer. */
const longestReplaced = 31 * dayMs;

/**
 * True if an event is far from the window, as most events of a feed are: they are not parsed. Series that are over and
 * their exceptions are among them. Those of ten years would leave no room for today's meetings.
 */
function isOutside(part: string, { from, to }: MeetingWindow): boolean {
  const start = dayIn(startLine, part);
  if (start === undefined || (start < to && start > from) || mayBeElsewhere.test(part)) return false;
  const isFar = (first: number, last: number) => first > to + 2 * dayMs || last < from - 2 * dayMs;
  const length = Math.max((dayIn(endLine, part) ?? start) - start, 0);
  const id = dayIn(idLine, part);
  const rule = ruleLine.exec(part)?.[1];
  const last = rule === undefined ? start : lastDay(rule.replace(/[\r\n]+[ \t]/g, ''), start);
  return isFar(start, last + length) && (id === undefined || isFar(id, id + longestReplaced));
}

/** Undefined without such a line; NaN, which is in every window, if it does not show its day in one piece. */
function dayIn(line: RegExp, part: string): number | undefined {
  const found = line.exec(part);
  return found ? dayOf(found) : undefined;
}

const dayOf = (found: RegExpExecArray | null): number =>
  Date.UTC(Number(found?.[1]), Number(found?.[2]) - 1, Number(found?.[3]));

/** A day after which a series is over; NaN if its rule has no end, or one that only expanding it can find. */
function lastDay(rule: string, start: number): number {
  if (!countedRule.test(rule)) return dayOf(untilDay.exec(rule));
  const numberOf = (name: string) => Number(new RegExp(`\\b${name}=(\\d+)`, 'i').exec(rule)?.[1]);
  return start + 7 * dayMs * (1 + numberOf('COUNT') * (numberOf('INTERVAL') || 1));
}

function readEvent(
  lines: readonly ContentLine[],
  component: Component,
  zones: Zones,
  addresses: ReadonlySet<string>,
): EventReading | undefined {
  const own = component.own.map(index => lines[index]!);
  const first = new Map<string, ContentLine>();
  for (const line of own) if (line.jCal && !first.has(line.name)) first.set(line.name, line);
  const dateOf = (name: string) => (first.has(name) ? readDateValue(first.get(name)!, zones) : undefined);
  const start = dateOf('DTSTART');
  if (!start) return undefined;
  const uid = textOf(first.get('UID'), longestLine) ?? '';
  const privateZone = start.kind === 'zoned' && resolveZone(start.tzid) === undefined ? start.tzid : undefined;
  const coding: Coding = { ...codingOf(undefined, start), ...(privateZone !== undefined && { zone: null }) };
  const toOwnZone = (raw: string) => (privateZone === undefined ? raw : wallsIn(raw, privateZone, zones));
  const rawOf = (name: string) => {
    const raw = own.filter(line => line.name === name && line.jCal).map(line => toOwnZone(cleanLine(line.text)));
    return raw.length > 0 ? raw.join('\n') : null;
  };
  const end = dateOf('DTEND');
  const id = dateOf('RECURRENCE-ID');
  const idLine = first.get('RECURRENCE-ID');
  const rrule = first.get('RRULE');
  const row: Task = {
    ...emptyFields(uid),
    ...{ id: 0, listId: 0, href: null, etag: null, masterId: null, parentId: null },
    ...{ isDirty: false, isDeleted: false, alarms: [] },
    timezone: coding.zone,
    isAllDay: coding.isAllDay,
    dtstart: code(start, coding, zones),
    ...endOf(
      end && inOwnZone(end, privateZone, zones),
      first.get('DURATION'),
      code(start, coding, zones),
      coding,
      zones,
    ),
    rrule: rrule ? toOwnZone(cleanLine(rrule.value.trim())) || null : null,
    sequence: Number.parseInt(first.get('SEQUENCE')?.value ?? '', 10) || 0,
    rdate: rawOf('RDATE'),
    exdate: rawOf('EXDATE'),
    unknownProperties: idLine && hasThisAndFuture(idLine) ? JSON.stringify([cleanLine(idLine.text)]) : null,
  };
  const isDeclined = own.some(line => line.name === 'ATTENDEE' && hasDeclined(line, addresses));
  const isHidden = isDeclined || wordOf(first.get('STATUS')) === 'CANCELLED';
  return { uid, row, privateZone, zones, start, id, words: wordsOf(first), isHidden };
}

/** An instant as a wall clock of a zone that only the text describes, as the other dates in that zone are. */
export function inOwnZone(value: DateValue, privateZone: string | undefined, zones: Zones): DateValue {
  if (privateZone === undefined || (value.kind !== 'utc' && value.kind !== 'zoned')) return value;
  return { kind: 'floating', civil: zones.toWall(privateZone, value.at) ?? value.civil };
}

/** Replaces the instants in a line or a rule, as {@link inOwnZone} does. */
const wallsIn = (raw: string, privateZone: string, zones: Zones): string =>
  raw.replace(/\b\d{8}T\d{6}Z/gi, text => {
    const instant = parseDigits(text)?.civil;
    return instant === undefined ? text : formatWall(zones.toWall(privateZone, instant) ?? instant);
  });

/** DTEND, or else DURATION, or else the end of the day; an end before the start is ignored. */
function endOf(
  end: DateValue | undefined,
  duration: ContentLine | undefined,
  start: number,
  coding: Coding,
  zones: Zones,
): Pick<Task, 'due' | 'duration'> {
  const due = end ? code(end, coding, zones) : undefined;
  if (due !== undefined && due > start) return { due, duration: null };
  const text = duration?.value.trim() ?? '';
  const length = parseDuration(text);
  const isLength = length !== undefined && length.days >= 0 && length.ms >= 0;
  if (!end && isLength && addDuration(start, coding.zone, text) !== undefined) return { due: null, duration: text };
  return { due: coding.isAllDay ? start + dayMs : start, duration: null };
}

function wordsOf(first: ReadonlyMap<string, ContentLine>): EventReading['words'] {
  const location = textOf(first.get('LOCATION'), longestLine);
  const text = textOf(first.get('DESCRIPTION'), longestText);
  const link = linkOf(first, location);
  const isFree =
    wordOf(first.get('TRANSP')) === 'TRANSPARENT' || wordOf(first.get('X-MICROSOFT-CDO-BUSYSTATUS')) === 'FREE';
  return {
    title: textOf(first.get('SUMMARY'), longestLine)?.replace(/\s+/g, ' ') ?? '',
    ...(location === undefined ? {} : { location: location.replace(/\s+/g, ' ') }),
    ...(link === undefined ? {} : { link }),
    ...(text === undefined ? {} : { text }),
    isBusy: !isFree,
    isPrivate: ['PRIVATE', 'CONFIDENTIAL'].includes(wordOf(first.get('CLASS')) ?? ''),
  };
}

/** Properties that have the address of a call, best first: RFC 7986, and what Google and Microsoft write. */
const linkNames = ['CONFERENCE', 'X-GOOGLE-CONFERENCE', 'X-MICROSOFT-SKYPETEAMSMEETINGURL', 'URL'];

function linkOf(first: ReadonlyMap<string, ContentLine>, location: string | undefined): string | undefined {
  const written = linkNames.map(name => unescapeUri(first.get(name)?.value ?? ''));
  return [...written, ...(location?.split(/\s+/) ?? [])].find(isLink);
}

const isLink = (text: string) => text.length <= 2000 && /^https?:\/\/[^\s\x00-\x20"<>\\]+$/i.test(text);

const wordOf = (line: ContentLine | undefined): string | undefined => line?.value.trim().toUpperCase();

function textOf(line: ContentLine | undefined, most: number): string | undefined {
  if (!line) return undefined;
  const text = cleanText(unescapeText(line.value.slice(0, 4 * most))).trim();
  return (text.length > most ? `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…` : text) || undefined;
}

function hasDeclined(line: ContentLine, addresses: ReadonlySet<string>): boolean {
  if (paramOf(line, 'PARTSTAT')?.toUpperCase() !== 'DECLINED') return false;
  return [line.value, paramOf(line, 'EMAIL') ?? ''].some(text =>
    addresses.has(
      text
        .trim()
        .replace(/^mailto:/i, '')
        .toLowerCase(),
    ),
  );
}
