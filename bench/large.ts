import assert from 'node:assert/strict';
import { defaultSettings } from '../src/core/kernel/settings';
import { LiveAgenda } from '../src/query/agenda/liveAgenda';
import type { QueryContext } from '../src/query/eval/context';
import { runQuery } from '../src/query/eval/run';
import { runSliced } from '../src/query/eval/sliced';
import { openTaskStore, type TaskStore } from '../src/store/taskStore';
import { compared, inFolder, inTurns, median, type Report, timed } from './reference/figure';
import { sqliteOn } from './reference/nodeSqlite';
import { inOwnProcess } from './reference/ownProcess';
import { clock, day, now, seed, today } from './reference/seed';

const size = 100_000;
const limit = 50;
const context: QueryContext = { clock, settings: defaultSettings, locale: 'en-US', limit };

/** What a person meets who has very many tasks, against SQLite inside Node.js over the same rows. */
export const run = (report: Report): Promise<void> =>
  inFolder(async folder => {
    const { folder: own, plain } = await seed(folder, size);
    const { opened, shown } = await inOwnProcess('rest', own);
    report({
      name: `memory of ${size} tasks, Today, Lists and Week, above the process, MB`,
      ratio: Math.round(shown),
      goal: 120,
      detail: `${Math.round(opened)} MB when opened`,
    });
    const store = await openTaskStore({ folder: own, clock });
    const sqlite = sqliteOn(plain);
    try {
      await asking(report, store, sqlite);
      await firstViews(report, store);
      await manyAtOnce(report, store, sqlite);
    } finally {
      sqlite?.close();
      await store.close();
    }
  });

type Sqlite = ReturnType<typeof sqliteOn>;

const usual = 'due IS NULL, due / 86400000, NULLIF(priority, 0) NULLS LAST, due, +id';
const open = 'SELECT * FROM tasks WHERE is_deleted = 0 AND status IN (0, 1)';
/** Questions of a person, and the same rows in the same order as SQL alone would give them; a text has the goal of a scan. */
const questions: readonly (readonly [query: string, sql: string, params: (string | number)[], order?: string])[] = [
  ['is:open', open, []],
  ['due:<=today', `${open} AND due < ?`, [today + day]],
  ['sort:-priority', open, [], 'NULLIF(priority, 0) DESC NULLS LAST, sort_order, +id'],
  ['9999', `${open} AND (title LIKE ? OR description LIKE ? OR categories LIKE ?)`, Array(3).fill('%9999%')],
  ['#project-8', `${open} AND ',' || categories || ',' LIKE ?`, ['%,project-8,%']],
];

async function asking(report: Report, store: TaskStore, sqlite: Sqlite): Promise<void> {
  const slices: number[] = [];
  for (const [query, sql, params, order = usual] of questions) {
    const isText = /^\d/.test(query);
    const theirs = sqlite?.prepare(`${sql} ORDER BY ${order} LIMIT ${limit}`);
    const times = await inTurns(15, {
      own: () => void runQuery(store, query, context),
      scan: isText ? () => void store.select(sql.replace('*', 'count(*)'), params) : undefined,
      sqlite: theirs && (() => void theirs.all(...params)),
      slice: () => longestSlice(store, query),
    });
    slices.push(times.slice);
    const ids = theirs?.all(...params).map(({ id }) => id);
    const found = runQuery(store, query, context).map(({ task }) => task.id);
    if (ids) assert.deepEqual(found, ids, query);
    const [reference, other] = isText ? ['counting by a scan', times.scan] : ['node:sqlite', times.sqlite];
    report(compared(`\`${query}\`, the first ${limit} of ${size} tasks, against ${reference}`, times.own, other, 2));
  }
  report({ name: 'the longest slice of these as they are typed, ms', ratio: Math.max(...slices), goal: 50 });
}

/** The longest time for which a question in slices keeps everything else waiting, in milliseconds of this process. */
async function longestSlice(store: TaskStore, query: string): Promise<number> {
  let [began, longest] = [performance.now(), 0];
  const end = () => {
    longest = Math.max(longest, performance.now() - began);
  };
  const next = async () => {
    end();
    await new Promise(setImmediate);
    began = performance.now();
  };
  await runSliced(store, query, context, { spent: () => performance.now() - began, next, version: () => 0 });
  end();
  return longest;
}

/** Each in an agenda of its own, as the first thing that is asked after opening. */
async function firstViews(report: Report, store: TaskStore): Promise<void> {
  for (const kind of ['today', 'lists', 'week'] as const) {
    const first = await timed(5, () => {
      const agenda = new LiveAgenda(store, () => context);
      agenda.snapshot(kind, { limit: 200 });
      agenda.dispose();
    });
    report({ name: `the first ${kind} of ${size} tasks after opening, ms`, ratio: first, goal: 150 });
  }
}

/** One edit of ten thousand tasks, and its undo. */
async function manyAtOnce(report: Report, store: TaskStore, sqlite: Sqlite): Promise<void> {
  const count = 10_000;
  const edit = (turn: number) =>
    store.edit({ origin: 'user', label: { key: 'update', count } }, tx => {
      for (let id = 1; id <= count; id++)
        tx.updateTask(id, { title: `Title ${turn} of ${id}`, lastModified: now + turn });
    });
  const theirs = sqlite?.prepare('UPDATE tasks SET title = ?, last_modified = ? WHERE id = ?');
  const inSqlite = (turn: number) => {
    sqlite?.exec('BEGIN');
    for (let id = 1; id <= count; id++) theirs?.run(`Title ${turn} of ${id}`, turn, id);
    sqlite?.exec('COMMIT');
  };
  const acts = { edit, undo: () => store.undo(), inSqlite };
  const times = { edit: [] as number[], undo: [] as number[], inSqlite: [] as number[] };
  for (let turn = 0; turn < 3; turn++)
    for (const act of ['edit', 'undo', 'inSqlite'] as const) {
      const start = performance.now();
      await acts[act](turn);
      times[act].push(performance.now() - start);
    }
  for (const act of ['edit', 'undo'] as const) {
    const name = `${act} of ${count} tasks at once, against one transaction of node:sqlite`;
    report(compared(name, median(times[act]), sqlite && median(times.inSqlite), 3));
  }
}
