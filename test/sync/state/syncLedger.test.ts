import assert from 'node:assert/strict';
import { SyncLedger } from '../../../src/sync/state/syncLedger';
import { aWorld } from '../support/world';

describe('the sync ledger', () => {
  const world = aWorld();

  it('reads the orphans, detached lists and refused credentials that an earlier version wrote', async () => {
    const device = await world.device();
    const store = world.devices.storeOf(device.engine);
    const sidecar = await store.sidecar();
    const detached = { accountId: 1, href: '/home/old/', name: 'Old', color: 0, rows: [] };
    const old = { uprooted: { 7: { at: 1 } }, noReports: 2, left: detached, wasDeleted: true, mayEmpty: true };
    await sidecar.put('syncLists', [['77', old]]);
    await sidecar.put('syncAccounts', [['88', { refused: 'hash', failures: 3 }]]);
    const ledger = new SyncLedger(sidecar);
    const now = { orphans: old.uprooted, reportsFailedAt: 2, detached, deletedOnServer: true, mayEmpty: true };
    assert.deepEqual(ledger.list(77), now);
    assert.deepEqual(ledger.account(88), { refusedCredentials: 'hash', failures: 3 });
    await ledger.updateList(77, { mayEmpty: undefined });
    await ledger.updateAccount(88, { failures: 4 });
    assert.ok(!('uprooted' in sidecar.get<object>('syncLists', '77')!));
    assert.deepEqual(ledger.account(88), { refusedCredentials: 'hash', failures: 4 });
    ledger.dispose();
  });

  it('announces only changes of a list that the user sees', async () => {
    const device = await world.device();
    const ledger = new SyncLedger(await world.devices.storeOf(device.engine).sidecar());
    let changes = 0;
    ledger.onDidChange(() => changes++);
    await ledger.updateList(77, { mayEmpty: true });
    assert.equal(changes, 0);
    await ledger.updateList(77, { isPaused: true });
    await ledger.updateList(77, { skipped: { '/a.ics': { etag: '1', hasOthers: true } } });
    assert.equal(changes, 2);
    await ledger.updateList(77, { isPaused: true });
    assert.equal(changes, 2);
    ledger.dispose();
  });
});
