import type { Component } from './components';
import { type ContentLine, foldLine, newlineOf, paramOf } from './contentLines';
import { type Coding, formatUtc } from './dateValues';
import { freshCalendar, freshTodo } from './freshText';
import { Patch, type Splice, spliced } from './patch';
import { type Opened, type OpenedTodo, openResource } from './readResource';
import type { ResourceRow } from './row';
import { cleanLine, escapeText } from './text';
import { timezoneLines } from './timezoneText';
import { writeAlarms } from './writeAlarms';
import { formatDate, writeDates } from './writeDates';
import { writeCompletion, writeParent, writeRecurrence, writeTags, writeTexts } from './writeFields';

export interface ResourceRows {
  readonly master?: ResourceRow;
  readonly overrides: readonly ResourceRow[];
}

export interface WriteContext {
  /** PRODID of what we write. */
  readonly prodid?: string;
  /** Makes the UIDs of new alarms; made of the task's own and the moment where none is given. */
  readonly newId?: () => string;
}

export const defaultProdid = '-//Dueline//Dueline//EN';

/**
 * The text that says what the rows say. With a base, only the lines of a property whose value changed are written
 * anew, and of a component with such lines DTSTAMP, LAST-MODIFIED and, where the change is one of dates, recurrence
 * or status, SEQUENCE (RFC 5545 3.8.7.4); every other line keeps its bytes, and rows that say nothing new give the
 * base itself. Overrides that the rows lack are taken out; a master that they lack is left alone. Without a base the
 * raw lines of `unknownProperties` take its place.
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
    known = freshCalendar(prodid);
    opened = open(known);
  }
  const newline = newlineOf(known);
  const fresh = missingRows(rows, opened);
  if (rows.master && fresh.includes(rows.master) && fresh.length > 1) {
    // An override's id is coded as its series is, and that is read from the master: it has to stand there first.
    const known = { master: rows.master, overrides: rows.overrides.filter(row => !fresh.includes(row)) };
    return writeResource(rows, writeResource(known, base, now, context), now, context);
  }
  const text = fresh.length > 0 ? withTodos(known, opened, rows, fresh, now, newline) : known;
  const complete = fresh.length > 0 ? open(text) : opened;

  let ids = 0;
  const newId = context.newId ?? (() => `${uid}-${now.toString(36)}-${++ids}`);
  const splices: Splice[] = [];
  const write = (todo: OpenedTodo, row: ResourceRow) =>
    splices.push(...todoSplices(complete, todo, row, fresh.includes(row), now, newline, newId));
  if (rows.master && complete.master) write(complete.master, rows.master);
  const wanted = new Map(rows.overrides.map(row => [row.fields.recurrenceId, row]));
  for (const override of complete.overrides) {
    const row = wanted.get(override.row.fields.recurrenceId);
    if (row) write(override, row);
    else splices.push(cut(complete.lines, override.component));
  }
  if (splices.length === 0 && fresh.length === 0) return known;
  const written = spliced(text, [...splices, ...calendarSplices(complete, prodid, newline)]);
  return withTimezones(written, open(written), opened, rows, now, newline);
}

/** The rows that the text has no VTODO for. */
function missingRows({ master, overrides }: ResourceRows, opened: Opened): ResourceRow[] {
  const present = new Set(opened.overrides.map(({ row }) => row.fields.recurrenceId));
  return [
    ...(master && !opened.master ? [master] : []),
    ...overrides.filter(row => !present.has(row.fields.recurrenceId)),
  ];
}

/** The text with a bare VTODO for each missing row, behind the task's others. */
function withTodos(
  text: string,
  opened: Opened,
  { master }: ResourceRows,
  missing: readonly ResourceRow[],
  now: number,
  newline: string,
): string {
  const todos = missing.map(row => {
    const { fields } = row;
    // An override's id names an occurrence of the series, and so has its zone and kind.
    const { timezone, isAllDay } = (master ?? opened.master?.row ?? row).fields;
    const coding: Coding = { zone: timezone, isAllDay };
    const id = fields.recurrenceId === null ? undefined : formatDate(fields.recurrenceId, coding, opened.zones);
    return freshTodo(fields, row === master ? undefined : id, now, newline);
  });
  const present = [...(opened.master ? [opened.master] : []), ...opened.overrides].map(
    ({ component }) => component.last,
  );
  const { calendar, lines } = opened;
  const at =
    present.length > 0 ? lines[Math.max(...present)]!.to : calendar!.closed ? lines[calendar!.last]!.from : text.length;
  return spliced(text, [{ from: at, to: at, text: todos.join('') }]);
}

function todoSplices(
  opened: Opened,
  todo: OpenedTodo,
  after: ResourceRow,
  isFresh: boolean,
  now: number,
  newline: string,
  newId: () => string,
): Splice[] {
  const { zones } = opened;
  const before = todo.row.fields;
  const fields = after.fields;
  const patch = new Patch(opened.lines, todo.component, newline);
  writeTexts(patch, before, fields);
  writeTags(patch, before, fields);
  writeParent(patch, todo.row, after);
  // A row that was never ordered by hand has no order of its own to tell.
  if (before.sortOrder !== fields.sortOrder && !(isFresh && fields.sortOrder === 0)) {
    patch.set('X-APPLE-SORT-ORDER', `${fields.sortOrder}`);
  }
  writeAlarms(patch, fields, zones, newId);
  const edits = patch.edits;
  writeCompletion(patch, before, fields);
  writeDates(patch, before, fields, zones);
  writeRecurrence(patch, before, fields);
  if (patch.edits > edits && !isFresh) patch.set('SEQUENCE', `${before.sequence + 1}`);
  if (patch.edits > 0 && !isFresh) {
    patch.set('LAST-MODIFIED', formatUtc(now), { without: ['TZID', 'VALUE'] });
    patch.set('DTSTAMP', formatUtc(now), { without: ['TZID', 'VALUE'] });
  }
  return patch.splices();
}

/** PRODID names who wrote last; METHOD has no place in a stored text (RFC 4791 4.1). */
function calendarSplices({ lines, calendar }: Opened, prodid: string, newline: string): Splice[] {
  if (!calendar) return [];
  const patch = new Patch(lines, calendar, newline);
  patch.set('METHOD', null);
  patch.set('PRODID', escapeText(cleanLine(prodid)));
  return patch.splices();
}

const dateNames = new Set(['DTSTART', 'DUE', 'RECURRENCE-ID', 'RDATE', 'EXDATE']);

/** Adds a VTIMEZONE for each TZID that has come in and that the text does not describe (RFC 5545 3.2.19). */
function withTimezones(
  text: string,
  written: Opened,
  before: Opened,
  rows: ResourceRows,
  now: number,
  newline: string,
): string {
  const already = usedZones(before);
  const years = [rows.master, ...rows.overrides]
    .flatMap(row => [row?.fields.dtstart, row?.fields.due, row?.fields.recurrenceId])
    .filter(value => typeof value === 'number')
    .map(value => new Date(value).getUTCFullYear());
  const thisYear = new Date(now).getUTCFullYear();
  const added = [...usedZones(written)]
    .filter(tzid => !already.has(tzid) && !written.zones.defines(tzid))
    .flatMap(tzid => timezoneLines(tzid, Math.min(thisYear, ...years) - 1, Math.max(thisYear, ...years) + 10) ?? []);
  const { calendar, lines } = written;
  const first = calendar?.children[0];
  if (added.length === 0 || !first) return text;
  const at = lines[first.first]!.from;
  return spliced(text, [{ from: at, to: at, text: added.map(line => foldLine(line, newline)).join('') }]);
}

function usedZones({ lines, master, overrides }: Opened): Set<string> {
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
