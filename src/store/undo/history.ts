import type { StepChange, UndoableStep } from '../../core/kernel/editLabel';
import { DuelineError } from '../../core/kernel/errors';
import type { Id } from '../../core/kernel/model';
import type { Clock } from '../../core/time/clock';
import { later } from '../door';
import type { RowStep } from '../journal/undoStep';
import type { KeyValueStore } from '../replica/keyValueStore';
import type { Replica } from '../replica/replica';
import { taskFieldsOf } from '../sql/rowReader';
import type { EditLabel, StepLabel } from '../types';
import { undoMessage } from './messages';
import { type Stack, Stacks, type StepRecord, type StoredStep } from './stacks';

/** Another window's edit came between reading the history and acting on it. */
class OvertakenError extends Error {}

/**
 * The two stacks of undo. Every step is born in the journal record of its edit, so a crash loses none; from there it
 * moves to the sidecar before its journal is compacted into a snapshot.
 */
export class History {
  /** Steps in accepted records that the sidecar may not have yet, oldest first. */
  #tail: StepRecord[] = [];
  /** The sequence of the newest of them that came in. */
  #newest = 0;

  constructor(
    private readonly replica: Replica,
    private readonly sidecar: () => Promise<KeyValueStore>,
    private readonly clock: Clock,
  ) {
    this.#add(replica.replayedSteps);
    replica.onDidReload(() => {
      this.#add(replica.replayedSteps);
      this.#tail.sort((a, b) => a.s - b.s);
    });
    replica.onDidApply(applied => this.#add(applied.map(({ record }) => record)));
  }

  /** Call this after opening: it keeps the steps of journals that nobody will replay again. */
  async keepLeftSteps(): Promise<void> {
    if (this.replica.hasLeftSteps && this.replica.readOnlyReason === undefined) await this.flush();
  }

  async top(): Promise<{ undo: EditLabel | undefined; redo: EditLabel | undefined }> {
    const stacks = await this.#stacks();
    return { undo: stacks.newest('undo')?.label, redo: stacks.newest('redo')?.label };
  }

  /** Everything that can be undone, the newest first. */
  async steps(): Promise<readonly UndoableStep[]> {
    const stacks = await this.#stacks();
    return stacks
      .all('undo')
      .map(({ id, at, label, rows }) => ({ id, at, label, changes: () => changesIn(rows) }))
      .reverse();
  }

  /**
   * Takes the newest step of a stack back, or the one with the id, as a new edit, which then heads the other stack.
   * `mayChange` gets the tasks that the step writes to, inside the edit, and throws if the step must stay.
   * @throws DuelineError `invalid` if tasks that the step with the id made were changed later, or all that it changed was
   */
  async step(stack: Stack, id?: string, mayChange?: (tasks: readonly Id[]) => void): Promise<StepLabel | undefined> {
    for (;;) {
      const stacks = await this.#stacks();
      const step = id === undefined ? stacks.newest(stack) : stacks.withId(stack, id);
      if (!step) return undefined;
      const steps = id === undefined ? [] : stacks.all(stack);
      const newer = steps.slice(steps.findIndex(each => each.id === id) + 1).flatMap(each => each.rows);
      // A sync leaves no step, so only the rows of this very transaction show its changes.
      const check = () => {
        if (this.#newest > stacks.upTo) throw new OvertakenError();
        if (id !== undefined) later().refuseBuiltOn(this.replica, step.rows, newer);
        mayChange?.(tasksIn(step.rows));
      };
      try {
        const { hasChanged, kept } = await this.#takeBack(step, stack, check);
        if (!hasChanged && id !== undefined) throw new DuelineError('invalid', undoMessage('stepOverwritten'));
        // There is nothing left to undo in it, and it must not block the steps below.
        if (!hasChanged) {
          await this.#forget(step, stack);
          return { ...step.label, isReplaced: true };
        }
        return kept.length > 0 ? { ...step.label, kept } : step.label;
      } catch (error) {
        if (!(error instanceof OvertakenError)) throw error;
      }
    }
  }

  /** Moves the journal's steps into the sidecar, and returns it. */
  async flush(): Promise<KeyValueStore> {
    await this.replica.refresh();
    const kv = await this.sidecar();
    const tail = [...this.#tail];
    if (tail.length > 0) {
      await kv.edit(() => new Stacks(kv, tail).write());
      const folded = new Set(tail);
      this.#tail = this.#tail.filter(record => !folded.has(record));
    }
    await kv.refresh();
    return kv;
  }

  /** The stacks with the steps of all windows until now. */
  async #stacks(): Promise<Stacks> {
    await this.replica.refresh();
    const kv = await this.sidecar();
    await kv.refresh();
    return new Stacks(kv, this.#tail);
  }

  /** The rows are not kept in memory. */
  #add(records: readonly StepRecord[]): void {
    for (const { s, i, t, h } of records) {
      if (!h) continue;
      this.#tail.push({ s, i, t, h });
      this.#newest = Math.max(this.#newest, s);
    }
  }

  /** `check` runs inside the edit and throws if the step must stay. Returns the tasks whose dates were changed again since. */
  async #takeBack(
    step: StoredStep,
    stack: Stack,
    check: () => void,
  ): Promise<{ hasChanged: boolean; kept: readonly Id[] }> {
    const { replica } = this;
    let restored: ReadonlySet<Id> = new Set();
    const link = stack === 'undo' ? { undoes: step.id } : { redoes: step.id };
    const { hasChanged } = await replica.commit(
      () => {
        check();
        const isLatest = replica.newestRecord === step.id;
        later().revert(replica.database, replica.columns, step.rows, { now: this.clock.now(), isLatest });
      },
      proposal => {
        const rows = later().rowSteps(replica.database, replica.columns, proposal);
        restored = new Set(redatedIn(rows));
        return { origin: 'undo', h: { label: step.label, ...link, rows } };
      },
    );
    return { hasChanged, kept: redatedIn(step.rows).filter(id => !restored.has(id)) };
  }

  async #forget({ id }: StoredStep, stack: Stack): Promise<void> {
    const kv = await this.flush();
    await kv.edit(() => {
      const stacks = new Stacks(kv, []);
      stacks.remove(stack, id);
      stacks.write();
    });
  }
}

/** The tasks that the rows of a step are, or belong to. */
const tasksIn = (rows: readonly RowStep[]): readonly Id[] => [
  ...new Set(
    rows.flatMap(({ table, id, before, after }) => {
      const task = table === 'tasks' ? id : (before?.task_id ?? after?.task_id);
      return typeof task === 'number' ? [task] : [];
    }),
  ),
];

/** The effect of a step's rows on tasks. Alarms belong to their task. */
function changesIn(rows: readonly RowStep[]): readonly StepChange[] {
  const ofTasks = rows.filter(({ table }) => table === 'tasks');
  const known = new Set(ofTasks.map(({ id }) => id));
  const reminded = tasksIn(rows).filter(task => !known.has(task));
  return [
    ...ofTasks.map(({ id, before, after }) => ({
      task: id,
      ...(before && { before: taskFieldsOf(before) }),
      ...((after || !before) && { after: taskFieldsOf(after ?? {}) }),
    })),
    ...reminded.map(task => ({ task, before: {}, after: { alarms: [] } })),
  ];
}

const redatedIn = (rows: readonly RowStep[]): readonly Id[] =>
  rows.filter(row => later().isRedated(row)).map(({ id }) => id);
