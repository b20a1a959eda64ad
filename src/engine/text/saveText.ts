import { isDuelineError, messageOf } from '../../core/kernel/errors';
import { type Id, Status, type Task } from '../../core/kernel/model';
import type { TextChanges } from '../../core/text/document/compare';
import { type Leftover, withLeftovers } from '../../core/text/document/leftovers';
import type { Box } from '../../core/text/document/line';
import { withoutBackslashes } from '../../core/text/document/literal';
import { type OutlineLine, readText, splitLines } from '../../core/text/document/readText';
import type { EditedText, SavedText, TextProblem, Vanished } from '../../core/text/document/types';
import { type Captured, type CaptureOptions, capturedTask, createCaptured } from '../capture';
import { changeBlockers } from '../changeBlockers';
import { engineMessage } from '../messages';
import { moveTask } from '../move';
import type { TaskEditor, TaskEdits } from '../taskEditor';
import { arrange } from './arrange';
import { isOfOccurrence } from './lineEdit';
import type { PlannedLine, TextPlan, TextPlanner } from './textPlan';

type SaveEngine = CaptureOptions & TaskEdits;

/** Writes the changes of a text as one undo step; lines that cannot be written stay in the text, and are reported. */
export async function saveText(engine: SaveEngine, planner: TextPlanner, edited: EditedText): Promise<SavedText> {
  const { mine, vanished = 'keep' } = edited;
  planner.readAgain();
  const plan = planner.plan(edited);
  const saving = new Saving(engine, plan, vanished);
  if (!saving.isEmpty) await saving.run();
  planner.forget();
  const rowOf = (id: string | undefined) => plan.written.tasks.get(id ?? '')?.task.id;
  const rows = new Map([...plan.changes.ids].map(([line, id]) => [line, rowOf(id)]));
  for (const [line, row] of saving.made) rows.set(line, row);
  const kept = vanished === 'keep' ? plan.vanished.map(({ id }) => rowOf(id)) : [];
  const written = planner.writeWith([...rows.values(), ...kept].flatMap(row => row ?? []));
  const ids = new Map(plan.changes.ids);
  const taken: [OutlineLine, Id][] = [];
  for (const [line, row] of rows) {
    if (row === undefined) continue;
    if (!written.ids.has(row)) taken.push([line, row]);
    ids.set(line, written.ids.get(row) ?? ids.get(line) ?? planner.engine.shortIdOf(row));
  }
  for (const { line, words } of plan.changed) if (words && line.id !== undefined) planner.forgetTyped(line.id);
  for (const line of saving.made.keys()) planner.noteTyped(ids.get(line)!, line.words);
  planner.noteTaken(taken);
  const problems = [...plan.problems, ...saving.problems].sort((one, other) => one.at - other.at);
  const text = withLeftovers(written.text, leftoversOf(plan, mine, problems, ids), written.layout);
  const linesNow = () => {
    const now = new Map(readText(text, written.layout).tasks.map(({ id, at }) => [id, at]));
    return new Map([...ids].flatMap(([{ at }, id]) => (now.has(id) ? [[at, now.get(id)!]] : [])));
  };
  const isHeld = problems.some(one => one.isHeld);
  return { ...saving.counts, text, base: written.text, problems, isHeld, linesNow };
}

/** The lines that were not taken, each with the tasks above it. */
function leftoversOf(
  { mine }: TextPlan,
  text: string,
  problems: readonly TextProblem[],
  ids: ReadonlyMap<OutlineLine, string>,
): Leftover[] {
  const held = new Set(problems.filter(({ isHeld }) => isHeld).map(({ at }) => at));
  if (held.size === 0) return [];
  const raw = splitLines(text);
  const byLine = new Map(mine.tasks.map(line => [line.at, line]));
  const headings = new Map(mine.headings.map(({ at, key }) => [at, key]));
  const isLeft = (line: OutlineLine): boolean => held.has(line.at) || !ids.has(line);
  const above: string[] = [];
  return raw.flatMap((line, at): Leftover[] => {
    const task = byLine.get(at);
    const id = task && ids.get(task);
    const before = above.slice(-50).reverse();
    const aboveId = id ?? headings.get(at);
    if (aboveId !== undefined) above.push(aboveId);
    if (task ? !isLeft(task) : !held.has(at)) return [];
    return [{ raw: line, ...(id !== undefined && { id }), keysAbove: before }];
  });
}

class Saving {
  /** The tasks of lines that were none in the text before. */
  made: Map<OutlineLine, Id>;
  counts = { added: 0, changed: 0, completed: 0, cancelled: 0, deleted: 0 };
  problems: TextProblem[] = [];
  readonly #captured: ReadonlyMap<OutlineLine, Captured>;
  readonly #vanished: readonly Task[];

  constructor(
    private readonly engine: SaveEngine,
    private readonly plan: TextPlan,
    private readonly answer: Vanished,
  ) {
    this.made = new Map(plan.taken);
    this.#captured = new Map(plan.created.map(line => [line, this.#capture(line)]));
    const { tasks } = plan.written;
    this.#vanished = answer === 'keep' ? [] : plan.vanished.flatMap(({ id }) => tasks.get(id!)?.task ?? []);
  }

  get isEmpty(): boolean {
    const { changed, created, changes } = this.plan;
    const isRearranged = changes.order.length > 0 || changes.rows.length > 0;
    return changed.length + created.length + this.#vanished.length === 0 && !isRearranged;
  }

  run(): Promise<void> {
    const { changed } = this.plan;
    const ended = [
      ...changed.filter(({ box, line }) => box && line.box !== '').map(({ shown }) => shown.task.id),
      ...this.#vanished.map(({ id }) => id),
    ];
    const deleted = this.answer === 'delete' ? this.#vanished.map(({ id }) => id) : [];
    const count = changed.length + this.#captured.size + this.#vanished.length;
    const label = { key: 'text', count: Math.max(count, 1) };
    return this.engine.editTasks(label, editor => this.#write(editor), {
      ended,
      deleted,
      mayComplete: ended.length > 0,
    });
  }

  /** May run again, if another window was faster. */
  #write(editor: TaskEditor): void {
    const { changed, mine, changes, taken } = this.plan;
    this.made = new Map(taken);
    this.problems = [];
    this.counts = { added: 0, changed: 0, completed: 0, cancelled: 0, deleted: 0 };
    const planned = new Map(changed.map(change => [change.line, change]));
    const newer = new Set(changed.filter(change => !isAsPlanned(editor, change.shown.task)).map(({ line }) => line));
    for (const line of newer) this.#report(line, 'changed', engineMessage('textChangedMeanwhile'));
    for (const line of mine.tasks) {
      const change = planned.get(line);
      if (change && !newer.has(line)) this.#try(line, () => this.#change(editor, change));
      else if (this.#captured.has(line)) this.#try(line, () => this.#create(editor, line));
    }
    this.#waitInRows(editor);
    for (const lines of changes.order)
      arrange(
        editor,
        lines.flatMap(line => (taken.has(line) ? [] : (this.#rowOf(editor, line) ?? []))),
      );
    for (const task of this.#vanished.toReversed()) if (isAsPlanned(editor, task)) this.#end(editor, task);
  }

  #try(line: OutlineLine, work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!isDuelineError(error)) throw error;
      this.#report(line, 'refused', messageOf(error));
    }
  }

  #report({ at }: OutlineLine, kind: TextProblem['kind'], message: TextProblem['message']): void {
    this.problems.push({ at, kind, message, isHeld: true });
  }

  #capture(line: OutlineLine): Captured {
    const { text, ranges } = withoutBackslashes(line.words);
    const listId = this.#listOf(line);
    return capturedTask(this.engine, text, { rejected: ranges, ...(listId !== undefined && { listId }) }, text);
  }

  /** The list of a line: that of its parent, or of its heading, or else of the whole text. */
  #listOf(line: OutlineLine): Id | undefined {
    const { written, changes } = this.plan;
    const parent = line.parent && changes.ids.get(line.parent);
    const listId = parent === undefined ? undefined : written.tasks.get(parent)?.task.listId;
    if (listId !== undefined) return listId;
    if (line.heading) return written.lists.get(line.heading.key);
    return written.listId;
  }

  #create(editor: TaskEditor, line: OutlineLine): void {
    const captured = this.#captured.get(line)!;
    const parentId = line.parent ? this.#idOf(line.parent) : this.plan.written.parentId;
    const listId = parentId === undefined ? captured.listId : editor.existing(parentId).listId;
    const input = parentId === undefined ? captured.input : { ...captured.input, parentId };
    const id = createCaptured(editor, { ...captured, listId, input });
    this.made.set(line, id);
    if (line.box !== '') this.#setBox(editor, editor.existing(id), '', line.box);
    this.counts.added++;
  }

  #change(editor: TaskEditor, change: PlannedLine): void {
    const { edit, shown, line, base } = change;
    const { id } = shown.task;
    if (edit) {
      const isOne = isOfOccurrence(edit, shown.task, shown.occurrence);
      const patch = isOne ? edit.patch : { ...edit.patch, ...edit.dates };
      if (edit.repeat) {
        const { due, isAllDay, timezone } = edit.dates ?? {};
        const first = due == null ? {} : { due, isAllDay: isAllDay ?? false, timezone: timezone ?? null };
        editor.setRepeat(id, edit.repeat.rrule, edit.repeat.from, first);
      }
      if (Object.keys(patch).length > 0) editor.update(id, patch);
      if (isOne) editor.editOccurrence(id, shown.occurrence!, 'this', edit.dates!);
      const { add, remove } = edit.after;
      if (add.length + remove.length > 0)
        changeBlockers(editor, id, { add, remove: remove.flatMap(other => editor.tx.task(other)?.uid ?? []) });
    }
    const isMoved = change.isMoved && !this.#stays(change);
    if (isMoved) this.#move(editor, change);
    else if (edit?.listId !== undefined) moveTask(editor, id, { listId: edit.listId });
    if (change.box) this.#setBox(editor, editor.existing(id), base.box, line.box, shown.occurrence);
    if (edit || isMoved || (change.box && line.box === '')) this.counts.changed++;
  }

  /**
   * A line whose parent's line is gone comes below another one without having been touched, or to the top of a file. The
   * parent is still there.
   */
  #stays({ line, base }: PlannedLine): boolean {
    const isUntouched = line.indent === base.indent || (this.plan.isFile && !line.parent);
    return isUntouched && this.#isLeft(base.parent?.id);
  }

  /** True if the line of a task is gone, and the task stays. */
  #isLeft = (id: string | undefined): boolean =>
    id !== undefined && this.answer !== 'delete' && this.plan.changes.vanished.some(line => line.id === id);

  #move(editor: TaskEditor, { line, edit, listId, shown }: PlannedLine): void {
    const parentId = line.parent ? (this.#idOf(line.parent) ?? null) : (this.plan.written.parentId ?? null);
    const target = parentId === null ? (edit?.listId ?? listId) : editor.existing(parentId).listId;
    moveTask(editor, shown.task.id, { parentId, ...(target !== undefined && { listId: target }) });
  }

  #setBox(editor: TaskEditor, { id, status }: Task, from: Box, to: Box, occurrence?: number): void {
    if (to === 'x') {
      editor.complete(id, occurrence === undefined ? {} : { occurrence });
      this.counts.completed++;
    } else if (to === '-') {
      editor.update(id, { status: Status.cancelled });
      this.counts.cancelled++;
    } else if (from === 'x' && status === Status.completed) editor.reopen(id);
    else editor.update(id, { status: Status.needsAction });
  }

  /**
   * From the last line on: the line that another waits for waits for none yet, and no long row has to be followed. If the
   * order of a row has changed, some lines can only wait once others do not: they are tried again.
   */
  #waitInRows(editor: TaskEditor): void {
    const left = this.plan.changes.rows.toReversed().filter(row => {
      try {
        this.#wait(editor, row);
        return false;
      } catch (error) {
        if (!isDuelineError(error)) throw error;
        return true;
      }
    });
    for (const row of left.reverse()) this.#try(row.line, () => this.#wait(editor, row));
  }

  #wait(editor: TaskEditor, { line, before, now }: TextChanges['rows'][number]): void {
    const id = this.#idOf(line);
    const add = now ? this.#idOf(now) : undefined;
    // A line of a file may have been written before its task waited.
    const isKept = before === undefined || (this.plan.isFile && !now) || this.#isLeft(before);
    const was = isKept ? undefined : this.plan.written.tasks.get(before)?.task.uid;
    if (id === undefined) return;
    changeBlockers(editor, id, {
      ...(add !== undefined && { add: [add] }),
      ...(was !== undefined && { remove: [was] }),
    });
  }

  #end(editor: TaskEditor, { id }: Task): void {
    if (this.answer === 'delete') {
      editor.delete(id, 'keep');
      this.counts.deleted++;
    } else if (this.answer === 'complete') {
      editor.complete(id);
      this.counts.completed++;
    } else {
      editor.update(id, { status: Status.cancelled });
      this.counts.cancelled++;
    }
  }

  /** A move alone does not change the number that a task is sorted by. */
  #rowOf(editor: TaskEditor, line: OutlineLine): Task | undefined {
    const id = this.made.get(line);
    return id === undefined
      ? this.plan.written.tasks.get(this.plan.changes.ids.get(line) ?? '')?.task
      : editor.tx.task(id);
  }

  #idOf(line: OutlineLine): Id | undefined {
    const id = this.plan.changes.ids.get(line);
    return id === undefined ? this.made.get(line) : this.plan.written.tasks.get(id)?.task.id;
  }
}

/** A task that another window wrote since the text was compared is newer. */
function isAsPlanned(editor: TaskEditor, task: Task): boolean {
  const now = editor.tx.task(task.id);
  return now !== undefined && JSON.stringify(now) === JSON.stringify(task);
}
