import type { DuelineEngine, TaskChange } from '../../api';
import type { Id } from '../../core/model';
import type { Day } from '../../core/time/dates';
import { isolate, t, tn } from '../../shared/l10n';
import type { GroupView, Side } from '../../shared/widgetProtocol';
import type { RowOutline } from '../../shared/widgetRow';
import { announcements } from '../../ui/announcements';
import { dateChange, dueAtHour, dueOn, rescheduled } from '../../ui/reschedule';
import { rootTasks } from '../../ui/rootTasks';
import { openSiblings } from '../../ui/siblings';
import { titleOf } from '../../ui/text/taskText';

/** Into a day: due there, at that hour if one is named; of a series this one occurrence. Into a list: moved there. */
export async function moveInto(
  engine: DuelineEngine,
  rows: readonly Pick<RowOutline, 'taskId' | 'occurrence'>[],
  place: GroupView['place'],
  hour?: number,
): Promise<void> {
  if (!place) return;
  const { day, listId } = place;
  const zone = engine.clock.timeZone;
  const ids = rows.map(({ taskId }) => taskId);
  const moving = rootTasks(engine, ids).filter(task => listId !== undefined && listId !== task.listId);
  const moves = moving.map(({ id }): TaskChange => ({ type: 'move', id, to: { listId: listId! } }));
  const dates = rows.flatMap(({ taskId, occurrence }): TaskChange[] => {
    const task = engine.task(taskId);
    if (!task) return [];
    const dated =
      day &&
      dateChange(engine, task, occurrence, dates =>
        hour === undefined ? dueOn(dates, day as Day, zone) : dueAtHour(dates, day as Day, hour, zone),
      );
    return dated ? [dated] : [];
  });
  const changes = [...moves, ...dates];
  if (changes.length === 0) return;
  await engine.apply(changes);
  const list = listId === undefined ? undefined : engine.lists().find(({ id }) => id === listId);
  announcements.fire(
    list
      ? tn(changes.length, 'Moved {0} task to {1}', 'Moved {0} tasks to {1}', isolate(list.name))
      : rescheduled(engine, changes),
  );
}

export async function setPriority(engine: DuelineEngine, rows: readonly RowOutline[], priority: number): Promise<void> {
  const ids = [...new Set(rows.map(({ taskId }) => taskId))];
  const changing = ids.flatMap(id => engine.task(id) ?? []).filter(task => task.priority !== priority);
  const [first] = changing;
  if (!first) return;
  await engine.apply(changing.map(({ id }) => ({ type: 'update', id, patch: { priority } })));
  announcements.fire(
    changing.length === 1
      ? t('{0}: {1}', t('Priority set'), isolate(titleOf(first)))
      : tn(changing.length, '{1}: {0} task', '{1}: {0} tasks', t('Priority set')),
  );
}

/** In the person's own order: right before or after another row, under the same parent and in the same list. */
export async function moveBeside(
  engine: DuelineEngine,
  rows: readonly RowOutline[],
  beside: RowOutline | undefined,
  side: Side,
): Promise<void> {
  const target = beside && engine.task(beside.taskId);
  const ids = new Set(rows.map(({ taskId }) => taskId));
  if (!target || ids.has(target.id)) return;
  const before = side === 'before' ? target.id : nextAfter(engine, target.id, ids);
  const to = { listId: target.listId, parentId: target.parentId, before };
  await engine.apply(rootTasks(engine, [...ids]).map(({ id }): TaskChange => ({ type: 'move', id, to })));
}

/** The sibling that follows, other than those that are on the move; null at the end. */
function nextAfter(engine: DuelineEngine, id: Id, moving: ReadonlySet<Id>): Id | null {
  const task = engine.task(id)!;
  const siblings = openSiblings(engine, task);
  const after = siblings.slice(siblings.findIndex(row => row.id === id) + 1);
  return after.find(row => !moving.has(row.id))?.id ?? null;
}
