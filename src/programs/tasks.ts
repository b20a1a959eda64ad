import type { DuelineEngine, TaskChange } from '../api';
import { detailsOf, estimateOf } from '../core/fields/values';
import { isDuelineError } from '../core/kernel/errors';
import type { EpochMs, Id, Occurrence, Task } from '../core/kernel/model';
import { openOccurrences } from '../core/recurrence/instances';
import { openSubtasksOf } from '../core/recurrence/subtasks';
import { sanitize } from '../core/text/cleanText';
import { isoText, momentOf } from '../core/time/dates';
import { isLiveSeries, plainItem } from '../query/eval/items';
import { refusalError } from './cliError';
import type { CodeAround } from './codeAround';

const statusNames = ['needs-action', 'in-process', 'completed', 'cancelled'] as const;

/** A date as RFC 3339 writes it: a day, a wall time, or an instant. */
function dateText(value: EpochMs | null, { isAllDay, timezone }: Pick<Task, 'isAllDay' | 'timezone'>) {
  if (value === null) return null;
  const text = isoText(value);
  if (isAllDay) return text.slice(0, 10);
  return timezone === null ? text.slice(0, 19) : text.replace('.000Z', 'Z');
}

const instant = (value: EpochMs | null) => (value === null ? null : isoText(value));

/** Facts about tasks that are outside of the store. */
interface CodeAndClaims {
  readonly code: CodeAround;
  /** The name of the agent that has claimed a task. */
  readonly holderOf: (task: Task) => string | undefined;
}

/** A task in `--json`. Names and meanings stay as they are within a version. */
export function taskJson(
  engine: DuelineEngine,
  { task, due, dtstart, isOverdue }: Occurrence,
  codeAndClaims?: CodeAndClaims,
) {
  const blockers = engine.blockersOf(task.id);
  return {
    id: task.id,
    shortId: engine.shortIdOf(task),
    uid: task.uid,
    title: task.title ?? '',
    status: statusNames[task.status],
    due: dateText(due, task),
    start: dateText(dtstart, task),
    isOverdue,
    priority: task.priority,
    tags: task.tags,
    listId: task.listId,
    list: listNames(engine).get(task.listId) ?? '',
    parentId: task.parentId,
    notes: task.description,
    ...detailsOf(task, null),
    estimateMinutes: estimateOf(task) ?? null,
    progress: task.percentComplete,
    repeat: task.rrule,
    blockedBy: blockers.flatMap(({ task: blocker }) =>
      blocker && blocker.status < 2 ? [engine.shortIdOf(blocker)] : [],
    ),
    completedAt: instant(task.completedAt),
    createdAt: instant(task.createdAt),
    modifiedAt: instant(task.lastModified),
    ...(codeAndClaims && {
      claimedBy: codeAndClaims.holderOf(task) ?? null,
      places: codeAndClaims.code.locationsOf(task),
    }),
  };
}

export const tasksJson = (
  engine: DuelineEngine,
  tasks: readonly Occurrence[],
  codeAndClaims: CodeAndClaims,
  more: object = {},
) => ({
  version: 1,
  tasks: tasks.map(item => taskJson(engine, item, codeAndClaims)),
  ...more,
});

type IsVisible = (task: Task) => boolean;

const known = new WeakMap<DuelineEngine, ReadonlyMap<Id, string>>();

/** Lists rarely change while a command runs. */
export function listNames(engine: DuelineEngine): ReadonlyMap<Id, string> {
  const names = known.get(engine) ?? new Map(engine.lists().map(({ id, name }) => [id, name]));
  known.set(engine, names);
  return names;
}

/** The line of a task as queries return it: a series by its next occurrence, of those that are visible. */
export function lineOf(engine: DuelineEngine, id: Id, isVisible?: IsVisible): Occurrence {
  const task = engine.task(id);
  if (!task) throw refusalError(`No task has the ID ${id}.`);
  const plain = plainItem(task, momentOf(engine.clock, engine.settings.dayStartHour));
  if (!isLiveSeries(task)) return plain;
  const found = engine.query(`id:${engine.shortIdOf(task)}`, {
    lists: [task.listId],
    ...(isVisible && { isVisible }),
  });
  // A date of it that is done is a line of its own.
  const isNext = ({ task: one }: Occurrence) => one.status < 2 && (one.id === id || one.masterId === id);
  return found.find(isNext) ?? plain;
}

/**
 * Completes a task as it is now, and of a series its next occurrence. That occurrence is named: otherwise the one after it
 * would be completed if another window were faster. An occurrence that is not visible is left alone.
 */
export function completionOf(engine: DuelineEngine, task: Task, isVisible: IsVisible = () => true): TaskChange {
  const { id } = task;
  if (!isLiveSeries(task)) return { type: 'complete', id };
  const overrides = engine.overridesOf(id);
  for (const { recurrenceId, override } of openOccurrences(task, overrides, engine.clock.timeZone))
    if (!override || isVisible(override)) return { type: 'complete', id, occurrence: recurrenceId };
  return { type: 'complete', id };
}

/**
 * The open subtasks that are completed with tasks, of those that are visible: by the user's setting, as in windows. `ask`
 * leaves them open, since nobody can be asked here.
 */
export function subtasksCompletedWith(
  engine: DuelineEngine,
  tasks: readonly Task[],
  isVisible: IsVisible = () => true,
): readonly Task[] {
  if (engine.settings.completeSubtasks !== 'always') return [];
  return openSubtasksOf(tasks, id => engine.subtasksOf(id)).filter(isVisible);
}

/** A number is the ID of `--json` or a short ID that has no letter; everything else is a short ID. */
export function taskId(engine: DuelineEngine, word: string): Id {
  const numbered = /^\d+$/.test(word) ? engine.task(Number(word)) : undefined;
  if (!numbered) return engine.findByShortId(word);
  const named = taskOfDigits(engine, word);
  if (!named || named.uid === numbered.uid) return numbered.id;
  const [one, other] = [numbered, named].map(task => `${engine.shortIdOf(task)} (${sanitize(task.title ?? '')})`);
  throw refusalError(`${word} is the number of ${one}, and the short ID of ${other}. Use an ID with dl-.`);
}

/** Each task once: a series that is named twice would advance twice. */
export const taskIds = (engine: DuelineEngine, words: readonly string[]): Id[] => [
  ...new Set(words.map(word => taskId(engine, word))),
];

function taskOfDigits(engine: DuelineEngine, word: string): Task | undefined {
  try {
    return engine.task(engine.findByShortId(word));
  } catch (error) {
    if (isDuelineError(error, 'notFound')) return undefined;
    throw error;
  }
}

export function listId(engine: DuelineEngine, name: string): Id {
  const lists = engine.lists();
  const folded = name.replace(/^@/, '').toLowerCase();
  const found = lists.filter(list => list.name.toLowerCase() === folded || String(list.id) === folded);
  if (found.length === 1) return found[0]!.id;
  if (found.length > 1) throw refusalError(`Several lists are called ${sanitize(name)}. Use the list's ID.`);
  throw refusalError(
    `There is no list ${sanitize(name)}. Lists: ${lists.map(list => sanitize(list.name)).join(', ')}.`,
  );
}
