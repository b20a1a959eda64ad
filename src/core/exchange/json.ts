import { type NameOfKind, type TextColumn, taskFields, textColumns, textFacts } from '../fields/table';
import { uniqueTags } from '../fields/tags';
import { emptyFields, type TaskFields } from '../ical/row';
import { messageOf } from '../kernel/errors';
import type { Message } from '../kernel/message';
import type { Task } from '../kernel/model';
import { firstMs, lastMs } from '../time/dates';
import { fieldsOf, parentUidOf } from './fields';
import { ImportCollector } from './importCollector';
import { importMessage } from './messages';
import { StableUids } from './stableUid';
import { readOfTracker } from './trackers';
import type { ExportContext, ImportContext, ImportedFields, ImportedTask, ImportResult } from './types';

const formatName = 'dueline-tasks';
const formatVersion = 1;

/** Every column that a file can carry, as the store holds it: times in milliseconds since the epoch. */
export function writeJson(tasks: readonly Task[], context: ExportContext): string {
  const known = new Map(tasks.map(task => [task.id, task]));
  const entries = tasks.map(task => ({
    ...fieldsOf(task),
    parentUid: parentUidOf(task, known, context),
    list: context.listName?.(task.listId) ?? null,
  }));
  const exportedAt = new Date(context.clock.now()).toISOString();
  return `${JSON.stringify({ format: formatName, version: formatVersion, exportedAt, tasks: entries }, null, 2)}\n`;
}

export function readJson(text: string, context: ImportContext): ImportResult {
  const nothing = (reason: Message): ImportResult => ({ tasks: [], skipped: [reason], left: 1, partly: 0 });
  let file: unknown;
  try {
    file = parsed(text.replace(notJson, ''));
  } catch (error) {
    return nothing(importMessage('invalidJson', messageOf(error)));
  }
  if (isObject(file) && typeof file.version === 'number' && file.version > formatVersion) {
    return nothing(importMessage('newerFileVersion', file.version));
  }
  const entries = Array.isArray(file) ? file : isObject(file) ? file.tasks : undefined;
  if (!Array.isArray(entries)) return nothing(importMessage('noTaskList'));

  const uids = new StableUids(context.listKey);
  const collector = new ImportCollector();
  for (const [index, entry] of entries.entries()) {
    const ofTracker = isObject(entry) ? readOfTracker(entry, context) : undefined;
    if (ofTracker === null) continue;
    const read = ofTracker ?? readEntry(entry, uids);
    if ('fields' in read) collector.add({ ...read, line: index + 1 });
    else collector.skip(importMessage('taskNote', index + 1, read));
  }
  const { tasks, ...left } = collector.result();
  // A series is there before its occurrences are taken.
  const rankOf = ({ fields }: ImportedTask) => ((fields.recurrenceId ?? null) === null ? 0 : 1);
  return { tasks: tasks.toSorted((a, b) => rankOf(a) - rankOf(b)), ...left };
}

/** A byte order mark, and control characters, which Taskwarrior writes as they are. */
const notJson = /^\ufeff|[\0-\x08\x0b\x0c\x0e-\x1f]/g;

/** The value of a JSON text, or the values of its lines if most are objects (JSON Lines): a merge may leave others. */
function parsed(text: string): unknown {
  try {
    const file: unknown = JSON.parse(text);
    return isObject(file) && 'id' in file && 'title' in file ? [file] : file;
  } catch (error) {
    const lines = text.split(/\r?\n/).filter(line => line.trim() !== '');
    const values = lines.map(lineValue);
    if (values.filter(isObject).length * 2 > lines.length) return values;
    throw error;
  }
}

function lineValue(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type Check = (value: unknown) => boolean;

const isText: Check = value => typeof value === 'string';
const isWhole: Check = value => Number.isSafeInteger(value);
const orNull =
  (check: Check): Check =>
  value =>
    value === null || check(value);
const between =
  (low: number, high: number): Check =>
  value =>
    isWhole(value) && (value as number) >= low && (value as number) <= high;
const within = (name: NameOfKind<'number'>): Check => {
  const [low, high] = taskFields[name].range;
  return between(low, high);
};
const isTime = orNull(between(firstMs, lastMs));
const time = importMessage('expectedTime');
const isAlarm: Check = value =>
  isObject(value) &&
  isWhole(value.minutesBefore) &&
  (value.reference === undefined || ['DUE', 'START', 'ABSOLUTE'].includes(value.reference as string)) &&
  (value.message === undefined || orNull(isText)(value.message));

type Expected = readonly [Check, Message];

const textChecks = Object.fromEntries(
  textColumns.map((name): [TextColumn, Expected] => [
    name,
    textFacts[name].isUri
      ? [orNull(value => isText(value) && !/[\r\n]/.test(value as string)), importMessage('expectedUrl')]
      : [orNull(isText), importMessage('expectedString')],
  ]),
) as Record<TextColumn, Expected>;

const checks: Readonly<Record<keyof TaskFields, Expected>> = {
  uid: [value => isText(value) && value !== '', importMessage('expectedString')],
  ...textChecks,
  color: [orNull(within('color')), importMessage('expectedInt32')],
  tags: [value => Array.isArray(value) && value.every(isText), importMessage('expectedStrings')],
  status: [within('status'), importMessage('expectedStatus')],
  percentComplete: [orNull(within('percentComplete')), importMessage('expectedPercent')],
  completedAt: [isTime, time],
  priority: [within('priority'), importMessage('expectedPriority')],
  classification: [orNull(within('classification')), importMessage('expectedClassification')],
  dtstart: [isTime, time],
  due: [isTime, time],
  duration: [
    orNull(value => isText(value) && /^[+-]?P[0-9WDTHMS]+$/i.test(value as string)),
    importMessage('expectedDuration'),
  ],
  isAllDay: [value => typeof value === 'boolean', importMessage('expectedBoolean')],
  timezone: [orNull(isText), importMessage('expectedString')],
  // A rule that another program wrote is kept as it is, and not checked.
  rrule: [orNull(value => isText(value) && !/[\r\n]/.test(value as string)), importMessage('expectedRule')],
  rdate: [orNull(isText), importMessage('expectedString')],
  exdate: [orNull(isText), importMessage('expectedString')],
  recurrenceId: [isTime, time],
  sortOrder: [isWhole, importMessage('expectedWholeNumber')],
  createdAt: [isTime, time],
  lastModified: [isTime, time],
  sequence: [value => isWhole(value) && (value as number) >= 0, importMessage('expectedWholeNumber')],
  unknownProperties: [orNull(isRawLines), importMessage('expectedLines')],
  alarms: [value => Array.isArray(value) && value.every(isAlarm), importMessage('expectedReminders')],
};

function isRawLines(value: unknown): boolean {
  try {
    const lines: unknown = JSON.parse(value as string);
    return Array.isArray(lines) && lines.every(isText);
  } catch {
    return false;
  }
}

function readEntry(entry: unknown, uids: StableUids): Omit<ImportedTask, 'line'> | Message {
  if (!isObject(entry)) return importMessage('notAnObject');
  const fields: Record<string, unknown> = {};
  for (const key of Object.keys(emptyFields('')) as (keyof TaskFields)[]) {
    if (!(key in entry)) continue;
    const [check, expected] = checks[key];
    if (!check(entry[key])) return importMessage('fieldNotExpected', key, expected);
    fields[key] = entry[key];
  }
  const { parentUid } = entry;
  if (parentUid !== undefined && parentUid !== null && typeof parentUid !== 'string')
    return importMessage('parentUidNotAString');
  if (fields.tags) fields.tags = uniqueTags(fields.tags as string[]);
  if (fields.uid === undefined) {
    if (typeof fields.title !== 'string' || fields.title.trim() === '') return importMessage('noUidOrTitle');
    fields.uid = uids.next(fields.title, parentUid ?? null);
  }
  return { fields: fields as ImportedFields, ...(parentUid === undefined ? {} : { parentUid }) };
}
