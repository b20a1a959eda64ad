import assert from 'node:assert/strict';
import { layOut } from '../../../media/page/window';
import { rowsToRender } from '../../../media/rows/lazyRows';
import type { TaskList } from '../../../src/core/kernel/model';
import type { GroupView } from '../../../src/shared/widgetProtocol';
import { hasWords, type KnownRow } from '../../../src/shared/widgetRow';
import { rowOutline, rowView } from '../../../src/views/webview/rowView';
import { type RowLine, SentRows } from '../../../src/views/widgets/sentRows';
import { aRow, usualStyle as style } from '../support/rows';

const lists = new Map([[1, { id: 1, name: 'Work', color: 0, isReadOnly: false }]]) as unknown as Map<number, TaskList>;

/** Lines of one group, and how often one was put into words. */
function aWidget(count: number) {
  const spoken: string[] = [];
  const line = (id: number, more = {}): RowLine => {
    const [row, key, setting] = [aRow(id, more), `g/${id}`, { style, lists }];
    const words = () => {
      spoken.push(key);
      return rowView(row, key, setting);
    };
    return { outline: rowOutline(row, key, setting), words };
  };
  const lines = Array.from({ length: count }, (_, at) => line(at + 1));
  const groups = (of: readonly RowLine[]): GroupView[] => [
    { key: 'g', label: 'G', tone: 'plain', folded: false, rows: of.map(({ outline }) => outline.key) },
  ];
  const sent = new SentRows();
  const show = (of: readonly RowLine[], how: Partial<Parameters<SentRows['show']>[2]> = {}) =>
    sent.show(of, groups(of), { fresh: false, whole: false, ...how });
  return { line, lines, sent, show, spoken };
}

const keys = (rows: readonly KnownRow[]) => rows.map(({ key }) => key);

describe('what a page gets of its rows', () => {
  it('is all of them at first, but in words no more than a screen can show', () => {
    const { lines, show, spoken } = aWidget(5000);
    const rows = show(lines, { fresh: true });
    assert.equal(rows.length, 5000);
    assert.deepEqual(keys(rows.filter(hasWords)), keys(rows.slice(0, spoken.length)));
    assert.ok(spoken.length > 20 && spoken.length <= 100, `${spoken.length}`);
  });

  it('is the words of rows that it asks for, and from then on what changes in them', () => {
    const { line, lines, sent, show } = aWidget(200);
    show(lines, { fresh: true });
    assert.deepEqual(keys(sent.words(['g/150', 'g/nobody'])), ['g/150']);
    assert.deepEqual(show(lines), []);
    const [known, unknown] = [line(150, { title: 'New' }), line(180, { title: 'New' })];
    const edited = lines.with(149, known).with(179, unknown);
    assert.deepEqual(show(edited), [known.words()], 'what it has never seen is put into words when it sees it');
    assert.deepEqual(sent.words(['g/180']), [unknown.words()]);
    const done = line(181, { status: 2 });
    assert.deepEqual(show(edited.with(180, done)), [done.outline], 'its place and state it knows of every row');
  });

  it('is meant by a key that the page has of it, also while it goes to another group', () => {
    const { lines, sent, show } = aWidget(3);
    const [first, second] = lines.map(({ outline }) => outline);
    show(lines, { fresh: true });
    const moved = { ...second!, key: 'other/2' };
    show([lines[0]!, { ...lines[1]!, outline: moved }]);
    assert.deepEqual(sent.outlines(['g/1', 'g/2']), [first, moved]);
    assert.deepEqual(sent.outlines(['g/3', 'g/12']), [], 'what is gone, and what never was there');
  });

  it('is sent again for a row that was gone', () => {
    const { lines, sent, show } = aWidget(100);
    show(lines, { fresh: true });
    sent.words(['g/90']);
    show(lines.slice(0, 80));
    const rows = show(lines);
    assert.deepEqual(keys(rows), keys(lines.slice(80).map(({ outline }) => outline)));
    assert.ok(!rows.some(hasWords));
  });

  it('is everything in words where the page lays out by them, and all again where it is a new one', () => {
    const { lines, show, spoken } = aWidget(300);
    assert.ok(show(lines, { fresh: true, whole: true }).every(hasWords));
    assert.equal(spoken.length, 300);
    assert.deepEqual(show(lines, { whole: true }), []);
    assert.equal(show(lines, { fresh: true }).length, 300);
  });
});

describe('the rows whose words a page asks for', () => {
  it('are a few screens of them, once, as they come near', () => {
    const { lines } = aWidget(1000);
    const rows = new Map(lines.map(({ outline }): [string, KnownRow] => [outline.key, outline]));
    for (const { outline, words } of lines.slice(0, 100)) rows.set(outline.key, words());
    const group = { key: 'g', label: '', tone: 'plain', folded: false, rows: [...rows.keys()] } as const;
    const items = layOut([group], rows, { heightOf: () => 10, isOpen: () => true, headless: false });
    const asked = new WeakSet<KnownRow>();
    const wanted = (offset: number) => rowsToRender(items, offset, 200, asked);
    assert.deepEqual(wanted(0), [], 'there are words for what comes next');
    const first = wanted(700);
    assert.deepEqual({ first: first[0], last: first.at(-1) }, { first: 'g/101', last: 'g/151' });
    assert.deepEqual(wanted(700), []);
    assert.deepEqual(wanted(900), [], 'those on their way are near enough');
    const [end, last] = [wanted(9800), 'g/1000'];
    assert.ok(end.length > 40 && end.at(-1) === last);
  });
});
