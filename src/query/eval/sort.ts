import { estimateOf } from '../../core/fields/values';
import type { Id, Occurrence, Task, TaskList } from '../../core/kernel/model';
import { type Moment, wallOf } from '../../core/time/dates';
import { dayMs, hourMs } from '../../core/time/units';
import type { SortField, SortKey } from '../parse/syntax';
import { civilDay } from './civilDay';

export interface SortContext {
  readonly moment: Moment;
  readonly lists: readonly TaskList[];
  readonly locale?: string;
}

type Compare = (a: Occurrence, b: Occurrence) => number;

/**
 * A date as it is on the user's calendar, encoded as if in UTC: all-day ones at the beginning of their day, timed ones
 * moved by the hour at which a day starts, so that its whole days are the user's days.
 */
export function calendarTime(
  value: number,
  task: Pick<Task, 'isAllDay' | 'timezone'>,
  { zone, startHour }: Moment,
): number {
  if (task.isAllDay) return civilDay(value, task);
  if (task.timezone === null) return value;
  return wallOf(value, zone) - startHour * hourMs;
}

const collators = new Map<string, Intl.Collator>();

/** Titles from other programs can have any length, and each is compared with many others. */
const maxSorted = 1000;

/** The part of a title that it is sorted by; undefined for a task without one. */
export const sortedTitle = (title: string | null | undefined): string | undefined =>
  title ? title.slice(0, maxSorted) : undefined;

export function titleCollator(locale = 'en'): Intl.Collator {
  let collator = collators.get(locale);
  if (!collator) {
    try {
      collator = new Intl.Collator(locale, { numeric: true, sensitivity: 'base' });
    } catch {
      collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
    }
    collators.set(locale, collator);
  }
  return collator;
}

/** Sorts lines: one can be inserted among others, and very many are sorted by values that are computed once. */
export interface LineOrder {
  readonly compare: Compare;
  readonly parts: readonly SortPart[];
  /** Sorts in place. */
  sort(items: Occurrence[]): Occurrence[];
}

/** The fields of a task by which lines can be sorted or grouped. */
export type SortedBy = Extract<
  keyof Task,
  | 'id'
  | 'title'
  | 'due'
  | 'dtstart'
  | 'completedAt'
  | 'priority'
  | 'createdAt'
  | 'lastModified'
  | 'sortOrder'
  | 'listId'
  | 'masterId'
  | 'unknownProperties'
>;

/** The parts by which lines are compared, one after the other: numbers, or texts in the order of the user's language. */
export interface SortPart {
  readonly value: (item: Occurrence) => number | string | undefined;
  readonly sign: 1 | -1;
  /** The fields of a task that it reads, besides its status and the coding of its dates. */
  readonly reads: readonly SortedBy[];
  readonly collator?: Intl.Collator;
}

/**
 * Orders lines by the keys, then by the user's own order and the id, so that equal ones always come in the same order.
 * A line without the value comes last either way. A date followed by `priority` counts by its day, so that the most
 * important task of a day comes first; its time then follows the priority.
 */
export function lineOrder(keys: readonly SortKey[], context: SortContext): LineOrder {
  const parts: SortPart[] = [];
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index]!;
    const byDay = isDate(key.field) && keys[index + 1]?.field === 'priority';
    parts.push(partOf(key, byDay, context));
    if (!byDay) continue;
    index++;
    parts.push(partOf(keys[index]!, false, context), partOf(key, false, context));
  }
  // `firstRows.ts` has the first two in SQL; only occurrences of one task are equal in both.
  parts.push(
    { value: ({ task }) => task.sortOrder, sign: 1, reads: ['sortOrder'] },
    { value: ({ task }) => task.id, sign: 1, reads: ['id'] },
    { value: ({ due, dtstart }) => due ?? dtstart ?? 0, sign: 1, reads: ['due', 'dtstart'] },
  );
  return {
    parts,
    compare: (a, b) =>
      compareParts(
        parts,
        part => part.value(a),
        part => part.value(b),
      ),
    sort: sortBy(parts),
  };
}

function compareParts(
  parts: readonly SortPart[],
  first: (part: SortPart, at: number) => ReturnType<SortPart['value']>,
  second: typeof first,
): number {
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at]!;
    const [a, b] = [first(part, at), second(part, at)];
    if (a === b) continue;
    if (a === undefined || b === undefined) return a === undefined ? 1 : -1;
    const order = part.collator ? part.collator.compare(a as string, b as string) : (a as number) - (b as number);
    if (order !== 0) return part.sign * order;
  }
  return 0;
}

const sortBy = (parts: readonly SortPart[]) => (items: Occurrence[]) => {
  const rows = items.map(item => ({ item, values: parts.map(part => part.value(item)) }));
  rows.sort((a, b) =>
    compareParts(
      parts,
      (_, at) => a.values[at],
      (_, at) => b.values[at],
    ),
  );
  for (const [at, { item }] of rows.entries()) items[at] = item;
  return items;
};

const isDate = (field: SortField) => field === 'due' || field === 'start' || field === 'done';

function partOf({ field, descending }: SortKey, byDay: boolean, context: SortContext): SortPart {
  const part = { sign: descending ? -1 : 1, reads: readBy[field] } as const;
  if (field !== 'title') return { ...part, value: valueBy(field, byDay, context) };
  return { ...part, value: ({ task }) => sortedTitle(task.title), collator: titleCollator(context.locale) };
}

const readBy: Readonly<Record<SortField, readonly SortedBy[]>> = {
  title: ['title'],
  due: ['due'],
  start: ['dtstart'],
  done: ['completedAt'],
  priority: ['priority'],
  created: ['createdAt'],
  modified: ['lastModified'],
  manual: ['sortOrder'],
  list: ['listId'],
  est: ['unknownProperties'],
  urgency: ['priority', 'due'],
};

function valueBy(
  field: Exclude<SortField, 'title'>,
  byDay: boolean,
  { moment, lists }: SortContext,
): (item: Occurrence) => number | undefined {
  const whole = (value: number) => (byDay ? Math.floor(value / dayMs) : value);
  switch (field) {
    case 'due':
      return ({ due, task }) => (due === null ? undefined : whole(calendarTime(due, task, moment)));
    case 'start':
      return ({ dtstart, task }) => (dtstart === null ? undefined : whole(calendarTime(dtstart, task, moment)));
    case 'done':
      return ({ task: { completedAt } }) =>
        completedAt === null
          ? undefined
          : whole(byDay ? wallOf(completedAt, moment.zone) - moment.startHour * hourMs : completedAt);
    case 'priority':
      return ({ task }) => (task.priority === 0 ? undefined : task.priority);
    case 'created':
      return ({ task }) => task.createdAt ?? undefined;
    case 'modified':
      return ({ task }) => task.lastModified ?? undefined;
    case 'manual':
      return ({ task }) => task.sortOrder;
    case 'list': {
      const positions = new Map<Id, number>(lists.map((list, index) => [list.id, index]));
      return ({ task }) => positions.get(task.listId);
    }
    case 'est':
      return ({ task }) => estimateOf(task);
    case 'urgency':
      return item => -urgency(item, moment);
  }
}

/**
 * How pressing a line is, from 0 up: due date (12 a week or more late, 8 today, falling to 2 two weeks ahead), priority
 * (6 highest … 1 lowest), in progress (4). Nothing else counts: with so few parts, users can predict the order.
 */
function urgency({ task, due }: Occurrence, moment: Moment): number {
  let points = task.status === 1 ? 4 : 0;
  if (task.priority > 0) points += 6 - ((task.priority - 1) * 5) / 8;
  if (due === null) return points;
  const daysAhead = Math.floor(calendarTime(due, task, moment) / dayMs) - moment.today.civilStart / dayMs;
  if (daysAhead <= 0) return points + Math.min(12, 8 + (-daysAhead * 4) / 7);
  return points + Math.max(2, 8 - (daysAhead * 6) / 14);
}
