import assert from 'node:assert/strict';
import { applyItems } from '../../../src/sync/resources/applyItems';
import { leaveTombstone } from '../../../src/sync/resources/taskMoves';
import { Scratch } from '../../store/support/store';
import { calendar, todo, todoText } from '../support/texts';

describe('a text that is too large to be parsed', () => {
  const scratch = new Scratch();
  afterEach(() => scratch.clean());

  it('does not change the task at its address, even if others moved', async () => {
    const store = await scratch.store(scratch.folder());
    const [listId, id] = await store.edit({ origin: 'sync' }, tx => {
      const accountId = tx.insertAccount({ displayName: 'Cloud' });
      const list = tx.insertList({ name: 'Shared', color: 0, accountId, href: '/shared/' });
      return [list, tx.insertTask({ listId: list, uid: 'a', title: 'A', href: '/shared/a.ics', etag: '"1"' })];
    });
    const nothing = { baseOf: () => undefined, sentTo: () => undefined, sentRow: () => undefined, waiting: undefined };
    const context = { ...nothing, listId, now: 0, gone: new Set<string>(), mayChangeUids: false };
    const tooLarge = calendar(...Array.from({ length: 10_001 }, () => todo('other')));
    const items = [
      { href: '/shared/a.ics', etag: '"2"', text: tooLarge },
      { href: '/shared/b.ics', etag: '"3"', text: todoText('a', 'SUMMARY:B') },
    ];
    const { faults, oversized, skipped } = await store.edit({ origin: 'sync' }, tx => applyItems(tx, items, context));
    assert.deepEqual([store.task(id)?.href, store.task(id)?.title], ['/shared/a.ics', 'A']);
    assert.deepEqual([[...oversized], [...faults.keys()]], [['/shared/a.ics'], [id]]);
    assert.deepEqual(skipped.get('/shared/b.ics'), { etag: '"3"', behind: 'a' });
  });
});

describe('a task sent without an answer that is no longer here', () => {
  const scratch = new Scratch();
  afterEach(() => scratch.clean());

  /** `b` was sent to the address of `a`, and the server has `a` elsewhere by now. */
  const setUp = async ({ isMoved }: { readonly isMoved: boolean }) => {
    const store = await scratch.store(scratch.folder());
    const made = await store.edit({ origin: 'sync' }, tx => {
      const accountId = tx.insertAccount({ displayName: 'Cloud' });
      const listId = tx.insertList({ name: 'Shared', color: 0, accountId, href: '/shared/' });
      const other = tx.insertList({ name: 'Two', color: 0, accountId, href: '/two/' });
      const a = tx.insertTask({ listId, uid: 'a', title: 'A', href: '/shared/1.ics', etag: '"1"' });
      const b = isMoved ? tx.insertTask({ listId: other, uid: 'b', title: 'B', isDirty: true }) : undefined;
      return { listId, a, b };
    });
    const sent = todoText('b', 'SUMMARY:B');
    const context = {
      listId: made.listId,
      now: 0,
      baseOf: () => undefined,
      sentTo: (href: string) => (href === '/shared/1.ics' ? sent : undefined),
      sentRow: () => made.b,
      waiting: undefined,
      gone: new Set<string>(),
      mayChangeUids: false,
    };
    const take = (text: string) => {
      const items = [
        { href: '/shared/1.ics', etag: '"2"', text },
        { href: '/shared/2.ics', etag: '"3"', text: todoText('a', 'SUMMARY:A') },
      ];
      return store.edit({ origin: 'sync' }, tx => applyItems(tx, items, context));
    };
    const placesOf = (uid: string) =>
      store.selectTasks('t.list_id = ? AND t.uid = ?', [made.listId, uid]).map(row => [row.id, row.href, row.etag]);
    return { store, ...made, sent, take, placesOf };
  };

  it('is deleted there if it was deleted here, even while another task has its address', async () => {
    const { a, sent, take, placesOf } = await setUp({ isMoved: false });
    const { leftovers, decided } = await take(sent);
    assert.deepEqual(decided, [['b', 'created there after it had gone here, to be deleted there']]);
    assert.deepEqual(
      leftovers.map(({ href, etag }) => [href, etag]),
      [['/shared/1.ics', '"2"']],
    );
    assert.deepEqual([placesOf('a'), placesOf('b')], [[[a, '/shared/2.ics', '"3"']], []]);
  });

  for (const [state, title] of [
    ['as it was sent', 'B'],
    ['edited', 'B2'],
  ] as const)
    it(`leaves a tombstone if it was moved, ${state}, until it is in its new list`, async () => {
      const { store, a, b, take, placesOf } = await setUp({ isMoved: true });
      const { leftovers } = await take(todoText('b', `SUMMARY:${title}`));
      assert.deepEqual(leftovers, []);
      const [tombstone] = store.selectTasks("t.uid = 'b' AND t.is_deleted = 1", []);
      assert.deepEqual(placesOf('b'), [[tombstone?.id, '/shared/1.ics', '"2"']]);
      assert.deepEqual(placesOf('a'), [[a, '/shared/2.ics', '"3"']]);
      assert.equal(store.task(b!)?.title, title);
    });
});

describe('a tombstone for a resource found on the server', () => {
  const scratch = new Scratch();
  afterEach(() => scratch.clean());

  it('does not change the row of another task at that address', async () => {
    const store = await scratch.store(scratch.folder());
    const [isLeft, id] = await store.edit({ origin: 'sync' }, tx => {
      const accountId = tx.insertAccount({ displayName: 'Cloud' });
      const listId = tx.insertList({ name: 'Shared', color: 0, accountId, href: '/shared/' });
      const id = tx.insertTask({ listId, uid: 'a', title: 'A', href: '/shared/1.ics', etag: '"1"' });
      const place = { listId, uid: 'b', href: '/shared/1.ics', etag: '"2"' };
      return [leaveTombstone(tx, place, undefined), id] as const;
    });
    assert.deepEqual([isLeft, store.task(id)?.etag], [false, '"1"']);
  });
});
