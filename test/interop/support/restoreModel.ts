import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Id, Task, TaskList } from '../../../src/api';
import { Database } from '../../../src/store/sql/database';
import type { AServer } from '../../sync/support/server';
import { linesOf } from '../../sync/support/texts';
import { Acts } from './acts';
import { OtherClient } from './neighbor';
import type { Device } from './twoDevices';
import { living } from './wideModel';

type Act = (device: Device) => Promise<string | undefined>;

/** Acts that bring back what was: backups, the trash, undo; and acts that put tasks elsewhere meanwhile, on one server. */
export class RestoreModel {
  readonly trail: string[] = [];
  readonly #neighbor: OtherClient;
  /** UIDs that two tasks of a device have had, such as after the other client moved a task that was moved here, too. */
  readonly #shared = new Set<string>();
  #names = 0;

  constructor(
    readonly devices: readonly Device[],
    readonly server: AServer,
    readonly random: () => number,
  ) {
    for (const device of devices) device.onCommit = ({ lines }) => void this.trail.push(...lines);
    this.#neighbor = new OtherClient([server], new Acts(), random, line => this.trail.push(line));
  }

  async run(steps: number): Promise<void> {
    for (let step = 0; step < steps; step++) await this.#step();
  }

  async #step(): Promise<void> {
    const device = this.#one(this.devices)!;
    if (this.random() < 0.25) return this.sync(device);
    if (this.random() < 0.06) {
      this.#neighbor.act(`n ${this.#names++}`);
      return;
    }
    const [name, act] = this.#one(Object.entries(this.#acts))!;
    const before = this.twice(device);
    try {
      const outcome = await act(device);
      if (outcome !== undefined) this.trail.push(`sync: ${device.name} ${name} ${outcome}`);
    } catch (error) {
      // Refused acts change nothing: a second task of a UID in a list, an empty series.
      if (!['invalid', 'duplicate', 'readOnly', 'notFound'].includes((error as { kind?: string }).kind ?? ''))
        throw error;
    }
    for (const uid of before) this.#shared.add(uid);
    const doubled = this.twice(device).filter(uid => !this.#shared.has(uid));
    // With others on the server, what came back here may be somewhere else by now: the next sync tells.
    if (this.devices.length === 1 && name.startsWith('restores'))
      assert.deepEqual(doubled, [], `${device.name} ${name}\n${this.trailOf(doubled)}`);
  }

  async sync(device: Device): Promise<void> {
    const error = await device.sync();
    this.trail.push(`sync ${device.name}: ${error}`);
    await device.acceptEmptied();
  }

  /** UIDs that a device has in two rows. */
  twice = (device: Device): string[] =>
    repeated(device.engine.lists().flatMap(({ id }) => this.#masters(device, id).map(({ uid }) => uid)));

  /**
   * True if tasks with a UID have different titles, and not all are on the server: someone edited the task there while
   * it was restored on this computer, and neither version may be dropped.
   */
  hasTwoVersions(device: Device, uid: string): boolean {
    const tasks = this.#all(device).filter(task => task.uid === uid);
    const isLocal = ({ listId }: Task) => device.engine.lists().find(({ id }) => id === listId)?.accountId === null;
    return new Set(tasks.map(({ title }) => title)).size === tasks.length && tasks.some(isLocal);
  }

  /** UIDs that two resources of the server have. */
  twiceOnServer = (): string[] =>
    repeated(
      [...this.server.lists.values()].flatMap(({ items }) =>
        [...items.values()].flatMap(
          ({ text }) =>
            linesOf(text)
              .find(line => line.startsWith('UID:'))
              ?.slice(4) ?? [],
        ),
      ),
    );

  trailOf = (uids: readonly string[]): string =>
    this.trail.filter(line => line.startsWith('sync') || uids.some(uid => line.includes(uid))).join('\n');

  readonly #acts: Readonly<Record<string, Act>> = {
    creates: async device =>
      void (await device.engine.createTask(this.#list(device).id, { title: `t ${this.#names++}` })),
    edits: async device =>
      this.#ofTask(device, ({ id }) => device.engine.updateTask(id, { title: `t ${this.#names++}` })),
    deletes: async device =>
      this.#ofTask(device, ({ id }) =>
        device.engine.deleteTask(id, { children: this.random() < 0.5 ? 'keep' : 'delete' }),
      ),
    deletesMore: async device => this.#ofTask(device, ({ id }) => device.engine.deleteTask(id)),
    moves: async device => {
      const { id, name } = this.#list(device);
      return this.#ofTask(device, async task => device.engine.moveTask(task.id, { listId: id }), `to ${name}`);
    },
    movesBelow: async device => {
      const other = this.#one(this.#all(device));
      return this.#ofTask(device, ({ id }) =>
        device.engine.moveTask(id, other ? { listId: other.listId, parentId: other.id } : { parentId: null }),
      );
    },
    movesList: async device => {
      const list = this.#list(device);
      const account = list.accountId === null ? device.engine.accounts()[0]!.id : null;
      await device.engine.moveListToAccount(list.id, account);
      return `${list.name} #${list.id} to ${account}`;
    },
    backsUp: async ({ engine }) => {
      await engine.data.backUpNow();
      return '';
    },
    restoresBackup: async device => {
      const { engine } = device;
      const backup = this.#one(engine.data.backups());
      if (!backup) return undefined;
      await engine.data.restoreBackup(backup.path);
      const lost = (await uidsIn(backup.path)).filter(uid => !this.#all(device).some(task => task.uid === uid));
      assert.deepEqual(lost, [], `not brought back by the backup\n${this.trailOf(lost)}`);
      return new Date(backup.at).toISOString();
    },
    restores: async ({ engine }) => {
      const entry = this.#one(await engine.trash());
      if (!entry) return undefined;
      await engine.restore([entry.key]);
      return entry.task.uid;
    },
    restoresMore: async ({ engine }) => {
      const keys = (await engine.trash()).map(({ key }) => key);
      await engine.restore(keys);
      return keys.join(' ');
    },
    undoes: async ({ engine }) => (await engine.undoNamed())?.key,
    undoesMore: async ({ engine }) => (await engine.undoNamed())?.key,
    redoes: async ({ engine }) => (await engine.redoNamed())?.key,
  };

  async #ofTask(device: Device, work: (task: Task) => Promise<unknown>, how = ''): Promise<string | undefined> {
    const task = this.#one(this.#all(device));
    if (!task) return undefined;
    await work(task);
    return `${task.uid} ${how}`;
  }

  #masters = (device: Device, list: Id): Task[] =>
    living(device, list).filter(({ recurrenceId }) => recurrenceId === null);
  #all = (device: Device): Task[] => device.engine.lists().flatMap(({ id }) => this.#masters(device, id));
  #list = (device: Device): TaskList => this.#one(device.engine.lists())!;

  #one<T>(items: readonly T[]): T | undefined {
    return items[Math.floor(this.random() * items.length)];
  }
}

/** The UIDs of the tasks that a backup has. */
async function uidsIn(path: string): Promise<string[]> {
  const database = await Database.open(Uint8Array.from(readFileSync(path)));
  const rows = database.rows('SELECT uid FROM tasks WHERE recurrence_id IS NULL AND is_deleted = 0');
  database.close();
  return rows.map(([uid]) => uid as string);
}

const repeated = (uids: readonly string[]): string[] => [
  ...new Set(uids.filter((uid, at) => uids.indexOf(uid) !== at)),
];
