import type { Id, Task } from '../../core/kernel/model';
import type { Reader } from '../../store/types';
import { decideList } from '../decide/decideList';
import { decideTask } from '../decide/decideTask';
import { syncMessage } from '../messages';
import { type Etag, type Href, RemoteError } from '../remote/remote';
import { isMassDeletion } from '../resources/pullPlan';
import { stateOfTombstone } from '../resources/taskMoves';
import { removeResources } from './applyBatches';
import { noteDecision } from './decisionLog';
import { appearedSince } from './orphanLog';
import type { ListContext, PullRun } from './runContext';

/** A list would lose most of its tasks, so the user decides first. */
export class EmptiedError extends RemoteError {
  constructor() {
    super('protocol', syncMessage('listEmptied'));
  }
}

/**
 * Addresses of rows that are deleted here once they are gone there: rows that were edited or brought back here are
 * recreated.
 */
export function cleanHrefs({ store, listId }: ListContext): readonly Href[] {
  const { etags, pending } = addressesOf(store, listId);
  return [...etags.keys()].filter(href => !pending.has(href));
}

interface Addresses {
  /** ETags by address, with those of pending rows first; null if one is not known for sure. */
  readonly etags: ReadonlyMap<Href, Etag | null>;
  /** Addresses with a row that was edited or deleted here. */
  readonly pending: ReadonlySet<Href>;
}

/** The resources of a list that have rows. Grouped here: SQLite would sort all addresses for it. */
export function addressesOf(reader: Reader, listId: Id): Addresses {
  const etags = new Map<Href, Etag | null>();
  const pending = new Set<Href>();
  const sql = 'SELECT href, etag, is_dirty OR is_deleted FROM tasks WHERE list_id = ? AND href IS NOT NULL';
  reader.each(sql, [listId], ([href, etag, isPending]) => {
    const isFirst = !etags.has(href as Href) || (isPending && !pending.has(href as Href));
    if (isFirst) etags.set(href as Href, etag as Etag | null);
    if (isPending) pending.add(href as Href);
  });
  return { etags, pending };
}

/**
 * True if the user decides before these addresses go: with the `count` that went before, they are most of the `held`,
 * or all that was there (`isEmptyFolder`). Tasks that another program moved are not lost.
 */
export function losesMost(
  run: ListContext,
  hrefs: readonly Href[],
  {
    held,
    count = 0,
    isEmptyFolder = false,
  }: { readonly held: number; readonly count?: number; readonly isEmptyFolder?: boolean },
): boolean {
  const isMost = ({ length }: readonly Href[]) => (isEmptyFolder && length > 0) || isMassDeletion(count + length, held);
  return isMost(hrefs) && isMost(lostAmong(run, hrefs));
}

/** True if these, with those already removed in this run, are most of what the list had at the beginning. */
export const wouldEmptyMost = (run: PullRun, hrefs: readonly Href[]): boolean =>
  losesMost(run, cleanAmong(run, hrefs), run.removals);

function cleanAmong(run: PullRun, hrefs: readonly Href[]): readonly Href[] {
  if (hrefs.length === 0) return [];
  const clean = new Set(cleanHrefs(run));
  return hrefs.filter(href => clean.has(href));
}

/** Without those that another program moved to a list of the account: they came there after this list had them last. */
function lostAmong(run: ListContext, hrefs: readonly Href[]): readonly Href[] {
  const { store, listId, account } = run;
  const isMoved = (task: Task) => {
    const since = appearedSince(run, task);
    const isMoveTarget = (row: Task) =>
      row.id > since && row.listId !== listId && !row.isDeleted && row.etag !== null && row.recurrenceId === null;
    return store
      .tasksOfUid(task.uid)
      .some(row => isMoveTarget(row) && store.list(row.listId)?.accountId === account.id);
  };
  const rowsAt = (href: Href) => store.selectTasks('t.list_id = ? AND t.href = ?', [listId, href]);
  return hrefs.filter(href => !rowsAt(href).some(isMoved));
}

/**
 * Leaves it to the user if the list would lose most of its tasks: asks once it is known that no other list has them now, and
 * nothing if the user has agreed.
 */
export async function askIfEmptied(run: PullRun, isMost: () => boolean): Promise<void> {
  const { ledger, listId, areOthersRead, tally } = run;
  const base = ledger.list(listId).mayEmpty ? 'mayEmpty' : 'none';
  const { action, log } = decideList({ local: 'synced', base, remote: isMost() ? 'emptied' : 'changed' });
  if (action !== 'askUser') return;
  if (areOthersRead) {
    noteDecision(tally.decisions, listId, log);
    await ledger.updateList(listId, { isPaused: true });
  }
  throw new EmptiedError();
}

/**
 * Applies that resources are gone; asks first if they are most of the list and nobody has agreed to it. A resource that
 * could not be read may be the old copy of a moved task under another name: if nothing waited for it, it would come
 * back as a second task. While a disk fails, it may be any of them.
 */
export async function removeOrAsk(run: PullRun, gone: readonly Href[]): Promise<void> {
  if (run.collection.failure) return;
  const isDoubtful = run.moving.size + run.incomplete.size > 0;
  const hrefs = isDoubtful ? gone.filter(href => !waits(run, href)) : gone;
  if (hrefs.length === 0) return;
  await askIfEmptied(run, () => wouldEmptyMost(run, hrefs));
  run.removals.count += lostAmong(run, cleanAmong(run, hrefs)).length;
  await removeResources(run, hrefs);
}

/** True if a task at an address that is reported as gone may exist under another name. */
function waits({ store, listId, moving, incomplete, tally }: PullRun, href: Href): boolean {
  return store.selectTasks('t.list_id = ? AND t.href = ?', [listId, href]).some(row => {
    const local = row.isDeleted ? stateOfTombstone(store, row) : row.isDirty ? 'edited' : 'clean';
    const isMoved = local === 'moved' || local === 'moving';
    const mayBeThere = moving.has(row.uid) || (incomplete.size > 0 && isMoved);
    const { action, log } = decideTask({ local, base: 'known', remote: mayBeThere ? 'doubtful' : 'gone' });
    if (action !== 'wait') return false;
    noteDecision(tally.decisions, listId, log, row.uid);
    return true;
  });
}
