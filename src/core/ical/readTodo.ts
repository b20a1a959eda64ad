import { textColumns, textFacts } from '../fields/table';
import { uniqueTags } from '../fields/tags';
import { type AlarmInput, Classification, type ClassificationCode, Status, type StatusCode } from '../kernel/model';
import { type ContentLine, paramOf, unescapeText } from '../lines/contentLines';
import { cleanLine, cleanText, splitList, unescapeUri, unquotePrintable } from '../lines/text';
import { hasThisAndFuture } from '../recurrence/thisAndFollowing';
import { parseDuration } from '../time/durations';
import { dayMs } from '../time/units';
import { readAlarm } from './alarmRead';
import { colorOfName } from './colors';
import type { Component } from './components';
import { type Coding, code, codingOf, type DateValue, modulo, readDateValue } from './dateValues';
import { icalMessage } from './messages';
import { emptyFields, type Fault, type ResourceRow, type TaskFields } from './row';
import type { Zones } from './zoneTable';

/** How the series codes its dates: an override's RECURRENCE-ID names an occurrence of it, and so is coded the same. */
export interface SeriesCoding extends Coding {
  /** Civil beginning of an occurrence, for an id that is only a DATE. */
  readonly start: DateValue | undefined;
}

export interface TodoReading {
  readonly row: ResourceRow;
  readonly faults: readonly Fault[];
  readonly coding: SeriesCoding;
  /** The value of RECURRENCE-ID. */
  readonly id: DateValue | undefined;
  /** The line has a DTSTART that the row has not: DUE's value, since a rule needs one. */
  readonly startsAtDue: boolean;
}

/**
 * RFC 5545 3.8.2.4 wants a DTSTART if there is a rule, and the user may have set a due date alone. DTSTART then takes
 * DUE's value, and this line says so: if the two still agree, the task has no start of its own.
 */
export const startName = 'X-DUELINE-START';

const statuses: ReadonlyMap<string, StatusCode> = new Map([
  ['NEEDS-ACTION', Status.needsAction],
  ['IN-PROCESS', Status.inProcess],
  ['COMPLETED', Status.completed],
  ['CANCELLED', Status.cancelled],
]);

const classes: ReadonlyMap<string, ClassificationCode> = new Map([
  ['PUBLIC', Classification.public],
  ['PRIVATE', Classification.private],
  ['CONFIDENTIAL', Classification.confidential],
]);

/** Lines that are recreated at each write, or that every row has: no column and no raw copy of them. */
const bookkeeping = new Set(['UID', 'DTSTAMP']);

/**
 * One VTODO as a row (docs/mapping.md has the table), from values as written, since ical.js corrects damaged ones.
 * Whatever no column can hold exactly is kept raw in `unknownProperties`: other properties, other components, second
 * lines of a property that may occur once, and values that are damaged or more precise than their column.
 */
export function readTodo(
  lines: readonly ContentLine[],
  component: Component,
  uid: string,
  zones: Zones,
  series?: SeriesCoding,
): TodoReading {
  const own = component.own.map(index => lines[index]!);
  const unread = new UnreadLines(own);
  const fields: Draft = emptyFields(uid);
  readTexts(unread, fields);
  readState(unread, fields, zones);
  const { coding, id, startsAtDue } = readDates(unread, fields, zones, series);
  fields.rdate = rawLines(unread.takeAll('RDATE'));
  fields.exdate = rawLines(unread.takeAll('EXDATE'));
  readStamps(unread, fields, zones);

  const alarms = new Map<Component, AlarmInput>();
  for (const child of component.children) {
    const alarm = child.name === 'VALARM' && child.closed ? readAlarm(lines, child, zones) : undefined;
    if (alarm) alarms.set(child, alarm);
  }
  fields.alarms = [...alarms.values()];

  const isModelled = (line: ContentLine) => unread.modelled.has(line) || bookkeeping.has(line.name);
  const unknown = unknownLines(lines, component, isModelled, alarms);
  fields.unknownProperties = unknown.length > 0 ? JSON.stringify(unknown) : null;
  for (const line of own) {
    if (line.name === '')
      unread.faults.push({ kind: 'line', line: line.number, message: icalMessage('notAProperty', excerpt(line.text)) });
  }
  const { parentUid, childUids } = relationsOf(own);
  return { row: { fields, parentUid, childUids }, faults: unread.faults, coding, id, startsAtDue };
}

const isSameDate = (a: DateValue, b: DateValue) =>
  a.kind === b.kind && a.civil === b.civil && (a.kind !== 'zoned' || b.kind !== 'zoned' || a.tzid === b.tzid);

type Draft = { -readonly [Field in keyof TaskFields]: TaskFields[Field] };

/** The lines of a component, and which of them the columns hold already. */
class UnreadLines {
  readonly faults: Fault[] = [];
  readonly modelled = new Set<ContentLine>();
  readonly #own: readonly ContentLine[];
  readonly #first = new Map<string, ContentLine>();

  constructor(own: readonly ContentLine[]) {
    this.#own = own;
    for (const line of own) if (line.name !== '' && !this.#first.has(line.name)) this.#first.set(line.name, line);
  }

  has(name: string): boolean {
    return this.#first.has(name);
  }

  /** The value that `read` returns for the property's first line; a line that it or ical.js cannot read stays raw. */
  take<T>(name: string, read: (line: ContentLine) => T | undefined): T | undefined {
    const line = this.#first.get(name);
    if (!line) return undefined;
    const value = line.jCal && read(line);
    if (value === undefined) this.#refuse(line);
    else this.modelled.add(line);
    return value;
  }

  /** The lines of a property that may be there more than once. */
  takeAll(name: string): ContentLine[] {
    return this.#own.filter(line => {
      if (line.name !== name) return false;
      if (line.jCal) this.modelled.add(line);
      else this.#refuse(line);
      return line.jCal !== undefined;
    });
  }

  #refuse(line: ContentLine): void {
    const message = icalMessage('unreadableValue', line.name, excerpt(line.value));
    this.faults.push({ kind: 'value', line: line.number, message });
  }

  /** The value counts, and yet the line says more than the column: both are kept. */
  alsoRaw(name: string): ContentLine {
    const line = this.#first.get(name)!;
    this.modelled.delete(line);
    return line;
  }
}

function readTexts(unread: UnreadLines, fields: Draft): void {
  for (const name of textColumns) {
    const { property, isUri } = textFacts[name];
    fields[name] = unread.take(property, isUri ? uri : text) ?? null;
  }
  fields.color = unread.take('COLOR', line => colorOfName(unescapeText(line.value))) ?? null;
  fields.tags = uniqueTags(unread.takeAll('CATEGORIES').flatMap(tagsOf));
}

function readState(unread: UnreadLines, fields: Draft, zones: Zones): void {
  fields.completedAt = unread.take('COMPLETED', line => momentOf(line, zones)) ?? null;
  const implied = unread.has('COMPLETED') ? Status.completed : Status.needsAction;
  fields.status = unread.has('STATUS') ? (unread.take('STATUS', statusOf) ?? Status.needsAction) : implied;
  const percent = unread.take('PERCENT-COMPLETE', integer);
  if (percent !== undefined) fields.percentComplete = Math.min(Math.max(percent, 0), 100);
  if (percent !== undefined && percent !== fields.percentComplete) unread.alsoRaw('PERCENT-COMPLETE');
  fields.priority = unread.take('PRIORITY', line => within(integer(line), 0, 9)) ?? 0;
  if (unread.has('CLASS')) fields.classification = unread.take('CLASS', classOf) ?? Classification.private;
}

function readDates(
  unread: UnreadLines,
  fields: Draft,
  zones: Zones,
  series: SeriesCoding | undefined,
): Pick<TodoReading, 'coding' | 'id' | 'startsAtDue'> {
  const start = unread.take('DTSTART', line => readDateValue(line, zones));
  const due = unread.take('DUE', line => readDateValue(line, zones));
  let appliesToFuture = false;
  const id = unread.take('RECURRENCE-ID', line => {
    // No column says that the override holds for those that follow.
    appliesToFuture = hasThisAndFuture(line);
    return readDateValue(line, zones);
  });
  const isMarked = unread.take(startName, line => /^\s*DUE\s*$/i.test(line.value) || undefined) ?? false;
  const startsAtDue = isMarked && start !== undefined && due !== undefined && isSameDate(start, due);
  for (const [name, value] of [
    ['DTSTART', start],
    ['DUE', due],
    ['RECURRENCE-ID', id],
  ] as const) {
    if (value?.kind !== 'floating' || !value.lossy || (name === 'DTSTART' && startsAtDue)) continue;
    const line = unread.alsoRaw(name);
    const message = icalMessage('unknownTimeZone', paramOf(line, 'TZID') ?? '');
    unread.faults.push({ kind: 'zone', line: line.number, message });
  }
  const coding = due || start ? codingOf(due, start) : { zone: codingOf(undefined, id).zone, isAllDay: false };
  const own = { ...coding, start: start ?? due };
  fields.timezone = coding.zone;
  fields.isAllDay = coding.isAllDay;
  fields.dtstart = start && !startsAtDue ? code(start, coding, zones) : null;
  fields.due = due ? code(due, coding, zones) : null;
  if (id) {
    fields.recurrenceId = codeRecurrenceId(id, series ?? own, zones);
    if (appliesToFuture) unread.alsoRaw('RECURRENCE-ID');
  }
  // A DURATION only counts with a start and without a DUE (RFC 5545 3.6.2); otherwise it is only kept.
  if (start && !due) fields.duration = unread.take('DURATION', durationOf) ?? null;
  fields.rrule = unread.take('RRULE', line => cleanLine(line.value.trim()) || undefined) ?? null;
  return { coding: own, id, startsAtDue };
}

function readStamps(unread: UnreadLines, fields: Draft, zones: Zones): void {
  fields.createdAt = unread.take('CREATED', line => momentOf(line, zones)) ?? null;
  fields.lastModified = unread.take('LAST-MODIFIED', line => momentOf(line, zones)) ?? null;
  fields.sequence = unread.take('SEQUENCE', line => within(integer(line), 0, 2 ** 31 - 1)) ?? 0;
  fields.sortOrder = unread.take('X-APPLE-SORT-ORDER', integer) ?? defaultSortOrder(fields.createdAt);
}

/** Nextcloud's rule, which others read as well: seconds from 2001-01-01 to CREATED. */
const defaultSortOrder = (createdAt: number | null): number =>
  createdAt === null ? 0 : Math.floor((createdAt - Date.UTC(2001, 0, 1)) / 1000);

/** The line that names the parent: the first RELATED-TO that is a plain UID with RELTYPE absent, empty or PARENT. */
export const isParentLine = (line: ContentLine): boolean => relationOf(line) === 'PARENT' && line.value.trim() !== '';

export const tagsOf = (line: ContentLine): string[] =>
  splitList(line.value).map(part => cleanText(unescapeText(part)).trim());

const text = (line: ContentLine) => {
  const isQuoted = paramOf(line, 'ENCODING')?.toUpperCase() === 'QUOTED-PRINTABLE';
  return cleanText(unescapeText(isQuoted ? unquotePrintable(line.value) : line.value));
};

const uri = (line: ContentLine) => unescapeUri(line.value);

const statusOf = (line: ContentLine) => statuses.get(line.value.trim().toUpperCase());

const classOf = (line: ContentLine) => classes.get(line.value.trim().toUpperCase());

const integer = (line: ContentLine) => (/^\s*[+-]?\d{1,15}\s*$/.test(line.value) ? Number(line.value) + 0 : undefined);

const within = (value: number | undefined, least: number, most: number) =>
  value !== undefined && value >= least && value <= most ? value : undefined;

const durationOf = (line: ContentLine) => {
  const value = line.value.trim();
  const duration = parseDuration(value);
  return duration && duration.days >= 0 && duration.ms >= 0 ? value : undefined;
};

/** COMPLETED, CREATED and LAST-MODIFIED are UTC; what still has no zone is read as if it were. */
function momentOf(line: ContentLine, zones: Zones): number | undefined {
  const value = readDateValue(line, zones);
  return value && ('at' in value ? value.at : value.civil);
}

/** An id as the series codes its dates: matched by the day if one of them is only a DATE. */
export function codeRecurrenceId(id: DateValue, series: SeriesCoding, zones: Zones): number {
  const day = id.civil - modulo(id.civil, dayMs);
  if (series.isAllDay) return day;
  if (id.kind !== 'date' || !series.start) return code(id, series, zones);
  // A DATE in a timed series means the occurrence of that day.
  const civil = day + modulo(series.start.civil, dayMs);
  if (series.start.kind === 'zoned') return zones.toInstant(series.start.tzid, civil) ?? civil;
  return code({ kind: 'floating', civil }, series, zones);
}

const rawLines = (lines: readonly ContentLine[]): string | null =>
  lines.length > 0 ? lines.map(line => cleanLine(line.text)).join('\n') : null;

function relationsOf(own: readonly ContentLine[]): Pick<ResourceRow, 'parentUid' | 'childUids'> {
  const parent = own.find(isParentLine);
  const children = own.filter(line => relationOf(line) === 'CHILD' && line.value.trim() !== '');
  return { parentUid: parent ? relatedUid(parent) : null, childUids: children.map(relatedUid) };
}

function relationOf(line: ContentLine): string | undefined {
  if (line.name !== 'RELATED-TO' || !line.jCal || (paramOf(line, 'VALUE') ?? 'TEXT').toUpperCase() !== 'TEXT')
    return undefined;
  return paramOf(line, 'RELTYPE')?.trim().toUpperCase() || 'PARENT';
}

const relatedUid = (line: ContentLine) => cleanText(unescapeText(line.value.trim()));

/** In the order of the text, each as one unfolded line; a component is the run of its lines. */
function unknownLines(
  lines: readonly ContentLine[],
  component: Component,
  isKnown: (line: ContentLine) => boolean,
  mapped: ReadonlyMap<Component, unknown>,
): string[] {
  const unknown: string[] = [];
  let next = 0;
  for (let at = component.first + 1; at <= component.last; at++) {
    const child = component.children[next];
    if (child?.first === at) {
      next++;
      if (!mapped.has(child)) for (const line of lines.slice(child.first, child.last + 1)) unknown.push(line.text);
      at = child.last;
    } else if (!isKnown(lines[at]!) && lines[at]!.name !== 'END') {
      unknown.push(lines[at]!.text);
    }
  }
  return unknown;
}

const excerpt = (value: string) => (value.length > 40 ? `${value.slice(0, 40)}…` : value);
