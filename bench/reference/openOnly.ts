import { systemClock } from '../../src/core/clock';
import { openTaskStore } from '../../src/store/taskStore';

/** Opens a store, prints the resident memory in bytes, and ends. */
async function main(): Promise<void> {
  const store = await openTaskStore({ folder: process.argv[2]!, clock: systemClock });
  console.log(process.memoryUsage().rss);
  await store.close();
}

void main();
