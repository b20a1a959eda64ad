import assert from 'node:assert/strict';
import { arrivedKey, type Item, itemKey, keysBetween, layOut, nearestKey } from '../../media/page/rowLayout';
import type { GroupView } from '../../src/shared/widgetProtocol';
import type { KnownRow } from '../../src/shared/widgetRow';

const aRow = (key: string, more: Partial<KnownRow> = {}): KnownRow => ({
  key,
  taskId: 1,
  occurrence: null,
  state: 'open',
  depth: 0,
  isTall: false,
  ...more,
});

const aGroup = (key: string, rows: readonly string[], more: Partial<GroupView> = {}): GroupView => ({
  key,
  label: key,
  tone: 'plain',
  folded: false,
  rows,
  ...more,
});

const rowsOf = (...rows: readonly KnownRow[]) => new Map(rows.map(row => [row.key, row]));
const heightOf = ({ isTall }: KnownRow) => (isTall ? 42 : 26);
const lines = (groups: readonly GroupView[], rows: ReadonlyMap<string, KnownRow>, isOpen = true) =>
  layOut(groups, rows, { heightOf, isOpen: () => isOpen, hidesHeadings: false });
const outline = (items: readonly Item[]) => items.map(item => [itemKey(item), item.top]);

describe('the lines of a list', () => {
  it('continue below what stays when several rows go, and with the first row of a list that was empty', () => {
    const rows = rowsOf(...['a', 'b', 'c', 'd', 'e'].map(key => aRow(key)));
    const before = lines([aGroup('today', ['a', 'b', 'c', 'd']), aGroup('done', ['e'])], rows);
    const after = lines([aGroup('today', ['d']), aGroup('done', ['e'])], rows);
    const at = before.findIndex(item => itemKey(item) === 'c');
    assert.equal(nearestKey(after, before, at), 'd');
    assert.equal(nearestKey(before, [], -1), 'a');
    assert.equal(nearestKey([], before, at), undefined);
  });

  it('end with the row for more of a group that shows its first rows, while it is open', () => {
    const rows = rowsOf(aRow('a'), aRow('b'));
    const groups = [aGroup('one', ['a'], { more: 7 }), aGroup('two', ['b'])];
    assert.deepEqual(outline(lines(groups, rows)), [
      ['group:one', 0],
      ['a', 30],
      ['more:one', 56],
      ['group:two', 82],
      ['b', 112],
    ]);
    assert.deepEqual(outline(lines(groups, rows, false)), [
      ['group:one', 0],
      ['group:two', 30],
    ]);
  });

  it('give the rows between two lines, from a heading and the row for more, too', () => {
    const rows = rowsOf(aRow('a'), aRow('b'), aRow('c'));
    const items = lines([aGroup('one', ['a', 'b'], { more: 7 }), aGroup('two', ['c'])], rows);
    assert.deepEqual(keysBetween(items, 'c', 'b'), ['b', 'c']);
    assert.deepEqual(keysBetween(items, 'more:one', 'b'), ['b']);
    assert.deepEqual(keysBetween(items, 'group:two', 'c'), ['c']);
    assert.deepEqual(keysBetween(items, 'b', 'group:two'), ['b']);
    assert.deepEqual(keysBetween(items, 'gone', 'c'), ['c']);
    assert.deepEqual(keysBetween(items, 'gone', 'lost'), []);
  });

  it('have the key of an occurrence that was moved to a group, not of another one that was there', () => {
    const there = aRow('tue/1@2', { taskId: 1 });
    const before = new Map([[there.key, 0]]);
    const arrived = (...rows: readonly KnownRow[]) =>
      arrivedKey(
        lines(
          [
            aGroup(
              'tue',
              rows.map(({ key }) => key),
            ),
          ],
          rowsOf(...rows),
        ),
        { group: 'tue', key: 'mon/1@1' },
        before,
      );
    assert.equal(arrived(there), undefined);
    assert.equal(arrived(there, aRow('tue/9', { taskId: 9, series: 1 })), 'tue/9');
    assert.equal(arrived(there, aRow('tue/1@1')), 'tue/1@1');
  });
});
