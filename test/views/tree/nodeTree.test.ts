import assert from 'node:assert/strict';
import type { Occurrence } from '../../../src/core/kernel/model';
import type { RowRequest } from '../../../src/views/tree/branchRows';
import type { BranchNode, GroupNode, MoreNode, TaskNode, TreeNode } from '../../../src/views/tree/nodes';
import { RowNodes } from '../../../src/views/tree/nodeTree';
import { firstPage, nextPage } from '../../../src/views/tree/pagination';
import { pick } from '../../support/pick';
import { aRow } from '../support/rows';

const branch: BranchNode = { kind: 'list', id: 'list/1', listId: 1, parent: undefined };
const many = (count: number) => Array.from({ length: count }, (_, index) => aRow(index + 1));
const ids = (nodes: Iterable<TreeNode>) => [...nodes].map(({ id }) => id);

/** The nodes of one branch whose lines a test puts in. */
function nodesOf(first: readonly Occurrence[], groups?: RowRequest['groups']) {
  let lines = first;
  let count = 0;
  const grown: string[] = [];
  const nodes = new RowNodes(
    () => {
      count++;
      return { lines, nest: true, showClosed: false, group: groups ? 'priority' : 'none', groups };
    },
    ({ id }) => grown.push(id),
  );
  const put = (next: readonly Occurrence[]) => {
    lines = next;
    return ids(nodes.changed());
  };
  const grow = (next: readonly Occurrence[]) => {
    lines = next;
  };
  return { nodes, grown, put, grow, asked: () => count };
}

describe('the nodes of a tree', () => {
  it('are the same objects after a change', () => {
    const { nodes, put } = nodesOf([aRow(1), aRow(2)]);
    const before = nodes.childrenOf(branch);
    put([aRow(2), aRow(1), aRow(3)]);
    assert.deepEqual(ids(nodes.childrenOf(branch)), ['list/1/2', 'list/1/1', 'list/1/3']);
    assert.equal(nodes.childrenOf(branch)[1], before[0]);
  });

  it('are stale after a change if their row differs; the branch is if their order does', () => {
    const [one, two, step] = [aRow(1), aRow(2), aRow(3, { parentId: 2 })];
    const { nodes, put } = nodesOf([one, two, step]);
    const [, second] = nodes.childrenOf(branch);
    nodes.childrenOf(second as TaskNode);
    assert.deepEqual(put([one, aRow(2, { title: 'New' }), step]), ['list/1/2']);
    assert.deepEqual(put([one, aRow(2, { title: 'New' }), step, aRow(4, { parentId: 2 })]), ['list/1/2']);
    assert.deepEqual(put([two, one, step]), ['list/1']);
    assert.deepEqual(put([one]), ['list/1']);
  });

  it('stay those of a series while its next occurrence is changed, and name the task that they show', () => {
    const step = aRow(3, { parentId: 1 });
    const { nodes, put } = nodesOf([aRow(1), step, aRow(2)]);
    const [series, next] = nodes.childrenOf(branch) as TaskNode[];
    const [below] = nodes.childrenOf(series!);
    assert.deepEqual(put([aRow(9, { masterId: 1, title: 'Task 1' }), step, aRow(2)]), [series!.id]);
    assert.deepEqual([series!.taskId, nodes.childrenOf(branch)[0], nodes.childrenOf(series!)[0]], [9, series, below]);
    for (const id of [1, 9]) assert.equal(nodes.find(branch, id), series);
    for (const node of [series!, next!]) assert.deepEqual(nodes.besides(node), [1, 2]);
    assert.equal(nodes.find(branch, 3), below);
    assert.equal(nodes.neighborOf(next!, new Set([2])), series);
    assert.equal(nodes.neighborOf(next!, new Set([2, 9])), branch);
    assert.deepEqual(put([aRow(1), step, aRow(2)]), [series!.id]);
    assert.deepEqual([series!.taskId, nodes.childrenOf(branch)[0]], [1, series]);
  });

  it('are followed by the next row when they disappear, otherwise by the one before or the parent', () => {
    const { nodes } = nodesOf([aRow(1), aRow(2), aRow(3), aRow(4, { parentId: 3 })]);
    const [first, second, third] = nodes.childrenOf(branch) as TaskNode[];
    const [step] = nodes.childrenOf(third!) as TaskNode[];
    const besides = (node: TaskNode | undefined, ...gone: number[]) => nodes.neighborOf(node!, new Set(gone)).id;
    assert.equal(besides(first, 1), second!.id);
    assert.equal(besides(first, 1, 2), third!.id);
    assert.equal(besides(third, 3), second!.id);
    assert.equal(besides(step, 4), third!.id);
    assert.equal(besides(first, 1, 2, 3), branch.id);
  });

  it('are not searched if the lines are the same', () => {
    const lines = many(3);
    const { nodes, put } = nodesOf(lines);
    const rows = nodes.rowsOf(nodes.childrenOf(branch)[0] as TaskNode);
    assert.deepEqual(put(lines), []);
    assert.equal(nodes.rowsOf(nodes.childrenOf(branch)[0] as TaskNode), rows);
  });

  it('are up to date before a change is reported, and the report still follows', () => {
    const [one, step] = [aRow(1), aRow(2, { parentId: 1 })];
    const { nodes, grow, put } = nodesOf([one, step]);
    const [first] = nodes.childrenOf(branch) as TaskNode[];
    nodes.childrenOf(first!);
    grow([one, aRow(2, { parentId: 1, title: 'New' }), aRow(3)]);
    assert.deepEqual(ids(nodes.childrenOf(branch)), ['list/1/1', 'list/1/3']);
    assert.deepEqual(put([one, aRow(2, { parentId: 1, title: 'New' }), aRow(3)]), ['list/1']);
    grow([one, aRow(2, { parentId: 1, title: 'Newer' }), aRow(3)]);
    nodes.childrenOf(branch);
    assert.deepEqual(ids(nodes.changed()), ['list/1/2']);
    assert.deepEqual(put([one, aRow(2, { parentId: 1, title: 'Newer' }), aRow(3)]), []);
    grow([one, aRow(2, { parentId: 1, title: 'Newest' }), aRow(3)]);
    nodes.childrenOf(branch);
    assert.deepEqual(put([one, aRow(2, { parentId: 1, title: 'Newest' })]), ['list/1', 'list/1/2']);
  });

  it('are read again in a collapsed branch only if it is expanded after a change', () => {
    const { nodes, put, asked } = nodesOf([aRow(1)]);
    nodes.childrenOf(branch);
    nodes.onCollapse(branch);
    assert.deepEqual(put([aRow(1), aRow(2)]), ['list/1']);
    assert.deepEqual(put([aRow(1)]), []);
    assert.equal(asked(), 1);
    assert.deepEqual(ids(nodes.childrenOf(branch)), ['list/1/1']);
  });

  it('make the branch stale if its filter becomes unreadable', () => {
    let broken = false;
    const nodes = new RowNodes(
      () => {
        if (broken) throw new Error('due:soonish');
        return { lines: many(1), nest: false, showClosed: false, group: 'none' };
      },
      () => {},
    );
    nodes.childrenOf(branch);
    broken = true;
    assert.deepEqual(ids(nodes.changed()), ['list/1']);
    assert.throws(() => nodes.childrenOf(branch), /soonish/);
  });
});

describe('groups of a tree', () => {
  const byPriority: RowRequest['groups'] = rows =>
    [1, 5].flatMap(priority => {
      const roots = rows.roots.filter(key => rows.row(key)?.task.priority === priority);
      return roots.length === 0 ? [] : [{ key: `${priority}`, label: '', roots }];
    });
  const [one, two, three] = [aRow(1, { priority: 1 }), aRow(2, { priority: 1 }), aRow(3, { priority: 5 })];

  it('are between a branch and its rows', () => {
    const { nodes } = nodesOf([one, two, three], byPriority);
    const groups = nodes.childrenOf(branch) as GroupNode[];
    assert.deepEqual(ids(groups), ['list/1/priority:1', 'list/1/priority:5']);
    assert.deepEqual(ids(nodes.childrenOf(groups[0]!)), ['list/1/priority:1/1', 'list/1/priority:1/2']);
    assert.equal(nodes.find(branch, 3)?.parent, groups[1]);
  });

  it('are redrawn when rows are added, removed or moved, and the branch when they themselves are', () => {
    const { nodes, put } = nodesOf([one, two, three], byPriority);
    for (const group of nodes.childrenOf(branch) as GroupNode[]) nodes.childrenOf(group);
    const renamed = aRow(2, { priority: 1, title: 'New' });
    assert.deepEqual(put([one, renamed, three]), ['list/1/priority:1/2']);
    assert.deepEqual(put([one, aRow(2, { priority: 5 }), three]), [
      'list/1/priority:1',
      'list/1/priority:5',
      'list/1/priority:1/2',
    ]);
    assert.deepEqual(put([one, aRow(2, { priority: 1 })]), ['list/1']);
  });
});

describe('pages of a tree', () => {
  const more = (nodes: RowNodes) => nodes.childrenOf(branch).at(-1) as MoreNode;

  it('show a number of rows, then one node for the rest', () => {
    const { nodes } = nodesOf(many(firstPage + 2));
    assert.equal(nodes.childrenOf(branch).length, firstPage + 1);
    assert.deepEqual(pick(more(nodes), 'kind', 'count'), { kind: 'more', count: 2 });
    assert.equal(nodesOf(many(firstPage)).nodes.childrenOf(branch).length, firstPage);
  });

  it('grow by one page when that node is used', () => {
    const { nodes, grown } = nodesOf(many(firstPage + nextPage + 1));
    const first = nodes.showMore(more(nodes));
    assert.equal(first?.taskId, firstPage + 1);
    assert.deepEqual(grown, ['list/1']);
    assert.equal(nodes.childrenOf(branch).length, firstPage + nextPage + 1);
    assert.equal(more(nodes).count, 1);
    nodes.showMore(more(nodes));
    assert.equal(nodes.childrenOf(branch).length, firstPage + nextPage + 1);
    assert.equal(more(nodes).kind, 'task');
  });

  it('grow from the node that a collapsed branch still shows', () => {
    const { nodes } = nodesOf(many(firstPage + nextPage * 3));
    nodes.showMore(more(nodes));
    const second = more(nodes);
    nodes.onCollapse(branch);
    assert.equal(nodes.showMore(second)?.taskId, firstPage + nextPage + 1);
    assert.equal(nodes.childrenOf(branch).length, firstPage + nextPage * 2 + 1);
  });

  it('grow until they contain a row to reveal, below its parents', () => {
    const rows = [...many(firstPage * 2), aRow(firstPage * 5, { parentId: firstPage + 7 })];
    const { nodes, grown } = nodesOf(rows);
    const found = nodes.find(branch, firstPage * 5);
    assert.equal(found?.parent.id, `list/1/${firstPage + 7}`);
    assert.deepEqual(grown, ['list/1']);
    assert.ok(nodes.childrenOf(branch).includes(found?.parent as TaskNode));
    assert.equal(nodes.find(branch, 99_999), undefined);
  });

  it('are not redrawn when a row beyond them moves', () => {
    const rows = many(firstPage + 3);
    const { nodes, put } = nodesOf(rows);
    nodes.childrenOf(branch);
    const last = rows.at(-1)!;
    assert.deepEqual(put([...rows.slice(0, -2), last, rows.at(-2)!]), []);
    assert.deepEqual(put([last, ...rows.slice(0, -1)]), ['list/1']);
    assert.deepEqual(put([last, ...rows.slice(0, -2)]), ['list/1']);
  });

  it('apply below a task with many subtasks, too', () => {
    const steps = Array.from({ length: firstPage + 5 }, (_, index) => aRow(index + 2, { parentId: 1 }));
    const { nodes } = nodesOf([aRow(1), ...steps]);
    const [task] = nodes.childrenOf(branch);
    const below = nodes.childrenOf(task as TaskNode);
    assert.equal(below.length, firstPage + 1);
    assert.equal((below.at(-1) as MoreNode).count, 5);
  });
});
