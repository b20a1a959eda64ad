import { dependenciesOf, withDependencies } from '../fields/dependencies';
import { ownLinesOf, withOwnLines } from '../fields/ownLines';
import { type FieldGroup, type TextName, textFacts, textNames } from '../fields/table';
import { uniqueTags } from '../fields/tags';
import { columnsIn, lineTextsOf, type Texts, textOf, withLineTexts } from '../fields/values';
import { Classification } from '../kernel/model';
import { paramOf } from '../lines/contentLines';
import { cleanText, splitList, unescapeUri } from '../lines/text';
import { repeatsFromCompletion, withRepeatFrom } from '../recurrence/repeatFrom';
import { appliesToFollowing, rangeLine, withRangeLine } from '../recurrence/thisAndFollowing';
import { resolveZone } from '../time/zones';
import { isSameColor } from './colors';
import { dateValue, isSameSecond, linesOfColumn } from './dateValues';
import { columnLines } from './newText';
import { isParentLine } from './readTodo';
import type { Resource, ResourceRow, TaskFields } from './row';
import { alarmKeys } from './writeAlarms';
import { noZones } from './zoneTable';

/** A group's values: columns, the parent by its UID, and values from our own lines among those that no column holds. */
export type Columns = Partial<TaskFields> &
  Texts & {
    readonly parentUid?: string | null;
    readonly repeatFrom?: 'due' | 'completion';
    readonly dependsOn?: readonly string[];
    readonly ownLines?: readonly string[];
    /** The line of an override with its RANGE: whether it applies to the following occurrences. */
    readonly range?: string | undefined;
  };

type Same<Value> = (a: Value, b: Value) => boolean;
type Column = keyof Columns;
interface GroupFacts {
  readonly columns: readonly Column[];
  readonly isSame: Same<ResourceRow>;
}

/** A group of one column; `isSame` compares what its values mean. */
const column = <Name extends keyof TaskFields>(
  name: Name,
  isSame: Same<TaskFields[Name]> = (a, b) => a === b,
): GroupFacts => ({ columns: [name], isSame: (a, b) => isSame(a.fields[name], b.fields[name]) });

/** Compares values by what `read` makes of them. Equal values are not read: thousands of dates may not have changed. */
const by =
  <Value, Read>(read: (value: Value) => Read, isSame: Same<Read> = (a, b) => a === b): Same<Value> =>
  (a, b) =>
    a === b || isSame(read(a), read(b));

/** Compares values that `read` gets from lines without a column. */
const byLines = <Read>(read: (fields: TaskFields) => Read, isSame: Same<Read>): Same<ResourceRow> => {
  const isSameRead = by(read, isSame);
  return ({ fields: a }, { fields: b }) => a.unknownProperties === b.unknownProperties || isSameRead(a, b);
};

const isSameText = by((text: string | null) => (text === null ? null : cleanText(text)));

const isSameSet = (a: readonly unknown[], b: readonly unknown[]) => {
  const [left, right] = [new Set(a), new Set(b)];
  return left.size === right.size && [...left].every(value => right.has(value));
};

const isSameUri = by((url: string | null) => (url === null ? null : unescapeUri(url)));

const textGroup = (name: TextName): GroupFacts => {
  const isSame = textFacts[name].isUri ? isSameUri : isSameText;
  return { columns: [name], isSame: by(({ fields }: ResourceRow) => textOf(fields, name), isSame) };
};

const textGroups = Object.fromEntries(textNames.map(name => [name, textGroup(name)])) as Record<TextName, GroupFacts>;

/** The parts of a task that are edited, merged and lost together, each with the test whether two tasks agree in it. */
const byGroup = {
  ...textGroups,
  color: column('color', isSameColor),
  tags: column(
    'tags',
    by(tags => uniqueTags(tags.map(cleanText)), isSameSet),
  ),
  completion: {
    columns: ['status', 'percentComplete', 'completedAt'],
    isSame: ({ fields: a }, { fields: b }) =>
      a.status === b.status &&
      (a.percentComplete ?? 0) === (b.percentComplete ?? 0) &&
      isSameSecond(a.completedAt, b.completedAt),
  },
  priority: column('priority'),
  // RFC 5545 3.8.1.3: a task without a class is public, and some servers add that line.
  classification: column(
    'classification',
    by(classification => classification ?? Classification.public),
  ),
  dates: {
    columns: ['dtstart', 'due', 'duration', 'isAllDay', 'timezone', 'range'],
    isSame: (a, b) => hasSameDates(a.fields, b.fields) && hasSameRange(a.fields, b.fields),
  },
  rrule: {
    columns: ['rrule', 'repeatFrom'],
    isSame: ({ fields: a }, { fields: b }) =>
      a.rrule === b.rrule && repeatsFromCompletion(a) === repeatsFromCompletion(b),
  },
  rdate: column(
    'rdate',
    by(lines => dateSet('RDATE', lines), isSameSet),
  ),
  exdate: column(
    'exdate',
    by(lines => dateSet('EXDATE', lines), isSameSet),
  ),
  parent: {
    columns: ['parentUid'],
    isSame: (a, b) => a.parentUid === undefined || b.parentUid === undefined || a.parentUid === b.parentUid,
  },
  dependencies: {
    columns: ['dependsOn'],
    isSame: byLines(dependenciesOf, isSameSet),
  },
  ownLines: {
    columns: ['ownLines'],
    isSame: byLines(ownLinesOf, isSameSet),
  },
  sortOrder: column('sortOrder'),
  alarms: { columns: ['alarms'], isSame: by(({ fields }: ResourceRow) => alarmKeys(fields), isSameSet) },
  unknown: column(
    'unknownProperties',
    by(lines => unknownSet(lines), isSameSet),
  ),
} satisfies Record<FieldGroup, GroupFacts> & Record<string, GroupFacts>;

export type Group = keyof typeof byGroup;

export function groupColumns(group: Group, { fields, parentUid }: ResourceRow): Columns {
  const repeatFrom = repeatsFromCompletion(fields) ? 'completion' : 'due';
  const range = rangeLine(fields);
  const all: Columns = {
    ...fields,
    ...lineTextsOf(fields),
    parentUid,
    repeatFrom,
    dependsOn: dependenciesOf(fields),
    ownLines: ownLinesOf(fields),
    ...(range !== undefined && { range }),
  };
  return Object.fromEntries(byGroup[group].columns.flatMap(name => (name in all ? [[name, all[name]]] : [])));
}

/** The row with new values in some columns. */
export function rowWith(row: ResourceRow, { parentUid = row.parentUid, ...columns }: Columns): ResourceRow {
  return { ...row, fields: { ...row.fields, ...fieldsWith(row.fields, columns) }, parentUid };
}

/** The fields for these columns; values of our own lines are written into the task's lines. */
export function fieldsWith(
  { unknownProperties }: Pick<TaskFields, 'unknownProperties'>,
  { parentUid: _parent, repeatFrom, dependsOn, ownLines, range, ...fields }: Columns,
): Partial<TaskFields> {
  const columns = columnsIn(fields);
  const before = { unknownProperties, ...columns };
  const own = { unknownProperties: withLineTexts(before, fields) };
  if (range !== undefined) own.unknownProperties = withRangeLine(own, range);
  if (repeatFrom) own.unknownProperties = withRepeatFrom(own, repeatFrom);
  if (dependsOn) own.unknownProperties = withDependencies(own, dependsOn);
  if (ownLines) own.unknownProperties = withOwnLines(own, ownLines);
  return own.unknownProperties === before.unknownProperties ? columns : { ...columns, ...own };
}

export const groups = Object.keys(byGroup) as readonly Group[];

/** True if two rows have the same values in a group, however these are written. */
export const isSameIn = (group: Group, a: ResourceRow, b: ResourceRow): boolean => byGroup[group].isSame(a, b);

/** The groups in which two rows differ. CREATED, LAST-MODIFIED, DTSTAMP and SEQUENCE are in none. */
export const changedGroups = (a: ResourceRow, b: ResourceRow): Group[] =>
  groups.filter(group => !isSameIn(group, a, b));

/**
 * True if two resources have the same content in everything that columns hold: nothing to push, or nothing that a
 * server changed on storing. Lines that no column models do not count, since we never edit them.
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

/** A row without the line does not change the file's line. */
function hasSameRange(a: TaskFields, b: TaskFields): boolean {
  const [here, there] = [appliesToFollowing(a), appliesToFollowing(b)];
  return here === undefined || there === undefined || here === there;
}

/** The duration if it counts: with a start and without a due date. */
const durationOf = ({ dtstart, due, duration }: TaskFields) => (dtstart !== null && due === null ? duration : null);

/** Each date of the lines as its instant or civil value, or as its text if it is not a single date (a PERIOD, damage). */
export function dateSet(name: 'RDATE' | 'EXDATE', column: string | null): string[] {
  return linesOfColumn(name, column).flatMap(line =>
    splitList(line.value).map(text => {
      const value = dateValue(text, paramOf(line, 'VALUE'), paramOf(line, 'TZID'), noZones);
      if (!value) return text.trim();
      return 'at' in value ? `at ${value.at}` : `${value.kind} ${value.civil}`;
    }),
  );
}

/** The unknown lines, without those that dismissing a reminder or reordering tasks in another program leaves behind. */
const unknownSet = (column: string | null) =>
  columnLines(column)
    .filter(line => !/^X-MOZ-/.test(line.name) && !isParentLine(line))
    .map(line => line.text);
