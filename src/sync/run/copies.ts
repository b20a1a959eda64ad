import { type Columns, groupColumns, groups, isSameIn } from '../../core/ical/contentGroups';
import { readResource } from '../../core/ical/readResource';
import type { ResourceRow, TaskFields } from '../../core/ical/row';
import type { EpochMs, Task } from '../../core/kernel/model';
import { allRows } from '../merge/resourceDiff';
import { hashText } from '../merge/taskHash';
import { syncMessage } from '../messages';
import { isRemote, type RemoteCollection, type RemoteCopy, RemoteError } from '../remote/remote';
import { findMaster } from '../resources/localResource';
import type { ConflictRecord } from '../state/ledgerTypes';
import type { SyncLedger } from '../state/syncLedger';
import type { ListRun } from './runContext';

/**
 * A second file of a task is a conflict until the user decides, on each computer that sees it. Nothing is concluded
 * from their contents. Once decided, the file is removed, unless it has more than that task.
 */
export async function settleCopies(run: ListRun): Promise<void> {
  const { ledger, collection, listId } = run;
  if (!collection.copies) return;
  const { decidedCopies = {} } = ledger.list(listId);
  const isDecided = ({ href, etag }: RemoteCopy) => decidedCopies[href]?.etag === etag;
  const [decided, open] = [collection.copies.filter(isDecided), collection.copies.filter(one => !isDecided(one))];
  const records = open.flatMap(copy => conflictOf(run, copy) ?? []);
  const unread = new Set(
    open.filter(({ text, original }) => text === undefined || original === undefined).map(({ href }) => href),
  );
  const fresh = await ledger.putCopies(listId, records, unread);
  run.tally.conflicts += fresh.length;
  if (fresh.length > 0) run.notice('conflict', listId, fresh.length);
  const left: RemoteCopy[] = [];
  for (const copy of decided) if (!(await removeDecided(run, copy))) left.push(copy);
  const stillThere = Object.fromEntries(left.map(({ href, etag, uid }) => [href, { etag, uid }]));
  if (Object.keys(decidedCopies).length > left.length) await ledger.updateList(listId, { decidedCopies: stillThere });
}

/**
 * Resolves to true once the copy is gone. Its task is in the trash then: an Undo of the decision brings no file back. If the file
 * that it is a copy of is not there to be read, it stays: another computer may have decided for it.
 */
async function removeDecided(
  { collection, store, listId, discardCopy }: ListRun,
  { href, etag, text, original, uid }: RemoteCopy,
): Promise<boolean> {
  if (text === undefined || original === undefined || store.list(listId)?.isReadOnly) return false;
  const resource = readResource(text, { uid, href });
  const [first, ...overrides] = allRows(resource);
  if (resource.hasOthers || !first) return false;
  const own = { listId, uid: uidOfCopy(uid, text) };
  await discardCopy([
    rowOf({ ...first.fields, ...own, recurrenceId: null }),
    ...overrides.map(({ fields }) => rowOf({ ...fields, ...own })),
  ]);
  try {
    await collection.remove(href, etag);
  } catch (error) {
    if (!isRemote(error, 'gone', 'conflict')) throw error;
    return error.kind === 'gone';
  }
  return true;
}

/**
 * The UID of a copy as a separate task, in its list or in the trash: a UID that is in the list is not shown in the
 * trash.
 */
export const uidOfCopy = (uid: string, text: string): string => `${uid}-${hashText(text)}`;

/** No row has the id 0. */
const rowOf = (fields: TaskFields & Pick<Task, 'listId'>): Task => ({
  ...fields,
  id: 0,
  href: null,
  etag: null,
  masterId: fields.recurrenceId === null ? null : 0,
  parentId: null,
  isDirty: false,
  isDeleted: false,
  alarms: fields.alarms.map(alarm => ({ reference: 'DUE', message: null, ...alarm, id: 0, taskId: 0 })),
});

/**
 * Notes that the user has decided about a copy: the next run removes it. If it is kept as a task of its own, here or on other
 * computers, all use the same UID, and each may put it into another list.
 */
export async function noteDecided(
  ledger: SyncLedger,
  { listId, uid, copy, mine }: ConflictRecord,
  at: EpochMs,
): Promise<void> {
  if (!copy) return;
  await ledger.watch(uidOfCopy(uid, mine), at);
  const { href, etag } = copy;
  await ledger.updateList(listId, ({ decidedCopies }) => ({
    decidedCopies: { ...decidedCopies, [href]: { etag, uid } },
  }));
}

/**
 * A task that is removed while a second file has its UID would come back from that file. So nothing is removed while the disk
 * fails to return a file, which may be such a copy, or a second name of the file to remove. `copies`: those that this run has
 * seen, readable or not.
 */
export function checkOnlyFile(
  ledger: SyncLedger,
  { listId, uid }: Pick<Task, 'listId' | 'uid'>,
  { copies = [], failure }: Pick<RemoteCollection, 'copies' | 'failure'>,
): void {
  if (failure) throw new RemoteError('protocol', failure);
  const left = Object.values(ledger.list(listId).decidedCopies ?? {});
  if (left.some(copy => copy.uid === uid)) throw new RemoteError('protocol', syncMessage('copyHasOthers'));
  if (copies.some(copy => copy.uid === uid) || ledger.hasUndecidedCopy(listId, uid))
    throw new RemoteError('protocol', syncMessage('copyUndecided'));
}

/** The fields in which a copy differs from its task. Nothing shows which of the two came from the other. */
function conflictOf(
  { store, listId, clock }: ListRun,
  { uid, href, etag, text, originalHref, original }: RemoteCopy,
): ConflictRecord | undefined {
  const row = findMaster(store, listId, uid);
  if (!row || text === undefined || original === undefined) return undefined;
  const [mine, theirs] = [readResource(text, { uid }), readResource(original, { uid })];
  const lost: ConflictRecord['lost'][number][] = [];
  for (const here of allRows(mine)) {
    const { recurrenceId } = here.fields;
    const there = allRows(theirs).find(other => other.fields.recurrenceId === recurrenceId);
    if (!there) lost.push({ recurrenceId, field: 'occurrence', lost: { ...here.fields }, kept: null });
    else
      for (const field of groups)
        if (field !== 'unknown' && field !== 'sortOrder' && !isSameIn(field, here, there))
          lost.push({ recurrenceId, field, lost: columns(field, here), kept: columns(field, there) });
  }
  const copy = { href, etag, original: originalHref };
  return { taskId: row.id, listId, uid, at: clock.now(), reason: 'copy', copy, lost, mine: text, theirs: original };
}

const columns = (group: Parameters<typeof groupColumns>[0], row: ResourceRow): Columns & Record<string, unknown> =>
  groupColumns(group, row);
