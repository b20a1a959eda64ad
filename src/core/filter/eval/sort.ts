import type { Id, Occurrence, Task, TaskList } from '../../model';
import { type Moment, wallOf } from '../../time/dates';
import { dayMs, hourMs } from '../../time/units';
import type { SortField, SortKey } from '../parse/syntax';
import { civilDay } from './civilDay';

export interface SortContext {
  readonly moment: Moment;
  readonly lists: readonly TaskList[];
  readonly locale?: string;
}

type Compare = (a: Occurrence, b: Occurrence) => number;

/**
 * A date as it lies on the person's calendar, encoded as if in UTC: all-day ones at the begin of their day, timed ones
 * moved by the hour at which a day starts, so that the whole days of it are the days that a person counts.
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

/**
 * Orders lines by the keys, then so that equal ones never change places: by the person's own order and id.
 * A line without the value comes last either way. A date followed by `priority` counts by its day, so that the most
 * important task of a day comes first; its time then follows the priority.
 */
export function comparator(keys: readonly SortKey[], context: SortContext): Compare {
  const compares: Compare[] = [];
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index]!;
    const byDay = isDate(key.field) && keys[index + 1]?.field === 'priority';
    compares.push(compareBy(key, byDay, context));
    if (!byDay) continue;
    index++;
    compares.push(compareBy(keys[index]!, false, context), compareBy(key, false, context));
  }
  // SQL says the same two in `compile.ts`; only occurrences of one task are equal in both.
  compares.push(
    (a, b) => a.task.sortOrder - b.task.sortOrder,
    (a, b) => a.task.id - b.task.id,
    (a, b) => (a.due ?? a.dtstart ?? 0) - (b.due ?? b.dtstart ?? 0),
  );
  return (a, b) => {
    for (const compare of compares) {
      const order = compare(a, b);
      if (order !== 0) return order;
    }
    return 0;
  };
}

const isDate = (field: SortField) => field === 'due' || field === 'start' || field === 'done';

function compareBy({ field, descending }: SortKey, byDay: boolean, context: SortContext): Compare {
  const sign = descending ? -1 : 1;
  if (field === 'title') {
    const { compare } = titleCollator(context.locale);
    return (a, b) => missingLast(a.task.title || undefined, b.task.title || undefined, (x, y) => sign * compare(x, y));
  }
  const value = valueBy(field, byDay, context);
  const memo = new WeakMap<Occurrence, { value: number | undefined }>();
  const cached = (item: Occurrence) => {
    let known = memo.get(item);
    if (!known) {
      known = { value: value(item) };
      memo.set(item, known);
    }
    return known.value;
  };
  return (a, b) => missingLast(cached(a), cached(b), (x, y) => sign * (x - y));
}

function missingLast<T>(a: T | undefined, b: T | undefined, compare: (a: T, b: T) => number): number {
  if (a === undefined) return b === undefined ? 0 : 1;
  return b === undefined ? -1 : compare(a, b);
}

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
      const places = new Map<Id, number>(lists.map((list, index) => [list.id, index]));
      return ({ task }) => places.get(task.listId);
    }
    case 'urgency':
      return item => -urgency(item, moment);
  }
}

/**
 * How pressing a line is, from 0 up: due date (12 a week or more late, 8 today, falling to 2 two weeks ahead), priority
 * (6 highest … 1 lowest), in progress (4). Blocked by nothing else: the parts are few so that a person can foresee them.
 */
function urgency({ task, due }: Occurrence, moment: Moment): number {
  let points = task.status === 1 ? 4 : 0;
  if (task.priority > 0) points += 6 - ((task.priority - 1) * 5) / 8;
  if (due === null) return points;
  const daysAhead = Math.floor(calendarTime(due, task, moment) / dayMs) - moment.today.civilStart / dayMs;
  if (daysAhead <= 0) return points + Math.min(12, 8 + (-daysAhead * 4) / 7);
  return points + Math.max(2, 8 - (daysAhead * 6) / 14);
}
