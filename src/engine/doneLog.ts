import { type Disposable, Emitter } from '../core/kernel/events';
import type { EpochMs, Id, Task } from '../core/kernel/model';
import { dayMs } from '../core/time/units';
import type { TaskStore } from '../store/taskStore';
import type { KeyValueWriter, Sidecar } from '../store/types';

/** A completed occurrence without a row of its own, because its series has moved on to the next date. */
export interface Completion extends Pick<Task, 'uid' | 'dtstart' | 'due' | 'isAllDay' | 'timezone'> {
  readonly at: EpochMs;
}

interface Entry extends Completion {
  /** The undo step that it belongs to. */
  readonly step: string;
  readonly isUndone?: boolean;
}

const map = 'done';
const keptMs = 400 * dayMs;
/** The most entries that one change may drop, so that a clock that is wrong once does not cost all of them. */
const maxForgottenTasks = 20;

/** Steps that were undone before their entries were written, because another window was faster. */
const early = 'doneUndone';
const undoneIn = (kv: KeyValueWriter) => kv.get<readonly string[]>(early, 'steps') ?? [];

/**
 * Completions that left no completed row in the store. Queries read them as rows, each with a negative id, which no row of
 * the store has.
 */
export class DoneLog {
  readonly #changes = new Emitter<readonly Id[]>();
  /** Fires with the series whose completions have changed. */
  readonly onDidChange = this.#changes.event;
  readonly #listening: Disposable;
  #opening: Promise<Sidecar> | undefined;
  #entries: readonly (readonly [id: Id, entry: Entry])[] = [];
  #rows: readonly Task[] | undefined;

  constructor(
    readonly store: TaskStore,
    readonly onError: (error: unknown) => void,
  ) {
    this.#listening = store.onDidChange(() => {
      this.#rows = undefined;
    });
  }

  dispose(): void {
    this.#listening.dispose();
    this.#changes.dispose();
  }

  /** Never rejects. */
  open(): Promise<void> {
    return this.#whenOpen(async () => {});
  }

  #opened(): Promise<Sidecar> {
    this.#opening ??= this.store.sidecar().then(
      sidecar => {
        sidecar.onDidChange(change => {
          if (change.map === map) this.#read(sidecar);
        });
        if (sidecar.entries(map).length > 0) this.#read(sidecar);
        return sidecar;
      },
      error => {
        this.#opening = undefined;
        throw error;
      },
    );
    return this.#opening;
  }

  /** The log as completed rows of the series, with their current titles. The first call opens the log. */
  rows(): readonly Task[] {
    if (!this.#opening) void this.open();
    this.#rows ??= this.#entries.length === 0 ? [] : this.#made();
    return this.#rows;
  }

  task(id: Id): Task | undefined {
    return this.rows().find(row => row.id === id);
  }

  /** Never rejects, since the tasks are already completed. */
  async add(completions: readonly Completion[], step: string): Promise<void> {
    await this.#whenOpen(sidecar =>
      sidecar.edit(writer => {
        const known = writer.entries<Entry>(map);
        const newest = Math.max(...completions.map(({ at }) => at));
        const old = known.filter(([, { at }]) => at < newest - keptMs).slice(0, maxForgottenTasks);
        for (const [key] of old) writer.set(map, key, undefined);
        let last = Number(known.at(-1)?.[0] ?? 0);
        const own = { step, ...(undoneIn(writer).includes(step) && { isUndone: true }) };
        for (const one of completions) writer.set(map, String(++last).padStart(9, '0'), { ...one, ...own });
      }),
    );
  }

  /**
   * Hides the completions of an undone step, and shows them again after a redo. A series in `kept` is left alone: it has
   * got other dates since, so the undo did not take it back to the completed date.
   */
  async note(step: string, isUndone: boolean, kept: ReadonlySet<string>): Promise<void> {
    await this.#whenOpen(sidecar =>
      sidecar.edit(writer => {
        const own = writer.entries<Entry>(map).filter(([, entry]) => entry.step === step);
        for (const [key, entry] of own) if (!kept.has(entry.uid)) writer.set(map, key, { ...entry, isUndone });
        if (own.length > 0) return;
        const steps = [...undoneIn(writer).filter(other => other !== step), ...(isUndone ? [step] : [])];
        writer.set(early, 'steps', steps.length > 0 ? steps.slice(-maxForgottenTasks) : undefined);
      }),
    );
  }

  async #whenOpen(work: (sidecar: Sidecar) => Promise<void>): Promise<void> {
    try {
      await work(await this.#opened());
    } catch (error) {
      this.onError(error);
    }
  }

  #read(sidecar: Sidecar): void {
    const before = new Set(this.#entries.map(([, { uid }]) => uid));
    this.#entries = sidecar
      .entries<Entry>(map)
      .filter(([, { isUndone }]) => !isUndone)
      .map(([key, entry]) => [-Number(key), entry] as const);
    this.#rows = undefined;
    const uids = new Set([...before, ...this.#entries.map(([, { uid }]) => uid)]);
    this.#changes.fire([...this.#series(uids).values()].map(({ id }) => id));
  }

  #series(uids: ReadonlySet<string>): ReadonlyMap<string, Task> {
    const rows = this.store.selectTasks(
      't.uid IN (SELECT value FROM json_each(?)) AND t.master_id IS NULL AND t.is_deleted = 0',
      [JSON.stringify([...uids])],
    );
    return new Map(rows.map(row => [row.uid, row]));
  }

  #made(): readonly Task[] {
    const series = this.#series(new Set(this.#entries.map(([, { uid }]) => uid)));
    return this.#entries.flatMap(([id, { uid, at, dtstart, due, isAllDay, timezone }]): Task[] => {
      const master = series.get(uid);
      if (!master) return [];
      const dates = { dtstart, due, isAllDay, timezone, rrule: null, rdate: null, exdate: null };
      const state = { status: 2, percentComplete: 100, completedAt: at, isDirty: false } as const;
      const key = { id, masterId: master.id, recurrenceId: due ?? dtstart };
      return [{ ...master, ...dates, ...state, ...key, alarms: [], unknownProperties: null }];
    });
  }
}
