import assert from 'node:assert/strict';
import type { DuelineEngine } from '../../src/api';
import type { Id } from '../../src/core/kernel/model';
import type { SyncStatus } from '../../src/core/sync/syncState';
import { pick } from '../support/pick';
import { Devices } from '../sync/support/devices';
import { howToInstall, isInstalled, type Server, startRadicale } from './support/servers';

describe('conflicts and decisions in sync (Radicale)', function () {
  this.timeout(60_000);
  let server: Server;
  let devices: Devices;
  let here: DuelineEngine;
  let there: DuelineEngine;
  let list: Id;
  before(async function () {
    if (!isInstalled('radicale')) {
      console.log(`      ${howToInstall('radicale')}`);
      this.skip();
    }
    server = await startRadicale();
  });
  after(() => server?.stop());
  beforeEach(async () => {
    devices = new Devices();
    here = await devices.open(server);
    list = await here.createList({ name: `Shared ${performance.now()}`, accountId: accountOf(here) });
    await synced(here);
    there = await devices.open(server);
    await synced(there);
  });
  afterEach(() => devices.close());

  const accountOf = (engine: DuelineEngine) => engine.accounts()[0]!.id;
  const syncStatus = (engine: DuelineEngine): SyncStatus => engine.syncing!;
  const nameOf = (id: Id) => here.lists().find(one => one.id === id)!.name;
  const counterpart = () => there.lists().find(({ name }) => name === nameOf(list))!.id;
  const synced = async (engine: DuelineEngine) => {
    const report = await engine.sync();
    assert.deepEqual(
      report.accounts.map(({ error, rowErrors }) => ({ error, rowErrors })),
      report.accounts.map(() => ({ error: null, rowErrors: [] })),
    );
    return report;
  };
  const byTitle = (engine: DuelineEngine, listId: Id, title: string) =>
    engine.rows(listId).find(row => row.title === title && !row.isDeleted);
  const inText = async (engine: DuelineEngine, id: Id) => (await syncStatus(engine).serverCopy(id)).text;

  /** The same task renamed on both devices; here the server's name stays. */
  async function clash(): Promise<Id> {
    const id = await here.createTask(list, { title: 'Plan', description: 'first' });
    await synced(here);
    await synced(there);
    await there.updateTask(byTitle(there, counterpart(), 'Plan')!.id, { title: 'Their plan' });
    await synced(there);
    await here.updateTask(id, { title: 'My plan', priority: 2 });
    await synced(here);
    assert.equal(here.task(id)?.title, 'Their plan');
    assert.equal(here.task(id)?.priority, 2);
    return id;
  }

  it('25: keeps the losing title, and shows it beside the server’s', async () => {
    const id = await clash();
    const [conflict] = syncStatus(here).conflicts();
    assert.equal(conflict?.taskId, id);
    assert.deepEqual(
      conflict.lost.map(({ field, mine, server: kept }) => ({ field, mine, kept })),
      [{ field: 'title', mine: { title: 'My plan' }, kept: { title: 'Their plan' } }],
    );
    assert.match(conflict.mine, /SUMMARY:My plan/);
    assert.match(conflict.server, /SUMMARY:Their plan/);
    assert.deepEqual(
      here.query('is:conflicted').map(({ task }) => task.id),
      [id],
    );
  });

  it('mine: the single field is restored, sent, and can be undone', async () => {
    const id = await clash();
    await syncStatus(here).resolveConflict(syncStatus(here).conflicts()[0]!.id, 'mine');
    assert.equal(here.task(id)?.title, 'My plan');
    assert.deepEqual(syncStatus(here).conflicts(), []);
    const waiting = syncStatus(here).pendingChanges();
    assert.deepEqual(
      waiting.map(({ kind, taskId }) => ({ kind, taskId })),
      [{ kind: 'change', taskId: id }],
    );
    assert.deepEqual(here.query('is:conflicted'), []);
    await synced(here);
    await synced(there);
    assert.ok(byTitle(there, counterpart(), 'My plan'));
    assert.deepEqual(syncStatus(here).pendingChanges(), []);
  });

  it('both: mine becomes a task of its own', async () => {
    await clash();
    await syncStatus(here).resolveConflict(syncStatus(here).conflicts()[0]!.id, 'both');
    await synced(here);
    await synced(there);
    assert.deepEqual(
      there
        .rows(counterpart())
        .map(({ title }) => title)
        .sort(),
      ['My plan', 'Their plan'],
    );
    await assert.rejects(syncStatus(here).resolveConflict('gone', 'mine'), { kind: 'notFound' });
  });

  it('resolves at once if the setting says so', async () => {
    here.configure({ conflictPolicy: 'localWins' });
    const id = await here.createTask(list, { title: 'Plan' });
    await synced(here);
    await synced(there);
    await there.updateTask(byTitle(there, counterpart(), 'Plan')!.id, { title: 'Their plan' });
    await synced(there);
    await here.updateTask(id, { title: 'My plan' });
    await synced(here);
    assert.equal(here.task(id)?.title, 'My plan');
    assert.deepEqual(syncStatus(here).conflicts(), []);
    await synced(here);
    assert.match(await inText(here, id), /SUMMARY:My plan/);
  });

  it('28: a task deleted here and edited there is restored, and can be deleted for good', async () => {
    const id = await here.createTask(list, { title: 'Plan' });
    await synced(here);
    await synced(there);
    await there.updateTask(byTitle(there, counterpart(), 'Plan')!.id, { description: 'important' });
    await synced(there);
    await here.deleteTask(id);
    await synced(here);
    assert.equal(here.task(id)?.description, 'important');
    const [conflict] = syncStatus(here).conflicts();
    assert.equal(conflict?.reason, 'keptDeleted');
    await syncStatus(here).resolveConflict(conflict.id, 'mine');
    await synced(here);
    await synced(there);
    assert.deepEqual(there.rows(counterpart()), []);
  });

  it('lists pending changes by kind, with what will be sent', async () => {
    const changed = await here.createTask(list, { title: 'Changed' });
    const gone = await here.createTask(list, { title: 'Gone' });
    const moved = await here.createTask(list, { title: 'Moved' });
    await synced(here);
    assert.deepEqual(syncStatus(here).pendingChanges(), []);
    const fresh = await here.createTask(list, { title: 'Fresh' });
    await here.updateTask(changed, { title: 'Changed more' });
    await here.deleteTask(gone);
    const other = await here.createList({ name: 'Other', accountId: accountOf(here) });
    await here.moveTask(moved, { listId: other });
    await here.updateList(list, { color: 0xff112233 | 0 });
    assert.deepEqual(
      syncStatus(here)
        .pendingChanges()
        .map(({ kind, title, error }) => ({ kind, title, error }))
        .toSorted((one, other) => one.kind.localeCompare(other.kind)),
      [
        { kind: 'change', title: 'Changed more', error: null },
        { kind: 'create', title: 'Fresh', error: null },
        { kind: 'delete', title: 'Gone', error: null },
        { kind: 'listChange', title: nameOf(list), error: null },
        { kind: 'move', title: 'Moved', error: null },
        { kind: 'newList', title: 'Other', error: null },
      ],
    );
    const text = await syncStatus(here).pendingText(changed);
    assert.match(text.before, /SUMMARY:Changed\r/);
    assert.match(text.after, /SUMMARY:Changed more\r/);
    assert.equal((await syncStatus(here).pendingText(fresh)).before, '');
    assert.equal((await syncStatus(here).pendingText(gone)).after, '');
    await synced(here);
    assert.deepEqual(syncStatus(here).pendingChanges(), []);
    assert.equal(here.task(moved)?.listId, other);
    await here.deleteList(other);
  });

  it('60: renames, recolors and deletes a list on the server', async () => {
    const id = counterpart();
    await here.updateList(list, { name: `${nameOf(list)} again`, color: 0xffdb2777 | 0 });
    await synced(here);
    await synced(there);
    const seen = () => there.lists().find(one => one.id === id);
    assert.equal(seen()?.name, nameOf(list));
    assert.equal(seen()?.color, 0xffdb2777 | 0);
    await here.deleteList(list);
    await synced(there);
    assert.equal(seen(), undefined);
  });

  it('moves a local list into an account and back', async () => {
    const local = await here.createList({ name: `Local ${performance.now()}` });
    const parent = await here.createTask(local, { title: 'Parent' });
    await here.createTask(local, { title: 'Child', parentId: parent });
    const name = nameOf(local);
    assert.equal(await here.moveListToAccount(local, accountOf(here)), local);
    await synced(here);
    await synced(there);
    const remote = there.lists().find(one => one.name === name)!.id;
    assert.equal(byTitle(there, remote, 'Child')?.parentId, byTitle(there, remote, 'Parent')?.id);
    const back = await here.moveListToAccount(local, null);
    assert.equal(byTitle(here, back, 'Child')?.parentId, byTitle(here, back, 'Parent')?.id);
    await synced(here);
    await synced(there);
    assert.deepEqual(there.rows(remote), []);
    assert.equal(here.rows(back).length, 2);
  });

  it('shows the server’s copy, or its last known version if the server does not answer', async () => {
    let isOff = false;
    const flaky: typeof fetch = (...args) => (isOff ? Promise.reject(new TypeError('fetch failed')) : fetch(...args));
    const third = await devices.open(server, { fetch: flaky });
    await here.createTask(list, { title: 'Seen' });
    await synced(here);
    await synced(third);
    const mine = third.lists().find(({ name }) => name === nameOf(list))!.id;
    const id = byTitle(third, mine, 'Seen')!.id;
    assert.equal((await syncStatus(third).serverCopy(id)).isCurrent, true);
    isOff = true;
    const { text, isCurrent } = await syncStatus(third).serverCopy(id);
    assert.equal(isCurrent, false);
    assert.match(text, /SUMMARY:Seen/);
    await third.sync();
    const state = syncStatus(third).accountState(accountOf(third));
    assert.equal(state.problem, 'waiting');
    assert.ok(state.nextTry! >= devices.clock.now());
    isOff = false;
    const quiet = await third.sync({ trigger: 'schedule' });
    assert.equal(quiet.accounts.length, state.nextTry! > devices.clock.now() ? 0 : 1);
    devices.clock.time += 3_600_000;
    assert.equal((await third.sync({ trigger: 'schedule' })).accounts.length, 1);
    assert.equal(syncStatus(third).accountState(accountOf(third)).problem, 'none');
  });

  it('asks for a refused password, accepts only a good one, and does not retry by itself meanwhile', async () => {
    const secrets = new Map<string, string>();
    const box = {
      get: async (key: string) => secrets.get(key),
      set: async (key: string, value: string) => void secrets.set(key, value),
      delete: async (key: string) => void secrets.delete(key),
    };
    const third = await devices.open(server, { secrets: box });
    const id = accountOf(third);
    const [key] = secrets.keys();
    const kept = secrets.get(key!)!;
    secrets.set(key!, kept.replace(server.password, 'wrong'));
    assert.match((await third.sync()).accounts[0]!.error!, /rejected the username or password/);
    assert.deepEqual(pick(syncStatus(third).accountState(id), 'problem', 'remedy'), {
      problem: 'action',
      remedy: 'password',
    });
    devices.clock.time += 24 * 3_600_000;
    assert.deepEqual((await third.sync({ trigger: 'schedule' })).accounts, []);
    await assert.rejects(syncStatus(third).setPassword(id, 'wrong too'), { kind: 'auth' });
    assert.equal(secrets.get(key!), kept.replace(server.password, 'wrong'));
    await syncStatus(third).setPassword(id, server.password);
    assert.equal((await third.sync({ trigger: 'schedule' })).accounts[0]?.error, null);
    assert.equal(syncStatus(third).accountState(id).problem, 'none');
  });

  it('17: a list that is suddenly empty waits for the user to confirm', async () => {
    for (let at = 0; at < 6; at++) await here.createTask(list, { title: `Task ${at}` });
    await synced(here);
    await synced(there);
    await here.apply(here.rows(list).map(({ id }) => ({ type: 'delete', id })));
    await synced(here);
    // An emptied server looks like this to someone whose token it does not know any more.
    const id = counterpart();
    await syncStatus(there).decideEmptied(id, 'askAgain');
    const report = await there.sync();
    if (syncStatus(there).emptiedLists().length > 0) {
      assert.match(report.accounts[0]!.error!, /gone from the server/);
      assert.equal(there.rows(id).length, 6);
      await syncStatus(there).decideEmptied(id, 'deleteHere');
      await synced(there);
    }
    assert.deepEqual(there.rows(id), []);
    assert.deepEqual(syncStatus(there).emptiedLists(), []);
  });

  it('keeps titles and passwords out of the log', async () => {
    const lines: string[] = [];
    syncStatus(here).onDidLog(({ text }) => lines.push(text));
    await clash();
    assert.ok(lines.some(line => /requests/.test(line)));
    assert.doesNotMatch(lines.join('\n'), /plan|pä|shared/i);
  });

  it('pauses in every window on the store', async () => {
    await syncStatus(here).setPaused(true);
    assert.equal(syncStatus(here).isPaused, true);
    await syncStatus(here).setPaused(false);
    assert.equal(syncStatus(here).isPaused, false);
  });
});
