import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { open as openFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defaultSettings } from '../src/core/kernel/settings';
import { LiveAgenda } from '../src/query/agenda/liveAgenda';
import type { QueryContext } from '../src/query/eval/context';
import { runQuery } from '../src/query/eval/run';
import { runSliced } from '../src/query/eval/sliced';
import { openTaskStore, type TaskStore } from '../src/store/taskStore';
import { compared, inFolder, inTurns, median, type Report, timed, took } from './reference/figure';
import { sqliteOn } from './reference/nodeSqlite';
import { inOwnProcess } from './reference/ownProcess';
import { clock, day, now, seed, today } from './reference/seed';

type Sqlite = ReturnType<typeof sqliteOn>;

const size = 100_000;
const limit = 50;
const context: QueryContext = { clock, settings: defaultSettings, locale: 'en-US', limit };

const firstQuery = 'SELECT * FROM tasks WHERE list_id = 1 AND is_deleted = 0 ORDER BY sort_order LIMIT 50';

/** The store against what the disk and SQLite itself can do, in the same run. */
export const run = (report: Report): Promise<void> =>
  inFolder(async folder => {
    const [few, many] = [await seed(folder, 1_000), await seed(folder, size)];
    const { opened, shown } = await inOwnProcess('rest', many.folder);
    const name = `memory of ${size} tasks, Today, Lists and Week, above the process, MB`;
    report({ name, ratio: Math.round(shown), goal: 120, detail: `${Math.round(opened)} MB when opened` });
    await opening(report, many);
    const small = await openTaskStore({ folder: few.folder, clock });
    const large = await openTaskStore({ folder: many.folder, clock });
    const sqlite = sqliteOn(many.plain);
    // Both have the same rows until one is edited.
    await asking(report, large, sqlite);
    await firstViews(report, large);
    await editing(report, folder, small, large);
    await views(report, large, sqlite);
    await manyAtOnce(report, large, sqlite);
    sqlite?.close();
    await small.close();
    await large.close();
  });

async function opening(report: Report, { folder, plain }: { folder: string; plain: string }): Promise<void> {
  const times = await inTurns(5, {
    own: async () => {
      const start = performance.now();
      const store = await openTaskStore({ folder, clock });
      store.selectTasks('t.list_id = ? AND t.is_deleted = 0', [1], 'ORDER BY t.sort_order LIMIT 50');
      const took = performance.now() - start;
      await store.close();
      return took;
    },
    sqlite: () => {
      const start = performance.now();
      const sqlite = sqliteOn(plain);
      sqlite?.prepare(firstQuery).all();
      const took = performance.now() - start;
      sqlite?.close();
      return sqlite ? took : Number.NaN;
    },
  });
  report(compared('opening 100 000 tasks and one list, against node:sqlite', times.own, times.sqlite, 2));
}

/** One edit to the disk, against writing its bytes there; a third of the turns each, since the second process finds the disk busier. */
async function editing(report: Report, folder: string, small: TaskStore, large: TaskStore): Promise<void> {
  const edit = (store: TaskStore, round: number) =>
    store.edit({ origin: 'user', label: { key: 'update', count: 1 } }, tx =>
      tx.updateTask((round % 900) + 1, { title: `Title ${round}`, lastModified: round }),
    );
  const journal = () =>
    execFileSync('sh', ['-c', `cat "${small.data.folder}"/store/j-* | wc -c`], { encoding: 'utf8' });
  const before = Number(journal());
  for (let round = 0; round < 30; round++) await edit(small, round);
  const line = 'x'.repeat(Math.round((Number(journal()) - before) / 30));
  const handle = await openFile(join(folder, 'floor'), 'a');
  const times = await inTurns(400, {
    floor: async () => {
      await handle.write(line);
      await handle.datasync();
    },
    small: async round => void (await edit(small, round)),
    large: async round => void (await edit(large, round)),
  });
  await handle.close();
  const name = 'one durable edit against append + fdatasync of the same bytes';
  report(compared(name, times.small, times.floor, 1.5, `${line.length} bytes`));
  report(compared('the same edit at 100 000 tasks against 1 000', times.large, times.small, 1.1));
}

async function views(report: Report, store: TaskStore, sqlite: Sqlite): Promise<void> {
  // A day has to be found in a zone that changes its offset, as most people have it.
  const there = { ...context, clock: { ...clock, timeZone: 'Europe/Berlin' }, limit: undefined };
  const agenda = new LiveAgenda(store, () => there, store.onDidChange);
  const columns = 'SELECT t.* FROM tasks t WHERE t.is_deleted = 0 AND t.status < 2 AND';
  const questions = {
    today: [`${columns} t.due < ? ORDER BY t.due LIMIT 200`, today + day],
    upNext: [`${columns} t.due >= ? ORDER BY t.due, t.priority LIMIT 50`, today],
    week: [`${columns} t.due >= ? AND t.due < ? ORDER BY t.due`, today - 3 * day, today + 4 * day],
  } as const;
  for (const kind of ['today', 'upNext', 'week'] as const) {
    const [sql, ...params] = questions[kind];
    const question = sqlite?.prepare(sql);
    const times = await inTurns(50, {
      own: async round => {
        await store.edit({ origin: 'user' }, tx => tx.updateTask(round + 1, { due: today + round * 1000, status: 0 }));
        return took(() => agenda.snapshot(kind, { limit: 200 }));
      },
      sqlite: question && (() => void question.all(...params)),
    });
    const name = `${kind} after an edit, 100 000 tasks, against the query in node:sqlite`;
    report(compared(name, times.own, times.sqlite, 0.1));
  }
  agenda.dispose();
}

const usual = 'due IS NULL, due / 86400000, NULLIF(priority, 0) NULLS LAST, due, +id';
const open = 'SELECT * FROM tasks WHERE is_deleted = 0 AND status IN (0, 1)';
/**
 * Queries that users write, and the same rows in the same order as SQL alone would return them; a text has the goal of
 * a scan.
 */
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
  const edit = (round: number) =>
    store.edit({ origin: 'user', label: { key: 'update', count } }, tx => {
      for (let id = 1; id <= count; id++)
        tx.updateTask(id, { title: `Title ${round} of ${id}`, lastModified: now + round });
    });
  const theirs = sqlite?.prepare('UPDATE tasks SET title = ?, last_modified = ? WHERE id = ?');
  const inSqlite = (round: number) => {
    sqlite?.exec('BEGIN');
    for (let id = 1; id <= count; id++) theirs?.run(`Title ${round} of ${id}`, round, id);
    sqlite?.exec('COMMIT');
  };
  const acts = { edit, undo: () => store.undo(), inSqlite };
  const times = { edit: [] as number[], undo: [] as number[], inSqlite: [] as number[] };
  for (let round = 0; round < 3; round++)
    for (const act of ['edit', 'undo', 'inSqlite'] as const) times[act].push(await took(() => acts[act](round)));
  for (const act of ['edit', 'undo'] as const) {
    const name = `${act} of ${count} tasks at once, against one transaction of node:sqlite`;
    report(compared(name, median(times[act]), sqlite && median(times.inSqlite), 3));
  }
}
