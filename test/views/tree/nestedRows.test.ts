import assert from 'node:assert/strict';
import { NestedRows } from '../../../src/views/tree/nestedRows';
import { aRow } from '../support/rows';

const nested = (rows: ReturnType<typeof aRow>[], showClosed = false) =>
  new NestedRows(rows, { nest: true, showClosed });

describe('nested rows', () => {
  it('show subtasks below their parent, however deep', () => {
    const rows = nested([aRow(1), aRow(2, { parentId: 1 }), aRow(3, { parentId: 2 }), aRow(4)]);
    assert.deepEqual(rows.roots, ['1', '4']);
    assert.deepEqual(rows.childrenOf('1'), ['2']);
    assert.deepEqual(rows.childrenOf('2'), ['3']);
  });

  it('count closed subtasks without showing them', () => {
    const rows = nested([aRow(1), aRow(2, { parentId: 1, status: 2 }), aRow(3, { parentId: 1 })]);
    assert.deepEqual(rows.childrenOf('1'), ['3']);
    assert.deepEqual(rows.progressOf('1'), { done: 1, total: 2 });
  });

  it('lift open subtasks of a closed parent to the top', () => {
    const rows = nested([aRow(1, { status: 2 }), aRow(2, { parentId: 1 })]);
    assert.deepEqual(rows.roots, ['2']);
  });

  it('keep a task whose parent is elsewhere', () => {
    assert.deepEqual(nested([aRow(2, { parentId: 99 })]).roots, ['2']);
  });

  it('show the subtasks of a series below the changed occurrence that represents it', () => {
    const moved = aRow(50, { masterId: 1, recurrenceId: 0 });
    const done = aRow(51, { masterId: 1, recurrenceId: 1, status: 2 });
    const rows = nested([done, moved, aRow(2, { parentId: 1 }), aRow(3, { parentId: 2 })]);
    assert.deepEqual([rows.roots, rows.childrenOf('1'), rows.childrenOf('2')], [['1'], ['2'], ['3']]);
    assert.deepEqual(rows.progressOf('1'), { done: 0, total: 1 });
    assert.deepEqual([rows.keyOf(50), rows.keyOf(1), rows.row('1')], ['1', '1', moved]);
    const circle = nested([aRow(50, { masterId: 1, recurrenceId: 0, parentId: 2 }), aRow(2, { parentId: 1 })]);
    assert.ok(circle.roots.length > 0);
    assert.deepEqual(
      new Set([...circle.roots, ...circle.roots.flatMap(key => circle.childrenOf(key))]),
      new Set(['1', '2']),
    );
  });

  it('keep tasks that are each other’s parents', () => {
    const rows = nested([aRow(1, { parentId: 2 }), aRow(2, { parentId: 1 }), aRow(3, { parentId: 3 })]);
    assert.deepEqual(
      new Set([...rows.roots, ...rows.childrenOf('1'), ...rows.childrenOf('2')]),
      new Set(['1', '2', '3']),
    );
    assert.ok(rows.roots.includes('3') && rows.roots.length > 1);
  });

  it('give each occurrence of a task a key of its own', () => {
    const rows = new NestedRows([aRow(1, {}, 1000), aRow(1, {}, 2000)], { nest: false, showClosed: false });
    assert.equal(new Set(rows.roots).size, 2);
  });

  it('update rows that changed in place, and nothing more', () => {
    const [a, b, c] = [aRow(1), aRow(2), aRow(3, { parentId: 2 })];
    const rows = nested([a, b, c]);
    const renamed = aRow(2, { title: 'New' });
    assert.deepEqual(rows.patch([a, b, c], [a, renamed, aRow(3, { parentId: 2 })]), ['2']);
    assert.equal(rows.row('2'), renamed);
    const lines = [a, renamed, rows.row('3')!];
    for (const other of [
      [a, lines[2]!, renamed],
      [a, renamed],
      [a, renamed, aRow(3, { parentId: 1 })],
      [a, aRow(2, { title: 'New', status: 2 }), lines[2]!],
    ])
      assert.equal(rows.patch(lines, other), undefined);
    assert.deepEqual(rows.roots, ['1', '2']);
    assert.equal(rows.row('2'), renamed);
  });

  it('require a new arrangement for a second occurrence of a task', () => {
    const [first, second] = [aRow(1, {}, 1000), aRow(1, {}, 2000)];
    const rows = new NestedRows([first, second], { nest: false, showClosed: false });
    assert.equal(rows.patch([first, second], [first, aRow(1, { title: 'New' }, 2000)]), undefined);
  });

  it('report only what changed', () => {
    const [a, b, c] = [aRow(1), aRow(2), aRow(3, { parentId: 2 })];
    const before = nested([a, b, c]);
    const renamed = nested([a, aRow(2, { title: 'New' }), c]).changesSince(before);
    assert.deepEqual(renamed, { top: false, keys: ['2'] });
    const grown = nested([a, b, c, aRow(4, { parentId: 2 })]).changesSince(before);
    assert.deepEqual(grown, { top: false, keys: ['2'] });
    assert.equal(nested([b, a, c]).changesSince(before).top, true);
    assert.deepEqual(nested([aRow(1), aRow(2), aRow(3, { parentId: 2 })]).changesSince(before), {
      top: false,
      keys: [],
    });
  });
});
