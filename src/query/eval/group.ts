import type { Occurrence } from '../../core/kernel/model';
import { dayOfCivil, wallOf } from '../../core/time/dates';
import { hourMs } from '../../core/time/units';
import type { GroupField, SortKey } from '../parse/syntax';
import { foldCase } from './foldCase';
import { calendarTime, type SortContext, titleCollator } from './sort';

/** Lines that share a value. */
export interface ItemGroup {
  readonly key: string;
  readonly label: string;
  readonly items: readonly Occurrence[];
}

/** Key of the group for lines without a value. */
const noGroup = 'none';

/**
 * Lines in groups, in their given order. Keys: days `YYYY-MM-DD`, list ids, `high` … `low`, folded tags, `todo` …
 * `cancelled`; `none` for lines without the value. A line with several tags is in several groups. Labels that are not
 * names are for programs: views translate days, priorities and states.
 */
export function groupItems(
  items: readonly Occurrence[],
  field: GroupField | undefined,
  sort: readonly SortKey[],
  context: SortContext,
): ItemGroup[] {
  if (field === undefined || field === 'none') return [{ key: 'all', label: '', items }];
  const groups = new Map<string, { label: string; items: Occurrence[] }>();
  for (const item of items) {
    for (const [key, label] of keysOf(item, field, context)) {
      const group = groups.get(key);
      if (group) group.items.push(item);
      else groups.set(key, { label, items: [item] });
    }
  }
  const down = sort[0]?.field === field && sort[0].descending;
  const order = orderOf(field, context);
  return [...groups]
    .map(([key, group]) => ({ key, ...group }))
    .sort((a, b) => Number(a.key === noGroup) - Number(b.key === noGroup) || (down ? -1 : 1) * order(a, b));
}

type Key = readonly [key: string, label: string];

const statusKeys = ['todo', 'started', 'done', 'cancelled'] as const;
const priorityKeys = ['high', 'medium', 'low'] as const;

const priorityKey = (priority: number): string =>
  priority === 0 ? noGroup : priority < 5 ? 'high' : priority === 5 ? 'medium' : 'low';

function keysOf(item: Occurrence, field: Exclude<GroupField, 'none'>, { moment, lists }: SortContext): readonly Key[] {
  const { task } = item;
  const only = (key: string): readonly Key[] => [[key, key === noGroup ? '' : key]];
  switch (field) {
    case 'due':
      return only(item.due === null ? noGroup : dayOfCivil(calendarTime(item.due, task, moment)));
    case 'done': {
      const { completedAt } = task;
      if (completedAt === null) return only(noGroup);
      return only(dayOfCivil(wallOf(completedAt, moment.zone) - moment.startHour * hourMs));
    }
    case 'list':
      return [[String(task.listId), lists.find(list => list.id === task.listId)?.name ?? '']];
    case 'priority':
      return only(priorityKey(task.priority));
    case 'status':
      return only(statusKeys[task.status]);
    case 'tag':
      return task.tags.length === 0 ? only(noGroup) : task.tags.map(tag => [foldCase(tag), tag] as const);
    case 'link':
      return only(noGroup);
  }
}

function orderOf(field: GroupField, { lists, locale }: SortContext) {
  const byPosition = (keys: readonly string[]) => (a: ItemGroup, b: ItemGroup) =>
    keys.indexOf(a.key) - keys.indexOf(b.key);
  switch (field) {
    case 'list':
      return byPosition(lists.map(list => String(list.id)));
    case 'priority':
      return byPosition(priorityKeys);
    case 'status':
      return byPosition(['started', 'todo', 'done', 'cancelled']);
    case 'tag':
      return (a: ItemGroup, b: ItemGroup) => titleCollator(locale).compare(a.label, b.label);
    default:
      return (a: ItemGroup, b: ItemGroup) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
  }
}
