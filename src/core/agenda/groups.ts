import { groupItems } from '../filter/eval/group';
import { isOpen } from '../filter/eval/items';
import { calendarTime, lineOrder } from '../filter/eval/sort';
import { readSort } from '../filter/eval/sortKeys';
import type { Query } from '../filter/parse/syntax';
import type { Id, Occurrence, TaskList } from '../model';
import type { TodayPart } from '../settings';
import { addDays, civilMs, type Day, dayOfCivil, daysBetween, type Moment } from '../time/dates';
import { dayMs } from '../time/units';
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
  /** The lines come in order already. */
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
        limit,
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
      return groupWeek(context.weeks, day => days.get(day) ?? [], limit);
    }
    case 'lists': {
      const visible = context.scope
        ? context.scope.flatMap(id => lists.find(list => list.id === id) ?? [])
        : lists.filter(list => list.isVisible);
      const byList = new Map<Id, Occurrence[]>(visible.map(list => [list.id, []]));
      for (const item of sorted) byList.get(item.task.listId)?.push(item);
      const groups = visible.map(list => ({
        key: String(list.id),
        label: list.name,
        items: (byList.get(list.id) ?? []).slice(0, limit),
      }));
      return { groups, openCount: sorted.length };
    }
    case 'query': {
      const groups = groupItems(sorted.slice(0, limit), filter.group, keys, sortContext);
      return { groups, openCount: sorted.filter(item => isOpen(item.task)).length };
    }
  }
}

type Lines = readonly Occurrence[];

export function groupToday(overdue: Lines, today: Lines, limit: number): Grouped {
  const groups = [
    { key: 'overdue', label: 'Overdue', items: overdue.slice(0, limit) },
    { key: 'today', label: 'Today', items: today.slice(0, Math.max(0, limit - overdue.length)) },
  ];
  return { groups, openCount: overdue.length + today.length };
}

/** `days` (numbers since 1970) ascending from today on; `last` is the last one of the person's choice. */
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
    const items = day > last ? found.slice(0, upNextFill - count) : found;
    const key = dayOfCivil(day * dayMs);
    if (items.length > 0) groups.push({ key, label: key, items });
    count += items.length;
  }
  return { groups: cut(groups, limit).filter(group => group.items.length > 0), openCount: count };
}

export function groupWeek({ from, to }: Span, linesOf: (day: number) => Lines, limit: number): Grouped {
  const first = civilMs(from) / dayMs;
  const groups = Array.from({ length: daysBetween(from, to) + 1 }, (_, index) => {
    const key = addDays(from, index);
    return { key, label: key, items: linesOf(first + index) };
  });
  return { groups: cut(groups, limit), openCount: distinctOpen(groups) };
}

function byDay(items: readonly Occurrence[], moment: Moment): Map<number, Occurrence[]> {
  const days = new Map<number, Occurrence[]>();
  for (const item of items) fileByDay(days, item, moment);
  return days;
}

/** Puts a line with those of its day, which is counted from the epoch; one without a date nowhere. */
export function fileByDay(days: Map<number, Occurrence[]>, item: Occurrence, moment: Moment): void {
  const value = item.due ?? item.dtstart;
  if (value === null) return;
  const day = Math.floor(calendarTime(value, item.task, moment) / dayMs);
  const found = days.get(day);
  if (found) found.push(item);
  else days.set(day, [item]);
}

/** The first lines over all groups together. */
function cut(groups: readonly WidgetGroup[], limit: number): readonly WidgetGroup[] {
  if (!Number.isFinite(limit)) return groups;
  let remaining = limit;
  return groups.map(group => {
    const items = group.items.slice(0, remaining);
    remaining -= items.length;
    return { ...group, items };
  });
}

/** A repeating task may stand on several days. */
function distinctOpen(groups: readonly WidgetGroup[]): number {
  const ids = new Set<Id>();
  for (const group of groups) for (const { task } of group.items) ids.add(task.masterId ?? task.id);
  return ids.size;
}

/** A whole Today with only the parts that a person wants in it. */
export function onlyParts(
  whole: WidgetSnapshot,
  parts: readonly TodayPart[],
  moment: Moment,
  limit = Number.POSITIVE_INFINITY,
): WidgetSnapshot {
  const of = (group: string) => whole.groups.find(({ key }) => key === group)?.items ?? [];
  const overdue = parts.includes('overdue') ? of('overdue') : [];
  const today = of('today').filter(item => parts.includes(isDueToday(item, moment) ? 'due' : 'startingToday'));
  return { kind: whole.kind, ...groupToday(overdue, today, limit) };
}

const isDueToday = ({ due, task }: Occurrence, moment: Moment) =>
  due !== null && calendarTime(due, task, moment) < moment.today.civilEnd;
