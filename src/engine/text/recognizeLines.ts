import type { ParsedQuickAdd } from '../../api';
import { settableOf } from '../../core/fields/values';
import type { Id, Task } from '../../core/kernel/model';
import { isRecurring } from '../../core/recurrence/instances';
import { repeatsFromCompletion } from '../../core/recurrence/repeatFrom';
import { sanitize } from '../../core/text/cleanText';
import { writeLine } from '../../core/text/document/line';
import { type OutlineLine, readText, splitLines } from '../../core/text/document/readText';
import { layoutOf, type TextPlanner } from './textPlan';
import { boxOf } from './writeTasks';

/**
 * The text with the IDs of the tasks that its lines stand for. A line without an ID stands for the task with its title at
 * its place, below the same task and in the same list, if everything else that it says is true of that task, too. It
 * completes an open task by its tick; a closed task only stands for a line with its tick. So nothing is moved, and the same
 * file adds nothing again. The tick of a line that repeats changes no series that is there: it would complete one occurrence
 * with each import.
 */
export function recognizeLines(planner: TextPlanner, text: string): string {
  const { tasks: lines, layout } = readText(text, layoutOf(planner.target));
  const before = planner.write(text);
  const found = new Map<OutlineLine, Id>();
  const taken = new Set<Id>();
  for (const line of lines) {
    const row = line.id === undefined ? undefined : planner.names.rowOf(line.id);
    if (row === undefined || !before.ids.has(row) || taken.has(row)) continue;
    taken.add(row);
    found.set(line, row);
  }
  const own = new Set(found.keys());
  const places = new Places(planner, before.lists, taken);
  for (const line of lines) {
    if (found.has(line) || (line.parent && !found.has(line.parent))) continue;
    const row = places.take(line, line.parent && found.get(line.parent));
    if (row !== undefined) found.set(line, row);
  }
  if (found.size === own.size) return text;
  const written = planner.writeWith(found.values());
  const wordsOf = new Map(readText(written.text, layout).tasks.map(({ id, words }) => [id, words]));
  const raw = splitLines(text);
  for (const [line, row] of found) {
    const id = written.ids.get(row);
    if (own.has(line) || id === undefined) continue;
    const box = isOccurrence(line, planner.engine.task(row)!) ? '' : line.box;
    raw[line.at] = writeLine({ ...line, box, words: wordsOf.get(id)!, id });
  }
  return raw.join('\n');
}

/** True if the line has the tick of an occurrence, and the task is the series that goes on. */
const isOccurrence = ({ box }: OutlineLine, task: Task): boolean =>
  box === 'x' && boxOf(task) === '' && isRecurring(task);

/** The tasks of the store, by their lists, parents and titles, that no line stands for yet. */
class Places {
  readonly #tasks = new Map<string, Task[]>();

  constructor(
    private readonly planner: TextPlanner,
    private readonly lists: ReadonlyMap<string, Id>,
    taken: ReadonlySet<Id>,
  ) {
    for (const list of planner.engine.lists())
      for (const task of planner.engine.rows(list.id)) {
        if (task.isDeleted || task.masterId !== null || taken.has(task.id)) continue;
        const key = keyOf(task.listId, task.parentId, sanitize(task.title ?? '').trim());
        const others = this.#tasks.get(key);
        if (others) others.push(task);
        else this.#tasks.set(key, [task]);
      }
  }

  /** The task that a line stands for, which no other line does from now on. The line is below the task with this row. */
  take(line: OutlineLine, parentId: Id | undefined): Id | undefined {
    const { engine, target } = this.planner;
    const { words, heading, box } = line;
    const parsed = this.planner.parse(words);
    if (parsed.problem) return undefined;
    const own = 'listId' in target ? target.listId : engine.defaultListId();
    const above =
      parentId === undefined ? (heading ? this.lists.get(heading.key) : own) : engine.task(parentId)?.listId;
    const listId = parsed.listId ?? above;
    if (listId === undefined || (parentId !== undefined && listId !== above)) return undefined;
    const tasks = this.#tasks.get(keyOf(listId, parentId ?? null, parsed.title)) ?? [];
    const isSame = (task: Task) => boxOf(task) === box;
    const isTicked = (task: Task) => box !== '' && boxOf(task) === '' && !isRecurring(task);
    for (const isFitting of [isSame, isTicked, (task: Task) => isOccurrence(line, task)]) {
      const at = tasks.findIndex(task => isFitting(task) && this.#isTrueOf(line, task, parsed));
      if (at >= 0) return tasks.splice(at, 1)[0]!.id;
    }
    return undefined;
  }

  #isTrueOf(line: OutlineLine, task: Task, { input, fromCompletion, after = [] }: ParsedQuickAdd): boolean {
    // The zone follows from the date.
    const { title: _title, timezone: _zone, due, dtstart, isAllDay, ...others } = input;
    const isDone = isOccurrence(line, task);
    if (isDone && others.rrule === undefined) return false;
    // The series has moved on from the date of the line.
    const said = isDone ? others : { ...others, due, dtstart, isAllDay };
    const values = settableOf(task) as Readonly<Record<string, unknown>>;
    const isThere = (value: unknown, all: unknown) =>
      Array.isArray(value) ? value.every(one => (all as unknown[]).some(other => isPart(one, other))) : value === all;
    return (
      Object.entries(said).every(([name, value]) => value === undefined || isThere(value, values[name])) &&
      (!fromCompletion || repeatsFromCompletion(task)) &&
      after.every(id => this.planner.engine.blockersOf(task).some(({ task: other }) => other?.id === id))
    );
  }
}

const keyOf = (listId: Id, parentId: Id | null, title: string) => `${listId} ${parentId} ${title}`;

/** True for the same tag, and for a reminder with the same fields. */
const isPart = (one: unknown, other: unknown): boolean =>
  typeof one === 'object' && one !== null
    ? Object.entries(one).every(([name, value]) => (other as Record<string, unknown>)[name] === value)
    : one === other;
