import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AccountReport, DuelineEngine, EngineOptions } from '../../../src/api';
import type { Id, Task } from '../../../src/core/kernel/model';
import { Engine } from '../../../src/engine/engine';
import { flavor } from '../../../src/engine/flavor/full';
import type { TaskStore } from '../../../src/store/taskStore';
import { openTaskStore } from '../../../src/store/taskStore';
import type { ConflictRecord } from '../../../src/sync/state/ledgerTypes';

export interface Login {
  readonly url: string;
  readonly username: string;
  readonly password: string;
}

/** One list as one device has it. */
export interface SyncedList {
  readonly engine: DuelineEngine;
  readonly id: Id;
  /** Syncs this list alone; fails if the account or a task has an error. */
  sync(): Promise<AccountReport>;
  rows(): readonly Task[];
  /** The titles of all its rows. */
  titles(): readonly (string | null)[];
  /** The master row of a UID. */
  byUid(uid: string): Task | undefined;
}

/** Engines on folders of their own, each with an account on the same server. */
export class Devices {
  readonly #open: DuelineEngine[] = [];
  readonly #folders: string[] = [];
  readonly #stores = new WeakMap<DuelineEngine, TaskStore>();
  readonly #folderOf = new WeakMap<DuelineEngine, string>();
  /** Outlive an engine, as the editor's own do. */
  readonly #secrets = new Map<string, string>();
  readonly clock = { time: Date.UTC(2026, 10, 21, 9, 30), timeZone: 'Europe/Berlin', now: () => this.clock.time };

  async open({ url, username, password }: Login, options: Partial<EngineOptions> = {}): Promise<DuelineEngine> {
    const engine = await this.start(options);
    await engine.addAccount({ serverUrl: url, username, password });
    return engine;
  }

  async start(options: Partial<EngineOptions> = {}): Promise<DuelineEngine> {
    const folder = options.folder ?? this.folder();
    const secrets = {
      get: async (key: string) => this.#secrets.get(folder + key),
      set: async (key: string, value: string) => void this.#secrets.set(folder + key, value),
      delete: async (key: string) => void this.#secrets.delete(folder + key),
    };
    const store = await openTaskStore({ folder, clock: this.clock });
    const engine = new Engine(store, { clock: this.clock, locale: 'en-US', secrets, ...options, folder }, flavor);
    this.#open.push(engine);
    this.#stores.set(engine, store);
    this.#folderOf.set(engine, folder);
    return engine;
  }

  /** Enters the password of the one account again, as a device whose sidecar is lost asks for it. */
  async signIn(engine: DuelineEngine, { password }: Login): Promise<void> {
    assert.match((await engine.sync()).accounts[0]?.error ?? '', /password .* is not stored on this computer/);
    await engine.syncing!.setPassword(engine.accounts()[0]!.id, password);
  }

  /** The store below an engine, for what only sync writes. */
  storeOf = (engine: DuelineEngine): TaskStore => this.#stores.get(engine)!;

  /** Opens the device as it would be had its power gone at the first change by sync after which `isIt` holds. */
  cutOffAt(engine: DuelineEngine, isIt: () => boolean): () => Promise<DuelineEngine> {
    let open: (() => Promise<DuelineEngine>) | undefined;
    const listening = this.storeOf(engine).onDidChange(({ origin }) => {
      if (origin !== 'sync' || !isIt()) return;
      listening.dispose();
      open = this.cutOff(engine);
    });
    return () => {
      assert.ok(open, 'the moment of the cut has come');
      return open();
    };
  }

  /** The same at this moment, in the middle of a request, say. */
  cutOff(engine: DuelineEngine): () => Promise<DuelineEngine> {
    const from = this.#folderOf.get(engine)!;
    const folder = this.folder();
    cpSync(from, folder, { recursive: true });
    for (const [key, value] of this.#secrets)
      if (key.startsWith(from)) this.#secrets.set(folder + key.slice(from.length), value);
    return () => {
      // The leases that it held are free again.
      this.clock.time += 3_600_000;
      return this.start({ folder });
    };
  }

  async conflictsOf(engine: DuelineEngine): Promise<readonly ConflictRecord[]> {
    const sidecar = await this.storeOf(engine).sidecar();
    return sidecar.entries<ConflictRecord>('conflicts').map(([, record]) => record);
  }

  folder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'dueline-'));
    this.#folders.push(folder);
    return folder;
  }

  list(engine: DuelineEngine, name: string): SyncedList {
    const list = engine.lists().find(one => one.name === name);
    assert.ok(list, `there is a list "${name}"`);
    const { id } = list;
    return {
      engine,
      id,
      rows: () => engine.rows(id),
      titles: () =>
        engine
          .rows(id)
          .map(({ title }) => title)
          .toSorted(),
      byUid: uid => engine.rows(id).find(row => row.uid === uid && row.recurrenceId === null && !row.isDeleted),
      async sync() {
        const [report] = (await engine.sync({ listId: id })).accounts;
        assert.equal(report?.error, null);
        assert.deepEqual(report.rowErrors, []);
        return report;
      },
    };
  }

  async close(): Promise<void> {
    for (const engine of this.#open.splice(0)) await engine.close();
    for (const folder of this.#folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  }
}
