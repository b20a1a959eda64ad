import { LiveAgenda } from '../../src/core/agenda/liveAgenda';
import { defaultSettings } from '../../src/core/settings';
import { loadSqlite } from '../../src/store/sql/database';
import { openTaskStore } from '../../src/store/taskStore';
import { now } from './seed';

const clock = { now: () => now, timeZone: 'UTC' };

/** Resident memory in bytes that a store adds to a process which has loaded everything, and its first views on top. */
async function main(): Promise<void> {
  await loadSqlite();
  const before = rest();
  const store = await openTaskStore({ folder: process.argv[2]!, clock });
  const opened = rest() - before;
  const agenda = new LiveAgenda(store, () => ({ clock, settings: defaultSettings, locale: 'en-US' }));
  for (const kind of ['today', 'lists', 'week'] as const) agenda.snapshot(kind, { limit: 200 });
  console.log(JSON.stringify({ opened, shown: rest() - before }));
  agenda.dispose();
  await store.close();
}

function rest(): number {
  for (let turn = 0; turn < 3; turn++) globalThis.gc?.();
  return process.memoryUsage().rss;
}

void main();
