import assert from 'node:assert/strict';
import type { DuelineEngine } from '../../src/api';
import { FiltersTree } from '../../src/views/tree/filtersTree';
import type { MoreNode, TreeNode } from '../../src/views/tree/nodes';
import { firstPage } from '../../src/views/tree/pagination';
import { duelineApi } from './support/api';

/** Its row appears once the tree has seen that something is in it. */
async function trashOf(tree: FiltersTree): Promise<TreeNode> {
  for (;;) {
    const changed = new Promise<void>(resolve => {
      const listening = tree.onDidChangeTreeData(() => {
        listening.dispose();
        resolve();
      });
    });
    const found = (await tree.getChildren()).find(({ id }) => id === 'trash');
    if (found) return found;
    await changed;
  }
}

describe('the trash in the Filters tree', () => {
  it('appears below the other rows once something is in it', async () => {
    const engine = (await duelineApi()) as DuelineEngine;
    const purge = async () => engine.purge((await engine.trash()).map(({ key }) => key));
    await purge();
    const tree = new FiltersTree(engine, 'dueline.filters');
    try {
      const ids = async () => (await tree.getChildren()).map(({ id }) => id);
      const before = await ids();
      await tree.shown;
      assert.ok(!before.includes('trash'), String(before));
      const id = await engine.createTask(engine.defaultListId(), { title: 'Cast off' });
      await engine.deleteTask(id);
      await trashOf(tree);
      assert.deepEqual(await ids(), [...before, 'trash']);
    } finally {
      tree.dispose();
      await purge();
    }
  });

  it('shows a page at a time, and the first one again after it was collapsed', async () => {
    const engine = (await duelineApi()) as DuelineEngine;
    const tree = new FiltersTree(engine, 'dueline.filters');
    const listId = await engine.createList({ name: 'Thrown away' });
    const titles = Array.from({ length: firstPage + 3 }, (_, at) => `Thrown away ${at}`);
    const ids = await engine.apply(titles.map(title => ({ type: 'create', listId, input: { title } })));
    await engine.apply(ids.map(id => ({ type: 'delete', id })));
    try {
      const trash = await trashOf(tree);
      const rows = await tree.getChildren(trash);
      assert.equal(rows.length, firstPage + 1);
      const more = rows.at(-1) as MoreNode;
      assert.equal(more.kind, 'more');
      assert.match(String(tree.getTreeItem(rows[0]!).description), /Thrown away/);
      tree.showMore(more);
      const all = await tree.getChildren(trash);
      assert.equal(all.length, firstPage + more.count);
      tree.onCollapse(trash);
      assert.equal((await tree.getChildren(trash)).length, firstPage + 1);
    } finally {
      tree.dispose();
      const entries = (await engine.trash()).filter(entry => entry.listId === listId);
      await engine.purge(entries.map(({ key }) => key));
      await engine.deleteList(listId);
    }
  });
});
