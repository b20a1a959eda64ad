import type { DuelineEngine } from '../../api';
import { DuelineError } from '../../core/errors';
import type { EpochMs, Id, Task, TaskInput } from '../../core/model';
import type { OpenInstance } from '../../core/recurrence';
import type { EditScope } from '../../core/seriesEdit';
import { showQuickPick } from '../dialogs';
import { t } from '../l10n';
import { instanceOf } from '../seriesRow';

/** What a form edits: a task, or one occurrence of a series where that was opened. */
export class Edited {
  /** What the person answered for this occurrence; asked once for a form. */
  #scope: EditScope | undefined;

  constructor(
    private readonly engine: DuelineEngine,
    public id: Id,
    public occurrence: EpochMs | null,
  ) {}

  /** The row with the dates of the occurrence that is edited; the next open one where none was named. */
  task(): Task | undefined {
    const task = this.engine.task(this.id);
    const instance = task && this.#instance(task);
    if (!task || !instance) return task;
    const { override } = instance;
    // Another zone may stand in an override; its row is the whole truth of that occurrence.
    const own = override ?? task;
    return {
      ...task,
      due: task.due === null ? own.due : (override?.due ?? instance.due),
      dtstart: task.dtstart === null ? own.dtstart : (override?.dtstart ?? instance.dtstart),
      isAllDay: own.isAllDay,
      timezone: own.timezone,
    };
  }

  /** Writes dates: asks what they are meant for where one occurrence is open. False where the person leaves. */
  async setDates(patch: TaskInput): Promise<boolean> {
    const task = this.engine.task(this.id);
    const instance = task && this.#instance(task);
    if (!task || !instance) {
      await this.engine.updateTask(this.id, patch);
      return true;
    }
    if (this.occurrence !== null) this.#scope ??= await askScope();
    const scope = this.occurrence === null ? 'all' : this.#scope;
    if (scope === undefined) return false;
    await this.#edit(instance.recurrenceId, scope, patch);
    return true;
  }

  /** From an occurrence on, the series is another task: that one is edited from then on. */
  async #edit(recurrenceId: EpochMs, scope: EditScope, patch: TaskInput): Promise<void> {
    const begun = await this.engine.editOccurrence(this.id, recurrenceId, scope, patch);
    if (scope !== 'this') this.occurrence = null;
    if (begun !== undefined) this.id = begun;
  }

  /** Sets the repeat of the series, or of it from this occurrence on. */
  async setRepeat(rule: string | null, from: 'due' | 'completion', first: TaskInput): Promise<boolean> {
    const task = this.engine.task(this.id);
    if (!task) throw new DuelineError('notFound', t('This task is no longer there.'));
    const instance = this.occurrence === null ? undefined : this.#instance(task);
    if (instance && rule !== null && rule !== task.rrule) {
      const scope = await askRuleScope();
      if (scope === undefined) return false;
      if (scope === 'following') {
        await this.#edit(instance.recurrenceId, scope, { rrule: rule });
        return true;
      }
    }
    const begins = task.due === null && task.dtstart === null && rule !== null;
    await this.engine.apply([{ type: 'repeat', id: this.id, rrule: rule, from, ...(begins ? { first } : {}) }]);
    return true;
  }

  #instance = (task: Task): OpenInstance | undefined => instanceOf(this.engine, task, this.occurrence);
}

const askScope = async (): Promise<EditScope | undefined> =>
  (
    await showQuickPick(
      [
        { label: t('This one only'), scope: 'this' as const },
        { label: t('This one and those that follow'), scope: 'following' as const },
        { label: t('The whole series'), scope: 'all' as const },
      ],
      { title: t('Change a Repeating Task'), placeHolder: t('What does the new date hold for?') },
    )
  )?.scope;

const askRuleScope = async (): Promise<'following' | 'all' | undefined> =>
  (
    await showQuickPick(
      [
        { label: t('From this one on'), scope: 'following' as const },
        { label: t('The whole series'), scope: 'all' as const },
      ],
      { title: t('Change a Repeating Task'), placeHolder: t('What does the new rule hold for?') },
    )
  )?.scope;
