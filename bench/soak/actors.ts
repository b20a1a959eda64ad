import type { Id, Task } from '../../src/api';
import { Device } from '../../test/interop/support/twoDevices';
import { fileOf } from '../../test/interop/support/undoActs';
import { listsOf, living, TwoDeviceModel } from '../../test/interop/support/wideModel';
import type { Ledger } from './ledger';
import type { Way } from './programs';

/** How many tasks there are throughout, a third of them overdue, so that neither memory nor Today grows with them. */
const population = 70;

/** Living tasks without those that stand for one occurrence of a series. */
export const mastersIn = ({ engine }: Pick<Device, 'engine'>): Task[] =>
  engine.lists().flatMap(({ id }) => living({ engine }, id).filter(({ recurrenceId }) => recurrenceId === null));

/** The import has one file in each of two lists, whose tasks are as different as any from then on. */
const bringingBack = ['undo', 'redo', 'undo and redo', 'restore', 'undo', 'redo', 'restore', 'import'] as const;

/** An edit that is refused throws; any other one has done at once what was asked. */
function compareEdits({ engine, name }: Device): void {
  const [updateTask, moveTask] = [engine.updateTask.bind(engine), engine.moveTask.bind(engine)];
  const expect = (id: Id, fields: Partial<Pick<Task, 'title' | 'listId' | 'parentId'>>) => {
    const task = engine.task(id);
    const missed = (['title', 'listId', 'parentId'] as const).find(key => key in fields && task?.[key] !== fields[key]);
    if (missed) throw new Error(`${name}: ${missed} of ${task?.uid} is not ${fields[missed]}, but ${task?.[missed]}`);
  };
  engine.updateTask = (id, input) => updateTask(id, input).then(() => expect(id, input));
  engine.moveTask = (id, to) => moveTask(id, to).then(() => expect(id, to));
}

/** Two programs with the interface, and those beside them, on one store that windows sync. */
export class Actors extends TwoDeviceModel {
  private constructor(
    devices: readonly [Device, Device],
    random: () => number,
    private readonly ledger: Ledger,
  ) {
    super(devices, random, []);
    for (const device of devices) device.onCommit = commit => ledger.heard(commit, device.name);
  }

  static async start(folder: string, random: () => number, ledger: Ledger): Promise<Actors> {
    const devices = [new Device('one', '', folder), new Device('other', '', folder)] as const;
    for (const device of devices) {
      device.clock.now = Date.now;
      await device.start();
      compareEdits(device);
    }
    const actors = new Actors(devices, random, ledger);
    const [{ engine }] = devices;
    for (let count = 0; count < population; count++)
      if (count % 3 === 0) await actors.createUrgent();
      else await engine.createTask(actors.one(listsOf({ engine })).id, { title: actors.newTitle('first') });
    return actors;
  }

  pick = <T>(items: readonly T[]): T => this.one(items);

  #isAlone = true;
  #count = 0;

  /** The interface has the last third of the tasks if the command line and an agent act, too. */
  protected override isFree({ id, uid }: Task): boolean {
    return this.#isAlone || (id % 3 === 2 && this.ledger.knows(uid));
  }

  /** Everything by the interface: tasks and their lists, and, while no other program acts, what brings something back. */
  async act(isAlone: boolean): Promise<string[]> {
    this.#isAlone = isAlone;
    const done: string[] = [];
    while (done.length < 8) {
      const device = this.one(this.devices);
      const { engine } = device;
      await engine.refresh();
      const [all, text] = [mastersIn(device), fileOf(this.#count++)];
      const free = all.filter(task => this.isFree(task));
      const usual = isAlone && this.random() < 0.35 ? this.one(bringingBack) : 'edit';
      const name = all.length > population && free.length > 0 ? 'delete' : usual;
      await this.allowing(async () => {
        if (name === 'edit') await this.edit(device);
        else if (name === 'delete') await engine.deleteTask(this.one(free).id, { children: 'keep' });
        else if (name === 'undo and redo') await this.#undoAndRedo(device);
        else if (name === 'import') for (const { id } of listsOf(device)) await engine.importTasks('ics', text, id);
        else if (name !== 'restore') await engine[name]();
        else for (const { key } of (await engine.trash()).slice(0, 1)) await engine.restore([key]);
      });
      done.push(`interface: ${name}`);
    }
    return done;
  }

  /** After a redo every task has its old list and parent, except for those that were deleted meanwhile. */
  async #undoAndRedo(device: Device): Promise<void> {
    const before = new Map(mastersIn(device).map(task => [task.id, task]));
    if (!(await device.engine.undo()) || !(await device.engine.redo())) return;
    const after = mastersIn(device);
    for (const { id, uid, listId, parentId } of after) {
      const was = before.get(id);
      const isThere = after.some(task => task.id === was?.parentId && task.listId === listId);
      if (was && (was.listId !== listId || parentId !== (isThere ? was.parentId : null)))
        throw new Error(`redone, ${uid} is in ${listId} under ${parentId}, not ${was.listId}, ${was.parentId}`);
    }
  }

  /** Due before all others. */
  async createUrgent(): Promise<string> {
    const [device] = this.devices;
    const title = `${this.newTitle('urgent')}.`;
    const due = Date.UTC(2000, 0, 1) - this.#count++ * 86_400_000;
    await device.engine.createTask(this.one(listsOf(device)).id, { title, due, isAllDay: true });
    return title;
  }

  /** The command line and an agent: each adds, renames or completes a task, not the same one. */
  async actBy(ways: readonly Way[]): Promise<string[]> {
    const [{ engine }] = this.devices;
    await engine.refresh();
    const free = mastersIn({ engine }).filter(
      ({ uid, rrule, status }) => this.ledger.knows(uid) && rrule === null && status < 2,
    );
    return Promise.all(
      ways.map(async (way, at) => {
        const task = this.one(free.filter(({ id }) => id % 3 === at));
        const [kind, title] = [this.random(), this.newTitle(way.name)];
        if (!task || kind < 0.3) {
          const list = this.one(listsOf({ engine }));
          const id = await way.add(title, list.name).catch(async error => {
            await engine.refresh();
            if (engine.lists().some(({ name }) => name === list.name)) throw error;
          });
          if (id === undefined) return `${way.name}: add to a list that was renamed`;
          await engine.refresh();
          this.ledger.made(engine.task(engine.findByShortId(id))!.uid, title, null, way.name);
          return `${way.name}: add`;
        }
        this.ledger.wants(task.uid, kind < 0.7 ? { title } : {}, way.name);
        const id = engine.shortIdOf(task);
        const done = kind < 0.7 ? way.rename(id, title) : way.complete(id);
        await done.catch(async error => {
          // A sync may have taken it meanwhile.
          await engine.refresh();
          if (engine.task(task.id)?.isDeleted === false) throw error;
        });
        return `${way.name}: ${kind < 0.7 ? 'rename' : 'complete'}`;
      }),
    );
  }
}
