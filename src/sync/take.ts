import type { Href } from './remote';
import { checkCancelled, type ListRun } from './run';
import { Batches, removeResources } from './storing';

const firstBatch = 50;
const largestBatch = 400;
/** A batch that took longer than this was large enough. */
const patience = 1_500;

/** Downloads and stores resources batch by batch, the next one on its way while one is stored. */
export async function takeResources(
  run: ListRun,
  hrefs: readonly Href[],
  gone: ReadonlySet<Href> = new Set(),
): Promise<void> {
  let size = firstBatch;
  let at = 0;
  let done = 0;
  const next = async () => {
    const batch = hrefs.slice(at, at + size);
    at += batch.length;
    const started = performance.now();
    const answer = await run.collection.fetch(batch);
    if (performance.now() - started < patience) size = Math.min(size * 2, largestBatch);
    return { ...answer, count: batch.length };
  };
  const label = run.store.list(run.listId)?.name ?? run.remoteList.name;
  const report = (stored = 0) => run.progress({ label, done: done + stored, total: hrefs.length });
  const batches = new Batches(run, gone);
  await batches.finally(async () => {
    let coming: ReturnType<typeof next> | undefined = next();
    while (coming) {
      report();
      const batch: Awaited<ReturnType<typeof next>> = await coming;
      checkCancelled(run.signal);
      coming = at < hrefs.length ? next() : undefined;
      // Not awaited yet, and storing may fail first.
      coming?.catch(() => undefined);
      if (batch.gone.length > 0) await removeResources(run, batch.gone);
      await batches.store(batch.items, report);
      for (const { href, message } of batch.withheld ?? []) noteWithheld(run, href, message);
      done += batch.count;
    }
  });
  report();
}

/** One resource that cannot be had must not keep the others from coming. */
function noteWithheld(run: ListRun, href: Href, message: string): void {
  run.log('warn', `One resource of list ${run.listId} could not be fetched.`);
  const [row] = run.store.selectTasks('t.list_id = ? AND t.href = ?', [run.listId, href]);
  if (row) run.tally.rowErrors.set(row.id, message);
}
