import assert from 'node:assert/strict';
import type { DuelineApi, Id, Task } from '../../src/api';
import { groupBy } from '../../src/sync/group';
import type { FaultProxy } from './faultProxy';
import { faults } from './faultProxy';
import type { RowChange } from './rowTrace';
import { contentOf, type Device } from './twoDevices';

/** The lists that both devices know, by the ends of their names: people rename the rest; γ is another account's. */
export const listKeys = ['α', 'β', 'γ'] as const;

/** What can be asked for its rows: a device, or a window. */
interface Asked {
  readonly engine: Pick<DuelineApi, 'lists' | 'rows' | 'task'>;
}

export const listsOf = (device: Asked) =>
  device.engine.lists().filter(({ name, accountId }) => accountId !== null && listKeys.some(key => name.endsWith(key)));

export const living = (device: Asked, listId: Id) => device.engine.rows(listId).filter(({ isDeleted }) => !isDeleted);

/** The UIDs of tasks that the device offers as possible duplicates. */
const offersOf = ({ engine }: Device): readonly (string | undefined)[] =>
  engine
    .syncing!.conflicts()
    .map(({ reason, taskId }) => (reason === 'duplicate' ? engine.task(taskId)?.uid : undefined));

/** Everything that has to be the same everywhere: lists with their names, tasks with content, place and parent. */
export function stateOf(device: Asked): unknown {
  const { engine } = device;
  const lists = listsOf(device).map(list => {
    const tasks = living(device, list.id).map(task => [
      `${task.uid} ${task.recurrenceId ?? ''}`,
      {
        ...contentOf(task),
        rrule: task.rrule,
        exdate: task.exdate,
        parent: task.parentId === null || task.masterId !== null ? null : engine.task(task.parentId)?.uid,
        master: task.masterId === null ? null : engine.task(task.masterId)?.uid,
      },
    ]);
    return { [list.name]: Object.fromEntries(tasks.sort(([a], [b]) => (a! < b! ? -1 : 1))) };
  });
  // A list that moves to another account leaves a namesake behind.
  return lists.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

interface Edit {
  readonly uid: string;
  readonly device: Device;
  /** What it took the place of. */
  before: string | null;
  readonly value: string;
}

interface Grave {
  readonly device: Device;
  readonly title: string | null;
  readonly at: number;
}

/** Random use of two devices: families of tasks, two lists, series; with a note of every title that a person wrote. */
export class WideModel {
  protected readonly edits: Edit[] = [];
  protected readonly created = new Set<string>();
  protected readonly deleted = new Map<string, Grave[]>();
  protected readonly completed = new Map<string, number>();
  protected readonly trail: string[] = [];
  #n = 0;
  /** The title that is being written. */
  #writing: Edit | undefined;

  constructor(
    readonly devices: readonly [Device, Device],
    readonly random: () => number,
    readonly proxies: readonly FaultProxy[],
  ) {
    for (const device of devices) device.tell = change => this.#heard(change);
  }

  /** A title that a sync brought while a person wrote another is overwritten as if it had been seen. */
  #heard({ was, is, line }: RowChange): void {
    this.trail.push(line);
    const edit = this.#writing;
    if (edit && is?.title === edit.value && was?.subject === edit.uid && was.title !== edit.value)
      edit.before = was.title;
  }

  async run(steps: number): Promise<void> {
    this.disturb();
    for (let step = 0; step < steps; step++) {
      const device = this.one(this.devices);
      await this.explained(() => this.step(device));
      if (this.random() < 0.15) await device.forgive();
    }
  }

  protected async step(device: Device): Promise<void> {
    const kind = this.random();
    if (kind < 0.3) await this.sync(device);
    else if (kind < 0.35) await device.restart();
    else await this.edit(device);
  }

  protected async sync(device: Device): Promise<void> {
    this.trail.push(`sync ${device.name} begins`);
    this.trail.push(`sync ${device.name}: ${await device.sync()}`);
  }

  protected disturb(): void {
    const harmful = Object.entries(faults);
    for (const proxy of this.proxies)
      proxy.next = (method: string, path: string) => {
        if (method === 'PUT' || method === 'DELETE') this.trail.push(`${path.split('/').at(-1)} ${method} ${path}`);
        if (this.random() >= 0.15) return undefined;
        const [name, fault] = this.one(harmful);
        this.trail.push(`    ${method}: ${name}`);
        return fault;
      };
  }

  protected async edit(device: Device): Promise<void> {
    const { engine } = device;
    const lists = listsOf(device);
    if (lists.length === 0) return;
    const list = this.one(lists);
    const masters = lists.flatMap(({ id }) => living(device, id)).filter(({ masterId }) => masterId === null);
    const value = `${device.name} ${this.#n++}`;
    const task = masters.length > 0 ? this.one(masters) : undefined;
    const kind = this.random();
    const say = (what: string) => this.trail.push(`${task?.uid} ${device.name} ${what} “${task?.title}”`);
    try {
      if (!task || kind < 0.2) await this.#create(device, list.id, value);
      else if (kind < 0.4) {
        say(`→ “${value}”`);
        this.#writing = { uid: task.uid, device, before: task.title, value };
        this.edits.push(this.#writing);
        await engine.updateTask(task.id, { title: value });
      } else if (kind < 0.45) await engine.updateTask(task.id, { tags: [...task.tags, value] });
      else if (kind < 0.6) {
        say(`moves to ${list.name}:`);
        await engine.moveTask(task.id, { listId: list.id });
      } else if (kind < 0.7) {
        const parent = this.one(masters.filter(({ listId, id }) => listId === task.listId && id !== task.id));
        say(`goes under “${parent?.title}”:`);
        await engine.moveTask(task.id, { parentId: parent?.id ?? null });
      } else if (kind < 0.85) await this.#complete(device, task);
      else if (kind < 0.95) await this.#delete(device, task, this.random() < 0.5 ? 'keep' : 'delete');
      else await engine.updateList(list.id, { name: `${value} ${list.name.at(-1)}` });
    } catch (error) {
      // A circle of parents, a series without another occurrence, a task that a sync has just taken away: refused acts
      // change nothing.
      if (!['invalid', 'duplicate', 'readOnly', 'notFound'].includes((error as { kind?: string }).kind ?? ''))
        throw error;
      if (this.edits.at(-1)?.value === value) this.edits.pop();
      say(`may not: ${(error as Error).message}`);
    } finally {
      this.#writing = undefined;
    }
  }

  async #create(device: Device, listId: Id, value: string): Promise<void> {
    const isSeries = this.random() < 0.3;
    const { engine } = device;
    const dates = { dtstart: Date.UTC(2026, 10, 1, 8), due: Date.UTC(2026, 10, 1, 9), timezone: 'UTC' };
    const id = await engine.createTask(listId, {
      title: value,
      ...(isSeries && { ...dates, rrule: 'FREQ=DAILY' }),
    });
    const { uid } = engine.task(id)!;
    this.trail.push(`${uid} ${device.name} creates “${value}”`);
    this.created.add(uid);
    this.edits.push({ uid, device, before: null, value });
  }

  async #complete(device: Device, task: Task): Promise<void> {
    const { engine } = device;
    if (task.rrule === null && task.status === 2) return engine.reopenTask(task.id);
    this.completed.set(task.uid, (this.completed.get(task.uid) ?? 0) + 1);
    this.trail.push(`${task.uid} ${device.name} completes “${task.title}”`);
    await engine.completeTask(task.id);
  }

  async #delete(device: Device, task: Task, children: 'keep' | 'delete'): Promise<void> {
    const below = (one: Task): Task[] => [
      one,
      ...living(device, one.listId)
        .filter(({ parentId }) => parentId === one.id)
        .flatMap(below),
    ];
    for (const { uid, title } of children === 'delete' ? below(task) : [task]) {
      this.trail.push(`${uid} ${device.name} deletes “${title}”`);
      this.bury(uid, device, title);
    }
    await device.engine.deleteTask(task.id, { children });
  }

  /** `title`: what the person saw that deleted it. */
  protected bury(uid: string, device: Device, title: string | null): void {
    this.deleted.set(uid, [...(this.deleted.get(uid) ?? []), { device, title, at: this.edits.length - 0.5 }]);
  }

  /**
   * No task is gone that nobody deleted, none is there twice that is not offered as a duplicate, and no title is lost that
   * nobody saw and changed.
   */
  async check(): Promise<void> {
    const [a] = this.devices;
    const mastersOf = (device: Device, lists: readonly { readonly id: Id }[]) =>
      lists.flatMap(({ id }) => living(device, id)).filter(({ recurrenceId }) => recurrenceId === null);
    const byUid = groupBy(mastersOf(a, listsOf(a)), ({ uid }) => uid);
    // In lists that are gone from their server, and stay with whoever had edits in them.
    const onlyHere = groupBy(
      this.devices.flatMap(device =>
        mastersOf(
          device,
          device.engine.lists().filter(({ accountId }) => accountId === null),
        ),
      ),
      ({ uid }) => uid,
    );
    const offered = new Set(this.devices.flatMap(offersOf));
    const kept = (await Promise.all(this.devices.map(device => device.kept()))).join('\n');
    for (const [uid, places] of byUid)
      assert.ok(
        places.length === 1 || offered.has(uid),
        `${uid} is in two places:\n${this.#placesOf(uid)}\n${this.trailOf(uid)}`,
      );
    for (const uid of this.created)
      if (!byUid.has(uid) && !onlyHere.has(uid))
        assert.ok(this.deleted.has(uid), `${uid} is gone:\n${this.trailOf(uid)}`);
    for (const [index, { uid, device, value }] of this.edits.entries()) {
      const places = byUid.get(uid) ?? [];
      const graves = this.deleted.get(uid) ?? [];
      const isDone = graves.some(grave => grave.device === device && grave.at > index);
      const isSeen =
        this.edits.some(edit => edit.uid === uid && edit.before === value) ||
        graves.some(({ title }) => title === value);
      const isThere =
        [...places, ...(onlyHere.get(uid) ?? [])].some(one => one.title === value) ||
        (places.length === 0 && graves.length > 0);
      assert.ok(isThere || isSeen || isDone || kept.includes(value), `“${value}” was lost:\n${this.trailOf(uid)}`);
    }
  }

  /** Both devices have the same; where not, the message tells what was done to the tasks that differ. */
  agree(one: Device, other: Device): void {
    const [left, right] = [one, other].map(device =>
      listsOf(device).flatMap(({ id }) =>
        living(device, id).map(task => `${task.uid} ${JSON.stringify(contentOf(task))}`),
      ),
    ) as [string[], string[]];
    const odd = [...left.filter(text => !right.includes(text)), ...right.filter(text => !left.includes(text))];
    const uids = [...new Set(odd.map(text => text.split(' ', 1)[0]!))];
    assert.deepEqual(
      stateOf(other),
      stateOf(one),
      `${other.name} is as ${one.name} is\n${odd.join('\n')}\n${this.trailOf(...uids)}`,
    );
  }

  /** Adds to a failure what was done to the tasks that it names. */
  async explained<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const uids = (error as Error).message.match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? [];
      throw new Error(`${(error as Error).message}\n${this.trailOf(...new Set(uids))}`, { cause: error });
    }
  }

  /** Where the devices have a task, tombstones included. */
  #placesOf(uid: string): string {
    return this.devices
      .flatMap(({ name, engine, store }) =>
        store.tasksOfUid(uid).map(({ id, listId, href, title, isDirty, isDeleted }) => {
          const list = engine.lists().find(one => one.id === listId);
          return [name, id, list?.name, list?.accountId, href, title, isDirty && 'dirty', isDeleted && 'deleted'].join(
            ' | ',
          );
        }),
      )
      .join('\n');
  }

  protected trailOf(...uids: string[]): string {
    return this.trail.filter(line => uids.some(uid => line.startsWith(uid)) || /^( {4}|sync)/.test(line)).join('\n');
  }

  protected one<T>(items: readonly T[]): T {
    return items[Math.floor(this.random() * items.length)]!;
  }
}
