import type { TaskStore } from '../../store/taskStore';
import type { Writer } from '../../store/types';

/**
 * What `work` would come to, with nothing of it done. For what has to be noted before it happens: a run that is cut off
 * between an edit and a note of what the edit did knows of neither.
 */
export async function dryRun<T>(store: TaskStore, work: (tx: Writer) => T): Promise<T> {
  const stop = new Error();
  const seen: T[] = [];
  await store
    .edit({ origin: 'sync' }, tx => {
      seen.push(work(tx));
      throw stop;
    })
    .catch(error => {
      if (error !== stop) throw error;
    });
  return seen.at(-1)!;
}
