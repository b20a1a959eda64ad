import type { WidgetGroup, WidgetKind, WidgetSnapshot } from './agendaTypes';
import { addDays, type Day, dayOfCivil, type Moment } from './dates';
import { groupItems } from './filter/group';
import { isOpen } from './filter/items';
import { calendarTime, comparator } from './filter/sort';
import { readSort } from './filter/sortKeys';
import type { Query } from './filter/syntax';
import type { Id, Occurrence, TaskList } from './model';

/** Up next reaches beyond its days until it shows this many: a quiet week still has something next. */
export const upNextFill = 10;

export interface GroupContext {
  readonly moment: Moment;
  readonly lists: readonly TaskList[];
  /** Lists chosen for the widget, in its order; undefined: every visible one. */
  readonly scope: readonly Id[] | undefined;
  readonly locale: string | undefined;
  readonly filter: Query;
  readonly week: { readonly from: Day; readonly to: Day };
  readonly upNextDays: number;
  readonly sortDefault: string;
  /** Infinity: none. The filter's own counts besides. */
  readonly limit: number;
}

/** The day on which a line is shown: its due day, else its start day. */
export function effectiveDay({ due, dtstart, task }: Occurrence, moment: Moment): Day | undefined {
  const value = due ?? dtstart;
  return value === null ? undefined : dayOfCivil(calendarTime(value, task, moment));
}

/** The lines of a widget, in any order, as its groups. */
export function agendaGroups(kind: WidgetKind, items: readonly Occurrence[], context: GroupContext): WidgetSnapshot {
  const { moment, lists, locale, filter } = context;
  const limit = Math.min(context.limit, filter.limit ?? Number.POSITIVE_INFINITY);
  const keys = filter.sort ?? readSort(context.sortDefault);
  const sortContext = { moment, lists, ...(locale === undefined ? {} : { locale }) };
  const sorted = [...items].sort(comparator(keys, sortContext));
  switch (kind) {
    case 'today': {
      const groups = [
        { key: 'overdue', label: 'Overdue', items: sorted.filter(item => item.isOverdue) },
        { key: 'today', label: 'Today', items: sorted.filter(item => !item.isOverdue) },
      ];
      return { kind, groups: cut(groups, limit), openCount: sorted.length };
    }
    case 'upNext': {
      const days = byDay(sorted, moment);
      const last = addDays(moment.today.day, context.upNextDays);
      const groups: WidgetGroup[] = [];
      let count = 0;
      for (const day of [...days.keys()].sort()) {
        if (day > last && count >= upNextFill) break;
        const found = days.get(day)!;
        const room = day > last ? upNextFill - count : found.length;
        groups.push({ key: day, label: day, items: found.slice(0, room) });
        count += Math.min(room, found.length);
      }
      return { kind, groups: cut(groups, limit).filter(group => group.items.length > 0), openCount: count };
    }
    case 'week': {
      const days = byDay(sorted, moment);
      const groups = Array.from({ length: 7 }, (_, index) => {
        const day = addDays(context.week.from, index);
        return { key: day as string, label: day as string, items: days.get(day) ?? [] };
      });
      return { kind, groups: cut(groups, limit), openCount: distinctOpen(groups) };
    }
    case 'lists': {
      const shown = context.scope
        ? context.scope.flatMap(id => lists.find(list => list.id === id) ?? [])
        : lists.filter(list => list.isVisible);
      const byList = new Map<Id, Occurrence[]>(shown.map(list => [list.id, []]));
      for (const item of sorted) byList.get(item.task.listId)?.push(item);
      const groups = shown.map(list => ({
        key: String(list.id),
        label: list.name,
        items: (byList.get(list.id) ?? []).slice(0, limit),
      }));
      return { kind, groups, openCount: sorted.length };
    }
    case 'tasks': {
      const groups = groupItems(sorted.slice(0, limit), filter.group, keys, sortContext);
      return { kind, groups, openCount: sorted.filter(item => isOpen(item.task)).length };
    }
  }
}

function byDay(items: readonly Occurrence[], moment: Moment): Map<Day, Occurrence[]> {
  const days = new Map<Day, Occurrence[]>();
  for (const item of items) {
    const day = effectiveDay(item, moment);
    if (day === undefined) continue;
    const found = days.get(day);
    if (found) found.push(item);
    else days.set(day, [item]);
  }
  return days;
}

/** The first lines over all groups together. */
function cut(groups: readonly WidgetGroup[], limit: number): readonly WidgetGroup[] {
  if (!Number.isFinite(limit)) return groups;
  let left = limit;
  return groups.map(group => {
    const items = group.items.slice(0, left);
    left -= items.length;
    return { ...group, items };
  });
}

/** A repeating task may stand on several days. */
function distinctOpen(groups: readonly WidgetGroup[]): number {
  const ids = new Set<Id>();
  for (const group of groups) for (const { task } of group.items) ids.add(task.masterId ?? task.id);
  return ids.size;
}
