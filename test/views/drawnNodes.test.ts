import assert from 'node:assert/strict';
import { DrawnNodes } from '../../src/views/drawnNodes';
import type { BranchNode, TaskNode } from '../../src/views/nodes';

const list = (id: number): BranchNode => ({ kind: 'list', id: `list/${id}`, listId: id, parent: undefined });
const task = (id: number, parent: BranchNode | TaskNode): TaskNode => {
  const branch = parent.kind === 'task' ? parent.branch : parent;
  return { kind: 'task', id: `${branch.id}/${id}`, taskId: id, key: `${id}`, branch, parent };
};

describe('what an editor has of a tree', () => {
  const [work, home] = [list(1), list(2)];
  const parent = task(1, work);
  const step = task(2, parent);
  let drawn: DrawnNodes;
  beforeEach(() => {
    drawn = new DrawnNodes();
    drawn.tops([work, home]);
    drawn.opened(work);
    drawn.opened(parent);
  });

  it('are the nodes below those whose children it asked for', () => {
    assert.deepEqual(drawn.again([step]), [step]);
    assert.deepEqual(drawn.again([task(3, home)]), [home]);
    assert.deepEqual(drawn.again([home]), [home]);
  });

  it('is gone below a node that it draws anew, until it asks again', () => {
    assert.deepEqual(drawn.again([parent]), [parent]);
    assert.deepEqual(drawn.again([step]), [parent]);
    drawn.opened(parent);
    assert.deepEqual(drawn.again([step]), [step]);
    drawn.again([work]);
    drawn.opened(parent);
    assert.deepEqual(drawn.again([parent, step]), [work], 'the list was not asked for');
  });

  it('stays while all is drawn anew, where the same nodes stand at the top', () => {
    assert.deepEqual(drawn.allAgain([work, home]), [work, home]);
    assert.deepEqual(drawn.again([parent]), [work]);
    assert.equal(drawn.allAgain([home, work]), undefined);
    assert.equal(drawn.allAgain([work]), undefined);
    assert.equal(new DrawnNodes().allAgain([work]), undefined);
    assert.equal(new DrawnNodes().allAgain([]), undefined);
  });
});
