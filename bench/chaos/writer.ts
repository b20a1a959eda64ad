import { createInterface } from 'node:readline';
import { systemClock } from '../../src/core/time/clock';
import { diskFiles, type Files } from '../../src/store/journal/files';
import { openTaskStore } from '../../src/store/taskStore';
import { newRandom } from '../../test/interop/support/random';
import { dump } from '../../test/store/support/store';

/** The main process's orders for a writer; one JSON argument. */
export interface WriterPlan {
  readonly folder: string;
  readonly name: string;
  readonly compactAt: number;
  readonly lock: boolean;
  /** Share of appends that find the disk full after some bytes. */
  readonly fullDisk: number;
  /** The seed of its choices; how far it gets with them depends on the machine. */
  readonly seed: number;
}

/** A disk that is full now and then: the write stops after any number of bytes. */
function faulty(share: number, random: () => number): Files {
  if (share === 0) return diskFiles;
  return {
    ...diskFiles,
    openJournal(path, mode) {
      const file = diskFiles.openJournal(path, mode);
      const append = (bytes: Uint8Array): number => {
        if (random() >= share) return file.append(bytes);
        if (random() < 0.5) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
        return file.append(bytes.subarray(0, Math.floor(random() * bytes.length)));
      };
      return { ...file, append };
    },
  };
}

/** True if a disk that is full now and then explains the error. */
function isOfFullDisk(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if ((cause as NodeJS.ErrnoException).code === 'ENOSPC') return true;
  return false;
}

const send = (line: string) => process.stdout.write(`${line}\n`);

/** Counts up in one row and adds another, as one edit, until it is asked to stop or is killed. */
async function main(): Promise<void> {
  const { folder, name, compactAt, lock, fullDisk, seed } = JSON.parse(process.argv[2]!) as WriterPlan;
  const random = newRandom(seed);
  // The orders are stop, then check, then end: line by line, so that all have stopped before anyone checks.
  const words = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  let stopping = false;
  const stop = words.next().then(() => {
    stopping = true;
  });
  const store = await openTaskStore({ folder, clock: systemClock, compactAt, lock, files: faulty(fullDisk, random) });
  send('open');
  for (let round = 0; !stopping; round++) {
    const uid = `${name}-${round}`;
    try {
      await store.edit({ origin: 'user', label: { key: 'chaos', count: 2 } }, tx => {
        const counter = tx.task(1)!;
        const count = Number(counter.title) + 1;
        tx.updateTask(1, { title: String(count), alarms: count % 3 === 0 ? [{ minutesBefore: count }] : [] });
        tx.insertTask({ listId: 1, uid, title: String(count) });
      });
      send(`ack ${uid}`);
    } catch (error) {
      if (!isOfFullDisk(error)) send(`error ${(error as Error).message}`);
    }
    if (random() < 0.2) await new Promise(resolve => setTimeout(resolve, random() * 20));
  }
  await stop;
  send('stopped');
  await words.next();
  await store.refresh();
  send(`rows ${dump(store)}`);
  await words.next();
  await store.close();
  process.exit(0);
}

main().catch(error => {
  if (!isOfFullDisk(error)) send(`error ${(error as Error).message}`);
  process.exit(1);
});
