import assert from 'node:assert/strict';
import type { Change } from '../../../src/api';
import { Emitter } from '../../../src/core/kernel/events';
import { debounceChanges } from '../../../src/views/tree/debounceChanges';

describe('changes that a tree shows', () => {
  const { setTimeout } = globalThis;
  const waiting: { readonly work: () => void; readonly delayMs: number }[] = [];
  beforeEach(() => {
    waiting.length = 0;
    globalThis.setTimeout = ((work: () => void, delayMs = 0) =>
      waiting.push({ work, delayMs })) as unknown as typeof setTimeout;
  });
  afterEach(() => {
    globalThis.setTimeout = setTimeout;
  });

  const tasks: Change = { origin: 'user', tasks: [1], lists: [], accounts: [] };
  const lists: Change = { origin: 'user', tasks: [], lists: [1], accounts: [] };

  it('are shown without a wait after a quiet time, and together within a burst', () => {
    const changes = new Emitter<Change>();
    const shown: boolean[] = [];
    const listening = debounceChanges(changes.event, rowsOnly => shown.push(rowsOnly));
    const pass = () => waiting.shift()!.work();
    changes.fire(tasks);
    assert.equal(waiting[0]!.delayMs, 0);
    pass();
    assert.deepEqual(shown, [true]);
    changes.fire(tasks);
    changes.fire(lists);
    changes.fire(tasks);
    assert.equal(waiting.length, 1, 'one wait for all');
    assert.ok(waiting[0]!.delayMs > 0);
    pass();
    assert.deepEqual(shown, [true, false]);
    pass();
    assert.deepEqual([shown.length, waiting.length], [2, 0], 'a quiet tree waits for nothing');
    changes.fire(tasks);
    assert.equal(waiting[0]!.delayMs, 0);
    listening.dispose();
  });
});
