import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDuelineError } from '../../src/core/kernel/errors';
import { crc32 } from '../../src/store/journal/crc32';
import { SyncLock } from '../../src/sync/syncLock';
import { pick } from '../support/pick';
import { Devices } from './support/devices';
import { EngineProcess } from './support/engineProcess';
import { AServer, type Request } from './support/server';
import type { AList } from './support/serverLists';
import { linesOf } from './support/texts';

describe('two processes on one store', () => {
  let server: AServer;
  let list: AList;
  let folder: string;
  let holder: EngineProcess;
  let other: EngineProcess;

  beforeEach(async () => {
    server = await AServer.start();
    list = server.addList('tasks');
    folder = mkdtempSync(join(tmpdir(), 'dueline-turn-'));
    holder = new EngineProcess();
    other = new EngineProcess();
    await holder.call('open', folder);
    const { url, username, password } = server;
    await holder.call('addAccount', { serverUrl: url, username, password });
    await holder.call('sync');
    await other.call('open', folder);
    server.forget();
  });
  afterEach(async () => {
    await holder.end();
    await other.end();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const titles = () =>
    [...list.items.values()].map(({ text }) => linesOf(text).find(line => line.startsWith('SUMMARY:'))).sort();

  /** Begins a sync in the holder that stops in the middle of its first PUT, stored already or not. */
  async function hold(isStored: boolean) {
    await holder.call('createTask', 'tasks', 'Of the holder');
    let release = () => {};
    const held = new Promise<void>(resolve => {
      release = resolve;
    });
    const arrived = new Promise<Request>(resolve => {
      server.hook = async (request, next) => {
        if (request.method !== 'PUT') return undefined;
        server.hook = undefined;
        const before = isStored ? next() : undefined;
        resolve(request);
        await held;
        return before ?? next();
      };
    });
    const report = holder.call('sync').catch((error: Error) => error);
    await arrived;
    return { report, release };
  }

  /** Resolves once the other process has checked several times whether it may begin. */
  async function isWaiting(): Promise<void> {
    const before = await other.call('clockReads');
    while ((await other.call('clockReads')) < before + 5) await new Promise(resolve => setTimeout(resolve, 20));
  }

  it('A62 sync one after the other', async () => {
    const { report, release } = await hold(false);
    await other.call('createTask', 'tasks', 'Of the other');
    server.forget();
    const second = other.call('sync');
    await isWaiting();
    assert.deepEqual(server.requests, []);
    release();
    await report;
    assert.equal((await second).accounts[0]!.error, null);
    assert.deepEqual(titles(), ['SUMMARY:Of the holder', 'SUMMARY:Of the other']);
  });

  for (const isStored of [false, true]) {
    const when = isStored ? 'after the server stored its task' : 'before the server stored its task';

    it(`A62 continue at once if the one that syncs is killed ${when}`, async () => {
      const { report, release } = await hold(isStored);
      const second = other.call('sync');
      await isWaiting();
      holder.signal('SIGKILL');
      assert.match(String(await report), /ended/);
      const { accounts } = await second;
      assert.deepEqual(pick(accounts[0], 'error', 'conflicts', 'rowErrors'), {
        error: null,
        conflicts: 0,
        rowErrors: [],
      });
      release();
      assert.deepEqual(titles(), ['SUMMARY:Of the holder']);
      const [task, ...more] = await other.call('tasks', 'tasks');
      assert.deepEqual({ isDirty: task?.isDirty, more }, { isDirty: false, more: [] });
    });

    it(`A62 continue after a minute if the one that syncs hangs ${when}, and lose nothing when it wakes`, async () => {
      const { report, release } = await hold(isStored);
      await other.call('createTask', 'tasks', 'Of the other');
      holder.signal('SIGSTOP');
      server.forget();
      const second = other.call('sync');
      await isWaiting();
      assert.deepEqual(server.requests, [], 'a holder that was heard of less than a minute ago is waited for');
      await other.call('advance', 61_000);
      const { accounts } = await second;
      assert.deepEqual(pick(accounts[0], 'error', 'conflicts', 'rowErrors'), {
        error: null,
        conflicts: 0,
        rowErrors: [],
      });
      assert.deepEqual(titles(), ['SUMMARY:Of the holder', 'SUMMARY:Of the other']);
      await other.call('createTask', 'tasks', 'Later');
      // The request that hung reaches the server now, and its sender wakes up.
      release();
      holder.signal('SIGCONT');
      const woken = await report;
      assert.ok(!(woken instanceof Error), String(woken));
      await other.call('sync');
      assert.deepEqual(titles(), ['SUMMARY:Later', 'SUMMARY:Of the holder', 'SUMMARY:Of the other']);
      const rows = await other.call('tasks', 'tasks');
      assert.deepEqual(
        { count: rows.length, isDirty: rows.some(({ isDirty, isDeleted }) => isDirty || isDeleted) },
        { count: 3, isDirty: false },
      );
    });
  }
});

describe('the sync lock', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'dueline-turn-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const never = new AbortController().signal;
  const until = (signal: AbortSignal) => new Promise(resolve => signal.addEventListener('abort', resolve));

  it('is taken from a window that was silent for a minute, which notices that and starts over', async () => {
    const clock = { time: 0, now: () => clock.time };
    const slow = new SyncLock(folder, clock);
    const awake = new SyncLock(folder, clock);
    const story: string[] = [];
    let begun = 0;
    let taken: Promise<void> | undefined;
    const result = await slow.runExclusive(async signal => {
      story.push(`slow begins ${++begun}`);
      if (begun === 2) return 'done';
      let release = () => {};
      clock.time = 61_000;
      taken = awake.runExclusive(async () => {
        story.push('the other takes over');
        await new Promise<void>(resolve => {
          release = resolve;
        });
      }, never);
      await until(signal);
      story.push('slow is interrupted');
      release();
      throw new Error('cut off');
    }, never);
    await taken;
    assert.equal(result, 'done');
    assert.deepEqual(story, ['slow begins 1', 'the other takes over', 'slow is interrupted', 'slow begins 2']);
  });

  it('is no longer waited for once the sync is canceled', async () => {
    const first = new SyncLock(folder, { now: () => 0 });
    const second = new SyncLock(folder, { now: () => 0 });
    const stop = new AbortController();
    await first.runExclusive(async () => {
      const waiting = second.runExclusive(async () => assert.fail('not its turn'), stop.signal);
      stop.abort();
      await assert.rejects(waiting, { kind: 'cancelled' });
    }, never);
  });

  it('is refused if its file cannot be written, instead of being waited for forever', async () => {
    const lock = new SyncLock(folder, { now: () => 0 });
    mkdirSync(join(folder, 'sync-run.lease'));
    const mine = lock.runExclusive(async () => assert.fail('not its turn'), never);
    await assert.rejects(
      mine,
      (error: unknown) => isDuelineError(error, 'storage') && /^Sync cannot start/.test(error.message),
    );
    rmSync(folder, { recursive: true });
    await assert.rejects(
      lock.runExclusive(async () => 'mine', never),
      (error: unknown) => isDuelineError(error, 'storage'),
    );
    mkdirSync(folder);
    assert.equal(await lock.runExclusive(async () => 'mine', never), 'mine');
  });

  it('passes on the error of its work, and is then free', async () => {
    const lock = new SyncLock(folder, { now: () => 0 });
    await assert.rejects(
      lock.runExclusive(() => Promise.reject(new Error('mine')), never),
      /mine/,
    );
    assert.equal(await new SyncLock(folder, { now: () => 0 }).runExclusive(async () => 'next', never), 'next');
  });
});

it('the removal of an account waits for a sync, and does nothing if it is canceled before', async () => {
  const devices = new Devices();
  const server = await AServer.start();
  try {
    server.addList('tasks');
    const engine = await devices.open(server);
    const [account] = engine.accounts();
    let release = () => {};
    const held = new Promise<void>(resolve => {
      release = resolve;
    });
    server.hook = async (_, next) => {
      await held;
      return next();
    };
    const sync = engine.sync();
    const stop = new AbortController();
    const removal = engine.removeAccount(account!.id, { signal: stop.signal });
    stop.abort();
    release();
    await assert.rejects(removal, (error: unknown) => isDuelineError(error, 'cancelled'));
    await sync;
    assert.equal(engine.accounts().length, 1);
    await engine.removeAccount(account!.id);
    assert.equal(engine.accounts().length, 0);
  } finally {
    await devices.close();
    await server.stop();
  }
});

describe('a store that can only be read', () => {
  it('rejects a sync and the removal of an account at once', async () => {
    const devices = new Devices();
    const server = await AServer.start();
    try {
      server.addList('tasks');
      const folder = devices.folder();
      const before = await devices.open(server, { folder });
      await before.close();
      // A newer version leaves such a journal.
      const journal = join(folder, 'store', 'j-00000000.jsonl');
      const lines = readFileSync(journal, 'utf8').trim().split(/\n+/);
      const head = JSON.stringify({ ...JSON.parse(lines[0]!.slice(9)), schema: 99 });
      writeFileSync(journal, [`${crc32(new TextEncoder().encode(head))} ${head}`, ...lines.slice(1), ''].join('\n'));
      const engine = await devices.start({ folder });
      const isReadOnly = (error: unknown) => isDuelineError(error, 'readOnly');
      const sync = engine.sync();
      const removal = engine.removeAccount(engine.accounts()[0]!.id);
      await assert.rejects(sync, isReadOnly);
      await assert.rejects(removal, isReadOnly);
    } finally {
      await devices.close();
      await server.stop();
    }
  });
});
