import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { defaultSettings } from '../../src/core/kernel/settings';
import { LiveAgenda } from '../../src/query/agenda/liveAgenda';
import { loadSqlite } from '../../src/store/sql/database';
import { openTaskStore } from '../../src/store/taskStore';
import { median } from './figure';
import { clock } from './seed';

/** Measures that need a process of their own: its memory must not be that of an earlier measure. */
const measures = {
  /** Memory that a store adds to a process which has loaded everything, and its first views on top. */
  async rest(folder: string) {
    await loadSqlite();
    const before = resident();
    const store = await openTaskStore({ folder, clock });
    const opened = resident() - before;
    const agenda = new LiveAgenda(store, () => ({ clock, settings: defaultSettings, locale: 'en-US' }));
    for (const kind of ['today', 'lists', 'week'] as const) agenda.snapshot(kind, { limit: 200 });
    const shown = resident() - before;
    agenda.dispose();
    await store.close();
    return { opened, shown };
  },
  /** Memory that the first sync of an account adds at its peak, to a process that has its store open and knows the account. */
  async firstSync(folder: string, serverUrl: string, username: string, password: string, count: string) {
    const { expectTasks, synced, withAccount } = await import('./synced');
    const engine = await withAccount(folder, serverUrl, username, password);
    const before = resident();
    let peak = before;
    const noteMemory = () => {
      peak = Math.max(peak, process.memoryUsage().rss / 1e6);
    };
    const watch = setInterval(noteMemory, 5);
    await synced(engine);
    clearInterval(watch);
    noteMemory();
    expectTasks(engine, Number(count));
    await engine.close();
    return { before, added: peak - before };
  },
};

/** Resident, in MB, without garbage. */
function resident(): number {
  for (let round = 0; round < 3; round++) globalThis.gc?.();
  return process.memoryUsage().rss / 1e6;
}

type Measures = typeof measures;

const script = join(__dirname, 'reference/ownProcess.js');

/** The medians of three processes; each has a folder of its own, if `folder` makes one. */
export async function inOwnProcess<Name extends keyof Measures>(
  name: Name,
  folder: string | ((round: number) => string),
  ...more: readonly string[]
): Promise<Awaited<ReturnType<Measures[Name]>>> {
  const runs: Record<string, number>[] = [];
  for (let round = 0; round < 3; round++) {
    const args = [name, typeof folder === 'string' ? folder : folder(round), ...more];
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', script, ...args]);
    runs.push(JSON.parse(stdout));
  }
  const medians = Object.keys(runs[0]!).map(key => [key, median(runs.map(one => one[key]!))]);
  return Object.fromEntries(medians);
}

if (process.argv[1]?.endsWith('ownProcess.js')) {
  const [name, ...args] = process.argv.slice(2) as [keyof Measures, string, string, string, string, string];
  void measures[name](...args).then(figures => console.log(JSON.stringify(figures)));
}
