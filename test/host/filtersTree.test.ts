import assert from 'node:assert/strict';
import type { DuelineEngine } from '../../src/api';
import { FiltersTree } from '../../src/views/filtersTree';
import type { Parts } from '../../src/views/parts';
import { TaskSelection } from '../../src/views/selection';
import { duelineApi } from './api';

describe('the Filters tree', () => {
  it('has its tasks in the order of the widgets', async () => {
    const engine = (await duelineApi()) as DuelineEngine;
    const tree = new FiltersTree(
      { engine, selection: new TaskSelection() } as Partial<Parts> as Parts,
      'dueline.filters',
    );
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
});
