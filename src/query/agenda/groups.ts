import type { Id, Occurrence, TaskList } from '../../core/kernel/model';
import type { TodayPart } from '../../core/kernel/settings';
import { addDays, civilMs, type Day, dayOfCivil, daysBetween, type Moment } from '../../core/time/dates';
import { dayMs } from '../../core/time/units';
import { groupItems } from '../eval/group';
import { isOpen } from '../eval/items';
import { calendarTime, lineOrder } from '../eval/sort';
import { readSort } from '../eval/sortKeys';
import type { Query } from '../parse/syntax';
import type { WidgetGroup, WidgetSnapshot } from './types';
import { type WidgetKind, widgets } from './widgets';

/** Up next reaches beyond its days until it shows this many: a quiet week still has something next. */
const upNextFill = 10;

interface Span {
  readonly from: Day;
  readonly to: Day;
}

export interface GroupContext {
  readonly moment: Moment;
  readonly lists: readonly TaskList[];
  /** Lists chosen for the widget, in its order; undefined: every visible one. */
  readonly scope: readonly Id[] | undefined;
  readonly locale: string | undefined;
  readonly filter: Query;
  readonly weeks: Span;
  readonly upNextDays: number;
  readonly sortDefault: string;
  /** Infinity: none. The filter's own counts besides. */
  readonly limit: number;
  /** The limit of each group of Today. */
  readonly groupLimit: number;
  /** The lines are already sorted. */
  readonly isSorted?: boolean;
}

/** A widget's groups, whatever its kind. */
export type Grouped = Omit<WidgetSnapshot, 'kind'>;

/** The lines of a widget, in any order, as its groups. */
export function agendaGroups(kind: WidgetKind, items: readonly Occurrence[], context: GroupContext): Grouped {
  const { moment, lists, locale, filter } = context;
  const limit = Math.min(context.limit, filter.limit ?? Number.POSITIVE_INFINITY);
  const keys = filter.sort ?? readSort(context.sortDefault);
  const sortContext = { moment, lists, ...(locale === undefined ? {} : { locale }) };
  const sorted = context.isSorted ? items : lineOrder(keys, sortContext).sort([...items]);
  switch (widgets[kind].grouping) {
    case 'today':
      return groupToday(
        sorted.filter(item => item.isOverdue),
        sorted.filter(item => !item.isOverdue),
        { limit, groupLimit: context.groupLimit },
      );
    case 'days': {
      const days = byDay(sorted, moment);
      const today = moment.today.civilStart / dayMs;
      return groupDays(
        [...days.keys()].sort((a, b) => a - b),
        today + context.upNextDays,
        day => days.get(day) ?? [],
        limit,
      );
    }
    case 'week': {
      const days = byDay(sorted, moment);
      const linesOf = (day: number) => days.get(day) ?? [];
      const whole = groupWeek(context.weeks, linesOf, Number.POSITIVE_INFINITY);
      const ids = whole.flatMap(({ items }) => items.map(seriesOf));
      return { groups: groupWeek(context.weeks, linesOf, limit), openCount: new Set(ids).size };
    }
    case 'lists': {
      const byList = new Map<Id, Occurrence[]>();
      for (const item of sorted) {
        const { listId } = item.task;
        if (byList.get(listId)?.push(item) === undefined) byList.set(listId, [item]);
      }
      return { groups: groupLists(context, id => byList.get(id) ?? [], limit), openCount: sorted.length };
    }
    case 'query':
      return {
        groups: groupItems(sorted.slice(0, limit), filter.group, keys, sortContext),
        openCount: sorted.filter(item => isOpen(item.task)).length,
      };
  }
}

/** Sorted lines that may be read only as far as they are shown. */
export interface Lines {
  readonly length: number;
  slice(from: 0, to?: number): readonly Occurrence[];
}

/** Each list that is shown, with the first of its lines. */
export function groupLists(
  { scope, lists }: Pick<GroupContext, 'scope' | 'lists'>,
  linesOf: (list: Id) => Lines,
  limit: number,
): WidgetGroup[] {
  const visible = scope
    ? scope.flatMap(id => lists.find(list => list.id === id) ?? [])
    : lists.filter(list => list.isVisible);
  return visible.map(({ id, name }) => ({ key: String(id), label: name, items: linesOf(id).slice(0, limit) }));
}

type TodayLimits = Pick<GroupContext, 'limit' | 'groupLimit'>;

export function groupToday(overdue: Lines, today: Lines, { limit, groupLimit }: TodayLimits): Grouped {
  const group = (key: string, label: string, lines: Lines, most: number): WidgetGroup => ({
    key,
    label,
    items: lines.slice(0, Math.min(most, groupLimit)),
    count: Math.min(most, lines.length),
  });
  const groups = [
    group('overdue', 'Overdue', overdue, limit),
    group('today', 'Today', today, Math.max(0, limit - overdue.length)),
  ];
  return { groups, openCount: overdue.length + today.length };
}

/** `days` (numbers since 1970) ascending from today on; `last` is the last one of the user's choice. */
export function groupDays(
  days: readonly number[],
  last: number,
  linesOf: (day: number) => Lines,
  limit: number,
): Grouped {
  const groups: WidgetGroup[] = [];
  let count = 0;
  for (const day of days) {
    if (day > last && count >= upNextFill) break;
    const found = linesOf(day);
    const most = day > last ? Math.min(found.length, upNextFill - count) : found.length;
    const key = dayOfCivil(day * dayMs);
    if (most > 0 && count < limit)
      groups.push({ key, label: key, items: found.slice(0, Math.min(most, limit - count)) });
    count += most;
  }
  return { groups, openCount: count };
}

/** The days from the first to the last one; the limit counts for all of them together. */
export function groupWeek({ from, to }: Span, linesOf: (day: number) => Lines, limit: number): WidgetGroup[] {
  const first = civilMs(from) / dayMs;
  let remaining = limit;
  return Array.from({ length: daysBetween(from, to) + 1 }, (_, index) => {
    const key = addDays(from, index);
    const items = linesOf(first + index).slice(0, remaining);
    remaining -= items.length;
    return { key, label: key, items };
  });
}

/** A repeating task may be on several days. */
export const seriesOf = ({ task }: Occurrence): Id => task.masterId ?? task.id;

function byDay(items: readonly Occurrence[], moment: Moment): Map<number, Occurrence[]> {
  const days = new Map<number, Occurrence[]>();
  for (const item of items) fileByDay(days, item, moment);
  return days;
}

/** Adds a line to its day, which is counted from the epoch; a line without a date is not added. */
function fileByDay(days: Map<number, Occurrence[]>, item: Occurrence, moment: Moment): void {
  const day = dayOfLine(item, moment);
  if (day === undefined) return;
  const found = days.get(day);
  if (found) found.push(item);
  else days.set(day, [item]);
}

/** The day that a line is on, counted from the epoch: its due date, else its start. */
export function dayOfLine({ due, dtstart, task }: Occurrence, moment: Moment): number | undefined {
  const value = due ?? dtstart;
  return value === null ? undefined : Math.floor(calendarTime(value, task, moment) / dayMs);
}

/** A whole Today with only the parts that the user wants in it. */
export function onlyParts(
  whole: WidgetSnapshot,
  parts: readonly TodayPart[],
  moment: Moment,
  limits: TodayLimits,
): WidgetSnapshot {
  const of = (group: string) => whole.groups.find(({ key }) => key === group)?.items ?? [];
  const overdue = parts.includes('overdue') ? of('overdue') : [];
  const today = of('today').filter(item => parts.includes(isDueToday(item, moment) ? 'due' : 'startingToday'));
  return { kind: whole.kind, ...groupToday(overdue, today, limits) };
}

const isDueToday = ({ due, task }: Occurrence, moment: Moment) =>
  due !== null && calendarTime(due, task, moment) < moment.today.civilEnd;
