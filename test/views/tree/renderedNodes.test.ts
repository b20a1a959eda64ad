import assert from 'node:assert/strict';
import type { BranchNode, TaskNode } from '../../../src/views/tree/nodes';
import { RefreshQueue } from '../../../src/views/tree/refreshQueue';
import { RenderedNodes } from '../../../src/views/tree/renderedNodes';

const list = (id: number): BranchNode => ({ kind: 'list', id: `list/${id}`, listId: id, parent: undefined });
const task = (id: number, parent: BranchNode | TaskNode): TaskNode => {
  const branch = parent.kind === 'task' ? parent.branch : parent;
  return { kind: 'task', id: `${branch.id}/${id}`, taskId: id, key: `${id}`, branch, parent };
};

describe('the rendered nodes of a tree', () => {
  const [work, home] = [list(1), list(2)];
  const parent = task(1, work);
  const step = task(2, parent);
  let drawn: RenderedNodes;
  beforeEach(() => {
    drawn = new RenderedNodes();
    drawn.tops([work, home]);
    drawn.opened(work, [parent]);
    drawn.opened(parent, [step]);
  });

  it('are the nodes below those whose children the editor has requested', () => {
    assert.deepEqual(drawn.nodesToRedraw([step]), [step]);
    assert.deepEqual(drawn.nodesToRedraw([task(3, home)]), [home]);
    assert.deepEqual(drawn.nodesToRedraw([home]), [home]);
  });

  it('disappear below a node that the editor redraws, until it requests them again', () => {
    assert.deepEqual(drawn.nodesToRedraw([parent]), [parent]);
    assert.deepEqual(drawn.nodesToRedraw([step]), [parent]);
    drawn.opened(parent, [step]);
    assert.deepEqual(drawn.nodesToRedraw([step]), [step]);
    drawn.nodesToRedraw([work]);
    drawn.opened(parent, [step]);
    assert.deepEqual(drawn.nodesToRedraw([parent, step]), [work], 'the list was not asked for');
  });

  it('stay while everything is redrawn, if the same nodes are at the top', () => {
    assert.deepEqual(drawn.rootsToRedraw([work, home]), [work, home]);
    assert.deepEqual(drawn.nodesToRedraw([parent]), [work]);
    assert.equal(drawn.rootsToRedraw([home, work]), undefined);
    assert.equal(drawn.rootsToRedraw([work]), undefined);
    assert.equal(new RenderedNodes().rootsToRedraw([work]), undefined);
    assert.equal(new RenderedNodes().rootsToRedraw([]), undefined);
  });

  it('are being drawn until the editor has requested everything that it shows of them', () => {
    drawn.nodesToRedraw([work]);
    assert.equal(drawn.isDrawing, true);
    drawn.opened(work, [parent]);
    assert.equal(drawn.isDrawing, true, 'the steps are still to come');
    drawn.opened(parent, [step]);
    assert.equal(drawn.isDrawing, false);
    drawn.nodesToRedraw([step]);
    assert.equal(drawn.isDrawing, false, 'nothing is below it');
  });

  it('are not waited for if they are gone or collapsed', () => {
    drawn.nodesToRedraw([work]);
    drawn.opened(work, []);
    assert.equal(drawn.isDrawing, false);
    drawn.opened(work, [parent]);
    drawn.opened(parent, [step]);
    drawn.folded(work);
    drawn.nodesToRedraw([parent]);
    assert.equal(drawn.isDrawing, false);
    drawn.unfolded(work);
    drawn.opened(parent, [step]);
    assert.equal(drawn.rootsToRedraw([home]), undefined);
    assert.equal(drawn.isDrawing, true);
    drawn.tops([home]);
    assert.equal(drawn.isDrawing, false);
  });
});

describe('a refresh of a tree', () => {
  const work = list(1);
  const parent = task(1, work);
  const step = task(2, parent);
  const nextTurn = () => new Promise<void>(resolve => setImmediate(resolve));
  let refreshed: (readonly string[] | 'all')[];
  let redraws: RefreshQueue;
  beforeEach(() => {
    refreshed = [];
    redraws = new RefreshQueue(
      () => [work],
      nodes => refreshed.push(nodes?.map(({ id }) => id) ?? 'all'),
    );
    redraws.tops([work]);
    redraws.opened(work, [parent]);
    redraws.opened(parent, [step]);
  });
  afterEach(() => redraws.dispose());

  it('waits until the editor has requested what it draws, and is sent as one', async () => {
    redraws.soon([parent]);
    redraws.soon([step]);
    redraws.soon([work]);
    assert.deepEqual(refreshed, [['list/1/1']]);
    redraws.opened(parent, [step]);
    assert.equal(refreshed.length, 1, 'its answer goes first');
    await nextTurn();
    assert.deepEqual(refreshed[1], ['list/1/2', 'list/1']);
  });

  it('does not wait for a node that lost all its children', async () => {
    redraws.soon([parent]);
    redraws.soon([work]);
    redraws.folded(parent);
    await nextTurn();
    assert.deepEqual(refreshed, [['list/1/1'], ['list/1']]);
  });

  it('waits only for a moment, and not when a row is revealed', async () => {
    redraws.soon('all');
    redraws.now([parent]);
    assert.deepEqual(refreshed, [['list/1'], ['list/1']]);
    redraws.soon([parent]);
    assert.equal(refreshed.length, 2);
    await new Promise<void>(resolve => {
      const polling = setInterval(() => refreshed.length > 2 && resolve(clearInterval(polling)), 20);
    });
    assert.deepEqual(refreshed[2], ['list/1']);
  });

  it('does nothing if nothing changed', () => {
    redraws.soon([]);
    redraws.now([]);
    assert.deepEqual(refreshed, []);
  });
});
