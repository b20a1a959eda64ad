import { uniqueTags } from '../fields/tags';
import type { Task } from '../kernel/model';
import { repeatsFromCompletion } from '../recurrence/repeatFrom';
import { checkRule } from '../recurrence/rrule';
import { fromWall, wallOf } from '../time/dates';
import { dateColumns, type IsoDate, isoOf, parseIsoDate } from './dateText';
import { parentUidOf, treeOf } from './fields';
import { ImportCollector } from './importCollector';
import { importMessage } from './messages';
import { StableUids } from './stableUid';
import { type ListMarks, marksOf, withoutMarks } from './todoTxtMarks';
import type { ExportContext, ImportContext, ImportedFields, ImportedTask, ImportResult } from './types';

/** One line a task, `x (A) completed created text +list @tag key:value`; times are beside the date as `time:HH:MM`. */
export function writeTodoTxt(tasks: readonly Task[], context: ExportContext): string {
  const known = new Map(tasks.map(task => [task.id, task]));
  return treeOf(tasks)
    .map(({ task }) => `${lineOf(task, known, context)}\n`)
    .join('');
}

function lineOf(task: Task, known: ReadonlyMap<number, Task>, context: ExportContext): string {
  const zone = context.clock.timeZone;
  const dayOf = (instant: number) => isoOf(wallOf(instant, zone)).slice(0, 10);
  const done = task.status === 2;
  const letter = task.priority > 0 ? String.fromCharCode(64 + task.priority) : '';
  const parts: string[] = [];
  if (done) parts.push('x');
  else if (letter) parts.push(`(${letter})`);
  // The creation date may follow a completion date only.
  if (done && task.completedAt !== null) parts.push(dayOf(task.completedAt));
  if (task.createdAt !== null && (!done || task.completedAt !== null)) parts.push(dayOf(task.createdAt));
  parts.push(withoutMarks(oneLine(task.title ?? '')));
  const list = context.listName?.(task.listId);
  if (list) parts.push(`+${joined(list)}`);
  for (const tag of task.tags) parts.push(`@${joined(tag)}`);
  parts.push(...dateParts(task, zone));
  const repeat = recOf(task);
  if (repeat) parts.push(`rec:${repeat}`);
  else if (task.rrule !== null) parts.push(`rrule:${joined(task.rrule)}`);
  if (done && letter) parts.push(`pri:${letter}`);
  if (task.status === 1 || task.status === 3) parts.push(`status:${task.status === 1 ? 'in-process' : 'cancelled'}`);
  if (task.percentComplete !== null && task.percentComplete > 0 && !done)
    parts.push(`progress:${task.percentComplete}`);
  const parent = parentUidOf(task, known, context);
  if (parent !== null && !/\s/.test(parent)) parts.push(`parent:${parent}`);
  if (!/\s/.test(task.uid)) parts.push(`uid:${task.uid}`);
  return parts.filter(part => part !== '').join(' ');
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();
const joined = (text: string) => oneLine(text).replace(/ /g, '_');

function dateParts(task: Task, zone: string): string[] {
  const parts: string[] = [];
  for (const [value, day, time] of [
    [task.due, 'due', 'time'],
    [task.dtstart, 't', 'ttime'],
  ] as const) {
    if (value === null) continue;
    const text = isoOf(task.timezone === null ? value : wallOf(value, zone));
    parts.push(`${day}:${text.slice(0, 10)}`);
    if (!task.isAllDay) parts.push(`${time}:${text.slice(11, 16)}`);
  }
  return parts;
}

const letters: Readonly<Record<string, string>> = { DAILY: 'd', WEEKLY: 'w', MONTHLY: 'm', YEARLY: 'y' };

/** `+1w` (from the due date) or `1w` (from the completion) if the rule has only a frequency and an interval. */
function recOf(task: Task): string | undefined {
  const match = /^FREQ=(DAILY|WEEKLY|MONTHLY|YEARLY)(?:;INTERVAL=(\d+))?$/i.exec(task.rrule ?? '');
  const sign = repeatsFromCompletion(task) ? '' : '+';
  return match ? `${sign}${match[2] ?? 1}${letters[match[1]!.toUpperCase()]}` : undefined;
}

export function readTodoTxt(text: string, context: ImportContext): ImportResult {
  const uids = new StableUids(context.listKey);
  const collector = new ImportCollector();
  for (const [index, raw] of text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\n|\r/)
    .entries()) {
    const line = raw.trim();
    if (line === '') continue;
    const read = readLine(line, context, uids);
    if (read) collector.add({ ...read, line: index + 1 });
    else collector.skip(importMessage('lineWithoutText', index + 1));
  }
  return collector.result();
}

/** `x (A) 2026-12-24 2026-12-01 `: done, priority, and two dates. */
const head = /^(x\s+)?(?:\(([A-Z])\)\s+)?(?:(\d{4}-\d{2}-\d{2})\s+)?(?:(\d{4}-\d{2}-\d{2})\s+)?/;

function readLine(line: string, context: ImportContext, uids: StableUids): Omit<ImportedTask, 'line'> | undefined {
  const zone = context.clock.timeZone;
  const start = head.exec(line)!;
  const done = start[1] !== undefined;
  const marks = marksOf(line.slice(start[0].length), { listName: context.listName });
  if (marks.title === '') return undefined;
  const { values } = marks;
  const parentUid = values.get('parent') ?? null;
  const fields: ImportedFields = {
    uid: values.get('uid') ?? uids.next(marks.title, parentUid),
    title: marks.title,
    tags: uniqueTags(marks.tags),
    priority: priorityOf(start[2] ?? values.get('pri')),
    status: done ? 2 : values.get('status') === 'in-process' ? 1 : values.get('status') === 'cancelled' ? 3 : 0,
  };
  const [completed, created] = done ? [start[3], start[4]] : [undefined, start[3]];
  if (done) {
    fields.percentComplete = 100;
    fields.completedAt = dayStart(completed, zone);
  } else {
    fields.completedAt = null;
    const progress = values.get('progress');
    fields.percentComplete = progress && /^\d{1,2}$/.test(progress) ? Number(progress) : null;
  }
  const createdAt = dayStart(created, zone);
  if (createdAt !== null) fields.createdAt = createdAt;
  Object.assign(fields, datesOf(marks, zone));
  const repeat = repeatOf(values.get('rec'), values.get('rrule'));
  fields.rrule = repeat?.rrule ?? null;
  // A line of another program leaves the parent open; a line of ours without one means that there is none.
  const isOurs = values.has('parent') || values.has('uid');
  return { fields, ...(isOurs ? { parentUid } : {}), ...(repeat ? { fromCompletion: repeat.fromCompletion } : {}) };
}

/** (A) is 1, (I) and all after it 9. */
const priorityOf = (letter: string | undefined) =>
  letter && /^[A-Z]$/.test(letter) ? Math.min(letter.charCodeAt(0) - 64, 9) : 0;

function dayStart(text: string | undefined, zone: string): number | null {
  const day = text ? parseIsoDate(text) : undefined;
  return day?.kind === 'day' ? fromWall(day.civil, zone) : null;
}

function datesOf({ values }: ListMarks, zone: string) {
  const read = (day: string, time: string): IsoDate | undefined => {
    const date = values.get(day);
    const clock = values.get(time);
    return date ? parseIsoDate(clock ? `${date}T${clock}` : date) : undefined;
  };
  return dateColumns(read('due', 'time'), read('t', 'ttime'), '', zone);
}

const frequencies: Readonly<Record<string, string>> = {
  d: 'DAILY',
  b: 'DAILY',
  w: 'WEEKLY',
  m: 'MONTHLY',
  y: 'YEARLY',
};

/** Without `+` the next one counts from the completion. */
function repeatOf(
  rec: string | undefined,
  rrule: string | undefined,
): { rrule: string; fromCompletion: boolean } | undefined {
  const match = /^(\+?)([1-9]\d{0,2})([dbwmy])$/.exec(rec ?? '');
  if (match) {
    const [, strict, count, unit] = match;
    const parts = [`FREQ=${frequencies[unit!]}`];
    if (count !== '1') parts.push(`INTERVAL=${count}`);
    if (unit === 'b') parts.push('BYDAY=MO,TU,WE,TH,FR');
    return { rrule: parts.join(';'), fromCompletion: strict === '' };
  }
  return rrule && checkRule(rrule) === undefined ? { rrule, fromCompletion: false } : undefined;
}
