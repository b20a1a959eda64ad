import assert from 'node:assert/strict';
import { columnsInSight, laneParts } from '../../media/widget/boardWindow';
import type { GroupView } from '../../src/shared/widgetProtocol';

const cells = (count: number, collapsed: readonly number[] = []) =>
  Array.from({ length: count }, (_, at) => {
    const board = {
      key: `${at}`,
      id: `${at}`,
      column: `${at}`,
      ...(collapsed.includes(at) ? { isCollapsed: true } : {}),
    };
    return { key: `cell ${at}`, board } as unknown as GroupView;
  });
const drawn = (flags: readonly boolean[]) => flags.flatMap((isDrawn, at) => (isDrawn ? [at] : []));

describe('a board wider than the page', () => {
  it('draws all columns while there are few cards, or room for all', () => {
    assert.equal(drawn(columnsInSight(cells(30), 200, { from: 0, width: 500 })).length, 30);
    assert.equal(drawn(columnsInSight(cells(30), 3000, { from: 0, width: 6600 })).length, 30);
  });

  it('draws the visible columns and two on each side', () => {
    const at = (from: number) => drawn(columnsInSight(cells(300), 6000, { from, width: 440 }));
    assert.deepEqual(at(0), [0, 1, 2, 3]);
    assert.deepEqual(at(2200), [8, 9, 10, 11, 12, 13]);
    assert.deepEqual(at(299 * 220), [297, 298, 299]);
  });

  it('knows that collapsed columns are narrow', () => {
    const heads = cells(300, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    assert.deepEqual(
      drawn(columnsInSight(heads, 6000, { from: 0, width: 220 })),
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
    );
  });

  it('has one gap for each run of columns that are not drawn', () => {
    const parts = laneParts(cells(6), [false, true, false, false, true, true]);
    assert.deepEqual(
      parts.map(part => ('cell' in part ? part.cell.key : part.gap)),
      [1, 'cell 1', 2, 'cell 4', 'cell 5'],
    );
  });
});
