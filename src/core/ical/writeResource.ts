import { type ContentLine, escapeText, foldLine, newlineOf, paramOf } from '../lines/contentLines';
import { cleanLine } from '../lines/text';
import { isoText } from '../time/dates';
import type { Component } from './components';
import { newCalendar, newTodo } from './newText';
import { applySplices, Patch, type Splice } from './patch';
import { type OpenedResource, type OpenedTodo, openResource } from './readResource';
import { codeRecurrenceId, type SeriesCoding } from './readTodo';
import type { ResourceRow, TaskFields } from './row';
import { timezoneLines } from './timezoneText';
import { formatDate } from './writeDates';
import { needsStart, patchTodo, type TodoWriting } from './writeTodo';
import type { Zones } from './zoneTable';

export interface ResourceRows {
  readonly master?: ResourceRow;
  readonly overrides: readonly ResourceRow[];
}

interface WriteContext {
  /** The PRODID of the texts that we write. */
  readonly prodid?: string;
  /** Makes the UIDs of new alarms; if absent, they are made of the task's own and the moment. */
  readonly newId?: () => string;
}

export const defaultProdid = '-//Dueline//Dueline//EN';

/**
 * The iCalendar text of the rows. With a base, only the lines of changed properties are written; a component with such
 * lines also gets a new DTSTAMP and LAST-MODIFIED and, if its dates, recurrence or status have changed, a new SEQUENCE
 * (RFC 5545 3.8.7.4). All other lines keep their bytes, and rows without a change return the base itself. Overrides
 * that the rows lack are removed; a master that they lack is left alone. Without a base, the raw lines of
 * `unknownProperties` are used instead.
 */
export function writeResource(
  rows: ResourceRows,
  base: string | undefined,
  now: number,
  context: WriteContext = {},
): string {
  const uid = (rows.master ?? rows.overrides[0])?.fields.uid;
  if (uid === undefined) return base ?? '';
  const open = (text: string) => openResource(text, { uid });
  const prodid = context.prodid ?? defaultProdid;

  let known = base;
  let opened = base === undefined ? undefined : open(base);
  if (known === undefined || opened?.uid !== uid) {
    known = newCalendar(prodid);
    opened = open(known);
  }
  const series = seriesOf(rows, opened);
  let ids = 0;
  const writing: TodoWriting = {
    zones: opened.zones,
    series,
    isRecoded: opened.master !== undefined && opened.master.coding.isAllDay !== series?.isAllDay,
    now,
    newline: newlineOf(known),
    newId: context.newId ?? (() => `${uid}-${now.toString(36)}-${++ids}`),
    startsAtDue: false,
    seriesNeedsStart: rows.master !== undefined && needsStart(rows.master.fields),
  };
  if (changes(rows, opened, known, { ...writing, newId: () => uid }).length === 0) return known;
  const isOurs = opened.prodid === prodid || opened.master?.startsAtDue === true;
  const startsAtDue = isOurs || pairRows(rows, opened, writing).missing.length > 0;
  const splices = changes(rows, opened, known, { ...writing, startsAtDue });
  const written = applySplices(known, [...splices, ...calendarSplices(opened, prodid, writing.newline)]);
  if (!splices.some(({ text }) => /TZID/i.test(text.replace(/\r?\n[ \t]/g, '')))) return written;
  return withTimezones(written, open(written), opened, rows, writing);
}

/** The edits that bring the text to the content of the rows; none if it has it. */
function changes(rows: ResourceRows, opened: OpenedResource, text: string, writing: TodoWriting): Splice[] {
  const { pairs, missing, gone } = pairRows(rows, opened, writing);
  const splices = [
    ...pairs.flatMap(([todo, row]) => patchTodo(opened.lines, todo, row, writing)),
    ...gone.map(({ component }) => cut(opened.lines, component)),
  ];
  if (missing.length > 0) {
    const at = offsetOfTodos(opened, text);
    splices.push({ from: at, to: at, text: missing.map(row => newTodo(row, writing)).join('') });
  }
  return splices;
}

/** How the series will code its dates, by which the ids of its overrides are meant. */
function seriesOf({ master, overrides }: ResourceRows, opened: OpenedResource): SeriesCoding | undefined {
  if (!master) return opened.master?.coding ?? (overrides[0] && codingOfRow(overrides[0].fields, opened.zones));
  return codingOfRow(master.fields, opened.zones);
}

function codingOfRow({ timezone, isAllDay, dtstart, due }: TaskFields, zones: Zones): SeriesCoding {
  const coding = { zone: timezone, isAllDay };
  const first = dtstart ?? due;
  return { ...coding, start: first === null ? undefined : formatDate(first, coding, zones).value };
}

interface Pairing {
  readonly pairs: readonly (readonly [OpenedTodo, ResourceRow])[];
  /** Rows that the text has no VTODO for. */
  readonly missing: readonly ResourceRow[];
  /** Overrides that no row exists for. */
  readonly gone: readonly OpenedTodo[];
}

/**
 * An override is known by its id as the text codes it, or as it would if the series has changed between days and times.
 */
function pairRows(
  { master, overrides }: ResourceRows,
  opened: OpenedResource,
  { zones, series }: TodoWriting,
): Pairing {
  const pairs: [OpenedTodo, ResourceRow][] = [];
  const missing: ResourceRow[] = [];
  if (master && opened.master) pairs.push([opened.master, master]);
  else if (master) missing.push(master);

  const waiting = new Map(overrides.map(row => [row.fields.recurrenceId, row]));
  const gone = opened.overrides.filter(todo => {
    const recoded = series && todo.id ? codeRecurrenceId(todo.id, series, zones) : null;
    const id = [todo.row.fields.recurrenceId, recoded].find(candidate => waiting.has(candidate));
    if (id === undefined) return true;
    pairs.push([todo, waiting.get(id)!]);
    waiting.delete(id);
    return false;
  });
  return { pairs, missing: [...missing, ...waiting.values()], gone };
}

/** The position after the task's other VTODOs, or at the end of the calendar. */
function offsetOfTodos({ lines, calendar, master, overrides }: OpenedResource, text: string): number {
  const present = [...(master ? [master] : []), ...overrides].map(({ component }) => component.last);
  if (present.length > 0) return lines[present.reduce((a, b) => Math.max(a, b))]!.to;
  return calendar?.closed ? lines[calendar.last]!.from : text.length;
}

/**
 * PRODID names the program that made the text, by which others know how its series are completed; METHOD has no place
 * in a stored one (RFC 4791 4.1).
 */
function calendarSplices({ lines, calendar }: OpenedResource, prodid: string, newline: string): Splice[] {
  if (!calendar) return [];
  const patch = new Patch(lines, calendar, newline);
  patch.set('METHOD', null);
  if (!patch.has('PRODID')) patch.set('PRODID', escapeText(cleanLine(prodid)));
  return patch.splices();
}

const dateNames = new Set(['DTSTART', 'DUE', 'RECURRENCE-ID', 'RDATE', 'EXDATE']);

/** Adds a VTIMEZONE for each new TZID that the text does not describe (RFC 5545 3.2.19). */
function withTimezones(
  text: string,
  written: OpenedResource,
  before: OpenedResource,
  rows: ResourceRows,
  { now, newline }: TodoWriting,
): string {
  const already = usedZones(before);
  const years = [rows.master, ...rows.overrides]
    .flatMap(row => [row?.fields.dtstart, row?.fields.due, row?.fields.recurrenceId])
    .filter(value => typeof value === 'number')
    .map(value => Number(isoText(value).slice(0, 4)));
  const thisYear = new Date(now).getUTCFullYear();
  // A yearly change continues by its rule, and computing every change up to a far year would take minutes.
  const last = Math.min(Math.max(thisYear, ...years) + 10, thisYear + 100);
  const added = [...usedZones(written)]
    .filter(tzid => !already.has(tzid) && !written.zones.defines(tzid))
    .flatMap(tzid => timezoneLines(tzid, Math.min(thisYear, ...years) - 1, last) ?? []);
  const { calendar, lines } = written;
  const first = calendar?.children[0];
  if (added.length === 0 || !first) return text;
  const at = lines[first.first]!.from;
  return applySplices(text, [{ from: at, to: at, text: added.map(line => foldLine(line, newline)).join('') }]);
}

function usedZones({ lines, master, overrides }: OpenedResource): Set<string> {
  const todos = [...(master ? [master] : []), ...overrides];
  const tzids = todos
    .flatMap(({ component }) => component.own.map(index => lines[index]!))
    .filter(line => dateNames.has(line.name))
    .map(line => paramOf(line, 'TZID'));
  return new Set(tzids.filter(tzid => tzid !== undefined));
}

const cut = (lines: readonly ContentLine[], { first, last }: Component): Splice => ({
  from: lines[first]!.from,
  to: lines[last]!.to,
  text: '',
});
