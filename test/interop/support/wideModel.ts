import assert from 'node:assert/strict';
import type { DuelineApi, Id, Task, TaskList } from '../../../src/api';
import { Acts, type Final } from './acts';
import type { FaultProxy } from './faultProxy';
import { faults, lostAnswers } from './faultProxy';
import { ListActs } from './listActs';
import { contentOf, type Device } from './twoDevices';
import { takingBack } from './undoActs';

/** The lists that both devices know, by the ends of their names: people rename the rest; γ is another account's. */
export const listKeys = ['α', 'β', 'γ'] as const;

/** A device or a window that can be asked for its rows. */
interface Asked {
  readonly engine: Pick<DuelineApi, 'lists' | 'rows' | 'task'>;
}

export const listsOf = (device: Asked) =>
  device.engine.lists().filter(({ name, accountId }) => accountId !== null && listKeys.some(key => name.endsWith(key)));

export const living = (device: Asked, listId: Id) => device.engine.rows(listId).filter(({ isDeleted }) => !isDeleted);

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

/**
 * Random use of two devices: families of tasks, lists of servers and of the devices alone, series, imports, undo and redo,
 * trash and backups; with a note of every act.
 */
export class TwoDeviceModel {
  readonly acts = new Acts();
  readonly lists = new ListActs();
  protected readonly trail: string[] = [];
  #n = 0;

  constructor(
    readonly devices: readonly [Device, Device],
    readonly random: () => number,
    readonly proxies: readonly Pick<FaultProxy, 'next' | 'idle'>[],
  ) {
    for (const device of devices)
      device.onCommit = commit => {
        this.trail.push(...commit.lines);
        this.acts.note(device.name, commit);
      };
  }

  /** In every title that is written; no two are alike. */
  newTitle = (who: string): string => `${who} ${this.#n++}`;

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
    else if (kind < 0.5) await this.takeBack(device);
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
        const isNewList = method === 'MKCALENDAR';
        if (this.random() >= (isNewList ? 0.6 : 0.15)) return undefined;
        const [name, fault] = this.one(isNewList ? lostAnswers : harmful);
        this.trail.push(`    ${method}: ${name}`);
        return fault;
      };
  }

  note = (line: string): void => void this.trail.push(line);

  /** Undo, redo, trash, backups, imports. */
  protected async takeBack(device: Device, among = takingBack): Promise<void> {
    // An act that is taken back has often reached the server by then.
    if (this.random() < 0.5) await this.sync(device);
    const act = this.one(among);
    const lists = listsOf(device);
    const list = lists.length > 0 ? this.one(lists) : undefined;
    await this.allowing(async () => {
      const outcome = await act(device, this.random, list);
      this.lists.takesBack(outcome);
      this.trail.push(`sync: ${device.name}: ${outcome ?? 'nothing to take back'}`);
    });
  }

  /** A circle of parents, a series without another occurrence, a task that a sync has just taken away: refused acts change nothing. */
  protected async allowing(work: () => Promise<unknown>, say = (_error: Error) => {}): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!['invalid', 'duplicate', 'readOnly', 'notFound'].includes((error as { kind?: string }).kind ?? ''))
        throw error;
      say(error as Error);
    }
  }

  /** A list of the account, or now and then one of the device alone. */
  #placeFor(device: Device): TaskList {
    const own = device.engine.lists().filter(({ accountId }) => accountId === null);
    return this.random() < 0.2 && own.length > 0 ? this.one(own) : this.one(listsOf(device));
  }

  /** Nobody else acts on that task at the same time. */
  protected isFree(_task: Task): boolean {
    return true;
  }

  protected async edit(device: Device): Promise<void> {
    const { engine } = device;
    if (listsOf(device).length === 0) return;
    const list = this.#placeFor(device);
    const lists = engine.lists();
    const masters = lists.flatMap(({ id }) => living(device, id)).filter(({ masterId }) => masterId === null);
    const free = masters.filter(task => this.isFree(task));
    const task = free.length > 0 ? this.one(free) : undefined;
    const kind = this.random();
    const note = (action: string) => this.trail.push(`${task?.uid} ${device.name} ${action} “${task?.title}”`);
    const value = this.newTitle(device.name);
    const act = async () => {
      if (!task || kind < 0.2) await this.#create(device, list.id, value);
      else if (kind < 0.4) {
        note(`→ “${value}”`);
        await engine.updateTask(task.id, { title: value });
      } else if (kind < 0.45) await engine.updateTask(task.id, { tags: [...task.tags, value] });
      else if (kind < 0.6) {
        note(`moves to ${list.name}:`);
        await engine.moveTask(task.id, { listId: list.id });
      } else if (kind < 0.72) {
        const parent = this.one(masters.filter(({ listId, id }) => listId === task.listId && id !== task.id));
        note(`goes under “${parent?.title}”:`);
        await engine.moveTask(task.id, { parentId: parent?.id ?? null });
      } else if (kind < 0.85) await this.#complete(device, task);
      else if (kind < 0.95) {
        note('deletes');
        await engine.deleteTask(task.id, { children: this.random() < 0.5 ? 'keep' : 'delete' });
      } else await engine.updateList(list.id, { name: `${value} ${list.name.at(-1)}` });
    };
    await this.allowing(act, error => note(`may not: ${error.message}`));
  }

  async #create(device: Device, listId: Id, value: string): Promise<void> {
    const isSeries = this.random() < 0.3;
    const dates = { dtstart: Date.UTC(2026, 10, 1, 8), due: Date.UTC(2026, 10, 1, 9), timezone: 'UTC' };
    await device.engine.createTask(listId, { title: value, ...(isSeries && { ...dates, rrule: 'FREQ=DAILY' }) });
  }

  async #complete({ engine, name }: Device, task: Task): Promise<void> {
    if (task.rrule === null && task.status === 2) return engine.reopenTask(task.id);
    this.trail.push(`${task.uid} ${name} completes “${task.title}”`);
    await engine.completeTask(task.id);
  }

  /** Does what the user does before all can be sent. */
  async tidy(): Promise<void> {}

  /**
   * Nothing is gone, doubled, in another place or under another task than someone wanted, no title is lost, and what a
   * sync took away is in the trash.
   */
  async check(): Promise<void> {
    for (const device of this.devices) this.lists.check(device);
    const kept = (await Promise.all(this.devices.map(device => device.kept()))).join('\n');
    for (const device of this.devices)
      for (const [uid, parent] of await device.parentsKept()) this.acts.yieldsTo(uid, parent);
    const offered = this.devices.flatMap(device => device.offered());
    const faults = [...this.acts.faults(this.#finals(), kept, new Set(offered))];
    for (const { name, engine } of this.devices) {
      const trash = new Set((await engine.trash()).map(({ task }) => task.uid));
      for (const uid of this.acts.takenFrom(name))
        if (!trash.has(uid)) faults.push([uid, `was taken from ${name} by a sync and is not in its trash`]);
    }
    const uids = [...new Set(faults.map(([uid]) => uid))];
    const reports = faults.map(([uid, fault]) => `${uid} ${fault}`);
    assert.deepEqual(
      reports,
      [],
      `${reports.join('\n')}\n${uids.map(uid => this.#placesOf(uid)).join('\n')}\n${this.trailOf(...uids)}`,
    );
  }

  /** The place of each task: in the lists of servers, on which all agree, and in those that one device has alone. */
  #finals(): Map<string, Final[]> {
    const finals = new Map<string, Final[]>();
    for (const device of this.devices)
      for (const { id, accountId } of device.engine.lists()) {
        if (accountId !== null && device !== this.devices[0]) continue;
        const place = this.acts.placeOf(device.name, id);
        for (const { id: row, uid, title, parentId, recurrenceId } of living(device, id)) {
          if (recurrenceId !== null) continue;
          const parent = parentId === null ? null : (device.engine.task(parentId)?.uid ?? null);
          const final = { place, holder: { actor: device.name, row }, isOwn: accountId === null, title, parent };
          finals.set(uid, [...(finals.get(uid) ?? []), final]);
        }
      }
    return finals;
  }

  /** Both devices have the same; if not, the message tells what was done to the tasks that differ. */
  agree(one: Device, other: Device): void {
    const [left, right] = [one, other].map(device =>
      listsOf(device).flatMap(({ id, name, accountId }) =>
        living(device, id).map(task => `${task.uid} in ${name} of ${accountId} ${JSON.stringify(contentOf(task))}`),
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

  /** The places that the devices have a task in, tombstones included. */
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
