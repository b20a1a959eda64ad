import assert from 'node:assert/strict';
import type { DuelineEngine } from '../../src/api';
import { FiltersTree } from '../../src/views/tree/filtersTree';
import { duelineApi, run } from './support/api';

describe('the Filters tree', () => {
  it('has tasks in the order of the widgets', async () => {
    const engine = (await duelineApi()) as DuelineEngine;
    const tree = new FiltersTree(engine, 'dueline.filters');
    const listId = await engine.createList({ name: 'In turn' });
    const due = Date.UTC(2001, 0, 2);
    for (const title of ['Turn 10', 'Turn 9']) await engine.createTask(listId, { title, due, isAllDay: true });
    try {
      const overdue = (await tree.getChildren()).find(({ id }) => id === 'filter/builtIn:overdue')!;
      const labels = (await tree.getChildren(overdue)).map(row => String(tree.getTreeItem(row).label));
      assert.deepEqual(labels.map(label => /Turn \d+/.exec(label)?.[0]).filter(Boolean), ['Turn 9', 'Turn 10']);
      const [today] = engine.widget('today').groups;
      assert.deepEqual(
        today?.items.slice(0, 2).map(({ task }) => task.title),
        ['Turn 9', 'Turn 10'],
      );
    } finally {
      tree.dispose();
      await engine.deleteList(listId);
    }
  });

  it('offers to split a tag with commas, on every task together, and undoes it in one step', async () => {
    const engine = (await duelineApi()) as DuelineEngine;
    const listId = await engine.createList({ name: 'Joined' });
    const input = { title: 'Joined', tags: ['x', 'red,green', 'blue'] };
    const ids = [
      await engine.createTask(listId, input),
      await engine.createTask(listId, { ...input, tags: ['red,green'] }),
    ];
    await engine.completeTask(ids[1]!);
    const tree = new FiltersTree(engine, 'dueline.filters');
    const tags = () => ids.map(id => engine.task(id)!.tags);
    try {
      const folder = (await tree.getChildren()).find(({ id }) => id === 'tags')!;
      const kinds = (await tree.getChildren(folder)).map(node => [node.id, tree.getTreeItem(node).contextValue]);
      assert.ok(kinds.some(([id, kind]) => id === 'filter/tag:red,green' && kind === 'filter.tag.joined'));
      assert.ok(kinds.some(([id, kind]) => id === 'filter/tag:blue' && kind === 'filter.tag'));
      await run('dueline.tag.split', { filterId: 'tag:red,green' });
      assert.deepEqual(tags(), [
        ['x', 'red', 'green', 'blue'],
        ['red', 'green'],
      ]);
      await engine.undo();
      assert.deepEqual(tags(), [['x', 'red,green', 'blue'], ['red,green']]);
    } finally {
      tree.dispose();
      await engine.deleteList(listId);
    }
  });
});
