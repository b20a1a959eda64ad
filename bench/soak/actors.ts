import type { Task } from '../../src/api';
import { Device } from '../../test/interop/support/twoDevices';
import { listsOf, living, TwoDeviceModel } from '../../test/interop/support/wideModel';
import type { Ledger } from './ledger';
import type { Way } from './programs';

/** How many tasks there are throughout, so that memory does not grow with them. */
const population = 70;

/** Living tasks without those that stand for one occurrence of a series. */
export const mastersIn = ({ engine }: Pick<Device, 'engine'>): Task[] =>
  engine.lists().flatMap(({ id }) => living({ engine }, id).filter(({ recurrenceId }) => recurrenceId === null));

/** Two programs with the interface, and those beside them, on one store that windows sync. */
export class Actors extends TwoDeviceModel {
  private constructor(
    devices: readonly [Device, Device],
    random: () => number,
    private readonly ledger: Ledger,
  ) {
    super(devices, random, []);
    for (const device of devices) device.tell = commit => ledger.heard(commit, device.name);
  }

  static async start(folder: string, random: () => number, ledger: Ledger): Promise<Actors> {
    const devices = [new Device('one', '', folder), new Device('other', '', folder)] as const;
    for (const device of devices) {
      device.clock.now = Date.now;
      await device.start();
    }
    const actors = new Actors(devices, random, ledger);
    const [{ engine }] = devices;
    for (let count = 0; count < population; count++)
      await engine.createTask(actors.one(listsOf({ engine })).id, { title: actors.newTitle('first') });
    return actors;
  }

  pick = <T>(items: readonly T[]): T => this.one(items);

  /** Everything by the interface: tasks and their lists, undo, redo, and what is brought back from the trash. */
  async act(): Promise<string[]> {
    const done: string[] = [];
    while (done.length < 8) {
      const device = this.one(this.devices);
      const { engine } = device;
      await engine.refresh();
      const tasks = mastersIn(device);
      const usual = this.one(['edit', 'edit', 'edit', 'edit', 'edit', 'edit', 'undo', 'redo', 'restore'] as const);
      const name = tasks.length > population ? 'delete' : usual;
      await this.allowing(async () => {
        if (name === 'edit') await this.edit(device);
        else if (name === 'delete') await engine.deleteTask(this.one(tasks).id, { children: 'keep' });
        else if (name !== 'restore') await engine[name]();
        else for (const { key } of (await engine.trash()).slice(0, 1)) await engine.restore([key]);
      });
      done.push(`interface: ${name}`);
    }
    return done;
  }

  /** Due before all others. */
  async createUrgent(): Promise<string> {
    const [device] = this.devices;
    const title = `${this.newTitle('urgent')}.`;
    const due = Date.UTC(2000, 0, 1) - this.#days++ * 86_400_000;
    await device.engine.createTask(this.one(listsOf(device)).id, { title, due, isAllDay: true });
    return title;
  }

  #days = 0;

  /** The command line and an agent: each adds, renames or completes a task, not the same one. */
  async actBy(ways: readonly Way[]): Promise<string[]> {
    const [device] = this.devices;
    const { engine } = device;
    await engine.refresh();
    const free = mastersIn(device).filter(
      ({ uid, rrule, status }) => this.ledger.knows(uid) && rrule === null && status < 2,
    );
    return Promise.all(
      ways.map(async (way, at) => {
        const task = this.one(free.filter(({ id }) => id % ways.length === at));
        const [kind, title] = [this.random(), this.newTitle(way.name)];
        if (!task || kind < 0.3) {
          const id = await way.add(title, this.one(listsOf(device)).name);
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
