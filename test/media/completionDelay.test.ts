import assert from 'node:assert/strict';
import { CompletionDelay } from '../../media/rows/completionDelay';
import type { GroupView } from '../../src/shared/widgetProtocol';
import type { KnownRow } from '../../src/shared/widgetRow';

describe('a row that was completed', () => {
  const open = { key: 'a', taskId: 1, state: 'open' } as KnownRow;
  const group = { key: 'g', rows: ['a'] } as unknown as GroupView;
  const stateOf = (lingering: CompletionDelay, groups: GroupView[], rows: Map<string, KnownRow>) => {
    lingering.meet(groups, rows);
    const drawn = lingering.blend(groups, rows);
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
    lingering.hold(['a'], [group], rows);
    assert.equal(stateOf(lingering, [group], rows), 'done');
    assert.equal(stateOf(lingering, [], new Map()), 'done');
  });

  it('is drawn as open at once when an undo brings it back', () => {
    const lingering = linger();
    const rows = new Map([['a', open]]);
    lingering.hold(['a'], [group], rows);
    assert.equal(stateOf(lingering, [], new Map()), 'done');
    assert.equal(stateOf(lingering, [group], rows), 'open');
  });
});
