import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Task } from '../../src/api';
import { Engine } from '../../src/engine/engine';
import { flavor } from '../../src/flavor/full';
import type { TaskStore } from '../../src/store/taskStore';
import { openTaskStore } from '../../src/store/taskStore';

/** What two devices and the server have to agree on. */
export const contentOf = (task: Task) => ({
  title: task.title,
  description: task.description,
  due: task.due,
  tags: [...task.tags].sort(),
  status: task.status,
  percent: task.percentComplete,
  priority: task.priority,
  recurrenceId: task.recurrenceId,
});

/** One device: an engine on a folder of its own, its clock in the test's hand. */
export class Device {
  engine!: Engine;
  store!: TaskStore;
  readonly #folder = mkdtempSync(join(tmpdir(), 'dueline-device-'));
  readonly #secrets = new Map<string, string>();
  readonly clock = { time: Date.UTC(2026, 10, 21, 9), timeZone: 'Europe/Berlin', now: () => this.clock.time++ };

  constructor(
    readonly name: string,
    /** The one list that the test is about; the server's user may have others. */
    readonly listName: string,
  ) {}

  async start(): Promise<void> {
    const secrets = {
      get: async (key: string) => this.#secrets.get(key),
      set: async (key: string, value: string) => void this.#secrets.set(key, value),
      delete: async (key: string) => void this.#secrets.delete(key),
    };
    this.store = await openTaskStore({ folder: this.#folder, clock: this.clock });
    this.engine = new Engine(this.store, { folder: this.#folder, clock: this.clock, secrets }, flavor);
  }

  async restart(): Promise<void> {
    await this.engine.close();
    await this.start();
  }

  async end(): Promise<void> {
    await this.engine.close().catch(() => undefined);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Waits out whatever the server asked to wait for. */
  async sync(): Promise<string | null> {
    this.clock.time += 3_600_000;
    const { accounts } = await this.engine.sync();
    return accounts.map(({ error }) => error).find(error => error !== null) ?? null;
  }

  /** What a person does after an outage: says that a list is not empty after all, enters the password again. */
  async forgive(): Promise<void> {
    const sidecar = await this.store.sidecar();
    for (const map of ['syncLists', 'syncAccounts']) {
      const entries = sidecar.entries<object>(map);
      const forgiven = { isPaused: false, refused: undefined, retryAt: undefined, nextTry: undefined };
      await sidecar.put(
        map,
        entries.map(([key, value]) => [key, { ...value, ...forgiven }] as const),
      );
    }
  }

  get tasks(): readonly Task[] {
    return this.engine
      .lists()
      .filter(list => list.name === this.listName)
      .flatMap(list => this.engine.rows(list.id))
      .filter(task => !task.isDeleted);
  }

  /** By UID and occurrence, comparable with another device's. */
  state(): Record<string, ReturnType<typeof contentOf>> {
    const rows = this.tasks.map(task => [`${task.uid} ${task.recurrenceId ?? ''}`, contentOf(task)] as const);
    return Object.fromEntries(rows.sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  async refused(): Promise<string> {
    const sidecar = await this.store.sidecar();
    return JSON.stringify(sidecar.entries('rowErrors'));
  }

  /** The losing texts of merges, as they are kept for the person. */
  async kept(): Promise<string> {
    const sidecar = await this.store.sidecar();
    return JSON.stringify(sidecar.entries('conflicts'));
  }
}
