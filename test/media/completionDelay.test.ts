import assert from 'node:assert/strict';
import { CompletionDelay } from '../../media/rows/completionDelay';
import type { GroupView } from '../../src/shared/widgetProtocol';
import type { KnownRow } from '../../src/shared/widgetRow';

describe('a completed row', () => {
  const open = { key: 'a', taskId: 1, state: 'open' } as KnownRow;
  const group = { key: 'g', rows: ['a'] } as unknown as GroupView;
  const stateOf = (delay: CompletionDelay, groups: GroupView[], rows: Map<string, KnownRow>) => {
    delay.reconcile(groups, rows);
    const drawn = delay.merge(groups, rows);
    return drawn.groups.some(({ rows }) => rows.includes('a')) ? drawn.rows.get('a')?.state : undefined;
  };
  const newDelay = () =>
    new CompletionDelay(
      () => {},
      () => 1,
    );

  it('is drawn as done while the host still lists it, and for a moment after that', () => {
    const delay = newDelay();
    const rows = new Map([['a', open]]);
    delay.delay(['a'], [group], rows);
    assert.equal(stateOf(delay, [group], rows), 'done');
    assert.equal(stateOf(delay, [], new Map()), 'done');
  });

  it('is drawn as open at once when an undo restores it', () => {
    const delay = newDelay();
    const rows = new Map([['a', open]]);
    delay.delay(['a'], [group], rows);
    assert.equal(stateOf(delay, [], new Map()), 'done');
    assert.equal(stateOf(delay, [group], rows), 'open');
  });

  it('is not shown twice when its occurrence has become a completed task of its own', () => {
    const delay = newDelay();
    const title = 'Every day';
    const occurrence = { ...open, occurrence: 5, title } as KnownRow;
    const other = { key: 'c', taskId: 9, state: 'done', occurrence: null, title } as KnownRow;
    const earlier = { ...group, rows: ['a', 'c'] };
    delay.delay(
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
      delay.merge([{ ...group, rows: ['b', 'c'] }], rows).groups.map(one => one.rows),
      [['a', 'c']],
    );
  });
});
