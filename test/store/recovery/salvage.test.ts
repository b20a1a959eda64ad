import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { diskFiles, type Files } from '../../../src/store/journal/files';
import { recordLines } from '../../../src/store/journal/record';
import { aList, bytesIn, firstJournal, namesIn, Scratch, user } from '../support/store';

/** A copy with one bit flipped in each of these lines, counted from the first, or from the last (-1). */
function flipped(bytes: Uint8Array, ...lines: readonly number[]): Uint8Array {
  const copy = bytes.slice();
  for (const line of lines) copy[[...recordLines(bytes)].at(line)!.byteOffset - bytes.byteOffset + 60]! ^= 1;
  return copy;
}

const withoutSnapshots: Files = {
  ...diskFiles,
  writeWhole: (path, bytes) =>
    path.endsWith('.db') ? Promise.reject(new Error('no snapshot')) : diskFiles.writeWhole(path, bytes),
};

describe('edits behind damage', () => {
  const scratch = new Scratch();
  afterEach(() => scratch.clean());

  it('are recovered beside what was made since, which has other rows', async () => {
    const folder = scratch.folder();
    let store = await scratch.store(folder);
    await store.edit(user, tx => aList(tx, 'Inbox', 'a', 'b'));
    await store.edit(user, tx => tx.updateTask(1, { title: 'damaged' }));
    await store.edit(user, tx => aList(tx, 'Lost list', 'lost in it'));
    await store.edit(user, tx => {
      const parent = tx.insertTask({ listId: 1, uid: 'lost', title: 'lost' });
      tx.insertTask({ listId: 1, uid: 'child', title: 'lost child', parentId: parent });
      tx.updateTask(parent, { alarms: [{ minutesBefore: 5 }] });
    });
    await store.close();
    const journal = join(folder, 'store', firstJournal);
    writeFileSync(journal, flipped(bytesIn(journal), -3));
    store = await scratch.store(folder);
    await store.edit(user, tx => {
      const { tasks } = aList(tx, 'New list', 'new in it');
      tx.updateTask(tasks[0]!, { alarms: [{ minutesBefore: 10 }] });
      tx.insertTask({ listId: 1, uid: 'new', title: 'new' });
    });
    assert.equal(await store.data.salvage(), 2);
    const found = store.selectTasks('1', [], 'ORDER BY t.title').map(({ title, listId, parentId, alarms }) => ({
      title,
      list: store.list(listId)?.name,
      parent: parentId === null ? null : store.task(parentId)?.title,
      alarms: alarms.map(({ minutesBefore }) => minutesBefore),
    }));
    assert.deepEqual(found, [
      { title: 'a', list: 'Inbox', parent: null, alarms: [] },
      { title: 'b', list: 'Inbox', parent: null, alarms: [] },
      { title: 'lost', list: 'Inbox', parent: null, alarms: [5] },
      { title: 'lost child', list: 'Inbox', parent: 'lost', alarms: [] },
      { title: 'lost in it', list: 'Lost list', parent: null, alarms: [] },
      { title: 'new', list: 'Inbox', parent: null, alarms: [] },
      { title: 'new in it', list: 'New list', parent: null, alarms: [10] },
    ]);
  });

  it('are recovered without those before it, even if one of the two heads is damaged, too', async () => {
    const folder = scratch.folder();
    let store = await scratch.store(folder);
    await store.edit(user, tx => aList(tx, 'Inbox', 'a', 'b'));
    await store.edit(user, tx => tx.updateTask(1, { title: 'damaged' }));
    await store.edit(user, tx => tx.updateTask(2, { title: 'behind' }));
    await store.close();
    const journal = join(folder, 'store', firstJournal);
    writeFileSync(journal, flipped(bytesIn(journal), 0, -2));
    store = await scratch.store(folder);
    await store.edit(user, tx => tx.updateTask(1, { title: 'mine' }));
    assert.equal(await store.data.salvage(), 1);
    assert.deepEqual([store.task(1)?.title, store.task(2)?.title], ['mine', 'behind']);
  });

  it('are kept if a window makes one just before the damaged journal ends', async () => {
    const folder = scratch.folder();
    const first = join(folder, 'store', firstJournal);
    let store = await scratch.store(folder, { files: withoutSnapshots, compactAt: 1_000 });
    await store.edit(user, tx => aList(tx, 'Inbox', 'a', 'b', 'c'));
    await store.edit(user, tx => tx.updateTask(1, { title: 'damaged', description: 'x'.repeat(1_000) }));
    await store.close();
    store = await scratch.store(folder, { files: withoutSnapshots });
    await store.edit(user, tx => tx.updateTask(2, { title: 'in the next journal' }));
    await store.close();
    const [bytes, copy] = [bytesIn(first), scratch.folder()];
    const unsealed = bytes.slice(0, [...recordLines(bytes)].at(-1)!.byteOffset - bytes.byteOffset);
    const [, next] = namesIn(folder, /^j-/).map(name => join('store', name));
    mkdirSync(join(copy, 'store'));
    writeFileSync(join(copy, 'store', firstJournal), unsealed);
    const asleep = await scratch.store(copy, { files: { ...withoutSnapshots, watch: () => ({ dispose() {} }) } });
    writeFileSync(join(copy, 'store', firstJournal), flipped(unsealed, -1));
    writeFileSync(join(copy, next!), bytesIn(join(folder, next!)));
    let isCopied = false;
    const writeWhole: Files['writeWhole'] = async (path, content) => {
      await diskFiles.writeWhole(path, content);
      if (isCopied || !path.includes('quarantine') || !path.endsWith(firstJournal)) return;
      isCopied = true;
      await asleep.edit(user, tx => tx.updateTask(3, { title: 'meanwhile' }));
    };
    store = await scratch.store(copy, { files: { ...diskFiles, writeWhole } });
    assert.equal(isCopied, true);
    assert.equal(await store.data.salvage(), 2);
    assert.deepEqual(
      [1, 2, 3].map(id => store.task(id)?.title),
      ['a', 'in the next journal', 'meanwhile'],
    );
  });
});
