import type { DuelineEngine, TaskChange } from '../../api';
import { bucketOf } from '../../core/fields/priority';
import { type Id, Status, type Task, type TaskInput } from '../../core/kernel/model';
import type { Day } from '../../core/time/dates';
import { foldCase } from '../../query/eval/foldCase';
import { isolate, t, tn } from '../../shared/l10n';
import type { DropValues, Side } from '../../shared/widgetProtocol';
import type { RowSummary } from '../../shared/widgetRow';
import { type Announcement, perform } from '../../ui/announcements';
import { rescheduledBy } from '../../ui/applyToSeries';
import { openSiblings, rootTasks, seriesId } from '../../ui/relatives';
import { dateChange, dueAtHour, dueOn, withoutDue } from '../../ui/reschedule';
import { besideText, nameOfTasks } from '../../ui/text/movedText';
import { titleOf } from '../../ui/text/taskText';

/** A row that is moved, with the values of the group that it leaves. */
interface MovedRow extends Pick<RowSummary, 'taskId' | 'occurrence'> {
  readonly from?: DropValues | undefined;
}

/** The name of the target, the hour of its day, and the position among its rows. */
interface Target {
  readonly name?: string | undefined;
  readonly hour?: number | undefined;
  readonly order?:
    | { readonly cards: readonly RowSummary[]; readonly neighbor: string; readonly side: Side }
    | undefined;
}

/** The changes that set the values of the new group in tasks. Completing is a separate command, since it may ask. */
export const movesInto = (
  engine: DuelineEngine,
  rows: readonly MovedRow[],
  dropValues: DropValues,
  { hour, order }: Target = {},
): readonly TaskChange[] => [
  ...changesInto(engine, rows, dropValues, hour),
  ...(order ? ordersIn(engine, rows, order, dropValues.listId) : []),
];

/** Moves tasks, and returns the announcement. */
export async function moveInto(
  engine: DuelineEngine,
  rows: readonly MovedRow[],
  dropValues: DropValues | undefined,
  { name = '', hour, order }: Target = {},
): Promise<Announcement | undefined> {
  const changes = dropValues ? changesInto(engine, rows, dropValues, hour) : [];
  const ordered = order ? ordersIn(engine, rows, order, dropValues?.listId) : [];
  if (changes.length + ordered.length === 0) return undefined;
  const neighbor = changes.length === 0 ? orderText(engine, rows, order!) : undefined;
  return perform(
    engine,
    () => engine.apply([...changes, ...ordered]),
    () => neighbor ?? movedText(engine, changes, dropValues!, name),
  );
}

function orderText(
  engine: DuelineEngine,
  rows: readonly MovedRow[],
  { cards, neighbor, side }: NonNullable<Target['order']>,
): string {
  const tasks = tasksOf(engine, rows);
  const onto = engine.task(cards.find(({ key }) => key === neighbor)?.taskId ?? 0);
  if (!onto) return t('Moved {0}', nameOfTasks(tasks));
  const names = [nameOfTasks(tasks), isolate(titleOf(onto))] as const;
  return side === 'before' ? t('Moved {0} above {1}', ...names) : t('Moved {0} below {1}', ...names);
}

const tasksOf = (engine: DuelineEngine, rows: readonly MovedRow[]): readonly Task[] =>
  rootTasks(engine, [...new Set(rows.map(({ taskId }) => taskId))]);

/**
 * Tasks are ordered within their list and parent, so each goes next to the nearest of those that is on the board there.
 */
function ordersIn(
  engine: DuelineEngine,
  rows: readonly MovedRow[],
  { cards, neighbor, side }: NonNullable<Target['order']>,
  listId: Id | undefined,
): readonly TaskChange[] {
  const ids = new Set(rows.map(({ taskId }) => seriesId(engine, taskId)));
  const at = cards.findIndex(({ key }) => key === neighbor) + (side === 'after' ? 1 : 0);
  const others = (part: readonly RowSummary[]) =>
    part.flatMap(({ taskId }) => (ids.has(seriesId(engine, taskId)) ? [] : (engine.task(taskId) ?? [])));
  const [above, below] = [others(cards.slice(0, at)), others(cards.slice(at))];
  return rootTasks(engine, [...ids]).flatMap((task): TaskChange[] => {
    const isPeer = (one: Task) =>
      one.listId === (listId ?? task.listId) && one.parentId === (one.listId === task.listId ? task.parentId : null);
    const [previous, next] = [above.findLast(isPeer), below.find(isPeer)];
    if (!previous && !next) return [];
    const before = next ? next.id : nextAfter(engine, previous!.id, ids);
    return [{ type: 'move', id: task.id, to: { before } }];
  });
}

/** Into a day: due there, at that hour if one is named; of a series this one occurrence. Into a list: moved there. */
function changesInto(
  engine: DuelineEngine,
  rows: readonly MovedRow[],
  dropValues: DropValues,
  hour: number | undefined,
): readonly TaskChange[] {
  const { day, listId } = dropValues;
  const zone = engine.clock.timeZone;
  const ids = rows.map(({ taskId }) => taskId);
  const moving = rootTasks(engine, ids).filter(task => listId !== undefined && listId !== task.listId);
  const moves = moving.map(({ id }): TaskChange => ({ type: 'move', id, to: { listId: listId! } }));
  const dates = rows.flatMap(({ taskId, occurrence }): TaskChange[] => {
    const task = engine.task(taskId);
    if (!task || day === undefined) return [];
    const dated = dateChange(engine, task, occurrence, dates => {
      if (day === null) return withoutDue(dates);
      return hour === undefined ? dueOn(dates, day as Day, zone) : dueAtHour(dates, day as Day, hour, zone);
    });
    return dated ? [dated] : [];
  });
  const fields = rows.flatMap(({ taskId: id, from }): TaskChange[] => {
    const task = engine.task(id);
    const patch = task ? fieldsIn(task, dropValues, from) : {};
    return Object.keys(patch).length > 0 ? [{ type: 'update', id, patch }] : [];
  });
  return [...moves, ...dates, ...fields];
}

/** The fields in which a task differs from the values of its new group. */
function fieldsIn(task: Task, { status, priority, tag }: DropValues, from: DropValues | undefined): TaskInput {
  const isStatus = status !== undefined && status !== Status.completed && status !== task.status;
  // A number that is already in the bucket is kept: other clients may mean more by it.
  const isPriority = priority !== undefined && bucketOf(priority) !== bucketOf(task.priority);
  return {
    ...(isStatus ? { status } : {}),
    ...(isPriority ? { priority } : {}),
    ...(tag === undefined ? {} : tagsIn(task, tag, from?.tag)),
  };
}

function tagsIn({ tags }: Task, tag: string | null, from: string | null | undefined): TaskInput {
  const isTag = (one: string, other: string) => foldCase(one) === foldCase(other);
  const kept = tags.filter(one => from == null || isTag(one, tag ?? '') || !isTag(one, from));
  const next = tag === null || kept.some(one => isTag(one, tag)) ? kept : [...kept, tag];
  return next.length === tags.length && next.every((one, at) => one === tags[at]) ? {} : { tags: next };
}

function movedText(
  engine: DuelineEngine,
  changes: readonly TaskChange[],
  dropValues: DropValues,
  name: string,
): string | Announcement {
  const { day, listId, ...fields } = dropValues;
  const isDay = typeof day === 'string' && listId === undefined && Object.keys(fields).length === 0;
  if (isDay) return rescheduledBy(engine, changes);
  const list = engine.lists().find(({ id }) => id === listId);
  const ids = [...new Set(changes.flatMap(change => ('id' in change ? [change.id] : [])))];
  const to = isolate(name || (list?.name ?? ''));
  return t('Moved {0} to {1}', nameOfTasks(ids.flatMap(id => engine.task(id) ?? [])), to);
}

export async function setPriority(
  engine: DuelineEngine,
  rows: readonly RowSummary[],
  priority: number,
): Promise<Announcement | undefined> {
  const ids = [...new Set(rows.map(({ taskId }) => taskId))];
  const changing = ids.flatMap(id => engine.task(id) ?? []).filter(task => task.priority !== priority);
  const [first] = changing;
  if (!first) return undefined;
  const text =
    changing.length === 1
      ? t('{0}: {1}', t('Priority set'), isolate(titleOf(first)))
      : tn(changing.length, '{1}: {0} task', '{1}: {0} tasks', t('Priority set'));
  return perform(
    engine,
    () => engine.apply(changing.map(({ id }) => ({ type: 'update', id, patch: { priority } }))),
    () => text,
  );
}

/** Moves rows in the user's own order: right before or after another row, under the same parent and in the same list. */
export async function moveBeside(
  engine: DuelineEngine,
  rows: readonly RowSummary[],
  neighbor: RowSummary | undefined,
  side: Side,
): Promise<Announcement | undefined> {
  const target = neighbor && engine.task(neighbor.taskId);
  const ids = new Set(rows.map(({ taskId }) => seriesId(engine, taskId)));
  if (!target || ids.has(seriesId(engine, target.id))) return undefined;
  const before = side === 'before' ? target.id : nextAfter(engine, target.id, ids);
  const to = { listId: target.listId, parentId: target.parentId, before };
  const tasks = tasksOf(engine, rows);
  const text = besideText(engine, tasks, target, side);
  return perform(
    engine,
    () => engine.apply(tasks.map(({ id }): TaskChange => ({ type: 'move', id, to }))),
    () => text,
  );
}

/** The sibling that follows, other than those that are on the move; null at the end. */
function nextAfter(engine: DuelineEngine, id: Id, moving: ReadonlySet<Id>): Id | null {
  const task = engine.task(id)!;
  const siblings = openSiblings(engine, task);
  const after = siblings.slice(siblings.findIndex(row => row.id === seriesId(engine, id)) + 1);
  return after.find(row => !moving.has(row.id))?.id ?? null;
}
