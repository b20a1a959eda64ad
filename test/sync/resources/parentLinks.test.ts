import assert from 'node:assert/strict';
import type { Reader } from '../../../src/store/types';
import { ParentLinks, resolveParent } from '../../../src/sync/resources/parentLinks';
import { Scratch } from '../../store/support/store';

describe('parents that texts name', () => {
  const scratch = new Scratch();
  afterEach(() => scratch.clean());

  const depth = 150;
  const names = Array.from({ length: depth }, (_, at) => `t${at}`);
  /** The parent of each, which form one chain. */
  const waiting = Object.fromEntries(names.slice(1).map((uid, at) => [uid, names[at]!]));

  /** A list with these tasks, and how often a whole task is asked for by its ID. */
  async function aList() {
    const store = await scratch.store(scratch.folder());
    const listId = await store.edit({ origin: 'sync' }, tx => {
      const list = tx.insertList({ name: 'Deep', color: 0 });
      for (const uid of names) tx.insertTask({ listId: list, uid });
      return list;
    });
    const count = { tasks: 0 };
    const reader = new Proxy<Reader>(store, {
      get: (_, name) => {
        if (name === 'task') count.tasks++;
        const value = store[name as keyof Reader] as (...args: unknown[]) => unknown;
        return value.bind(store);
      },
    });
    return { store, listId, reader, count, uids: new Map(store.tasksOfList(listId).map(({ id, uid }) => [id, uid])) };
  }

  it('are found in a chain without reading it whole for each of its tasks', async () => {
    const { store, listId, reader, count, uids } = await aList();
    const links = new ParentLinks(reader, listId, waiting);
    assert.deepEqual(
      Object.fromEntries([...links.parents].map(([id, parent]) => [uids.get(id), uids.get(parent!)])),
      waiting,
    );
    assert.deepEqual([links.waiting, count.tasks], [{}, 0]);
    await store.edit({ origin: 'sync' }, tx => {
      for (const [id, parentId] of links.parents) tx.updateTask(id, { parentId });
    });
    const last = names.at(-1)!;
    assert.equal(resolveParent(reader, { listId, uid: 'new', isNew: true }, last)?.uid, last);
    assert.equal(resolveParent(reader, { listId, uid: names[0]! }, last), undefined, 'that would be a circle');
    assert.equal(count.tasks, 0);
  });

  it('end in no circle that is there already', async () => {
    const { store, listId, reader, uids } = await aList();
    const ids = [...uids.keys()];
    await store.edit({ origin: 'sync' }, tx => {
      tx.updateTask(ids[0]!, { parentId: ids[1]! });
      tx.updateTask(ids[1]!, { parentId: ids[0]! });
    });
    assert.equal(resolveParent(reader, { listId, uid: 't2' }, 't0')?.uid, 't0');
    const links = new ParentLinks(reader, listId, { t2: 't1' });
    assert.deepEqual([...links.parents], [[ids[2], ids[1]]]);
  });
});
