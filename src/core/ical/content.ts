import { uniqueTags } from '../tags';
import { resolveZone } from '../zones';
import { isSameColor } from './colors';
import { paramOf } from './contentLines';
import { dateValue } from './dateValues';
import { columnLines } from './freshText';
import { isParentLine } from './readTodo';
import type { Resource, ResourceRow, TaskFields } from './row';
import { cleanLine, cleanText, splitList } from './text';
import { alarmKey } from './writeAlarms';
import { isSameSecond, linesOfColumn } from './writeFields';
import { noZones, type Zones } from './zoneTable';

/** What of a task is edited, merged and lost together. */
export type Group =
  | 'title'
  | 'description'
  | 'location'
  | 'url'
  | 'color'
  | 'tags'
  | 'completion'
  | 'priority'
  | 'classification'
  | 'dates'
  | 'rrule'
  | 'rdate'
  | 'exdate'
  | 'parent'
  | 'sortOrder'
  | 'alarms'
  | 'unknown';

type Same = (a: ResourceRow, b: ResourceRow) => boolean;

const field =
  <T>(read: (fields: TaskFields) => T, isSame: (a: T, b: T) => boolean = (a, b) => a === b): Same =>
  (a, b) =>
    isSame(read(a.fields), read(b.fields));

const clean = (text: string | null) => (text === null ? null : cleanText(text));

const isSameSet = (a: readonly unknown[], b: readonly unknown[]) => {
  const [left, right] = [new Set(a), new Set(b)];
  return left.size === right.size && [...left].every(value => right.has(value));
};

const sameByGroup: Record<Group, Same> = {
  title: field(({ title }) => clean(title)),
  description: field(({ description }) => clean(description)),
  location: field(({ location }) => clean(location)),
  url: field(({ url }) => (url === null ? null : cleanLine(url).trim())),
  color: field(({ color }) => color, isSameColor),
  tags: field(({ tags }) => uniqueTags(tags.map(cleanText)), isSameSet),
  completion: (a, b) =>
    a.fields.status === b.fields.status &&
    a.fields.percentComplete === b.fields.percentComplete &&
    isSameSecond(a.fields.completedAt, b.fields.completedAt),
  priority: field(({ priority }) => priority),
  classification: field(({ classification }) => classification),
  dates: (a, b) => hasSameDates(a.fields, b.fields),
  rrule: field(({ rrule }) => rrule),
  rdate: field(({ rdate }) => dateSet('RDATE', rdate), isSameSet),
  exdate: field(({ exdate }) => dateSet('EXDATE', exdate), isSameSet),
  parent: (a, b) => a.parentUid === undefined || b.parentUid === undefined || a.parentUid === b.parentUid,
  sortOrder: field(({ sortOrder }) => sortOrder),
  alarms: field(({ alarms }) => alarms.map(alarmKey), isSameSet),
  unknown: field(({ unknownProperties }) => unknownSet(unknownProperties), isSameSet),
};

/** A group's values: columns, and the parent by its UID. */
export type Columns = Partial<TaskFields> & { readonly parentUid?: string | null };

const columnsByGroup: Record<Group, readonly (keyof TaskFields | 'parentUid')[]> = {
  title: ['title'],
  description: ['description'],
  location: ['location'],
  url: ['url'],
  color: ['color'],
  tags: ['tags'],
  completion: ['status', 'percentComplete', 'completedAt'],
  priority: ['priority'],
  classification: ['classification'],
  dates: ['dtstart', 'due', 'duration', 'isAllDay', 'timezone'],
  rrule: ['rrule'],
  rdate: ['rdate'],
  exdate: ['exdate'],
  parent: ['parentUid'],
  sortOrder: ['sortOrder'],
  alarms: ['alarms'],
  unknown: ['unknownProperties'],
};

export function columnsOf(group: Group, { fields, parentUid }: ResourceRow): Columns {
  const all: Columns = { ...fields, parentUid };
  return Object.fromEntries(columnsByGroup[group].map(column => [column, all[column]]));
}

/** The row with other values in some columns. */
export function rowWith(row: ResourceRow, { parentUid = row.parentUid, ...columns }: Columns): ResourceRow {
  return { ...row, fields: { ...row.fields, ...columns }, parentUid };
}

export const groups = Object.keys(sameByGroup) as readonly Group[];

/** Whether two rows agree in a group, by what the values mean: how they were written down does not count. */
export const isSameIn = (group: Group, a: ResourceRow, b: ResourceRow): boolean => sameByGroup[group](a, b);

/** The groups in which two rows differ. CREATED, LAST-MODIFIED, DTSTAMP and SEQUENCE are in none. */
export const changedGroups = (a: ResourceRow, b: ResourceRow): Group[] =>
  groups.filter(group => !isSameIn(group, a, b));

/**
 * Whether two resources say the same in everything that columns hold: nothing to push, or nothing that a server
 * changed on storing. Lines that no column models do not count, since we never edit them.
 */
export function sameContent(
  a: Pick<Resource, 'master' | 'overrides'>,
  b: Pick<Resource, 'master' | 'overrides'>,
): boolean {
  const rows = ({ master, overrides }: Pick<Resource, 'master' | 'overrides'>) =>
    new Map([...(master ? [master] : []), ...overrides].map(row => [row.fields.recurrenceId, row]));
  const [left, right] = [rows(a), rows(b)];
  return (
    left.size === right.size &&
    [...left].every(([id, row]) => {
      const other = right.get(id);
      return other !== undefined && changedGroups(row, other).every(group => group === 'unknown');
    })
  );
}

function hasSameDates(a: TaskFields, b: TaskFields): boolean {
  const zone = ({ timezone }: TaskFields) => (timezone !== null && resolveZone(timezone) === 'UTC' ? 'UTC' : timezone);
  const hasDates = ({ dtstart, due }: TaskFields) => dtstart !== null || due !== null;
  return (
    isSameSecond(a.dtstart, b.dtstart) &&
    isSameSecond(a.due, b.due) &&
    durationOf(a) === durationOf(b) &&
    (!hasDates(a) || (a.isAllDay === b.isAllDay && zone(a) === zone(b)))
  );
}

/** Only where it counts: with a start and without a due. */
const durationOf = ({ dtstart, due, duration }: TaskFields) => (dtstart !== null && due === null ? duration : null);

/** Each date of the lines as its instant or civil value; what is no single date (a PERIOD, damage) as its text. */
export function dateSet(name: 'RDATE' | 'EXDATE', column: string | null, zones: Zones = noZones): string[] {
  return linesOfColumn(name, column).flatMap(line =>
    splitList(line.value).map(text => {
      const value = dateValue(text, paramOf(line, 'VALUE'), paramOf(line, 'TZID'), zones);
      if (!value) return text.trim();
      return 'at' in value ? `at ${value.at}` : `${value.kind} ${value.civil}`;
    }),
  );
}

/** Noise that a reminder's dismissal or a reordering elsewhere leaves behind is no edit of the task. */
const unknownSet = (column: string | null) =>
  columnLines(column)
    .filter(line => !/^X-MOZ-/.test(line.name) && !isParentLine(line))
    .map(line => line.text);
