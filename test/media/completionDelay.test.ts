import assert from 'node:assert/strict';
import { CompletionDelay } from '../../media/rows/completionDelay';
import type { GroupView } from '../../src/shared/widgetProtocol';
import type { KnownRow } from '../../src/shared/widgetRow';

describe('a row that was completed', () => {
  const open = { key: 'a', taskId: 1, state: 'open' } as KnownRow;
  const group = { key: 'g', rows: ['a'] } as unknown as GroupView;
  const stateOf = (lingering: CompletionDelay, groups: GroupView[], rows: Map<string, KnownRow>) => {
    lingering.reconcile(groups, rows);
    const drawn = lingering.merge(groups, rows);
    return drawn.groups.some(({ rows }) => rows.includes('a')) ? drawn.rows.get('a')?.state : undefined;
  };
  const linger = () =>
    new CompletionDelay(
      () => {},
      () => 1,
    );

  it('stays as done while the host still shows it, and after the host has taken it away', () => {
    const lingering = linger();
    const rows = new Map([['a', open]]);
    lingering.delay(['a'], [group], rows);
    assert.equal(stateOf(lingering, [group], rows), 'done');
    assert.equal(stateOf(lingering, [], new Map()), 'done');
  });

  it('is drawn as open at once when an undo brings it back', () => {
    const lingering = linger();
    const rows = new Map([['a', open]]);
    lingering.delay(['a'], [group], rows);
    assert.equal(stateOf(lingering, [], new Map()), 'done');
    assert.equal(stateOf(lingering, [group], rows), 'open');
  });

  it('is not shown twice where its occurrence is now a completed task of its own', () => {
    const lingering = linger();
    const title = 'Every day';
    const occurrence = { ...open, occurrence: 5, title } as KnownRow;
    const other = { key: 'c', taskId: 9, state: 'done', occurrence: null, title } as KnownRow;
    const earlier = { ...group, rows: ['a', 'c'] };
    lingering.delay(
      ['a'],
      [earlier],
      new Map([
        ['a', occurrence],
        ['c', other],
      ]),
    );
    const copy = { key: 'b', taskId: 2, state: 'done', occurrence: null, title } as KnownRow;
    const rows = new Map([
      ['b', copy],
      ['c', other],
    ]);
    assert.deepEqual(
      lingering.merge([{ ...group, rows: ['b', 'c'] }], rows).groups.map(one => one.rows),
      [['a', 'c']],
    );
  });
});
