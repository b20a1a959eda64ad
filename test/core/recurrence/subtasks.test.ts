import assert from 'node:assert/strict';
import type { Id, Task } from '../../../src/core/kernel/model';
import { descendantsOf, openSubtasksOf } from '../../../src/core/recurrence/subtasks';

const task = (id: Id, values: Partial<Task> = {}) =>
  ({ id, parentId: null, masterId: null, status: 0, rrule: null, rdate: null, ...values }) as Task;

describe('the subtasks of tasks', () => {
  const tree: Readonly<Record<Id, readonly Task[]>> = {
    1: [task(2), task(3, { status: 2 }), task(4, { rrule: 'FREQ=DAILY' })],
    2: [task(5)],
    4: [task(6)],
  };
  const asked: Id[] = [];
  const below = (id: Id) => {
    asked.push(id);
    return tree[id] ?? [];
  };
  beforeEach(() => asked.splice(0));

  it('are found by asking for those of each task in the family alone', () => {
    const found = descendantsOf([task(1)], below).map(({ id }) => id);
    assert.deepEqual(found, [2, 5, 3, 4, 6]);
    assert.deepEqual(asked.toSorted(), [1, 2, 3, 4, 5, 6]);
  });

  it('are completed from the deepest on, without repeating ones and what is below these', () => {
    assert.deepEqual(
      openSubtasksOf([task(1)], below).map(({ id }) => id),
      [5, 2],
    );
  });
});
