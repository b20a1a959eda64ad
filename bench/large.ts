import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LiveAgenda } from '../src/core/agenda/liveAgenda';
import type { QueryContext } from '../src/core/filter/eval/context';
import { runQuery } from '../src/core/filter/eval/run';
import { runSliced } from '../src/core/filter/eval/sliced';
import { defaultSettings } from '../src/core/settings';
import { openTaskStore, type TaskStore } from '../src/store/taskStore';
import { median, type Report, timed } from './reference/figure';
import { NodeSqlite } from './reference/nodeSqlite';
import { now, seed } from './reference/seed';

const size = 100_000;
const day = 86_400_000;
const today = Math.floor(now / day) * day;
// In UTC, so that SQL can tell the day of a time.
const clock = { now: () => now, timeZone: 'UTC' };
const context: QueryContext = { clock, settings: defaultSettings, locale: 'en-US' };
const ms = (value: number) => `${value.toFixed(value < 10 ? 1 : 0)} ms`;

interface Question {
  readonly query: string;
  readonly limit: number;
  readonly sql: string;
  readonly order: string;
  readonly params: readonly (string | number)[];
  /** Asks for a text, which has the goal of a scan. */
  readonly isText?: boolean;
}

/** Questions of a person, and the same rows in the same order as SQL alone would give them. */
const usual = 'due IS NULL, due / 86400000, NULLIF(priority, 0) NULLS LAST, due, +id';
const open = 'SELECT * FROM tasks WHERE is_deleted = 0 AND status IN (0, 1)';
const questions: readonly Question[] = [
  { query: 'is:open', limit: 50, sql: open, order: usual, params: [] },
  { query: 'due:<=today', limit: 50, sql: `${open} AND due < ?`, order: usual, params: [today + day] },
  {
    query: 'sort:-priority',
    limit: 50,
    sql: open,
    order: 'NULLIF(priority, 0) DESC NULLS LAST, sort_order, +id',
    params: [],
  },
  {
    query: '9999',
    limit: 50,
    isText: true,
    sql: `${open} AND (title LIKE ? OR description LIKE ? OR categories LIKE ?)`,
    order: usual,
    params: ['%9999%', '%9999%', '%9999%'],
  },
  {
    query: '#project-8',
    limit: 50,
    sql: `${open} AND ',' || categories || ',' LIKE ?`,
    order: usual,
    params: ['%,project-8,%'],
  },
];

/** What a person meets who has very many tasks, against SQLite inside Node.js over the same rows. */
export async function run(report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'dueline-bench-'));
  const sqlite = NodeSqlite.start();
  try {
    const { folder: own, plain } = await seed(folder, size);
    atRest(report, own);
    const store = await openTaskStore({ folder: own, clock });
    await sqlite?.ask({ verb: 'open', path: plain, query: open.replace('*', 'count(*)') });
    await asking(report, store, sqlite && { sqlite, path: plain });
    await firstViews(report, store);
    await manyAtOnce(report, store, sqlite && { sqlite, path: plain });
    await store.close();
  } finally {
    sqlite?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Reference = { readonly sqlite: NodeSqlite; readonly path: string } | undefined;

async function asking(report: Report, store: TaskStore, reference: Reference): Promise<void> {
  for (const { query, limit, sql, order, params, isText } of questions) {
    const ask = () => runQuery(store, query, { ...context, limit });
    const own = timed(15, ask, 3);
    const name = `\`${query}\`, the first ${limit} of ${size} tasks, against node:sqlite`;
    const text = `${sql} ORDER BY ${order} LIMIT ${limit}`;
    if (isText) {
      const scan = timed(15, () => store.select(sql.replace('*', 'count(*)'), params), 3);
      report({
        name: `\`${query}\`, against counting by a scan`,
        ratio: own / scan,
        goal: 2,
        detail: `${ms(own)} against ${ms(scan)}`,
      });
    }
    const theirs = await reference?.sqlite.ask<{ ms: number; ids: number[] }>({
      ...{ verb: 'query', path: reference.path, sql: text, params, rounds: 15 },
    });
    if (theirs)
      assert.deepEqual(
        ask().map(({ task }) => task.id),
        theirs.ids,
        query,
      );
    const detail = theirs ? `${ms(own)} against ${ms(theirs.ms)}` : `${ms(own)}; needs the Node 24 of .vscode-test`;
    report({ name, ratio: theirs ? own / theirs.ms : Number.NaN, ...(isText ? {} : { goal: 2 }), detail });
    const slices: number[] = [];
    for (let turn = 0; turn < 5; turn++) slices.push(await longestSlice(store, query, { ...context, limit }));
    const slice = median(slices);
    report({ name: `\`${query}\`, as it is typed: the longest slice, ms`, ratio: slice, goal: 50 });
  }
}

/** The longest time for which a question in slices keeps everything else waiting, in milliseconds of this process. */
async function longestSlice(store: TaskStore, query: string, asked: QueryContext): Promise<number> {
  let [began, longest] = [performance.now(), 0];
  const end = () => {
    longest = Math.max(longest, performance.now() - began);
  };
  const next = async () => {
    end();
    await new Promise(setImmediate);
    began = performance.now();
  };
  await runSliced(store, query, asked, { spent: () => performance.now() - began, next, version: () => 0 });
  end();
  return longest;
}

/** Each in an agenda of its own, as the first thing that is asked after opening. */
async function firstViews(report: Report, store: TaskStore): Promise<void> {
  for (const kind of ['today', 'lists', 'week'] as const) {
    const first = timed(5, () => {
      const agenda = new LiveAgenda(store, () => context);
      agenda.snapshot(kind, { limit: 200 });
      agenda.dispose();
    });
    report({ name: `the first ${kind} of ${size} tasks after opening, ms`, ratio: first, goal: 150 });
  }
}

/** One edit of ten thousand tasks, and its undo. */
async function manyAtOnce(report: Report, store: TaskStore, reference: Reference): Promise<void> {
  const count = 10_000;
  const times = { edit: [] as number[], undo: [] as number[] };
  const label = { key: 'update', count } as const;
  for (let turn = 0; turn < 3; turn++) {
    const start = performance.now();
    await store.edit({ origin: 'user', label }, tx => {
      for (let id = 1; id <= count; id++)
        tx.updateTask(id, { title: `Title ${turn} of ${id}`, lastModified: now + turn });
    });
    const between = performance.now();
    await store.undo();
    times.edit.push(between - start);
    times.undo.push(performance.now() - between);
  }
  const theirs = await reference?.sqlite.ask<{ ms: number }>({ verb: 'bulk', path: reference.path, count, rounds: 3 });
  for (const act of ['edit', 'undo'] as const) {
    const own = median(times[act]);
    const name = `${act} of ${count} tasks at once, against one transaction of node:sqlite`;
    report({
      name,
      ratio: theirs ? own / theirs.ms : Number.NaN,
      goal: 3,
      detail: theirs ? `${ms(own)} against ${ms(theirs.ms)}` : ms(own),
    });
  }
}

/** What a process of its own keeps that has opened the tasks and shown the first views, above one that has not. */
function atRest(report: Report, folder: string): void {
  const script = join(__dirname, 'reference/restOnly.js');
  const said = Array.from({ length: 3 }, () => {
    const text = execFileSync(process.execPath, ['--expose-gc', script, folder], { encoding: 'utf8' });
    return JSON.parse(text) as { opened: number; shown: number };
  });
  const megabytes = (of: 'opened' | 'shown') => Math.round(median(said.map(each => each[of])) / 1e6);
  report({
    name: `memory of ${size} tasks, Today, Lists and Week, above the process, MB`,
    ratio: megabytes('shown'),
    goal: 120,
    detail: `${megabytes('opened')} MB when opened`,
  });
}
