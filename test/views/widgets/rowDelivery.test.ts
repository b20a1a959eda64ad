import assert from 'node:assert/strict';
import { layOut } from '../../../media/page/rowLayout';
import { rowsToRender } from '../../../media/rows/lazyRows';
import type { TaskList } from '../../../src/core/kernel/model';
import type { GroupView } from '../../../src/shared/widgetProtocol';
import { isLoaded, type KnownRow } from '../../../src/shared/widgetRow';
import { RowDelivery, type RowLine } from '../../../src/views/widgets/rowDelivery';
import { rowSummary, rowView } from '../../../src/views/widgets/rowView';
import { aRow, usualStyle as style } from '../support/rows';

const lists = new Map([[1, { id: 1, name: 'Work', color: 0, isReadOnly: false }]]) as unknown as Map<number, TaskList>;

/** Lines of one group, and how often one was put into words. */
function aWidget(count: number) {
  const loaded: string[] = [];
  const line = (id: number, more = {}): RowLine => {
    const [row, key, setting] = [aRow(id, more), `g/${id}`, { style, lists }];
    const details = () => {
      loaded.push(key);
      return rowView(row, key, setting);
    };
    return { summary: rowSummary(row, key, setting), details };
  };
  const lines = Array.from({ length: count }, (_, at) => line(at + 1));
  const groups = (of: readonly RowLine[]): GroupView[] => [
    { key: 'g', label: 'G', tone: 'plain', folded: false, rows: of.map(({ summary }) => summary.key) },
  ];
  const delivery = new RowDelivery();
  const show = (of: readonly RowLine[], how: Partial<Parameters<RowDelivery['diff']>[2]> = {}) =>
    delivery.diff(of, groups(of), { fresh: false, whole: false, ...how });
  return { line, lines, delivery, show, loaded };
}

const keys = (rows: readonly KnownRow[]) => rows.map(({ key }) => key);

describe('the rows that a page gets', () => {
  it('are all of them at first, but with details only for about a screen', () => {
    const { lines, show, loaded } = aWidget(5000);
    const rows = show(lines, { fresh: true });
    assert.equal(rows.length, 5000);
    assert.deepEqual(keys(rows.filter(isLoaded)), keys(rows.slice(0, loaded.length)));
    assert.ok(loaded.length > 20 && loaded.length <= 100, `${loaded.length}`);
  });

  it('have details when the page requests them, and from then on their changes', () => {
    const { line, lines, delivery, show } = aWidget(200);
    show(lines, { fresh: true });
    assert.deepEqual(keys(delivery.detailsOf(['g/150', 'g/nobody'])), ['g/150']);
    assert.deepEqual(show(lines), []);
    const [known, unknown] = [line(150, { title: 'New' }), line(180, { title: 'New' })];
    const edited = lines.with(149, known).with(179, unknown);
    assert.deepEqual(show(edited), [known.details()], 'what it has never seen is put into words when it sees it');
    assert.deepEqual(delivery.detailsOf(['g/180']), [unknown.details()]);
    const done = line(181, { status: 2 });
    assert.deepEqual(show(edited.with(180, done)), [done.summary], 'its place and state it knows of every row');
  });

  it('are identified by the key that the page has, even after they move to another group', () => {
    const { lines, delivery, show } = aWidget(3);
    const [first, second] = lines.map(({ summary }) => summary);
    show(lines, { fresh: true });
    const moved = { ...second!, key: 'other/2' };
    show([lines[0]!, { ...lines[1]!, summary: moved }]);
    assert.deepEqual(delivery.summaries(['g/1', 'g/2']), [first, moved]);
    assert.deepEqual(delivery.summaries(['g/3', 'g/12']), [], 'what is gone, and what never was there');
  });

  it('are delivered again after they were gone', () => {
    const { lines, delivery, show } = aWidget(100);
    show(lines, { fresh: true });
    delivery.detailsOf(['g/90']);
    show(lines.slice(0, 80));
    const rows = show(lines);
    assert.deepEqual(keys(rows), keys(lines.slice(80).map(({ summary }) => summary)));
    assert.ok(!rows.some(isLoaded));
  });

  it('have all details if the page needs them for its layout, and everything again if it is a new page', () => {
    const { lines, show, loaded } = aWidget(300);
    assert.ok(show(lines, { fresh: true, whole: true }).every(isLoaded));
    assert.equal(loaded.length, 300);
    assert.deepEqual(show(lines, { whole: true }), []);
    assert.equal(show(lines, { fresh: true }).length, 300);
  });
});

describe('the rows whose details a page requests', () => {
  it('are a few screens of them, once, as they come near', () => {
    const { lines } = aWidget(1000);
    const rows = new Map(lines.map(({ summary }): [string, KnownRow] => [summary.key, summary]));
    for (const { summary, details } of lines.slice(0, 100)) rows.set(summary.key, details());
    const group = { key: 'g', label: '', tone: 'plain', folded: false, rows: [...rows.keys()] } as const;
    const items = layOut([group], rows, { heightOf: () => 10, isOpen: () => true, hidesHeadings: false });
    const requested = new WeakSet<KnownRow>();
    const requestedAt = (offset: number) => rowsToRender(items, offset, 200, requested);
    assert.deepEqual(requestedAt(0), [], 'there are words for what comes next');
    const first = requestedAt(700);
    assert.deepEqual({ first: first[0], last: first.at(-1) }, { first: 'g/101', last: 'g/151' });
    assert.deepEqual(requestedAt(700), []);
    assert.deepEqual(requestedAt(900), [], 'those on their way are near enough');
    const [end, last] = [requestedAt(9800), 'g/1000'];
    assert.ok(end.length > 40 && end.at(-1) === last);
  });
});
