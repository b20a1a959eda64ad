import { execFileSync } from 'node:child_process';
import { open as openFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defaultSettings } from '../src/core/kernel/settings';
import { LiveAgenda } from '../src/query/agenda/liveAgenda';
import { openTaskStore } from '../src/store/taskStore';
import { compared, inFolder, inTurns, type Report } from './reference/figure';
import { sqliteOn } from './reference/nodeSqlite';
import { inOwnProcess } from './reference/ownProcess';
import { clock, day, seed, today } from './reference/seed';

type Store = Awaited<ReturnType<typeof openTaskStore>>;

const firstQuery = 'SELECT * FROM tasks WHERE list_id = 1 AND is_deleted = 0 ORDER BY sort_order LIMIT 50';

/** The store against what the disk and SQLite itself can do, in the same run. */
export const run = (report: Report): Promise<void> =>
  inFolder(async folder => {
    const [few, many] = [await seed(folder, 1_000), await seed(folder, 100_000)];
    await opening(report, many);
    const small = await openTaskStore({ folder: few.folder, clock });
    const large = await openTaskStore({ folder: many.folder, clock });
    await editing(report, folder, small, large);
    await views(report, large, many.plain);
    await small.close();
    await large.close();
  });

async function opening(report: Report, { folder, plain }: { folder: string; plain: string }): Promise<void> {
  const { ms, megabytes } = await inOwnProcess('opening', folder);
  const name = 'the first opening of 100 000 tasks in a process, SQLite’s own start included, ms';
  report({ name, ratio: ms, detail: `memory ${Math.round(megabytes)} MB` });
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
async function editing(report: Report, folder: string, small: Store, large: Store): Promise<void> {
  const edit = (store: Store, turn: number) =>
    store.edit({ origin: 'user', label: { key: 'update', count: 1 } }, tx =>
      tx.updateTask((turn % 900) + 1, { title: `Title ${turn}`, lastModified: turn }),
    );
  const journal = () =>
    execFileSync('sh', ['-c', `cat "${small.data.folder}"/store/j-* | wc -c`], { encoding: 'utf8' });
  const before = Number(journal());
  for (let turn = 0; turn < 30; turn++) await edit(small, turn);
  const line = 'x'.repeat(Math.round((Number(journal()) - before) / 30));
  const handle = await openFile(join(folder, 'floor'), 'a');
  const times = await inTurns(400, {
    floor: async () => {
      await handle.write(line);
      await handle.datasync();
    },
    small: async turn => void (await edit(small, turn)),
    large: async turn => void (await edit(large, turn)),
  });
  await handle.close();
  const name = 'one durable edit against append + fdatasync of the same bytes';
  report(compared(name, times.small, times.floor, 1.5, `${line.length} bytes`));
  report(compared('the same edit at 100 000 tasks against 1 000', times.large, times.small, 1.1));
}

async function views(report: Report, store: Store, path: string): Promise<void> {
  // A day has to be found in a zone that changes its offset, as most people have it.
  const context = () => ({
    clock: { ...clock, timeZone: 'Europe/Berlin' },
    settings: defaultSettings,
    locale: 'en-US',
  });
  const agenda = new LiveAgenda(store, context, store.onDidChange);
  const sqlite = sqliteOn(path);
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
      own: async turn => {
        await store.edit({ origin: 'user' }, tx => tx.updateTask(turn + 1, { due: today + turn * 1000, status: 0 }));
        const start = performance.now();
        agenda.snapshot(kind, { limit: 200 });
        return performance.now() - start;
      },
      sqlite: question && (() => void question.all(...params)),
    });
    const name = `${kind} after an edit, 100 000 tasks, against the query in node:sqlite`;
    report(compared(name, times.own, times.sqlite, 0.1));
  }
  agenda.dispose();
  sqlite?.close();
}
