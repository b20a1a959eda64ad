import assert from 'node:assert/strict';
import { FaultProxy, faults } from './support/faultProxy';
import { newRandom, seedsOr } from './support/random';
import { howToInstall, isInstalled, type Server, startRadicale } from './support/servers';
import { Device } from './support/twoDevices';

const seeds = seedsOr([1, 2, 3, 4, 5, 6]);

describe('faults between Dueline and Radicale', () => {
  let server: Server;
  let proxy: FaultProxy;
  let devices: Device[];

  before(async () => {
    if (!isInstalled('radicale')) throw new Error(howToInstall('radicale'));
    server = await startRadicale();
  });
  after(() => server?.stop());

  beforeEach(async () => {
    proxy = await FaultProxy.start(server.url);
    devices = [];
  });
  afterEach(async () => {
    proxy.next = () => undefined;
    for (const device of devices) await device.end();
    await proxy.stop();
  });

  /** Devices of one account, the first of which made a list of this name. */
  async function pair(list: string, count = 2): Promise<{ devices: Device[]; list: (device: Device) => number }> {
    for (let n = 0; n < count; n++) {
      const device = new Device(`device${devices.length}`, list);
      await device.start();
      devices.push(device);
      const { username, password } = server;
      const accountId = await device.engine.addAccount({ serverUrl: proxy.url, username, password });
      if (n === 0) await device.engine.createList({ name: list, accountId });
      assert.equal(await device.sync(), null);
    }
    const found = (device: Device) => device.engine.lists().find(one => one.name === list)!.id;
    return { devices, list: found };
  }

  for (const [name, fault] of Object.entries(faults))
    it(`${name}: nothing is lost or doubled, whichever request of a run fails`, async () => {
      const { list } = await pair(`One ${name}`);
      const [a, b] = devices as [Device, Device];
      await a.engine.createTask(list(a), { title: 'first' });
      assert.equal(await a.sync(), null);
      assert.equal(await b.sync(), null);
      for (let at = 0; at < 6; at++) {
        const [task] = a.engine.query('first');
        await a.engine.updateTask(task!.task.id, { description: `edit ${at}` });
        await a.engine.createTask(list(a), { title: `new ${at}` });
        await b.engine.createTask(list(b), { title: `other ${at}` });
        await b.sync();
        let request = 0;
        proxy.next = () => (request++ === at ? fault : undefined);
        await a.sync();
        proxy.next = () => undefined;
        await a.forgive();
      }
      await settle();
      assert.deepEqual(a.state(), b.state());
      const titles = a.tasks.map(task => task.title).sort();
      const numbers = [0, 1, 2, 3, 4, 5];
      assert.deepEqual(titles, ['first', ...numbers.map(n => `new ${n}`), ...numbers.map(n => `other ${n}`)]);
      assert.equal(a.engine.query('first')[0]!.task.description, 'edit 5');
    });

  it('change reports in pages (507) arrive completely', async () => {
    const { list } = await pair('Pages');
    const [a, b] = devices as [Device, Device];
    proxy.pageSize = 7;
    await a.engine.apply(
      Array.from({ length: 40 }, (_, n) => ({ type: 'create', listId: list(a), input: { title: `t${n}` } }) as const),
    );
    await settle();
    assert.equal(b.tasks.length, 40);
    assert.deepEqual(a.state(), b.state());
  });

  it('an edit undone while it is being sent is undone on the server, too', async () => {
    const { list } = await pair('Taken back');
    const [a, b] = devices as [Device, Device];
    const id = await a.engine.createTask(list(a), { title: 'as it was' });
    await settle();
    await a.engine.updateTask(id, { title: 'changed' });
    proxy.next = method =>
      method === 'PUT'
        ? async ({ forward, reply }) => {
            const answer = await forward();
            await a.engine.undo();
            proxy.next = () => undefined;
            reply(answer);
          }
        : undefined;
    await a.sync();
    await settle();
    assert.deepEqual(
      [a, b].map(device => device.tasks.map(({ title }) => title)),
      [['as it was'], ['as it was']],
    );
  });

  it('a task deleted while it is being created there is deleted there, too', async () => {
    const { list } = await pair('Deleted on the way');
    const [a, b] = devices as [Device, Device];
    const id = await a.engine.createTask(list(a), { title: 'short-lived' });
    proxy.next = method =>
      method === 'PUT'
        ? async ({ forward, reply }) => {
            const answer = await forward();
            await a.engine.deleteTask(id);
            reply(answer);
          }
        : undefined;
    await a.sync();
    await settle();
    assert.deepEqual({ a: a.tasks, b: b.tasks }, { a: [], b: [] });
  });

  it('a server that always answers 412 is not asked forever', async () => {
    const { list } = await pair('For ever', 1);
    const [a] = devices as [Device];
    await a.engine.createTask(list(a), { title: 'refused' });
    proxy.next = method => (method === 'PUT' ? faults['412 without reason'] : undefined);
    const before = proxy.requests;
    await a.sync();
    assert.ok(proxy.requests - before < 30, `${proxy.requests - before} requests`);
    assert.equal(a.tasks.filter(task => task.title === 'refused' && task.isDirty).length, 1);
  });

  for (const seed of seeds)
    it(`two devices end equal after random edits, faults and restarts (seed ${seed})`, async () => {
      // A server without the other tests' lists: the same requests meet the same faults at every run.
      const own = await startRadicale();
      await proxy.stop();
      proxy = await FaultProxy.start(own.url);
      const { list } = await pair(`Model ${seed}`);
      const model = new Model(devices as [Device, Device], list, newRandom(seed), proxy);
      await model.run(60);
      await settle();
      await settle();
      const [a, b] = devices as [Device, Device];
      assert.deepEqual(a.state(), b.state());
      const fresh = new Device('fresh', `Model ${seed}`);
      devices.push(fresh);
      await fresh.start();
      const { username, password } = server;
      await fresh.engine.addAccount({ serverUrl: proxy.url, username, password });
      assert.equal(await fresh.sync(), null);
      assert.deepEqual(fresh.state(), a.state());
      await model.check();
      await own.stop();
    });

  async function settle(): Promise<void> {
    proxy.next = () => undefined;
    for (let round = 0; round < 4; round++)
      for (const device of devices) {
        await device.forgive();
        await device.sync();
      }
    for (const device of devices) {
      assert.equal(await device.sync(), null);
      assert.deepEqual(
        device.tasks.filter(({ isDirty }) => isDirty).map(({ title }) => title),
        [],
        `${device.name} has nothing left to send; refused: ${await device.refused()}`,
      );
    }
  }
});

interface Edit {
  readonly uid: string;
  readonly device: Device;
  readonly field: 'title' | 'description';
  readonly before: string | null;
  readonly value: string;
}

/** Random use of two devices, with a note of every text that the user wrote. */
class Model {
  readonly #edits: Edit[] = [];
  readonly #deleted = new Set<string>();
  readonly #created = new Set<string>();
  readonly #buried: { uid: string; device: Device; at: number }[] = [];
  readonly #trails: string[] = [];
  #n = 0;

  constructor(
    readonly devices: readonly [Device, Device],
    readonly list: (device: Device) => number,
    readonly random: () => number,
    readonly proxy: FaultProxy,
  ) {}

  async run(steps: number): Promise<void> {
    const harmful = Object.values(faults);
    this.proxy.next = () => (this.random() < 0.2 ? this.#one(harmful) : undefined);
    for (let step = 0; step < steps; step++) {
      const device = this.#one(this.devices);
      if (this.random() < 0.3) this.#trails.push(`sync ${device.name}: ${await device.sync()}`);
      else if (this.random() < 0.05) await device.restart();
      else await this.#edit(device);
      if (this.random() < 0.1) await device.forgive();
    }
  }

  async #edit(device: Device): Promise<void> {
    const { engine } = device;
    const tasks = engine.rows(this.list(device)).filter(({ isDeleted, masterId }) => !isDeleted && masterId === null);
    const value = `${device.name} ${this.#n++}`;
    const task = this.#one(tasks);
    const kind = this.random();
    if (!task || kind < 0.25) {
      const id = await engine.createTask(this.list(device), { title: value });
      this.#created.add(engine.task(id)!.uid);
      this.#note(engine.task(id)!.uid, device, 'title', null, value);
    } else if (kind < 0.6) {
      const field = this.random() < 0.5 ? 'title' : 'description';
      this.#note(task.uid, device, field, task[field], value);
      await engine.updateTask(task.id, { [field]: value });
    } else if (kind < 0.7) await engine.updateTask(task.id, { tags: [...task.tags, value] });
    else if (kind < 0.8)
      await engine.updateTask(task.id, { due: Date.UTC(2026, 11, 1 + (this.#n % 28)), isAllDay: true });
    else if (kind < 0.9) await (task.status === 2 ? engine.reopenTask(task.id) : engine.completeTask(task.id));
    else {
      this.#deleted.add(task.uid);
      this.#buried.push({ uid: task.uid, device, at: this.#edits.length - 0.5 });
      this.#trails.push(`${task.uid} ${device.name} deletes ${task.title}`);
      await engine.deleteTask(task.id);
    }
  }

  /** No task is gone that nobody deleted, and no text either that nobody saw and changed: it is kept with the conflicts. */
  async check(): Promise<void> {
    const [a] = this.devices;
    const tasks = new Map(a.engine.rows(this.list(a)).map(task => [task.uid, task]));
    const kept = (await Promise.all(this.devices.map(device => device.kept()))).join('\n');
    for (const uid of this.#created)
      if (!tasks.has(uid)) assert.ok(this.#deleted.has(uid), `${uid} is gone though nobody deleted it`);
    for (const [index, { uid, device, field, value }] of this.#edits.entries()) {
      const task = tasks.get(uid);
      // A task that a user deletes is done with.
      const isDone = this.#buried.some(burial => burial.uid === uid && burial.device === device && burial.at > index);
      const isSeen = this.#edits.some(edit => edit.uid === uid && edit.field === field && edit.before === value);
      const isThere = task?.[field] === value || (task === undefined && this.#deleted.has(uid));
      assert.ok(
        isThere || isSeen || isDone || kept.includes(value),
        `“${value}” (${field} of ${uid}) was lost:\n${this.#trail(uid)}`,
      );
    }
  }

  #trail(uid: string): string {
    return this.#trails.filter(line => line.startsWith(uid) || line.startsWith('sync')).join('\n');
  }

  #note(uid: string, device: Device, field: Edit['field'], before: string | null, value: string): void {
    this.#trails.push(`${uid} ${device.name} ${field}: ${before} → ${value}`);
    this.#edits.push({ uid, device, field, before, value });
  }

  #one<T>(items: readonly T[]): T {
    return items[Math.floor(this.random() * items.length)]!;
  }
}
