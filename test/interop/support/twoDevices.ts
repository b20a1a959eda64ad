import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Task } from '../../../src/api';
import { Engine } from '../../../src/engine/engine';
import { flavor } from '../../../src/engine/flavor/full';
import type { Files } from '../../../src/store/journal/files';
import { type JournaledStore, openTaskStore } from '../../../src/store/taskStore';
import type { Disk } from '../../../src/sync/folder/folderDisk';
import type { ConflictRecord } from '../../../src/sync/state/ledgerTypes';
import { diskWith } from '../../sync/support/folders';
import { unlikeTheirTexts } from './asRead';
import type { FaultProxy } from './faultProxy';
import { type Commit, traceRows } from './rowTrace';

/** The content that two devices and the server have to agree on. */
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

interface Window {
  readonly engine: Engine;
  readonly store: JournaledStore;
}

/** One device: an engine on a folder of its own, its clock in the test's hand. */
export class Device {
  engine!: Engine;
  store!: JournaledStore;
  #folder: string;
  #other: Window | undefined;
  #power = { isOn: true };
  /** Called with each commit of its rows. */
  onCommit: ((commit: Commit) => void) | undefined;
  /** Replaces the computer's disk for lists in folders. */
  disk: Disk | undefined;
  /** Replaces the computer's disk for the store. */
  files: Files | undefined;
  readonly #secrets = new Map<string, string>();
  readonly clock = { time: Date.UTC(2026, 10, 21, 9), timeZone: 'Europe/Berlin', now: () => this.clock.time++ };

  constructor(
    readonly name: string,
    /** The one list that the test is about; the server's user may have others. */
    readonly listName: string,
    folder = mkdtempSync(join(tmpdir(), 'dueline-device-')),
  ) {
    this.#folder = folder;
  }

  async start(): Promise<void> {
    Object.assign(this, await this.#open());
  }

  async #open(): Promise<Window> {
    const power = this.#power;
    const secrets = {
      get: async (key: string) => this.#secrets.get(key),
      set: async (key: string, value: string) => void (power.isOn && this.#secrets.set(key, value)),
      delete: async (key: string) => void (power.isOn && this.#secrets.delete(key)),
    };
    const fetchIt: typeof fetch = async (input, init) => {
      if (!power.isOn) throw new Error('no power');
      const answer = await fetch(input, init);
      if (!power.isOn) throw new Error('no power');
      return answer;
    };
    const store = await openTaskStore({
      folder: this.#folder,
      clock: this.clock,
      ...(this.files && { files: this.files }),
    });
    traceRows(store, this.name, () => this.onCommit);
    const disk = diskWith(() => {
      if (!power.isOn) throw new Error('no power');
    }, this.disk);
    const options = { folder: this.#folder, clock: this.clock, secrets, fetch: fetchIt, disk };
    return { store, engine: new Engine(store, options, flavor) };
  }

  /** Continues in the device's other window, on the same folder. */
  async switchWindow(): Promise<void> {
    const other = this.#other ?? (await this.#open());
    this.#other = { engine: this.engine, store: this.store };
    Object.assign(this, other);
    await this.engine.refresh();
  }

  /** The power fails: only what is on the disk now is left, and no request is sent or answered from here on. */
  async crash(): Promise<void> {
    this.#power.isOn = false;
    this.#power = { isOn: true };
    const before = this.#folder;
    this.#folder = mkdtempSync(join(tmpdir(), 'dueline-device-'));
    cpSync(before, this.#folder, { recursive: true });
    await this.#close();
    rmSync(before, { recursive: true, force: true });
    // A crashed window holds no locks. This process lives on, so its locks only become free after a while.
    this.clock.time += 3_600_000;
    await this.start();
  }

  /** Adds an account; the power fails right after its row is on the disk, or after some milliseconds, and it is added again. */
  async addAccountTwice(input: Parameters<Engine['addAccount']>[0], crashAfterMs: number | undefined): Promise<void> {
    let crashing: Promise<void> | undefined;
    const crash = () => (crashing ??= this.crash());
    const listening = this.store.onDidChange(({ accounts }) => {
      if (crashAfterMs === undefined && accounts.length > 0) void crash();
    });
    const adding = this.engine.addAccount(input).catch(() => undefined);
    await (crashAfterMs === undefined ? adding : Promise.race([adding, sleep(crashAfterMs)]));
    await crash();
    await adding;
    listening.dispose();
    try {
      await this.engine.addAccount(input);
    } catch (error) {
      // It was complete.
      if ((error as { kind?: string }).kind !== 'duplicate') throw error;
    }
  }

  async restart(): Promise<void> {
    await this.#close();
    await this.start();
  }

  async #close(): Promise<void> {
    await this.#other?.engine.close().catch(() => undefined);
    this.#other = undefined;
    await this.engine.close().catch(() => undefined);
  }

  async end(): Promise<void> {
    await this.#close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Syncs after any time that the server has asked to wait. */
  async sync(): Promise<string | null> {
    this.clock.time += 3_600_000;
    const { accounts } = await this.engine.sync();
    return accounts.map(({ error }) => error).find(error => error !== null) ?? null;
  }

  /** The user's actions after an outage: confirms that a list is not empty, and enters the password again. */
  async forgive(): Promise<void> {
    const sidecar = await this.store.sidecar();
    for (const map of ['syncLists', 'syncAccounts']) {
      const entries = sidecar.entries<object>(map);
      const forgiven = { isPaused: false, refusedCredentials: undefined, retryAt: undefined, nextTry: undefined };
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

  /** The UIDs of the tasks that the user is asked about, since two lists have them. */
  offered(): string[] {
    const { engine } = this;
    const duplicates = engine.syncing!.conflicts().filter(({ reason }) => reason === 'duplicate');
    return duplicates.flatMap(({ taskId }) => engine.task(taskId)?.uid ?? []);
  }

  /** The answer of a user who has deleted most tasks of a list on purpose. */
  async acceptEmptied(): Promise<void> {
    const { syncing } = this.engine;
    for (const id of syncing!.emptiedLists()) await syncing!.decideEmptied(id, 'deleteHere');
  }

  /** The losing texts of merges, as they are kept for the user. */
  async kept(): Promise<string> {
    const sidecar = await this.store.sidecar();
    return JSON.stringify(sidecar.entries('conflicts'));
  }

  /** By UID, the parents with which merges replaced others; the others are kept for the user. */
  async parentsKept(): Promise<readonly (readonly [uid: string, parent: string | null])[]> {
    const sidecar = await this.store.sidecar();
    const parentOf = (columns: Record<string, unknown> | null) => (columns?.parentUid ?? null) as string | null;
    return sidecar
      .entries<ConflictRecord>('conflicts')
      .flatMap(([, { uid, lost }]) =>
        lost.flatMap(({ field, kept }) => (field === 'parent' ? [[uid, parentOf(kept)] as const] : [])),
      );
  }
}

/** Stops the faults and syncs every device until none has anything left to send. */
export async function settle(
  devices: readonly Device[],
  proxies: readonly Pick<FaultProxy, 'next'>[],
  model: { tidy(): Promise<void>; note(line: string): void } = { tidy: async () => {}, note: () => {} },
): Promise<void> {
  for (const proxy of proxies) proxy.next = () => undefined;
  for (let round = 0; round < 6; round++)
    for (const device of devices) {
      if (round < 3) await model.tidy();
      await device.forgive();
      model.note(`sync: ${device.name} settles: ${await device.sync()}`);
      if (round > 1) await device.acceptEmptied();
    }
  for (const device of devices) {
    await device.engine.refresh();
    assert.equal(await device.sync(), null);
    const waiting = device.engine
      .lists()
      .filter(({ accountId }) => accountId !== null)
      .flatMap(({ id }) => device.engine.rows(id))
      .filter(row => row.isDirty || row.isDeleted);
    assert.deepEqual(
      waiting.map(({ title, uid, isDeleted }) => ({ title, uid, isDeleted })),
      [],
      `${device.name} has nothing left to send; refused: ${await device.refused()}`,
    );
    assert.deepEqual(await unlikeTheirTexts(device), []);
  }
}
