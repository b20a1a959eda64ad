import { writeResource } from '../../core/ical/writeResource';
import { DuelineError } from '../../core/kernel/errors';
import type { EpochMs, Task } from '../../core/kernel/model';
import { movedAwayStart } from '../../core/kernel/tombstone';
import type { Resolution, SyncConflict } from '../../core/sync/syncState';
import type { TaskStore } from '../../store/taskStore';
import type { Reader } from '../../store/types';
import { syncMessage } from '../messages';
import { resourceOf, resourceRows } from '../resources/localResource';
import { removeTask } from '../resources/resolveConflict';
import type { ConflictRecord, MoveRecord } from '../state/ledgerTypes';
import type { SyncLedger } from '../state/syncLedger';
import { orphansOf } from './orphanLog';
import type { AccountRun } from './runContext';
import { toRows } from './upload';

/**
 * Two devices that move one task at the same time, or are interrupted, can leave it in two lists. Two tasks with one
 * UID do not prove this, so the user is shown both and decides.
 */

/** The time for which a task that was moved or missed here is watched. */
const watchedMs = 30 * 24 * 3_600_000;

/** Two lists must have the task for this long: another device may be between the halves of its move. */
const offerAfterMs = 10 * 60_000;

/** Notes the tasks that are between two lists, before anything is sent that ends it. */
export async function recordMoves(run: AccountRun): Promise<void> {
  const { store, ledger, clock } = run;
  const movedAway = store.select<{ uid: string }>(
    `SELECT DISTINCT o.uid FROM task_lists l CROSS JOIN tasks o ON o.list_id = l.id AND o.is_deleted = 1
     WHERE l.account_id IS NOT NULL AND o.unknown_properties LIKE ?`,
    [`${movedAwayStart}%`],
  );
  const missed = store.lists().flatMap(list => orphansOf(run, list.id).flatMap(({ id }) => store.task(id)?.uid ?? []));
  const at = clock.now();
  const known = new Map(ledger.moved());
  const isOld = (moved: MoveRecord) => at - moved.at > watchedMs;
  const changes = new Map<string, MoveRecord | undefined>();
  for (const [uid, moved] of known) if (isOld(moved) && !moved.kept && !moved.pair) changes.set(uid, undefined);
  for (const uid of [...movedAway.map(row => row.uid), ...missed]) {
    const moved = known.get(uid);
    if (!moved || isOld(moved)) changes.set(uid, { ...moved, at });
  }
  await ledger.putMoved([...changes]);
}

/** Notes which of the watched tasks are in two lists, and since when; those that stay there are offered. */
export async function noteDuplicates({ store, ledger, clock }: AccountRun): Promise<void> {
  const now = clock.now();
  const changes = ledger.moved().flatMap(([uid, moved]): [string, MoveRecord][] => {
    const lists = pairOf(store, uid, moved)?.map(({ listId }) => listId);
    const { pair, ...rest } = moved;
    if (!lists) return pair ? [[uid, rest]] : [];
    if (!pair || String(pair.lists) !== String(lists))
      return [[uid, { ...rest, pair: { lists, since: now, isOffered: false } }]];
    const isLong = !pair.isOffered && now - pair.since >= offerAfterMs;
    return isLong ? [[uid, { ...rest, pair: { ...pair, isOffered: true } }]] : [];
  });
  await ledger.putMoved(changes);
}

/**
 * Two lists that have the task, unless the user has decided that both keep it: the master row in each. One of them may be
 * on this computer alone: someone edited the task elsewhere before it was known that it had left its list.
 */
function pairOf(reader: Reader, uid: string, { kept = [] }: MoveRecord): readonly [Task, Task] | undefined {
  const isThere = ({ listId, href, etag }: Task) => {
    const list = reader.list(listId);
    return list?.accountId === null || (list?.isSynced === true && href !== null && etag !== null);
  };
  const rows = reader.tasksOfUid(uid).filter(row => row.recurrenceId === null && !row.isDeleted && isThere(row));
  const isKept = (a: Task, b: Task) => kept.some(lists => lists.includes(a.listId) && lists.includes(b.listId));
  // The same address is one list that two accounts contain.
  for (const [at, a] of rows.entries())
    for (const b of rows.slice(at + 1)) if (a.href !== b.href && !isKept(a, b)) return [a, b];
  return undefined;
}

/** The offers: `mine` is the copy in the first list, `server` that in the second. */
export function duplicatesOf(reader: Reader, ledger: SyncLedger): readonly (SyncConflict & { other: Other })[] {
  const textOf = ({ id, listId, href }: Task, now: EpochMs) => {
    const { accountId } = reader.list(listId)!;
    if (accountId !== null) return ledger.anyBase(accountId, href!)?.text ?? '';
    return writeResource(toRows(reader, resourceOf(resourceRows(reader, id)), undefined, undefined), undefined, now);
  };
  return ledger.moved().flatMap(([uid, moved]) => {
    const pair = moved.pair?.isOffered ? pairOf(reader, uid, moved) : undefined;
    if (!pair) return [];
    const [a, b] = pair;
    const { since } = moved.pair!;
    return {
      id: `${a.id}=${b.id}`,
      taskId: a.id,
      listId: a.listId,
      other: { taskId: b.id, listId: b.listId },
      title: a.title ?? '',
      at: since,
      reason: 'duplicate' as const,
      lost: [],
      mine: textOf(a, since),
      server: textOf(b, since),
    };
  });
}

type Other = NonNullable<SyncConflict['other']>;

/**
 * Carries out the user's decision: both stay for good, or one is deleted and its values are kept with the conflicts.
 */
export async function settleDuplicate(
  { store, ledger }: { readonly store: TaskStore; readonly ledger: SyncLedger },
  duplicate: SyncConflict & { readonly other: Other },
  how: Resolution,
  now: EpochMs,
): Promise<void> {
  const { taskId, listId, other, title, mine, server } = duplicate;
  const uid = store.task(taskId)!.uid;
  if (how === 'both') {
    const { pair: _, kept = [], at } = new Map(ledger.moved()).get(uid)!;
    await ledger.putMoved([[uid, { at, kept: [...kept, [listId, other.listId]] }]]);
    return;
  }
  const [survivor, removed] = how === 'mine' ? [{ taskId, listId }, other] : [other, { taskId, listId }];
  const list = store.list(removed.listId);
  if (!list || list.isReadOnly) throw new DuelineError('readOnly', syncMessage('copyListReadOnly'));
  const [gone, kept] = how === 'mine' ? [server, mine] : [mine, server];
  const record: ConflictRecord = { ...survivor, uid, at: now, reason: 'merged', lost: [], mine: gone, theirs: kept };
  await ledger.addConflicts([record]);
  await store.edit({ origin: 'user', label: { key: 'resolve', count: 1, title } }, tx => {
    const task = tx.task(removed.taskId);
    if (task && !task.isDeleted && tx.task(survivor.taskId)?.isDeleted === false) removeTask(tx, task, list);
  });
}
