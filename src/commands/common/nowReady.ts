import type { DuelineEngine } from '../../api';
import type { Id } from '../../core/kernel/model';
import { readyWords, titleOf } from '../../ui/text/taskText';

/** Does the work; returns the tasks that were blocked until then and are ready now. */
export async function readyAfter(engine: DuelineEngine, work: () => Promise<unknown>): Promise<readonly Id[]> {
  const ready: Id[] = [];
  const listening = engine.onDidChange(({ origin, ready: these = [] }) => {
    if (origin === 'user') ready.push(...these);
  });
  try {
    await work();
  } finally {
    listening.dispose();
  }
  return ready;
}

/** The announcement of a change, and of the tasks that it has made ready. */
export function withTasksNowReady(engine: DuelineEngine, message: string, ready: readonly Id[]): string {
  const titles = ready.flatMap(id => engine.task(id) ?? []).map(titleOf);
  return titles.length === 0 ? message : `${message} · ${readyWords(titles)}`;
}
