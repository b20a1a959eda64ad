import { systemClock } from '../../src/core/time/clock';
import { openTaskStore } from '../../src/store/taskStore';

/** Opens a store in a process that has done nothing else; prints how long that took and the resident memory in bytes. */
async function main(): Promise<void> {
  const start = performance.now();
  const store = await openTaskStore({ folder: process.argv[2]!, clock: systemClock });
  const ms = performance.now() - start;
  console.log(JSON.stringify({ ms, rss: process.memoryUsage().rss }));
  await store.close();
}

void main();
