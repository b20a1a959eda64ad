import type { DuelineEngine } from '../../api';
import { DuelineError } from '../../core/errors';
import { type EpochMs, type Id, Status, type Task, type TaskInput } from '../../core/model';
import { type OpenInstance, occurrencesOf } from '../../core/recurrence/instances';
import type { EditScope } from '../../core/recurrence/seriesEdit';
import { contentOf } from '../../core/recurrence/thisAndFollowing';
import { isClosed } from '../../core/status';
import { t } from '../../shared/l10n';
import { showQuickPick } from '../../ui/dialogs';
import { inSeries, instanceNamed, instanceOf, overrideOf } from '../../ui/occurrences';

interface Place {
  readonly id: Id;
  /** Null: the next open occurrence, where the task is a series. */
  readonly occurrence: EpochMs | null;
}

/** What a form edits: a task, or one occurrence of a series. Its row may come and go with each edit, undo and redo. */
export class EditedTask {
  /** For which occurrences of a series a new date holds. */
  scope: EditScope = 'this';
  /** Where the edits of this form have led, the latest last: undo leads back, redo forward again. */
  readonly #places: Place[];

  constructor(
    private readonly engine: DuelineEngine,
    id: Id,
    occurrence: EpochMs | null,
  ) {
    const row = engine.task(id);
    const found = row && inSeries(engine, row, occurrence);
    this.#places = [{ id: found?.task.id ?? id, occurrence: found ? found.occurrence : occurrence }];
  }

  get id(): Id {
    return this.#place.id;
  }

  get occurrence(): EpochMs | null {
    return this.#place.occurrence;
  }

  /** The latest place that is there. */
  get #place(): Place {
    if (this.#places.length === 1) return this.#places[0]!;
    const isThere = ({ id, occurrence }: Place) => {
      const task = this.engine.task(id);
      if (!task || occurrence === null) return task !== undefined;
      return (overrideOf(this.engine, task, occurrence) ?? instanceNamed(this.engine, task, occurrence)) !== undefined;
    };
    const known = (places: readonly Place[]) => places.findLast(({ id }) => this.engine.task(id));
    return this.#places.findLast(isThere) ?? known(this.#places) ?? this.#places[0]!;
  }

  /** The task, or the series with what the occurrence has of its own. */
  task(): Task | undefined {
    const task = this.series();
    const instance = task && this.#instance(task);
    const override = task && this.#override(task);
    if (!task || !(instance || override)) return task;
    const { rrule, rdate, exdate, id } = task;
    const whole = { id, rrule, rdate, exdate, masterId: null, recurrenceId: null };
    if (override) return { ...override, ...contentOf(override, task), ...whole };
    const { following, due, dtstart } = instance!;
    const content = following && contentOf(following, task);
    const dates = { due: task.due === null ? null : due, dtstart: task.dtstart === null ? null : dtstart };
    return { ...task, ...content, ...dates, ...whole };
  }

  series(): Task | undefined {
    return this.engine.task(this.id);
  }

  /** The row that holds what the form shows: the occurrence's own where it has one. */
  get rowId(): Id {
    const task = this.series();
    return (task && this.#override(task))?.id ?? this.id;
  }

  /** What is no date is written to the row that holds it; one occurrence is completed as a click on its row does. */
  async update(patch: TaskInput): Promise<void> {
    const task = this.series();
    const instance = task && this.#instance(task);
    if (instance && patch.status === Status.completed)
      await this.engine.completeTask(this.id, { occurrence: instance.recurrenceId });
    else await this.engine.updateTask(this.rowId, patch);
  }

  /** Writes dates: of a series for the occurrences that the form names. */
  async setDates(patch: TaskInput): Promise<void> {
    const task = this.series();
    const instance = task && this.#instance(task);
    if (!task || !instance) {
      await this.engine.updateTask(this.rowId, patch);
      return;
    }
    const current = this.task()!;
    const { due, dtstart } = { due: current.due, dtstart: current.dtstart, ...patch };
    if (this.scope !== 'all' && due === null && dtstart === null)
      throw new DuelineError('invalid', t('The date can only be removed from the entire series.'));
    await this.#edit(instance.recurrenceId, this.scope, patch, dtstart ?? due ?? null);
  }

  /** From an occurrence on, the series is another task: that one is edited from then on. */
  async #edit(recurrenceId: EpochMs, scope: EditScope, patch: TaskInput, at: EpochMs | null): Promise<void> {
    const occurrence = this.occurrence;
    const begun = await this.engine.editOccurrence(this.id, recurrenceId, scope, patch);
    if (begun !== undefined) this.#places.push({ id: begun, occurrence: null });
    else if (scope !== 'this' && occurrence !== null) this.#places.push({ id: this.id, occurrence: at });
  }

  /** Sets the repeat of the series, or of it from this occurrence on. */
  async setRepeat(rule: string | null, from: 'due' | 'completion', first: TaskInput): Promise<boolean> {
    const task = this.series();
    if (!task) throw new DuelineError('notFound', t('This task no longer exists.'));
    const instance = this.#instance(task);
    if (instance && rule !== null && rule !== task.rrule && !this.#isFirst(task, instance)) {
      const scope = this.scope === 'this' ? await askRuleScope() : this.scope;
      if (scope === undefined) return false;
      if (scope === 'following') {
        await this.#edit(instance.recurrenceId, scope, { rrule: rule }, null);
        return true;
      }
    }
    const begins = task.due === null && task.dtstart === null && rule !== null;
    await this.engine.apply([{ type: 'repeat', id: this.id, rrule: rule, from, ...(begins ? { first } : {}) }]);
    return true;
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
    const isOver = occurrence !== null && isClosed(overrideOf(this.engine, task, occurrence) ?? { status: 0 });
    return isOver ? undefined : instanceOf(this.engine, task, occurrence);
  }
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
