import { emptyFields, type TaskFields } from '../ical/row';
import type { Task } from '../model';
import { uniqueTags } from '../tags';
import { firstMs, lastMs } from '../time/dates';
import { fieldsOf, parentUidOf } from './fields';
import { Gathered } from './gathered';
import { StableUids } from './stableUid';
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
  const nothing = (reason: string): ImportResult => ({ tasks: [], skipped: [reason], left: 1, partly: 0 });
  let file: unknown;
  try {
    file = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    return nothing(`Line 1: the file is not valid JSON (${error instanceof Error ? error.message : 'unreadable'})`);
  }
  if (isObject(file) && typeof file.version === 'number' && file.version > formatVersion) {
    return nothing(`Line 1: the file has version ${file.version}, written by a newer version of Dueline`);
  }
  const entries = Array.isArray(file) ? file : isObject(file) ? file.tasks : undefined;
  if (!Array.isArray(entries)) return nothing('Line 1: the file does not contain a list of tasks');

  const uids = new StableUids(context.listKey);
  const gathered = new Gathered();
  for (const [index, entry] of entries.entries()) {
    const read = readEntry(entry, uids);
    if (typeof read === 'string') gathered.skip(`Task ${index + 1}: ${read}`);
    else gathered.add({ ...read, line: index + 1 });
  }
  return gathered.result();
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
const isTime = orNull(between(firstMs, lastMs));
const time = 'a time between the years 0 and 9999';
const isAlarm: Check = value =>
  isObject(value) &&
  isWhole(value.minutesBefore) &&
  (value.reference === undefined || ['DUE', 'START', 'ABSOLUTE'].includes(value.reference as string)) &&
  (value.message === undefined || orNull(isText)(value.message));

const checks: Readonly<Record<keyof TaskFields, readonly [Check, string]>> = {
  uid: [value => isText(value) && value !== '', 'a string'],
  title: [orNull(isText), 'a string'],
  description: [orNull(isText), 'a string'],
  location: [orNull(isText), 'a string'],
  url: [value => value === null || (isText(value) && !/[\r\n]/.test(value as string)), 'a URL on one line'],
  color: [orNull(between(-0x80000000, 0x7fffffff)), 'a 32-bit number'],
  tags: [value => Array.isArray(value) && value.every(isText), 'a list of strings'],
  status: [between(0, 3), 'a number from 0 to 3'],
  percentComplete: [orNull(between(0, 100)), 'a number from 0 to 100'],
  completedAt: [isTime, time],
  priority: [between(0, 9), 'a number from 0 to 9'],
  classification: [orNull(between(0, 2)), 'a number from 0 to 2'],
  dtstart: [isTime, time],
  due: [isTime, time],
  duration: [orNull(value => isText(value) && /^[+-]?P[0-9WDTHMS]+$/i.test(value as string)), 'a duration'],
  isAllDay: [value => typeof value === 'boolean', 'true or false'],
  timezone: [orNull(isText), 'a string'],
  // What it means is nobody's to judge here: a rule that another program wrote is kept as it is.
  rrule: [orNull(value => isText(value) && !/[\r\n]/.test(value as string)), 'a rule on one line'],
  rdate: [orNull(isText), 'a string'],
  exdate: [orNull(isText), 'a string'],
  recurrenceId: [isTime, time],
  sortOrder: [isWhole, 'a whole number'],
  createdAt: [isTime, time],
  lastModified: [isTime, time],
  sequence: [value => isWhole(value) && (value as number) >= 0, 'a whole number'],
  unknownProperties: [orNull(isRawLines), 'a JSON list of lines'],
  alarms: [value => Array.isArray(value) && value.every(isAlarm), 'a list of reminders'],
};

function isRawLines(value: unknown): boolean {
  try {
    const lines: unknown = JSON.parse(value as string);
    return Array.isArray(lines) && lines.every(isText);
  } catch {
    return false;
  }
}

function readEntry(entry: unknown, uids: StableUids): Omit<ImportedTask, 'line'> | string {
  if (!isObject(entry)) return 'it is not an object';
  const fields: Record<string, unknown> = {};
  for (const key of Object.keys(emptyFields('')) as (keyof TaskFields)[]) {
    if (!(key in entry)) continue;
    const [check, wanted] = checks[key];
    if (!check(entry[key])) return `“${key}” is not ${wanted}`;
    fields[key] = entry[key];
  }
  const { parentUid } = entry;
  if (parentUid !== undefined && parentUid !== null && typeof parentUid !== 'string')
    return '“parentUid” is not a string';
  if (fields.tags) fields.tags = uniqueTags(fields.tags as string[]);
  if (fields.uid === undefined) {
    if (typeof fields.title !== 'string' || fields.title.trim() === '') return 'it has neither a UID nor a title';
    fields.uid = uids.next(fields.title, parentUid ?? null);
  }
  return { fields: fields as ImportedFields, ...(parentUid === undefined ? {} : { parentUid }) };
}
