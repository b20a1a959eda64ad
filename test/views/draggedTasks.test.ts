import assert from 'node:assert/strict';
import { draggedTasks } from '../../src/ui/draggedTasks';

describe('tasks dragged out of a tree', () => {
  const realNow = Date.now;
  let now = 1_000_000;
  before(() => {
    Date.now = () => now;
  });
  after(() => {
    Date.now = realNow;
  });

  it('are dropped once', () => {
    draggedTasks.start([1, 2]);
    now += 5000;
    assert.deepEqual(draggedTasks.drop(), [1, 2]);
    assert.deepEqual(draggedTasks.drop(), []);
  });

  it('are not what is dropped from another window later', () => {
    draggedTasks.start([1]);
    now += 60_000;
    assert.deepEqual(draggedTasks.drop(), []);
  });
});
