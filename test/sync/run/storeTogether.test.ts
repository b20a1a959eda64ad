import assert from 'node:assert/strict';
import { storeTogether } from '../../../src/sync/run/applyBatches';
import { newTally, type PullRun } from '../../../src/sync/run/runContext';
import { SyncLedger } from '../../../src/sync/state/syncLedger';
import { clock, Scratch } from '../../store/support/store';
import { MemoryServer } from '../support/memoryRemote';
import { calendar, todo, todoText } from '../support/texts';

describe('resources that exchanged addresses, with one that cannot be stored', () => {
  const scratch = new Scratch();
  afterEach(() => scratch.clean());

  it('are stored one by one, each text read only a few times', async () => {
    const count = 40;
    const store = await scratch.store(scratch.folder());
    const override = (day: number) => todo('s', `SUMMARY:On ${day}`, `RECURRENCE-ID:2026110${day}T090000Z`);
    const series = todo('s', 'SUMMARY:Series', 'DTSTART:20261101T090000Z', 'RRULE:FREQ=DAILY');
    const dayOf = (day: number) => Date.UTC(2026, 10, day, 9);
    const [accountId, listId] = await store.edit({ origin: 'sync' }, tx => {
      const account = tx.insertAccount({ displayName: 'Cloud' });
      const list = tx.insertList({ name: 'Shared', color: 0, accountId: account, href: '/shared/' });
      const at = (href: string, uid: string) => ({ listId: list, uid, title: uid, href, etag: '"1"' });
      for (let n = 0; n < count; n++) tx.insertTask(at(`/shared/${n}.ics`, `u${n}`));
      tx.insertTask(at('/shared/s.ics', 's'));
      tx.insertTask({ ...at('/shared/s.ics', 's'), recurrenceId: dayOf(2) });
      tx.insertTask({ ...at('/shared/alone.ics', 's'), recurrenceId: dayOf(3) });
      return [account, list];
    });
    const account = store.account(accountId)!;
    const [remote, ledger] = [new MemoryServer().connect(), new SyncLedger(await store.sidecar())];
    const tally = newTally();
    const run = { store, ledger, remote, account, listId, clock, tally } as Partial<PullRun> as PullRun;
    let reads = 0;
    const moved = Array.from({ length: count }, (_, n) => ({
      href: `/shared/${(n + 1) % count}.ics`,
      etag: '"2"',
      get text() {
        reads++;
        return todoText(`u${n}`, `SUMMARY:New ${n}`);
      },
    }));
    const items = [
      ...moved,
      { href: '/shared/s.ics', etag: '"2"', text: calendar(series, override(2)) },
      { href: '/shared/alone.ics', etag: '"2"', text: calendar(override(2)) },
    ];
    await storeTogether(run, items, new Set(), items);
    const rows = store.selectTasks('t.list_id = ? AND t.uid != ?', [listId, 's']);
    for (const { uid, title, href } of rows) {
      const n = Number(uid.slice(1));
      assert.deepEqual([title, href], [`New ${n}`, `/shared/${(n + 1) % count}.ics`]);
    }
    assert.equal(rows.length, count);
    const occurrences = store.selectTasks('t.uid = ? AND t.recurrence_id IS NOT NULL', ['s']);
    assert.deepEqual(new Set(occurrences.map(({ title }) => title)), new Set(['On 2', 's']));
    assert.ok(reads <= 8 * count, `${reads} reads`);
  });
});
