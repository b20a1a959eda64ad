import assert from 'node:assert/strict';
import { applyItems } from '../../../src/sync/resources/applyItems';
import { Scratch } from '../../store/support/store';
import { calendar, todo, todoText } from '../support/texts';

describe('a text that is too large to be read', () => {
  const scratch = new Scratch();
  afterEach(() => scratch.clean());

  it('says nothing about the task at its address, also if others changed hands', async () => {
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

describe('what was sent without an answer for a task that is gone since', () => {
  const scratch = new Scratch();
  afterEach(() => scratch.clean());

  it('is to be deleted there, though another task is at its address until its own one is taken in', async () => {
    const store = await scratch.store(scratch.folder());
    const [listId, id] = await store.edit({ origin: 'sync' }, tx => {
      const accountId = tx.insertAccount({ displayName: 'Cloud' });
      const list = tx.insertList({ name: 'Shared', color: 0, accountId, href: '/shared/' });
      return [list, tx.insertTask({ listId: list, uid: 'a', title: 'A', href: '/shared/1.ics', etag: '"1"' })];
    });
    const sent = todoText('b', 'SUMMARY:B');
    const context = {
      listId,
      now: 0,
      baseOf: () => undefined,
      sentTo: (href: string) => (href === '/shared/1.ics' ? sent : undefined),
      sentRow: () => undefined,
      waiting: undefined,
      gone: new Set<string>(),
      mayChangeUids: false,
    };
    const items = [
      { href: '/shared/1.ics', etag: '"2"', text: sent },
      { href: '/shared/2.ics', etag: '"3"', text: todoText('a', 'SUMMARY:A') },
    ];
    const { leftovers } = await store.edit({ origin: 'sync' }, tx => applyItems(tx, items, context));
    assert.deepEqual(leftovers, [items[0]]);
    const [a, ...others] = store.tasksOfList(listId);
    assert.deepEqual([a?.id, a?.href, a?.etag, others], [id, '/shared/2.ics', '"3"', []]);
  });
});
