import { type AnchorEdit, withAnchors } from '../core/code/anchors';
import { isClosed, statusAfter } from '../core/fields/status';
import type { TaskEdit } from '../core/fields/values';
import { walkTree } from '../core/kernel/descent';
import { DuelineError } from '../core/kernel/errors';
import { type EpochMs, type Id, Status, type Task, type TaskInput, type TaskList } from '../core/kernel/model';
import { type NewRow, type RowEdit, type RowPatch, resolveLinks } from '../core/kernel/rowEdit';
import type { EngineSettings } from '../core/kernel/settings';
import {
  completeRecurring,
  deleteOccurrence,
  occurrenceOf,
  reopenRecurring,
  skipOccurrence,
} from '../core/recurrence/completion';
import { appendLine, dateLine } from '../core/recurrence/dateLines';
import { endOfSeries } from '../core/recurrence/endOfSeries';
import { splitOff } from '../core/recurrence/followingEdit';
import { datesOnRule, isRecurring, OverrideIndex } from '../core/recurrence/instances';
import { withRepeatFrom } from '../core/recurrence/repeatFrom';
import { type EditScope, editOccurrence } from '../core/recurrence/seriesEdit';
import type { SeriesContext, SeriesOrigin, SeriesRows } from '../core/recurrence/seriesRows';
import { appliesToFollowing, contentForFollowing } from '../core/recurrence/thisAndFollowing';
import { alarmsGained } from '../core/reminders/defaultAlarms';
import type { Clock } from '../core/time/clock';
import type { EditLabel, Writer } from '../store/types';
import type { Completion } from './doneLog';
import { engineMessage } from './messages';
import { blankTask, isTracked, patchFor, patchWithLines } from './taskRow';
import { asStored, checkInput, wholeSeconds } from './validate';

interface Which {
  /** The occurrence's recurrence id, start or due; the next open one if absent. */
  readonly occurrence?: EpochMs;
}

/** The tasks that an edit ends and deletes. */
export interface Ending {
  /** Work on them stops. */
  readonly ended?: readonly Id[];
  /** They go to the trash. */
  readonly deleted?: readonly Id[];
  /** A series may be completed. */
  readonly mayComplete?: boolean;
}

/** Runs `work` as one step of the store. */
export interface TaskEdits {
  editTasks<T>(label: EditLabel, work: (editor: TaskEditor) => T, ending?: Ending): Promise<T>;
}

/**
 * The user's actions on tasks, as row edits inside one step of the store. The rule that a user's edit sets the dirty
 * flag is kept here; the store does not know it. An action may run again if another window won the race, so new UIDs
 * come from the caller.
 */
export class TaskEditor {
  readonly now: EpochMs;
  /** Completed occurrences that leave no completed row. */
  readonly done: Completion[] = [];

  constructor(
    readonly tx: Writer,
    readonly clock: Clock,
    readonly settings: EngineSettings,
    readonly newUid: () => string,
    readonly originOf?: (task: Task) => SeriesOrigin,
  ) {
    this.now = clock.now();
  }

  create(listId: Id, values: TaskEdit): Id {
    const list = this.writableList(listId);
    checkInput(values);
    const input = this.#withParent(asStored(values), listId);
    const blank = blankTask(listId, this.newUid(), this.now);
    const { id: _id, ...row } = { ...blank, ...this.#patchFor(input, blank) };
    return this.tx.insertTask({ ...row, isDirty: isTracked(list) });
  }

  update(id: Id, values: TaskEdit): void {
    const task = this.#detach(this.writableTask(id), values);
    checkInput(values, task);
    if (task.masterId !== null && values.rrule) throw new DuelineError('invalid', engineMessage('occurrenceRepeat'));
    const input = this.#withParent(asStored(values), task.listId, task);
    if (input.rrule === null && isRecurring(task)) this.#endSeries(task, input);
    else if (this.#closesOccurrence(input, task)) {
      const { status, percentComplete: _percent, ...rest } = input;
      this.touch(task, patchWithLines(rest, task, this.now));
      if (status === Status.cancelled) this.skip(id);
      else this.complete(id);
    } else {
      this.touch(task, this.#patchFor(input, task));
    }
  }

  /** The series goes on, or ends with its last occurrence; if a series is cancelled, all of it is. */
  #closesOccurrence(input: TaskEdit, task: Task): boolean {
    if (isClosed(task) || this.#seriesOf(task) === undefined) return false;
    const status = statusAfter(input, task);
    return status === Status.completed || (status === Status.cancelled && task.masterId !== null);
  }

  /** Ends the series; the rest of the input applies to the task that no longer repeats. */
  #endSeries(task: Task, input: TaskEdit): void {
    const { patch, edits } = endOfSeries(this.#repeating(task), this.#context());
    this.touch(task, { ...patch, ...this.#patchFor(input, { ...task, ...(patch as Partial<Task>) }) });
    this.run(edits);
  }

  /** Adds the default reminders if the input sets a due date or a time and no reminders. */
  #patchFor(input: TaskEdit, current: Task): RowPatch {
    const patch = patchWithLines(input, current, this.now);
    if (input.alarms !== undefined) return patch;
    const alarms = alarmsGained(current, { ...current, ...patch }, this.settings);
    return alarms.length > 0 ? { ...patch, alarms } : patch;
  }

  complete(id: Id, { occurrence }: Which = {}): void {
    const task = this.writableTask(id);
    const series = this.#seriesOf(task);
    if (!series) this.touch(task, patchFor({ status: 2 }, task, this.now));
    else this.#completeOne(series, named(occurrence, task));
  }

  #completeOne(series: SeriesRows, occurrence: EpochMs | undefined): void {
    const { master } = series;
    const context = this.#context(series);
    const edits = completeRecurring(series, context, occurrence);
    const isKept = edits.some(
      edit => edit.type !== 'delete' && (edit.type === 'insert' ? edit.row : edit.patch).status === 2,
    );
    const target = edits.length > 0 && !isKept ? occurrenceOf(series, context, occurrence) : undefined;
    this.run(edits);
    if (!target || target === 'closed') return;
    const { uid, isAllDay, timezone } = master;
    const dates = {
      dtstart: master.dtstart === null ? null : target.dtstart,
      due: master.due === null ? null : target.due,
    };
    this.done.push({ uid, isAllDay, timezone, ...dates, at: this.now });
  }

  /** Sets the date from which the next occurrence counts: the due date or the completion. */
  repeatFrom(id: Id, from: 'due' | 'completion'): void {
    this.setLines(id, task => withRepeatFrom(task, from));
  }

  editAnchors(id: Id, edit: AnchorEdit): void {
    const { url } = this.writableTask(id);
    if (url !== null && edit.remove?.includes(url)) this.update(id, { url: null });
    this.setLines(id, task => withAnchors(task, edit));
  }

  /** Replaces the properties that no column models by the result of `linesOf`. */
  setLines(id: Id, linesOf: (task: Task) => string | null): void {
    const task = this.writableTask(id);
    const unknownProperties = linesOf(task);
    if (unknownProperties !== task.unknownProperties) this.touch(task, { unknownProperties });
  }

  reopen(id: Id): void {
    const task = this.writableTask(id);
    const series = this.#seriesOf(task);
    if (!series) this.touch(task, patchFor({ status: 0 }, task, this.now));
    else this.run(reopenRecurring(series, this.#context(), named(undefined, task)));
  }

  skip(id: Id, { occurrence }: Which = {}): void {
    const task = this.writableTask(id);
    const series = this.#repeating(task);
    this.run(skipOccurrence(series, this.#context(series), named(occurrence, task)));
  }

  /** Takes one occurrence out of its series for good. */
  exclude(id: Id, occurrence: EpochMs): void {
    const task = this.writableTask(id);
    this.run(deleteOccurrence(this.#repeating(task), this.#context(), wholeSeconds(occurrence)));
  }

  /** Returns the series that begins with the occurrence, if there is one. */
  editOccurrence(id: Id, at: EpochMs, scope: EditScope, values: TaskEdit): Id | undefined {
    const [occurrence, input] = [wholeSeconds(at), asStored(values)];
    const series = this.#repeating(this.writableTask(id));
    const index = new OverrideIndex(series.master, series.overrides);
    const following = index.followingAt(occurrence);
    const current = index.of(occurrence) ?? {
      ...series.master,
      ...(following && contentForFollowing(following, series.master)),
    };
    checkInput(input, current);
    const { dtstart, due } = input;
    const patch: RowPatch = {
      ...this.#patchFor(input, current),
      ...(dtstart === undefined ? {} : { dtstart }),
      ...(due === undefined ? {} : { due }),
    };
    const edit = { occurrence, scope, patch, newUid: this.newUid() };
    return this.run(editOccurrence(series, this.#context(), edit)).get('following');
  }

  /** Sets the rule of the series, also if the row is one occurrence of it. */
  setRepeat(id: Id, rule: string | null, from: 'due' | 'completion', first: TaskInput = {}): void {
    const rrule = rule || null;
    const series = this.seriesId(id);
    const task = { ...this.existing(series), ...(first as Partial<Task>) };
    const dates = rrule === null || isRecurring(task) ? {} : datesOnRule(task, rrule, this.#context().zone);
    this.update(series, { ...first, ...dates, rrule });
    this.repeatFrom(series, rrule === null ? 'due' : from);
  }

  delete(id: Id, children: 'keep' | 'delete'): void {
    const task = this.writableTask(id);
    if (children === 'delete') for (const child of this.#subtree(id).toReversed()) this.deleteOrTombstone(child);
    else for (const child of this.tx.subtasksOf(id)) this.touch(child, { parentId: null });
    if (task.masterId === null) this.deleteOrTombstone(task);
    else if (isClosed(task) || !isRecurring(this.existing(task.masterId))) this.#dropOverride(this.#detach(task));
    else this.exclude(task.masterId, task.recurrenceId!);
  }

  /** An override that applies to all following occurrences is limited to its own before it is edited alone. */
  #detach(task: Task, input: TaskInput = { status: task.status }): Task {
    if (!appliesToFollowing(task) || task.masterId === null || Object.keys(input).length === 0) return task;
    if (!isRecurring(this.existing(task.masterId))) return task;
    this.run(splitOff(this.#repeating(task), this.#context(), task));
    return this.existing(task.id);
  }

  /** Deletes an override whose occurrence or series is closed, and excludes its date, or it would come back open. */
  #dropOverride(override: Task): void {
    const master = this.existing(override.masterId!);
    const exdate = appendLine(master.exdate, dateLine('EXDATE', override.recurrenceId!, master));
    this.tx.deleteTask(override.id);
    this.touch(master, { exdate });
  }

  /** Writes the edits that a rule has decided, with the flags of a user's edit; returns the ids of the named rows. */
  run(edits: readonly RowEdit[]): ReadonlyMap<string, Id> {
    const inserted = new Map<string, Id>();
    for (const edit of edits) {
      if (edit.type === 'delete') {
        this.tx.deleteTask(edit.id);
        continue;
      }
      const links = resolveLinks(edit.links, inserted);
      if (edit.type === 'update') {
        this.touch(this.existing(edit.id), { ...edit.patch, ...links });
        continue;
      }
      const isDirty = isTracked(this.tx.list(edit.row.listId)!);
      this.#deleteTombstone(edit.row);
      const id = this.tx.insertTask({ ...edit.row, ...links, isDirty, lastModified: this.now });
      if (edit.name !== undefined) inserted.set(edit.name, id);
    }
    return inserted;
  }

  /** Removes the tombstone of an occurrence, which the server does not know yet, so that the occurrence can be inserted. */
  #deleteTombstone({ listId, uid, recurrenceId }: NewRow): void {
    const isOld = 't.list_id = ? AND t.uid = ? AND t.recurrence_id = ? AND t.is_deleted = 1';
    for (const { id } of this.tx.selectTasks(isOld, [listId, uid, recurrenceId ?? null])) this.tx.deleteTask(id);
  }

  /** Writes a user's patch; a patch that changes nothing leaves the row as clean as it was. */
  touch(task: Task, patch: RowPatch): void {
    if (Object.keys(patch).length === 0) return;
    const isDirty = isTracked(this.tx.list(task.listId)!);
    this.tx.updateTask(task.id, { ...patch, lastModified: this.now, isDirty });
  }

  /** Deletes a task that the server never had; any other task becomes a tombstone until the server has deleted it. */
  deleteOrTombstone(task: Task): void {
    if (task.href === null) {
      this.tx.deleteTask(task.id);
      return;
    }
    for (const row of [task, ...this.tx.overridesOf(task.id)]) this.tx.updateTask(row.id, { isDeleted: true });
  }

  #seriesOf(task: Task): SeriesRows | undefined {
    const master = task.masterId === null ? task : this.existing(task.masterId);
    if (!isRecurring(master)) return undefined;
    return { master, overrides: this.tx.overridesOf(master.id), subtasks: this.#subtree(master.id) };
  }

  #repeating(task: Task): SeriesRows {
    const series = this.#seriesOf(task);
    if (!series) throw new DuelineError('invalid', engineMessage('notRepeating'));
    return series;
  }

  existing(id: Id): Task {
    if (id < 0) throw new DuelineError('invalid', engineMessage('seriesMovedOn'));
    const task = this.tx.task(id);
    if (!task || task.isDeleted) throw new DuelineError('notFound', engineMessage('taskGone'));
    return task;
  }

  /** The list, the place and the subtasks of an occurrence are those of its series. */
  seriesId(id: Id): Id {
    return this.tx.task(id)?.masterId ?? id;
  }

  writableTask(id: Id): Task {
    const task = this.existing(id);
    this.writableList(task.listId);
    return task;
  }

  writableList(id: Id): TaskList {
    const list = this.tx.list(id);
    if (!list) throw new DuelineError('notFound', engineMessage('listGone'));
    if (list.isReadOnly) throw new DuelineError('readOnly', engineMessage('listReadOnly', list.name));
    return list;
  }

  /** Throws unless the parent is in the same list and not a descendant of `child`; returns it, or the series that it is of. */
  checkParent(id: Id, listId: Id, child?: Id): Id {
    const parentId = this.seriesId(id);
    let parent: Task | undefined = this.tx.task(parentId);
    if (!parent || parent.isDeleted) throw new DuelineError('notFound', engineMessage('parentGone'));
    if (parent.listId !== listId) throw new DuelineError('invalid', engineMessage('subtaskInOtherList'));
    if (child === undefined || (child !== parentId && !this.#hasBelow(child))) return parentId;
    for (const seen = new Set<Id>(); parent && !seen.has(parent.id); ) {
      if (parent.id === child) throw new DuelineError('invalid', engineMessage('subtaskOfItself'));
      seen.add(parent.id);
      parent = parent.parentId === null ? undefined : this.tx.task(parent.parentId);
    }
    return parentId;
  }

  #withParent<T extends TaskEdit>(input: T, listId: Id, task?: Task): T {
    const { parentId } = input;
    if (!parentId || parentId === task?.parentId) return input;
    return { ...input, parentId: this.checkParent(parentId, listId, task?.id) };
  }

  /** A task without subtasks closes no circle. Without this, the import of a deep chain would walk all of it for each task. */
  #hasBelow(id: Id): boolean {
    return this.tx.selectTasks('t.parent_id = ?', [id], 'LIMIT 1').length > 0;
  }

  /** The task and all its descendants, parents first. Other programs can make two tasks each other's parents. */
  familyOf(task: Task): readonly { readonly item: Task; readonly parent: Task | undefined }[] {
    return walkTree(
      [task],
      ({ id }) => this.tx.subtasksOf(id),
      ({ id }) => id,
    );
  }

  #subtree(id: Id): readonly Task[] {
    const task = this.tx.task(id);
    return task
      ? this.familyOf(task)
          .slice(1)
          .map(({ item }) => item)
      : [];
  }

  #context(series?: SeriesRows): SeriesContext {
    const { onCompleteRecurring: mode, resetSubtasks } = this.settings;
    const origin = series && this.originOf?.(series.master);
    return { now: this.now, zone: this.clock.timeZone, mode, resetSubtasks, origin };
  }
}

/** The occurrence that is meant: the given one, or the one of the row. */
function named(occurrence: EpochMs | undefined, { recurrenceId }: Task): EpochMs | undefined {
  const id = occurrence ?? recurrenceId;
  return id === null ? undefined : wholeSeconds(id);
}
