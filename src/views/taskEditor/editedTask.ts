import type { DuelineEngine, TaskChange } from '../../api';
import { isClosed } from '../../core/fields/status';
import { DuelineError } from '../../core/kernel/errors';
import type { EpochMs, Id, Task, TaskInput } from '../../core/kernel/model';
import { type OpenInstance, occurrencesOf } from '../../core/recurrence/instances';
import type { EditScope } from '../../core/recurrence/seriesEdit';
import { contentForFollowing } from '../../core/recurrence/thisAndFollowing';
import { t } from '../../shared/l10n';
import { type Announcement, announcementOf } from '../../ui/announcements';
import { showQuickPick } from '../../ui/dialogs';
import { inSeries, instanceNamed, instanceOf, overrideOf } from '../../ui/occurrences';
import { codeLinks } from '../../ui/text/codeLinks';
import { type FormEdit, textOfEdit } from './formEdit';

interface FormTarget {
  readonly id: Id;
  /** Null if the task is a series: its next open occurrence. */
  readonly occurrence: EpochMs | null;
}

/** The task, or the one occurrence of a series, that a form edits. Its row may come and go with each edit, undo and redo. */
export class EditedTask {
  /** For which occurrences of a series a new date holds. */
  scope: EditScope = 'this';
  /** The tasks that the edits of this form have led to, the latest last: undo leads back, redo forward again. */
  readonly #targets: FormTarget[];
  #lastRow: Pick<Task, 'uid' | 'listId'> | undefined;
  /** The rows with its UID when it was found to be gone. */
  #others: ReadonlySet<Id> | undefined;

  constructor(
    private readonly engine: DuelineEngine,
    id: Id,
    occurrence: EpochMs | null,
  ) {
    const row = engine.task(id);
    const found = row && inSeries(engine, row, occurrence);
    this.#targets = [{ id: found?.task.id ?? id, occurrence: found ? found.occurrence : occurrence }];
    this.#lastRow = found?.task;
  }

  get id(): Id {
    return this.#target.id;
  }

  get occurrence(): EpochMs | null {
    return this.#target.occurrence;
  }

  /** The latest task or occurrence that still exists. */
  get #target(): FormTarget {
    if (this.#targets.length === 1) return this.#targets[0]!;
    const isThere = ({ id, occurrence }: FormTarget) => {
      const task = this.engine.task(id);
      if (!task || occurrence === null) return task !== undefined;
      return (overrideOf(this.engine, task, occurrence) ?? instanceNamed(this.engine, task, occurrence)) !== undefined;
    };
    const known = (targets: readonly FormTarget[]) => targets.findLast(({ id }) => this.engine.task(id));
    return this.#targets.findLast(isThere) ?? known(this.#targets) ?? this.#targets[0]!;
  }

  /** The task, or the series with what the occurrence has of its own. */
  task(): Task | undefined {
    const task = this.series();
    const instance = task && this.#instance(task);
    const override = task && this.#override(task);
    if (!task || !(instance || override)) return task;
    const { rrule, rdate, exdate, id } = task;
    const whole = { id, rrule, rdate, exdate, masterId: null, recurrenceId: null };
    if (override) return { ...override, ...contentForFollowing(override, task), ...whole };
    const { following, due, dtstart } = instance!;
    const content = following && contentForFollowing(following, task);
    const dates = { due: task.due === null ? null : due, dtstart: task.dtstart === null ? null : dtstart };
    return { ...task, ...content, ...dates, ...whole };
  }

  series(): Task | undefined {
    const row = this.engine.task(this.id) ?? this.#restored();
    if (row) this.#lastRow = row;
    return row;
  }

  /**
   * A task that was restored may have another id and another list, but it has its UID. A list has one task with that; one in
   * another list that was there before is another task.
   */
  #restored(): Task | undefined {
    if (!this.#lastRow) return undefined;
    const { uid, listId } = this.#lastRow;
    const rows = this.engine.tasksOfUid(uid);
    this.#others ??= new Set(rows.map(({ id }) => id));
    const row = rows.find(one => one.listId === listId || !this.#others!.has(one.id));
    if (!row) return undefined;
    this.#others = undefined;
    this.#targets.push({ id: row.id, occurrence: this.occurrence });
    return row;
  }

  /** The row that holds what the form shows: the occurrence's own if it has one. */
  get rowId(): Id {
    const task = this.series();
    return (task && this.#override(task))?.id ?? this.id;
  }

  /** Writes the form's input as one step and returns its announcement; undefined if nothing changed. */
  async apply(input: FormEdit, first: TaskInput): Promise<Announcement | undefined> {
    const edit = await this.#withCodeLink(input);
    const task = this.task();
    const text = task && textOfEdit(this.engine, edit, task, this.scope);
    const { step } = await this.engine.stepOf(() => this.#write(edit, first));
    return text === undefined || step === undefined ? undefined : announcementOf(text, step);
  }

  /** The address of a file in the open folders becomes a link to code; an occurrence has none of its own. */
  async #withCodeLink(edit: FormEdit): Promise<FormEdit> {
    const { url } = edit.patch;
    const location = url && this.rowId === this.id ? await codeLinks()?.atLink(url) : undefined;
    return location ? { ...edit, patch: { ...edit.patch, url: null }, anchors: { add: [location.anchor] } } : edit;
  }

  /**
   * With dates for the occurrences that the form names, without them to the row that holds what is shown. A task without a
   * date that repeats from now on gets the dates of `first`.
   */
  async #write(edit: FormEdit, first: TaskInput): Promise<void> {
    const task = this.series();
    if (!task) throw new DuelineError('notFound', t('This task no longer exists.'));
    const instance = this.#instance(task);
    const begins = await this.#beginsSeries(task, instance, edit);
    if (begins === undefined) return;
    const scope = begins ? 'following' : this.scope;
    if (instance && edit.isDated) this.#checkDates(edit, scope);
    const dates = { ...this.task()!, ...edit.patch };
    const { id, occurrence } = this;
    const isOccurrence = instance !== undefined && (edit.isDated || begins);
    const changes = [
      ...this.#patchChange(edit, isOccurrence ? instance : undefined, begins),
      ...(edit.anchors ? [{ type: 'anchors' as const, id, edit: edit.anchors }] : []),
      ...(edit.blockers ? [{ type: 'blockers' as const, id, ...edit.blockers }] : []),
      ...repeatChange(id, edit, begins, dates.due === null && dates.dtstart === null ? first : {}),
      ...(edit.listId === undefined || (scope === 'following' && isOccurrence) ? [] : [moveChange(id, edit.listId)]),
    ];
    const [begun] = changes.length === 0 ? [] : await this.engine.apply(changes);
    if (begun !== undefined) this.#targets.push({ id: begun, occurrence: null });
    else if (instance && edit.isDated && scope !== 'this' && occurrence !== null)
      this.#targets.push({ id, occurrence: dates.dtstart ?? dates.due });
  }

  /** Asks whether a new rule begins a series with this occurrence; undefined if the user cancels. */
  async #beginsSeries(task: Task, instance: OpenInstance | undefined, { repeat }: FormEdit) {
    const rule = repeat?.rule ?? null;
    if (!instance || rule === null || rule === task.rrule || this.#isFirst(task, instance)) return false;
    const scope = this.scope === 'this' ? await askRuleScope() : this.scope;
    return scope && scope === 'following';
  }

  #checkDates({ patch }: FormEdit, scope: EditScope): void {
    const { due, dtstart } = { ...this.task()!, ...patch };
    if (scope !== 'all' && due === null && dtstart === null)
      throw new DuelineError('invalid', t('The date can only be removed from the entire series.'));
  }

  #patchChange({ patch, repeat, listId }: FormEdit, instance: OpenInstance | undefined, begins: boolean): TaskChange[] {
    if (instance) {
      const scope = begins ? 'following' : this.scope;
      const ruled = begins ? { ...patch, rrule: repeat!.rule } : patch;
      // A series that begins here is another task, which is what moves.
      const to = scope === 'following' && listId !== undefined ? { listId } : {};
      return [{ type: 'updateOccurrence', id: this.id, occurrence: instance.recurrenceId, scope, patch: ruled, ...to }];
    }
    return Object.keys(patch).length === 0 ? [] : [{ type: 'update', id: this.rowId, patch }];
  }

  /** From the first occurrence on is the whole series. */
  #isFirst(task: Task, { recurrenceId }: OpenInstance): boolean {
    const [first] = occurrencesOf(task, { zone: this.engine.clock.timeZone, limit: 1 });
    return !first || first.recurrenceId >= recurrenceId;
  }

  #override(task: Task): Task | undefined {
    const { occurrence } = this;
    const own = occurrence === null ? undefined : overrideOf(this.engine, task, occurrence);
    return own ?? this.#instance(task)?.override;
  }

  /** Undefined for an occurrence that is over. */
  #instance(task: Task): OpenInstance | undefined {
    const { occurrence } = this;
    const isDone = occurrence !== null && isClosed(overrideOf(this.engine, task, occurrence) ?? { status: 0 });
    return isDone ? undefined : instanceOf(this.engine, task, occurrence);
  }
}

const moveChange = (id: Id, listId: Id): TaskChange => ({ type: 'move', id, to: { listId } });

function repeatChange(id: Id, { repeat }: FormEdit, begins: boolean, first: TaskInput): TaskChange[] {
  if (!repeat || begins) return [];
  const { rule: rrule, from } = repeat;
  return [{ type: 'repeat', id, rrule, from, ...(rrule === null ? {} : { first }) }];
}

const askRuleScope = async (): Promise<'following' | 'all' | undefined> =>
  (
    await showQuickPick(
      [
        { label: t('From this occurrence on'), scope: 'following' as const },
        { label: t('Entire series'), scope: 'all' as const },
      ],
      { title: t('Edit Repeating Task'), placeHolder: t('Select which occurrences the new rule applies to') },
    )
  )?.scope;
