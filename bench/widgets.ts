import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../scripts/vscode/window';
import type { TaskList } from '../src/core/kernel/model';
import { dayMs } from '../src/core/time/units';
import { blankTask } from '../src/engine/taskRow';
import type { Frame, GroupView, ToPage } from '../src/shared/widgetProtocol';
import type { RowDetails } from '../src/shared/widgetRow';
import type { DateStyle } from '../src/ui/settings/settings';
import { rowView } from '../src/views/widgets/rowView';
import { compared, median, type Report } from './reference/figure';

type Show = Extract<ToPage, { type: 'show' }>;

const turns = 11;
const edits = 25;
const now = Date.UTC(2026, 10, 21, 12);

/** Every layout that a widget has. */
const layouts = ['list', 'columns', 'week', 'month', 'board'] as const;

/** A widget's page beside a bare list of the same rows, drawn by the same browser from the same message. */
export async function run(report: Report): Promise<void> {
  const browser = await launchBrowser();
  try {
    for (const layout of layouts)
      for (const count of [100, 5000]) {
        const show = aShow(layout, count);
        const own = await measure(browser, show, ownPage());
        const isGrid = layout === 'board' || layout === 'month';
        const bare = await measure(browser, show, barePage(isGrid ? Math.round(own.elements / count) : 0));
        const page = `bare ${isGrid ? 'grid of as many elements' : 'list'}`;
        // The drawn part is bounded: what a widget has above a bare list shows with few rows, and is two frames.
        const goal = count === 100 ? (isGrid ? 1.5 : 6) : 1;
        const note = `${own.elements} elements to ${bare.elements}`;
        report(compared(`first paint of ${count} rows, ${layout}: to a ${page}`, own.first, bare.first, goal, note));
        report(compared(`one edit among ${count} rows, ${layout}: to a ${page}`, own.edit, bare.edit, 2));
      }
  } finally {
    await browser.close();
  }
}

const style: DateStyle = {
  clock: { now: () => now, timeZone: 'UTC' },
  startHour: 0,
  firstDay: 1,
  dateFormat: 'relative',
  timeFormat: 'auto',
};

const lists = new Map([
  [1, { id: 1, name: 'Work', color: 0xd9534f, isReadOnly: false }],
  [2, { id: 2, name: 'Home', color: 0x4a9d5b, isReadOnly: false }],
]) as unknown as ReadonlyMap<number, TaskList>;

function aRow(id: number, group: string): RowDetails {
  const due = now - (now % dayMs) + ((id % 7) - 2) * dayMs;
  const more = { title: `Task ${id}: read the report and answer`, due, isAllDay: true, priority: id % 10 };
  const task = { ...blankTask(1 + (id % 2), `uid-${id}`, 0), id, ...more, tags: id % 3 === 0 ? ['one', 'two'] : [] };
  return rowView({ task, dtstart: null, due, isOverdue: false }, `${group}/${id}`, { style, lists });
}

function aShow(layout: Frame['layout'], count: number): Show {
  const columns = { list: 3, columns: 2, week: 7, month: 42, board: 4 }[layout];
  const rows: RowDetails[] = [];
  const groups = Array.from({ length: columns }, (_, column): GroupView => {
    const own = Array.from({ length: Math.ceil(count / columns) }, (_, at) => aRow(column * 10_000 + at, `g${column}`));
    rows.push(...own);
    const keys = own.map(({ key }) => key);
    const label = `Group ${column}`;
    const board = layout === 'board' ? { board: { key: label, id: label, column: label }, dropValues: {} } : {};
    return { key: `g${column}`, label, tone: 'plain', folded: false, ...board, rows: keys };
  });
  const words = { label: 'Widget', heading: 'Widget', aside: '', placeholder: 'Add a task' };
  return { type: 'show', frame: { ...words, controls: [], layout, hasCards: columns > 6 }, groups, rows, fresh: true };
}

/** The part of the editor that both pages know, and the timing of a message's way to the screen. */
const harness = `
  let kept;
  const api = { getState: () => kept, setState: value => (kept = value), postMessage: () => {} };
  window.acquireVsCodeApi = () => api;
  const frame = () => new Promise(done => requestAnimationFrame(done));
  const painted = () => new Promise(done => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => done(performance.now());
    requestAnimationFrame(() => port2.postMessage(0));
  });
  // Begins with a frame, so that no waiting for one is counted; ends when the next has been drawn.
  window.timed = async message => {
    await frame();
    const start = performance.now();
    window.dispatchEvent(new MessageEvent('message', { data: message }));
    for (let round = 0; round < 20; round++) await Promise.resolve();
    document.body.offsetHeight;
    const worked = performance.now() - start;
    await painted();
    return worked;
  };`;

const styles = ['tasks', 'widget'].map(name => readFileSync(join('dist/media', `${name}.css`), 'utf8')).join('\n');

const ownPage = () => `<!DOCTYPE html><html lang="en" dir="ltr"><head><style>${styles}</style></head>
<body data-boot='{"kind":"tasks","locale":"en-US","words":{}}'><script>${harness}</script>
<script>${readFileSync('dist/media/tasks.page.js', 'utf8').replaceAll('</script', '<\\/script')}</script></body></html>`;

/**
 * A list as one writes it by hand for this alone: the same words, a check each, and a map to find a row by. With
 * `elements`, columns of cards with that many elements each.
 */
const barePage = (elements: number) => `<!DOCTYPE html><html lang="en" dir="ltr"><head><style>
li { display: flex; gap: 8px } .title { flex: 1; overflow: hidden; white-space: nowrap; text-overflow: ellipsis }
${elements > 0 ? 'body { display: flex } ul { flex: 1 } li { flex-wrap: wrap; border: 1px solid }' : ''}
</style></head><body><script>${harness}
  const known = new Map();
  window.addEventListener('message', ({ data: { groups, rows } }) => {
    const fill = (item, row) => {
      item.querySelector('.title').textContent = row.title;
      item.querySelector('.when').textContent = row.when ?? '';
      item.querySelector('.facts').textContent = [row.list?.name, ...row.tags].join(' ');
    };
    const isFirst = known.size === 0;
    for (const row of rows) {
      let item = known.get(row.key);
      if (!item) {
        item = document.createElement('li');
        item.innerHTML = '<input type="checkbox"><span class="title"></span><span class="facts"></span><span class="when"></span>${'<i></i>'.repeat(Math.max(0, elements - 5))}';
        known.set(row.key, item);
      }
      fill(item, row);
    }
    if (!isFirst) return;
    for (const group of groups) {
      const list = document.createElement('ul');
      list.append(...group.rows.map(key => known.get(key)));
      document.body.append(list);
    }
  });
</script></body></html>`;

async function measure(browser: Browser, show: Show, content: string) {
  const firsts: number[] = [];
  const updates: number[] = [];
  let elements = 0;
  for (let round = 0; round < turns; round++) {
    const page = await browser.newPage({ viewport: { width: 1000, height: 800 } });
    await page.setContent(content);
    firsts.push(await timed(page, show));
    elements = (await page.evaluate('document.body.querySelectorAll("*").length')) as number;
    if (round === 0)
      for (let edit = 0; edit < edits; edit++) {
        const row = { ...show.rows[edit % 5]!, title: `Edited ${edit}` };
        const groups = show.groups.map(({ key }) => ({ key }));
        updates.push(await timed(page, { ...show, fresh: false, groups, rows: [row] }));
      }
    await page.close();
  }
  return { first: median(firsts), edit: median(updates), elements };
}

const timed = (page: Page, message: Show) =>
  page.evaluate(`window.timed(${JSON.stringify(message)})`) as Promise<number>;
