import { syncMessage } from '../messages';
import { type Href, RemoteError } from '../remote/remote';
import { isMassDeletion } from '../resources/pullPlan';
import { removeResources } from './applyBatches';
import type { ListPlace, PullRun } from './runContext';

/** A list would lose so much that a person decides first. */
export class EmptiedError extends RemoteError {
  constructor() {
    super('protocol', syncMessage('listEmptied'));
  }
}

/** Addresses of what would go here where it is gone there: what was edited or brought back here is recreated. */
export const cleanHrefs = ({ store, listId }: ListPlace): readonly Href[] =>
  store
    .select<{ href: Href }>(
      `SELECT href FROM tasks WHERE list_id = ? AND href IS NOT NULL
       GROUP BY href HAVING max(is_dirty OR is_deleted) = 0`,
      [listId],
    )
    .map(({ href }) => href);

/** Whether these, with what went before them in this run, are most of what the list had when it began. */
export function wouldEmptyMost(run: PullRun, hrefs: readonly Href[]): boolean {
  return isMassDeletion(run.removals.count + cleanAmong(run, hrefs), run.removals.held);
}

function cleanAmong(run: PullRun, hrefs: readonly Href[]): number {
  if (hrefs.length === 0) return 0;
  const clean = new Set(cleanHrefs(run));
  return hrefs.filter(href => clean.has(href)).length;
}

/** Leaves it to a person whether the list may lose so much. */
export async function askFirst({ memory, listId }: PullRun): Promise<never> {
  await memory.updateList(listId, { isPaused: true });
  throw new EmptiedError();
}

/** Takes in that resources are gone; asks first where that is most of the list and nobody has agreed to it. */
export async function removeOrAsk(run: PullRun, hrefs: readonly Href[]): Promise<void> {
  if (hrefs.length === 0) return;
  if (wouldEmptyMost(run, hrefs) && !run.memory.list(run.listId).mayEmpty) await askFirst(run);
  run.removals.count += cleanAmong(run, hrefs);
  await removeResources(run, hrefs);
}
