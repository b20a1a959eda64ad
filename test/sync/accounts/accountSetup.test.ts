import assert from 'node:assert/strict';
import type { DuelineEngine, Secrets } from '../../../src/api';
import type { Login } from '../support/devices';
import { AFolder } from '../support/folders';
import { aWorld } from '../support/world';

describe('adding an account', () => {
  const world = aWorld();
  const add = (engine: DuelineEngine, { url, username, password }: Login = world.server) =>
    engine.addAccount({ serverUrl: url, username, password });
  /** Checks that the engine has one account with each list once, and syncs. */
  const isWhole = async (engine: DuelineEngine, login?: Login) => {
    assert.equal(engine.accounts().length, 1);
    assert.equal((await world.report(engine)).error, null);
    assert.deepEqual(
      engine.lists().flatMap(({ name, accountId }) => (accountId === null ? [] : name)),
      ['tasks'],
    );
    await assert.rejects(add(engine, login), { kind: 'duplicate' });
  };

  it('leaves none if its password cannot be stored, and can be tried again', async () => {
    const values = new Map<string, string>();
    let isLocked = true;
    const secrets: Secrets = {
      get: async key => values.get(key),
      set: async (key, value) => {
        if (isLocked) throw new Error('The keyring is locked.');
        values.set(key, value);
      },
      delete: async key => void values.delete(key),
    };
    const engine = await world.devices.start({ secrets });
    await assert.rejects(add(engine), /keyring/);
    assert.deepEqual(engine.accounts(), []);
    isLocked = false;
    await add(engine);
    await isWhole(engine);
    assert.equal(values.size, 1);
  });

  it('is completed when the account is added again after the process ended right after storing its row', async () => {
    world.put('t', 'SUMMARY:Task');
    const engine = await world.devices.start();
    const open = world.devices.cutOffAt(engine, () => engine.accounts().length > 0);
    await add(engine);
    const after = await open();
    assert.match((await world.report(after)).error ?? '', /not stored on this computer/);
    const id = await add(after);
    assert.equal(id, after.accounts()[0]!.id);
    await isWhole(after);
    assert.deepEqual(world.devices.list(after, 'tasks').titles(), ['Task']);
  });

  it('leaves no password behind if the window closes before the row is stored', async () => {
    const values = new Map<string, string>();
    const secrets: Secrets = {
      get: async key => values.get(key),
      set: async (key, value) => {
        values.set(key, value);
        await world.devices.storeOf(engine).close();
      },
      delete: async key => void values.delete(key),
    };
    const engine = await world.devices.start({ secrets });
    await assert.rejects(add(engine));
    assert.equal(values.size, 0);
  });

  for (const where of ['server', 'folder'] as const)
    it(`that two windows add at the same time adds it once, a ${where}`, async () => {
      const folder = world.devices.folder();
      const windows = [await world.devices.start({ folder }), await world.devices.start({ folder })];
      const lists = new AFolder();
      lists.addList('tasks');
      const place = where === 'folder' ? lists : world.server;
      // The second is refused, or completes what the first has begun.
      await Promise.allSettled(windows.map(engine => add(engine, place)));
      for (const engine of windows) {
        await engine.refresh();
        await isWhole(engine, place);
      }
      await lists.stop();
    });
});

describe('removing an account', () => {
  const world = aWorld();

  it('waits for the sync of another window, and keeps nothing of the server', async () => {
    const folder = world.devices.folder();
    const engine = await world.devices.open(world.server, { folder });
    const other = await world.devices.start({ folder });
    world.put('a', 'SUMMARY:Water the ferns');
    let answer!: () => void;
    const mayAnswer = new Promise<void>(resolve => {
      answer = resolve;
    });
    const isAsked = new Promise<void>(resolve => {
      world.server.hook = async ({ method }, next) => {
        if (method !== 'REPORT') return next();
        resolve();
        await mayAnswer;
        return next();
      };
    });
    const sync = engine.sync();
    await isAsked;
    const removal = other.removeAccount(other.accounts()[0]!.id);
    // A removal that waits for nothing is stored before this.
    await other.createTask(other.lists()[0]!.id, { title: 'Repot the ferns' });
    answer();
    await Promise.all([sync, removal]);
    const { href, ctag, syncToken } = other.lists().find(({ name }) => name === 'tasks')!;
    assert.deepEqual([href, ctag, syncToken], [null, null, null]);
    const [task] = world.devices.storeOf(other).selectTasks('t.uid = ?', ['a']);
    assert.deepEqual([task?.title, task?.href, task?.etag], ['Water the ferns', null, null]);
  });
});
