import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LiveAgenda } from '../src/core/agenda/liveAgenda';
import { compileQuery } from '../src/core/filter/eval/compile';
import type { QueryContext } from '../src/core/filter/eval/context';
import { defaultSettings } from '../src/core/settings';
import { openTaskStore, type TaskStore } from '../src/store/taskStore';
import { examples } from '../test/core/support/filterExamples';
import { median, type Report, timed } from './reference/figure';

const day = 86_400_000;
const now = Date.parse('2026-03-18T14:30:00Z');
const rows = 100_000;

/** Reading and compiling queries against SQLite's own reading of the SQL; kept widgets against a scan of the same rows. */
export async function run(report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'dueline-bench-'));
  const clock = { now: () => now, timeZone: 'Europe/Berlin' };
  const context: QueryContext = { clock, settings: defaultSettings, locale: 'en-US' };
  const store = await openTaskStore({ folder, clock });
  try {
    await fill(store);
    compiling(store, context, report);
    await keeping(store, context, report);
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function fill(store: TaskStore): Promise<void> {
  await store.edit({ origin: 'sync' }, tx => {
    const lists = Array.from({ length: 10 }, (_, index) => tx.insertList({ name: `List ${index}`, color: 0 }));
    for (let index = 0; index < rows; index++) {
      const isAllDay = index % 2 === 0;
      const base = Math.floor(now / day) * day + (((index * 7919) % 730) - 365) * day;
      tx.insertTask({
        listId: lists[index % 10]!,
        uid: `uid-${index}`,
        title: `Task ${index}`,
        isAllDay,
        due: index % 5 === 4 ? null : isAllDay ? base : base + (index % 86_400) * 1000,
        timezone: isAllDay ? null : 'Europe/Berlin',
        status: index % 3 === 0 ? 2 : 0,
        priority: index % 10,
        rrule: index % 200 === 1 ? 'FREQ=WEEKLY' : null,
      });
    }
  });
}

function compiling(store: TaskStore, context: QueryContext, report: Report): void {
  const queries = examples.filter(({ unavailable }) => !unavailable).map(({ query }) => query);
  const compiled = queries.map(query => compileQuery(query, store, context).all);
  const compile = timed(60, () => queries.map(query => compileQuery(query, store, context)));
  const prepare = timed(60, () =>
    compiled.map(({ text, params }) => store.select(`EXPLAIN SELECT * FROM tasks t WHERE ${text}`, params)),
  );
  const each = (ms: number) => `${((ms * 1000) / queries.length).toFixed(0)} µs`;
  report({
    name: 'query read and compiled',
    ratio: compile / prepare,
    goal: 1,
    detail: `${queries.length} examples, each ${each(compile)}; SQLite compiles its SQL in ${each(prepare)}`,
  });
}

async function keeping(store: TaskStore, context: QueryContext, report: Report): Promise<void> {
  const live = new LiveAgenda(store, () => context);
  const near = store.select<{ id: number }>(
    `SELECT id FROM tasks WHERE due BETWEEN ? AND ? AND status = 0 AND rrule IS NULL AND is_all_day = 0 LIMIT 40`,
    [now, now + day / 2],
  );
  const ranges = {
    today: [0, now + day / 2],
    upNext: [now - day / 2, now + 7 * day],
    week: [now - 3 * day, now + 4 * day],
  } as const;
  for (const kind of ['today', 'upNext', 'week'] as const) {
    live.snapshot(kind);
    const times: number[] = [];
    for (const [index, { id }] of near.entries()) {
      await store.edit({ origin: 'sync' }, tx => tx.updateTask(id, { priority: 1 + (index % 9) }));
      const start = performance.now();
      live.apply({ tasks: [id], lists: [] });
      live.snapshot(kind);
      times.push(performance.now() - start);
    }
    const scan = timed(7, () =>
      store.select(
        `SELECT COUNT(*) FROM (SELECT * FROM tasks WHERE is_deleted = 0 AND status IN (0, 1) AND due >= ? AND due < ?
         ORDER BY due, priority, title)`,
        ranges[kind],
      ),
    );
    report({
      name: `${kind} after an edit`,
      ratio: median(times) / scan,
      goal: 0.1,
      detail: `${rows} tasks: ${median(times).toFixed(2)} ms, counting the same rows by a scan ${scan.toFixed(1)} ms`,
    });
  }
}
