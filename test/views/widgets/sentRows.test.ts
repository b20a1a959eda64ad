import assert from 'node:assert/strict';
import type { TaskList } from '../../../src/core/model';
import type { RowView } from '../../../src/shared/widgetRow';
import { rowView } from '../../../src/views/webview/rowView';
import { SentRows } from '../../../src/views/widgets/sentRows';
import { aRow, usualStyle as style } from '../support/rows';

const lists = new Map([[1, { id: 1, name: 'Work', color: 0, isReadOnly: false }]]) as unknown as Map<number, TaskList>;
const row = (id: number, more = {}): RowView => rowView(aRow(id, more), `g/${id}`, { style, lists });
const some = (count: number) => Array.from({ length: count }, (_, at) => row(at + 1));

describe('what a page gets of its rows', () => {
  it('is all of them at first, and from then on what changes in them', () => {
    const sent = new SentRows();
    const rows = some(200);
    assert.deepEqual(sent.show(rows, true), rows);
    assert.deepEqual(sent.show(some(200), false), [], 'made again, but with the same words');
    const edited = row(150, { title: 'New' });
    assert.deepEqual(sent.show(rows.with(149, edited), false), [edited]);
  });

  it('is meant by a key that the page has of it, also while it goes to another group', () => {
    const sent = new SentRows();
    const rows = some(3);
    sent.show(rows, true);
    const moved = { ...rows[1]!, key: 'other/2' };
    sent.show([rows[0]!, moved], false);
    assert.deepEqual(sent.of(['g/1', 'g/2']), [rows[0], moved]);
    assert.deepEqual(sent.of(['g/3', 'g/12']), [], 'what is gone, and what never was there');
  });

  it('is sent again for a row that was gone', () => {
    const sent = new SentRows();
    const rows = some(100);
    sent.show(rows, true);
    sent.show(rows.slice(0, 80), false);
    assert.deepEqual(sent.show(rows, false), rows.slice(80));
  });

  it('is all again where the page is a new one', () => {
    const sent = new SentRows();
    const rows = some(300);
    sent.show(rows, true);
    assert.deepEqual(sent.show(rows, true), rows);
  });
});
