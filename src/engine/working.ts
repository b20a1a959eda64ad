import type { WorkSession } from '../core/code/workTime';
import { type Disposable, Disposables, Emitter } from '../core/kernel/events';
import type { EpochMs, Id, Task } from '../core/kernel/model';
import { Status } from '../core/kernel/model';
import type { KeyValueWriter, Sidecar } from '../core/kernel/sidecar';
import type { Absence, ActiveTask, TimeEdit, Working } from '../core/kernel/working';
import type { Clock } from '../core/time/clock';
import { minuteMs } from '../core/time/units';
import type { Lease } from '../process/lease';
import type { TaskStore } from '../store/taskStore';

/** The time that runs. */
interface RunningSession {
  readonly uid: string;
  readonly start: EpochMs;
  readonly seen: EpochMs;
  readonly repo?: string;
  /** Another number each time that a window leaves: the others see it. */
  readonly left?: number;
}

/** Time that has ended and is not in its task yet; its key is its start. */
interface EndedSession extends WorkSession {
  readonly uid: string;
}

const map = 'work';
const endedMap = 'work.ended';
/** Less is a click that was taken back. */
const leastMs = 5_000;
/** A window that opens within this time counts as a reload, not as a pause. */
const reloadMs = 2 * minuteMs;
/** The time that is lost at most if the machine stops. */
const noteMs = minuteMs;

interface Parts {
  readonly store: TaskStore;
  readonly clock: Pick<Clock, 'now'>;
  /** Held by a window in which the time has run: if nobody holds it, the editor was closed meanwhile. */
  readonly lease: Lease;
  readonly idleMs: () => number;
  /** Writes into the task as one undo step; the same twice is written once. */
  readonly write: (id: Id, edit: TimeEdit) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/**
 * The time runs in the sidecar, once for all windows, as the moment it began and the moment someone was at a window last.
 * Each end is a step of the sidecar, so that of two windows one makes it; then the time waits there until it is in its
 * task. Nothing is counted up: no window can count twice, and one that stops loses a minute at most.
 */
export class ActiveTime implements Working, Disposable {
  readonly #owned = new Disposables();
  readonly #changes = new Emitter<void>();
  readonly onDidChange = this.#changes.event;
  #opening: Promise<Sidecar> | undefined;
  #sidecar: Sidecar | undefined;
  #announced = this.#state();
  /** The start of the time that this window has seen running. */
  #known: EpochMs | undefined;
  #hasChecked = false;

  constructor(private readonly parts: Parts) {
    this.#owned.add(parts.store.onDidChange(() => void this.#checkTask()));
  }

  async open(): Promise<void> {
    await this.#opened();
  }

  active(): ActiveTask | undefined {
    const running = this.#running();
    const task = running && this.#taskOf(running.uid);
    if (!task) return undefined;
    const { start, seen, repo } = running;
    return { task, start, seen, ...(repo && { repo }) };
  }

  /** Opened at the first question. */
  ids(): ReadonlySet<Id> {
    if (!this.#opening) this.open().catch(this.parts.onError);
    const { uid } = this.#running() ?? {};
    return new Set(uid === undefined ? [] : this.parts.store.tasksOfUid(uid).map(({ id }) => id));
  }

  interrupted(): Task | undefined {
    const uid = this.#sidecar?.get<string>(map, 'interrupted');
    const task = uid === undefined ? undefined : this.#taskOf(uid);
    return task && this.#isWorkedOn(task.uid) ? task : undefined;
  }

  async start(id: Id, repo?: string): Promise<void> {
    const { store, clock, lease } = this.parts;
    const uid = store.task(id)?.uid;
    if (uid === undefined) return;
    const sidecar = await this.#opened();
    const now = clock.now();
    const isNew = await sidecar.edit(kv => {
      if (kv.get<RunningSession>(map, 'running')?.uid === uid) return false;
      end(kv, now);
      kv.set(map, 'interrupted', undefined);
      kv.set(map, 'running', { uid, start: now, seen: now, ...(repo && { repo }) } satisfies RunningSession);
      // A heartbeat or the end of this window may come before the edit is durable.
      this.#known = now;
      return true;
    });
    if (!isNew) return;
    lease.keep();
    await this.#write();
  }

  async stop(): Promise<void> {
    await this.#end(this.parts.clock.now());
  }

  /** Before one of these tasks is closed or deleted, so that undoing that comes first. */
  async stopFor(ids: readonly Id[]): Promise<void> {
    try {
      await this.#opened();
      const running = this.#running();
      const among = new Set(ids);
      if (running && this.parts.store.tasksOfUid(running.uid).some(({ id }) => among.has(id)))
        await this.#end(this.#known === running.start ? this.parts.clock.now() : this.#lastUse(running));
    } catch (error) {
      this.parts.onError(error);
    }
  }

  async reportPresence(isUsed: boolean): Promise<Absence | undefined> {
    const { store, lease, clock } = this.parts;
    const sidecar = await this.#opened();
    if (store.readOnlyReason) return undefined;
    if (!this.#hasChecked) {
      await this.#write();
      // It may have been completed while no window was open.
      await this.#checkTask();
    }
    this.#hasChecked = true;
    const running = this.#running();
    if (!running) {
      if (this.#known !== undefined) lease.release();
      this.#known = undefined;
      return undefined;
    }
    const leads = lease.keep();
    if (leads && this.#known === undefined && clock.now() - running.seen >= reloadMs) {
      await this.#end(running.seen, true);
      return undefined;
    }
    this.#known = running.start;
    return isUsed ? this.#note(sidecar) : undefined;
  }

  async #note(sidecar: Sidecar): Promise<Absence | undefined> {
    const now = this.parts.clock.now();
    const { seen = now } = this.#running() ?? {};
    if (now - seen < noteMs) return undefined;
    return sidecar.edit(kv => {
      const running = kv.get<RunningSession>(map, 'running');
      if (!running || now - running.seen < noteMs) return undefined;
      kv.set(map, 'running', { ...running, seen: now });
      return this.#isAway(running, now) ? { from: running.seen, to: now } : undefined;
    });
  }

  async discard({ from, to }: Absence): Promise<boolean> {
    const sidecar = await this.#opened();
    const isCut = await sidecar.edit(kv => {
      const running = kv.get<RunningSession>(map, 'running');
      if (!running || running.start > from || running.seen < to) return false;
      put(kv, running, from);
      kv.set(map, 'running', { ...running, start: to });
      this.#known = to;
      return true;
    });
    await this.#write();
    return isCut;
  }

  edit(id: Id, edit: TimeEdit): Promise<void> {
    return this.parts.write(id, edit);
  }

  /** Records the last moment of this window for the next one; another window continues at once. */
  async close(): Promise<void> {
    this.#owned.dispose();
    if (this.#known !== undefined) {
      this.parts.lease.release();
      await this.#leave(await this.#opened()).catch(this.parts.onError);
    }
    this.#changes.dispose();
  }

  dispose(): void {
    void this.close();
  }

  async #leave(sidecar: Sidecar): Promise<void> {
    const now = this.parts.clock.now();
    await sidecar.edit(kv => {
      const running = kv.get<RunningSession>(map, 'running');
      if (!running) return;
      const seen = this.#isAway(running, now) ? running.seen : now;
      kv.set(map, 'running', { ...running, seen, left: Math.random() } satisfies RunningSession);
    });
  }

  /** When time ends that the user does not end in this window: now, unless nobody was at a window, or all were closed. */
  #lastUse(running: RunningSession): EpochMs {
    const now = this.parts.clock.now();
    const isClosed = this.#known !== running.start && this.parts.lease.keep() && now - running.seen >= reloadMs;
    return isClosed || this.#isAway(running, now) ? running.seen : now;
  }

  #isAway({ seen }: RunningSession, now: EpochMs): boolean {
    const idle = this.parts.idleMs();
    return idle > 0 && now - seen >= idle;
  }

  #running(): RunningSession | undefined {
    return this.#sidecar?.get<RunningSession>(map, 'running');
  }

  #taskOf = (uid: string): Task | undefined =>
    this.parts.store.tasksOfUid(uid).find(task => task.masterId === null && !task.isDeleted);

  /** The user may work on one occurrence of a series. */
  #isWorkedOn = (uid: string): boolean =>
    this.parts.store.tasksOfUid(uid).some(({ status, isDeleted }) => status === Status.inProcess && !isDeleted);

  /** Wherever a task is completed, deleted or put back, no time runs for it. */
  async #checkTask(): Promise<void> {
    const running = this.#running();
    if (!running || this.#isWorkedOn(running.uid)) return;
    await this.#end(this.#lastUse(running)).catch(this.parts.onError);
  }

  async #end(at: EpochMs, isInterrupted = false): Promise<void> {
    const sidecar = await this.#opened();
    await sidecar.edit(kv => {
      const uid = end(kv, at);
      if (uid !== undefined) kv.set(map, 'interrupted', isInterrupted ? uid : undefined);
    });
    this.#known = undefined;
    this.parts.lease.release();
    await this.#write();
  }

  /** Time that a window did not write because it stopped too early is written by the next one. */
  async #write(): Promise<void> {
    const sidecar = await this.#opened();
    const waiting = sidecar.entries<EndedSession>(endedMap);
    for (const uid of new Set(waiting.map(([, one]) => one.uid))) {
      const entries = waiting.filter(([, one]) => one.uid === uid);
      const task = this.#taskOf(uid);
      try {
        if (task)
          await this.parts.write(task.id, {
            add: entries.map(([, { start, ms, repo }]) => ({ start, ms, ...(repo && { repo }) })),
          });
        await sidecar.put(
          endedMap,
          entries.map(([key]) => [key, undefined]),
        );
      } catch (error) {
        this.parts.onError(error);
      }
    }
  }

  #opened(): Promise<Sidecar> {
    this.#opening ??= this.parts.store.sidecar().then(sidecar => {
      this.#sidecar = sidecar;
      this.#owned.add(sidecar.onDidChange(change => change.map === map && this.#announce()));
      this.#announce();
      return sidecar;
    });
    this.#opening.catch(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  #announce(): void {
    const running = this.#running();
    // The window that held the lease has closed: the time has run in this one.
    if (running && this.#known === running.start) this.parts.lease.keep();
    const state = this.#state();
    if (state === this.#announced) return;
    this.#announced = state;
    this.#changes.fire();
  }

  /** The state as views show it; nothing while it is not yet read. */
  #state(): string {
    const running = this.#running();
    return JSON.stringify([running?.uid, running?.start, this.#sidecar?.get(map, 'interrupted')]);
  }
}

/** Ends the running session; returns the UID of its task. */
function end(kv: KeyValueWriter, at: EpochMs): string | undefined {
  const running = kv.get<RunningSession>(map, 'running');
  if (!running) return undefined;
  put(kv, running, at);
  kv.set(map, 'running', undefined);
  return running.uid;
}

function put(kv: KeyValueWriter, { uid, start, repo }: RunningSession, at: EpochMs): void {
  const ms = at - start;
  if (ms < leastMs) return;
  kv.set(endedMap, String(start), { uid, start, ms, ...(repo && { repo }) } satisfies EndedSession);
}
