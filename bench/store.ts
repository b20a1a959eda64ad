import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { open as openFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LiveAgenda } from '../src/core/agenda/liveAgenda';
import { defaultSettings } from '../src/core/settings';
import { openTaskStore } from '../src/store/taskStore';
import { median, type Report } from './reference/figure';
import { NodeSqlite } from './reference/nodeSqlite';
import { now, seed } from './reference/seed';

type Store = Awaited<ReturnType<typeof openTaskStore>>;

const clock = { now: () => now, timeZone: 'Europe/Berlin' };
const sizes = [1_000, 10_000, 100_000] as const;
const rounds = 400;
const firstQuery = 'SELECT * FROM tasks WHERE list_id = 1 AND is_deleted = 0 ORDER BY sort_order LIMIT 50';

const ms = (value: number) => `${value.toFixed(value < 10 ? 2 : 0)} ms`;
const unavailable = (report: Report, name: string, goal?: number) =>
  report({ name, ratio: Number.NaN, goal, detail: 'needs the Node 24 of .vscode-test' });

async function timed(work: () => Promise<unknown> | unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** The store against what the disk and SQLite itself can do, in the same run. */
export async function run(report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'dueline-bench-'));
  const sqlite = NodeSqlite.start();
  try {
    const seeds = new Map<number, { folder: string; plain: string }>();
    for (const size of sizes) seeds.set(size, await seed(folder, size));
    await opening(report, seeds, sqlite);
    const small = await openTaskStore({ folder: seeds.get(1_000)!.folder, clock });
    const large = await openTaskStore({ folder: seeds.get(100_000)!.folder, clock });
    await editing(report, folder, small, large, sqlite && { sqlite, path: seeds.get(1_000)!.plain });
    await views(report, large, sqlite && { sqlite, path: seeds.get(100_000)!.plain });
    await small.close();
    await large.close();
  } finally {
    sqlite?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function editing(
  report: Report,
  folder: string,
  small: Store,
  large: Store,
  reference: { sqlite: NodeSqlite; path: string } | undefined,
): Promise<void> {
  const edit = (store: Store, turn: number) =>
    store.edit({ origin: 'user', label: { key: 'update', count: 1 } }, tx =>
      tx.updateTask((turn % 900) + 1, { title: `Title ${turn}`, lastModified: turn }),
    );
  const before = journalBytes(small);
  for (let turn = 0; turn < 30; turn++) for (const store of [small, large]) await edit(store, turn);
  const size = Math.round((journalBytes(small) - before) / 30);
  const line = 'x'.repeat(size);
  const handle = await openFile(join(folder, 'floor'), 'a');
  const times = { floor: [] as number[], small: [] as number[], large: [] as number[], sqlite: [] as number[] };
  const contestants = {
    floor: () =>
      timed(async () => {
        await handle.write(line);
        await handle.datasync();
      }),
    small: (turn: number) => timed(() => edit(small, turn)),
    large: (turn: number) => timed(() => edit(large, turn)),
    sqlite: async (turn: number) => {
      if (!reference) return Number.NaN;
      const { sqlite, path } = reference;
      return (await sqlite.ask<{ ms: number }>({ verb: 'edit', path, turn, id: (turn % 900) + 1 })).ms;
    },
  };
  const names = ['floor', 'small', 'large', 'sqlite'] as const;
  // In another order every time: the second process finds the disk busier.
  for (let turn = 0; turn < rounds; turn++) {
    for (let at = 0; at < names.length; at++) {
      const name = names[(at + turn) % names.length]!;
      times[name].push(await contestants[name](turn));
    }
  }
  await handle.close();
  const [floor, own, big] = [median(times.floor), median(times.small), median(times.large)];
  report({
    name: 'one durable edit against append + fdatasync of the same bytes',
    ratio: own / floor,
    goal: 1.5,
    detail: `${ms(own)} against ${ms(floor)}, ${size} bytes`,
  });
  const name = 'one durable edit against node:sqlite, WAL with full sync';
  if (reference) {
    const theirs = median(times.sqlite);
    report({ name, ratio: own / theirs, goal: 1.5, detail: `${ms(own)} against ${ms(theirs)}` });
  } else unavailable(report, name, 1.5);
  report({
    name: 'the same edit at 100 000 tasks against 1 000',
    ratio: big / own,
    goal: 1.1,
    detail: `${ms(big)} against ${ms(own)}`,
  });
}

const journalBytes = (store: Store): number =>
  Number(execFileSync('sh', ['-c', `cat "${store.data.folder}"/store/j-* | wc -c`], { encoding: 'utf8' }));

async function views(
  report: Report,
  store: Store,
  reference: { sqlite: NodeSqlite; path: string } | undefined,
): Promise<void> {
  const context = () => ({ clock, settings: defaultSettings, locale: 'en-US' });
  const agenda = new LiveAgenda(store, context, store.onDidChange);
  const day = 86_400_000;
  const today = Math.floor(now / day) * day;
  const columns = 'SELECT t.* FROM tasks t WHERE t.is_deleted = 0 AND t.status < 2 AND';
  const questions = [
    { kind: 'today', sql: `${columns} t.due < ? ORDER BY t.due LIMIT 200`, params: [today + day] },
    { kind: 'upNext', sql: `${columns} t.due >= ? ORDER BY t.due, t.priority LIMIT 50`, params: [today] },
    {
      kind: 'week',
      sql: `${columns} t.due >= ? AND t.due < ? ORDER BY t.due`,
      params: [today - 3 * day, today + 4 * day],
    },
  ] as const;
  for (const { kind, sql, params } of questions) {
    agenda.snapshot(kind, { limit: 200 });
    const times: number[] = [];
    for (let turn = 0; turn < 50; turn++) {
      await store.edit({ origin: 'user' }, tx => tx.updateTask(turn + 1, { due: today + turn * 1000, status: 0 }));
      times.push(await timed(() => agenda.snapshot(kind, { limit: 200 })));
    }
    const name = `${kind} after an edit, 100 000 tasks, against the query in node:sqlite`;
    if (!reference) {
      unavailable(report, name, 0.1);
      continue;
    }
    const { path, sqlite } = reference;
    const theirs = await sqlite.ask<{ ms: number; rows: number }>({ verb: 'query', path, sql, params, rounds: 20 });
    report({
      name,
      ratio: median(times) / theirs.ms,
      goal: 0.1,
      detail: `${ms(median(times))} against ${ms(theirs.ms)}`,
    });
  }
  agenda.dispose();
}

async function opening(
  report: Report,
  seeds: ReadonlyMap<number, { folder: string; plain: string }>,
  sqlite: NodeSqlite | undefined,
): Promise<void> {
  for (const [size, { folder, plain }] of seeds) {
    const name = `opening ${size} tasks and one list, against node:sqlite`;
    const times: number[] = [];
    for (let turn = 0; turn < 5; turn++) {
      let store: Store | undefined;
      times.push(
        await timed(async () => {
          store = await openTaskStore({ folder, clock });
          store.selectTasks('t.list_id = ? AND t.is_deleted = 0', [1], 'ORDER BY t.sort_order LIMIT 50');
        }),
      );
      await store!.close();
    }
    const first = firstOpening(folder);
    report({
      name: `the first opening of ${size} tasks in a process, SQLite's own start included, ms`,
      ratio: first.ms,
      detail: `memory ${first.megabytes} MB`,
    });
    if (!sqlite) {
      unavailable(report, name);
      continue;
    }
    const theirs = await sqlite.ask<{ ms: number; rss: number }>({ verb: 'open', path: plain, query: firstQuery });
    report({
      name,
      ratio: median(times) / theirs.ms,
      ...(size === 100_000 ? { goal: 2 } : {}),
      detail: `${ms(median(times))} against ${ms(theirs.ms)}; memory ${first.megabytes} MB against ${Math.round(theirs.rss / 1e6)} MB`,
    });
  }
}

/** What processes that have opened this store and done nothing else say: the median time of five. */
function firstOpening(folder: string): { ms: number; megabytes: number } {
  const script = join(__dirname, 'reference/openOnly.js');
  const said = Array.from({ length: 5 }, () => {
    const text = execFileSync(process.execPath, [script, folder], { encoding: 'utf8' });
    return JSON.parse(text) as { ms: number; rss: number };
  });
  return { ms: median(said.map(({ ms }) => ms)), megabytes: Math.round(median(said.map(({ rss }) => rss)) / 1e6) };
}
