import assert from 'node:assert/strict';
import { join } from 'node:path';
import { systemClock } from '../../src/core/time/clock';
import { openTaskStore } from '../../src/store/taskStore';
import { SyncLedger } from '../../src/sync/state/syncLedger';
import { type Server, startRadicale } from '../interop/support/servers';
import { Session } from './support/driver';
import { connect, titles } from './support/engine';
import { Peer } from './support/peer';
import { until } from './support/wait';
import type { Window } from './support/window';

const timeoutMs = 60_000;

describe('a task that is in two lists since it was moved', () => {
  let server: Server;
  let session: Session;
  let window: Window;
  let errands: Peer;
  before(async () => {
    server = await startRadicale();
    session = await Session.open({
      size: { width: 1200, height: 760 },
      settings: { 'dueline.sync.enabled': false },
    });
    window = session.window;
    await window.view();
    errands = new Peer(server, '/anna/errands/');
    await errands.makeList('Errands');
    await new Peer(server, '/anna/later/').makeList('Later');
  });
  afterEach(function () {
    return window.tidy(this.currentTest);
  });
  after(async () => {
    await session?.close();
    await server.stop();
  });

  const sync = () =>
    window.run(async vscode => {
      await (await vscode.extensions.getExtension('dueline.dueline')!.activate()).sync();
    });

  /** As if the two lists had had it for an hour. */
  const waitAnHour = async () => {
    const store = await openTaskStore({
      folder: join(session.server.user, 'globalStorage/dueline.dueline/store'),
      clock: systemClock,
    });
    const memory = new SyncLedger(await store.sidecar());
    const hour = 3_600_000;
    const pairs = memory.moved().flatMap(([uid, { pair, ...moved }]) => (pair ? [{ uid, pair, moved }] : []));
    assert.equal(pairs.length, 1);
    for (const { uid, pair, moved } of pairs)
      await memory.putMoved([[uid, { ...moved, pair: { ...pair, since: pair.since - hour } }]]);
    memory.dispose();
    await store.close();
  };

  /** The task is moved to Later, and someone puts it into Errands again. */
  const makeTwo = async (uid: string) => {
    await errands.put(uid, `SUMMARY:Buy ${uid}`);
    await sync();
    await window.run(async (vscode, uid) => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      const later = api.lists().find((list: { name: string }) => list.name === 'Later');
      const { task } = api.query('list:Errands').find((row: { task: { uid: string } }) => row.task.uid === uid);
      await api.moveTask(task.id, { listId: later.id });
      await api.sync();
    }, uid);
    await errands.put(uid, `SUMMARY:Buy white ${uid}`);
    await sync();
    await waitAnHour();
    await sync();
  };

  it('is shown under both lists and among the conflicts, and stays in the list that is chosen', async () => {
    await connect(window, server, 'Home server');
    await makeTwo('bread');
    const notes = window.rows('1 possible duplicate');
    for (const [at, list] of ['Errands', 'Later'].entries()) {
      await window.rows(list).first().locator('.monaco-tl-twistie').click();
      await notes.nth(at).waitFor({ timeout: timeoutMs });
    }
    await notes.first().click();
    await window.pick('Buy bread');
    await window.pick('Merge…');
    await window.page.locator('.tab').filter({ hasText: '↔' }).waitFor({ timeout: timeoutMs });
    await window.page.getByText('SUMMARY:Buy white bread').first().waitFor({ timeout: timeoutMs });
    await window.pick(/^\W*Keep in \W*Errands/);
    await until('one to be left', timeoutMs, async () => (await titles(window, 'bread')).length === 1);
    assert.deepEqual(await titles(window, 'bread'), ['Buy white bread']);
    await notes.first().waitFor({ state: 'detached', timeout: timeoutMs });
  });

  it('stays in both where both are kept, and is shown no more', async () => {
    await makeTwo('milk');
    const notes = window.rows('1 possible duplicate');
    await notes.first().waitFor({ timeout: timeoutMs });
    await notes.first().click();
    await window.pick('Buy milk');
    await window.pick('Keep Both');
    await notes.first().waitFor({ state: 'detached', timeout: timeoutMs });
    assert.equal((await titles(window, 'milk')).length, 2);
  });
});
