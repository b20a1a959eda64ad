import { randomUUID } from 'node:crypto';
import { readResource } from '../../core/ical/readResource';
import type { Resource, ResourceRow } from '../../core/ical/row';
import { type ResourceRows, writeResource } from '../../core/ical/writeResource';
import type { Id, Task } from '../../core/kernel/model';
import type { Reader, Writer } from '../../store/types';
import { decideTask } from '../decide/decideTask';
import { isStoredFrom } from '../merge/resourceDiff';
import { contentOf } from '../merge/taskHash';
import { syncMessage } from '../messages';
import { type Etag, type Href, isRemote, type RemoteBatch, RemoteError, type RemoteItem } from '../remote/remote';
import { changeUid } from '../resources/changeUid';
import { checkRemovable, checkWritable } from '../resources/checkAlone';
import {
  currentLocalChange,
  fileNameOf,
  headOf,
  type LocalChange,
  parentFor,
  resourceOf,
  rowsOf,
  toResourceRow,
} from '../resources/localResource';
import { leaveTombstone, oldCopiesOf } from '../resources/taskMoves';
import { rememberApplied, storeItems } from './applyBatches';
import { checkOnlyFile } from './copies';
import { acceptDeletions } from './download';
import { textOfOldCopy } from './movedText';
import { noteOf } from './orphanLog';
import { resolveOrphan } from './orphans';
import type { ListRun, PullRun, ResolvedOrphans } from './runContext';

/** A text ready to be sent, and the rows as they were when it was made. */
export interface Upload {
  readonly rows: readonly Task[];
  readonly href: Href;
  readonly expect: Etag | 'absent';
  readonly text: string;
}

const maxAttempts = 3;

/**
 * Sends one resource to the server: reads it again if someone was faster, adopts it if it already exists, recreates it
 * if it is gone, and leaves it alone if it waits for a decision. Throws a RemoteError if the server refuses. Returns
 * the upload if the server sent no reliable ETag: then only the server's own copy proves that it has the task
 * (`verifyUploads`).
 */
export async function uploadResource(run: PullRun, id: Id, before: ResolvedOrphans): Promise<Upload | undefined> {
  let freshName = false;
  let resolved = before;
  // Kept over the attempts: a server may want the old copy to go before it takes the task.
  let moved: string | undefined;
  for (let attempt = 1; ; attempt++) {
    if (resolved.get(id) === 'waiting') return undefined;
    const pending = await ready(run, id);
    const note = noteOf(run, { id, listId: run.listId });
    if (note)
      resolved = new Map([
        ...resolved,
        [id, await resolveOrphan(run, { id, base: note.base, isUnsent: note.isUnsent }, resolved)],
      ]);
    if (resolved.get(id) === 'waiting') return undefined;
    const change = pending && currentLocalChange(run.store, id);
    if (!change || change.isDeletion || run.store.task(id)?.listId !== run.listId) return undefined;
    const head = headOf(change.resource);
    if (head.href === null) moved ??= await textOfOldCopy(run, head);
    const upload = await prepare(run, change, freshName, moved);
    if (!upload) return undefined;
    try {
      return (await send(run, upload)) ? undefined : upload;
    } catch (error) {
      if (attempt >= maxAttempts) throw error;
      if (isRemote(error, 'conflict') || (isRemote(error, 'gone') && upload.expect !== 'absent')) {
        freshName = await refetch(run, upload, id);
      } else if (isRemote(error, 'uidTaken')) {
        await makeRoomForUid(run, upload, id, error);
      } else {
        throw error;
      }
    }
  }
}

/** The resource with its base: read first if the rows' ETag or the text behind it is not known. */
async function ready(run: ListRun, id: Id): Promise<LocalChange | undefined> {
  const { store, ledger, account, collection } = run;
  const change = currentLocalChange(store, id);
  if (!change || change.isDeletion) return change;
  const { href, etag } = headOf(change.resource);
  const isKnown = href !== null && etag !== null && ledger.base(account.id, href, etag) !== undefined;
  const base = href === null ? 'none' : isKnown ? 'known' : 'unknown';
  const { action } = decideTask({ local: 'edited', base, remote: 'unread' });
  if (action !== 'fetch' || href === null) return change;
  const { items, gone, withheld } = await collection.fetch([href]);
  checkNoneWithheld(withheld);
  await acceptDeletions(run, gone);
  const [item] = items;
  if (item && item.etag === etag) await ledger.putBases(account.id, [[href, { etag, text: item.text }]]);
  else if (item) await storeItems(run, [item]);
  return currentLocalChange(store, id);
}

/** A text that is there and cannot be had is not replaced by the rows alone, and its task not sent under another UID. */
function checkNoneWithheld([one]: NonNullable<RemoteBatch['withheld']> = []): void {
  if (one) throw new RemoteError('protocol', one.message);
}

/**
 * Undefined if the server already has the content of the rows, which then no longer wait. `moved`: the text of a
 * resource that has no address yet, from the list that it came from.
 */
async function prepare(
  run: PullRun,
  { resource }: LocalChange,
  freshName: boolean,
  moved: string | undefined,
): Promise<Upload | undefined> {
  const { store, ledger, account, clock } = run;
  const rows = rowsOf(resource);
  const { href, etag, uid } = headOf(resource);
  const known = ledger.base(account.id, href, etag);
  // The other contents of a resource that is gone are not made again with the task.
  const isGone = etag === null && known && readResource(known.text, { uid }).hasOthers;
  const base = isGone ? undefined : known;
  const parsed = base && readResource(base.text, { uid, href: href ?? undefined });
  if (parsed) checkWritable(parsed);
  if (href === null) checkOldCopies(run, headOf(resource));
  const written = toRows(store, resource, parsed, ledger.list(run.listId).waiting);
  await noteKeptParent(run, uid, written.master, parsed?.master);
  const text = writeResource(written, href === null ? moved : base?.text, clock.now());
  if (base && etag !== null && text === base.text) {
    // An occurrence that the user brought back has no tag of its own.
    const asThere = { isDirty: false, etag };
    await store.edit({ origin: 'sync' }, tx => patchSentRows(tx, rows, (_row, isSame) => (isSame ? asThere : {})));
    return undefined;
  }
  const address = freshName || (etag === null && isAddressOfOther(run, headOf(resource))) ? null : href;
  return { rows, href: address ?? newAddressOf(run, uid, freshName), expect: etag ?? 'absent', text };
}

/** An address named by the UID, unless another task is known to have had that one and could not be read in this run. */
function newAddressOf(run: PullRun, uid: string, freshName: boolean): Href {
  const { collection } = run;
  const name = freshName ? undefined : fileNameOf(uid);
  const href = name === undefined ? undefined : collection.member(name);
  const isOthers = href !== undefined && run.incomplete.size > 0 && isAddressOfOther(run, { href, uid });
  return href !== undefined && !isOthers ? href : collection.member(`${randomUUID()}.ics`);
}

/** True if another task has this address as far as is known. */
const isAddressOfOther = ({ store, listId }: ListRun, { href, uid }: Pick<Task, 'href' | 'uid'>): boolean =>
  href !== null && store.selectTasks('t.list_id = ? AND t.href = ?', [listId, href]).some(row => row.uid !== uid);

/** A move ends with a removal: a task that cannot leave its old list is not sent to the new one, or it would be in both. */
function checkOldCopies({ store, ledger, remote, account }: ListRun, task: Task): void {
  for (const { uid, listId, href, etag } of oldCopiesOf(store, task)) {
    const list = store.list(listId)!;
    const base = ledger.base(list.accountId!, href, etag);
    if (base) checkRemovable(base.text, { uid, href: href! });
    const isHere = list.accountId === account.id && list.href !== null;
    checkOnlyFile(ledger, { listId, uid }, isHere ? remote.collection({ href: list.href! }) : {});
  }
}

/** Maps a resource's rows for the text; `waiting` as in {@link toResourceRow}. */
export function toRows(
  reader: Reader,
  resource: LocalChange['resource'],
  base: Resource | undefined,
  waiting: Readonly<Record<string, string>> | undefined,
): ResourceRows {
  const before = new Map<number | null, ResourceRow>(base?.overrides.map(row => [row.fields.recurrenceId, row]));
  if (base?.master) before.set(null, base.master);
  const toRow = (task: Task) => toResourceRow(reader, task, before.get(task.recurrenceId)?.parentUid, waiting);
  return {
    ...(resource.master && { master: toRow(resource.master) }),
    overrides: resource.overrides.filter(({ isDeleted }) => !isDeleted).map(toRow),
  };
}

/** False if the server's copy still has to be read. */
async function send(run: ListRun, upload: Upload): Promise<boolean> {
  const { collection, ledger, account } = run;
  const { href, text, expect } = upload;
  // Noted before it is sent: if the answer is lost, this distinguishes the server's copy from someone else's edit.
  await ledger.putSent(account.id, [[href, text, headOf(resourceOf(upload.rows)).id]]);
  let etag: Etag | null;
  try {
    etag = await collection.put(href, text, expect);
  } catch (error) {
    // After a 412 the server is read again: a proxy that sent the request twice has the first one stored.
    const mayBeThere = !isRemote(error) || error.details.unsure || error.kind === 'conflict';
    if (!mayBeThere) await ledger.forgetSent(account.id, [href]);
    throw error;
  }
  if (etag !== null) await confirm(run, upload, etag);
  return etag !== null;
}

/** Reads back the sent resources, in one request; `one` handles the result of each. */
export async function verifyUploads(
  run: ListRun,
  uploads: readonly Upload[],
  one: (id: Id, work: () => Promise<void>) => Promise<void>,
): Promise<void> {
  if (uploads.length === 0) return;
  const reading = run.collection.fetch(uploads.map(({ href }) => href));
  reading.catch(() => undefined);
  for (const upload of uploads)
    await one(upload.rows[0]!.id, async () => {
      const item = (await reading).items.find(({ href }) => href === upload.href);
      if (!item || item.etag === upload.expect) throw notStoredError(run);
      await confirm(run, upload, item.etag, item);
    });
}

/** A login page, for example, answers every PUT with a friendly 200. */
const notStoredError = ({ remoteList }: ListRun): RemoteError =>
  new RemoteError('protocol', syncMessage('notStored', remoteList.name), { unsure: true });

/** Notes that the server has the sent text. `stored`: its copy, if that was needed as a proof. */
async function confirm(run: ListRun, upload: Upload, there: Etag, stored?: RemoteItem): Promise<void> {
  const { ledger, account, tally } = run;
  const etag = stored ? null : there;
  const { href, text } = upload;
  const sent = readResource(text, { uid: upload.rows[0]!.uid, href });
  const isOrphan = await commit(run, upload, sent, etag, there);
  await noteParent(run, sent);
  await ledger.putBases(account.id, [[href, { etag, text, isSent: true }]]);
  // Remembered as sent until it is deleted there.
  if (isOrphan) return deleteCreated(run, upload, there);
  tally.pushed++;
  if (stored) await storeItems(run, [stored]);
  await ledger.forgetSent(account.id, [href]);
}

/**
 * Rows edited while the request was under way stay dirty, now against the new base. True if no row stands for the
 * resource any more; one whose task moved on meanwhile gets its tombstone. `there`: its ETag on the server now.
 */
async function commit(
  run: ListRun,
  { href, rows }: Upload,
  sent: Resource,
  etag: Etag | null,
  there: Etag,
): Promise<boolean> {
  const { listId } = run;
  const { uid } = rows[0]!;
  const written = new Map<number | null, ResourceRow>(sent.overrides.map(row => [row.fields.recurrenceId, row]));
  if (sent.master) written.set(null, sent.master);
  return run.store.edit({ origin: 'sync' }, tx => {
    const left = patchSentRows(tx, rows, (row, isSame) => {
      const fields = written.get(row.recurrenceId)?.fields;
      return {
        href,
        etag,
        ...(fields && { sequence: fields.sequence }),
        ...(fields && isSame && { lastModified: fields.lastModified, createdAt: fields.createdAt, isDirty: false }),
        // Edited meanwhile, or an edit undone: the server now has something else than the row says.
        ...(!isSame && { isDirty: true }),
      };
    });
    // Overrides that came to be meanwhile belong to the resource too.
    for (const row of tx.tasksAt(listId, uid)) if (row.href === null) tx.updateTask(row.id, { href, etag });
    return left === 0 && !leaveTombstone(tx, { listId, uid, href, etag: there }, headOf(resourceOf(rows)).id);
  });
}

/**
 * A parent that the text still names is waited for, as on every other device: a task of its UID may have been here that
 * was deleted before it was sent.
 */
async function noteKeptParent(
  run: ListRun,
  uid: string,
  written: ResourceRow | undefined,
  base: ResourceRow | undefined,
): Promise<void> {
  const parent = written && written.parentUid === undefined ? base?.parentUid : undefined;
  if (parent && parentFor(run.ledger.list(run.listId).waiting, uid) !== parent)
    await rememberApplied(run, { waiting: new Map([[uid, parent]]) });
}

/** A parent that the text has ceased to name is waited for no more. */
async function noteParent(run: ListRun, { uid, master }: Resource): Promise<void> {
  const waitsFor = uid === undefined ? undefined : parentFor(run.ledger.list(run.listId).waiting, uid);
  if (uid !== undefined && waitsFor !== undefined && master && master.parentUid !== waitsFor)
    await rememberApplied(run, { waiting: new Map([[uid, undefined]]) });
}

/**
 * Patches those of the sent rows that still exist; `patchOf` gets whether each is unchanged since. Returns their
 * number.
 */
function patchSentRows(
  tx: Writer,
  rows: readonly Task[],
  patchOf: (row: Task, isSame: boolean) => Parameters<Writer['updateTask']>[1],
): number {
  let left = 0;
  for (const before of rows) {
    const now = tx.task(before.id);
    if (!now || now.listId !== before.listId) continue;
    const isSame = contentOf(now) === contentOf(before);
    if (before.isDeleted && isSame && before.recurrenceId !== null) {
      tx.deleteTask(now.id);
      continue;
    }
    left++;
    tx.updateTask(now.id, patchOf(now, isSame));
  }
  return left;
}

/** A task that was deleted here while it was being created there. */
async function deleteCreated(run: ListRun, { href, text }: Upload, etag: Etag): Promise<void> {
  const { collection, ledger, account } = run;
  try {
    checkRemovable(text, { href });
    await collection.remove(href, etag);
  } catch (error) {
    if (!isRemote(error, 'gone', 'conflict', 'protocol')) throw error;
  }
  await ledger.putBases(account.id, [[href, undefined]]);
  await ledger.forgetSent(account.id, [href]);
}

/** Someone was faster, or the answer to an earlier try got lost. True if the name belongs to something else. */
async function refetch(run: ListRun, { rows, href, expect, text }: Upload, id: Id): Promise<boolean> {
  if (expect === 'absent' && run.collection.isTaken?.(href)) {
    await run.ledger.forgetSent(run.account.id, [href]);
    return true;
  }
  const { items, gone } = await run.collection.fetch([href]);
  await acceptDeletions(run, gone);
  // Nothing there came from a text that was refused, unless it is that very text.
  const read = (of: string) => readResource(of, { uid: rows[0]!.uid, href });
  const isOurs = items.some(item => isStoredFrom(read(text), read(item.text)));
  if (!isOurs) await run.ledger.forgetSent(run.account.id, [href]);
  await storeItems(run, items);
  const isOthers = items.some(item => readResource(item.text, { href }).uid !== rows[0]!.uid);
  return expect === 'absent' && items.length > 0 && (isOthers || run.store.task(id)?.href !== href);
}

/** The server has this UID already: here under another name, in the list it is moving from, or out of sight. */
async function makeRoomForUid(run: ListRun, { rows }: Upload, id: Id, refusal: RemoteError): Promise<void> {
  const { collection, store, remote } = run;
  const { uid } = rows[0]!;
  const found = (await collection.findUid(uid)).filter(({ href }) => !store.selectTasks('t.href = ?', [href]).length);
  if (found.length > 0) {
    const fetched = await collection.fetch(found.map(({ href }) => href));
    checkNoneWithheld(fetched.withheld);
    const items = fetched.items.filter(({ text, href }) => readResource(text, { href }).uid === uid);
    await storeItems(run, items);
    if (items.length > 0) return;
  }
  const [tombstone] = oldCopiesOf(store, headOf(resourceOf(rows))).filter(
    ({ listId }) => store.list(listId)?.accountId === run.account.id,
  );
  const from = tombstone && store.list(tombstone.listId)?.href;
  if (tombstone && from) {
    // A server that allows a UID once over all lists: what moves must first leave. The task itself is safe here.
    const old = remote.collection({ href: from });
    const { items, withheld } = await old.fetch([tombstone.href!]);
    checkNoneWithheld(withheld);
    const [item] = items;
    if (item) {
      checkRemovable(item.text, { uid, href: item.href });
      await old.remove(item.href, tombstone.etag ?? item.etag);
    }
    await store.edit({ origin: 'sync' }, tx => tx.deleteTask(tombstone.id));
    return;
  }
  if (!rows.some(({ isDirty }) => isDirty)) throw refusal;
  await assignNewUid(run, id);
}

/** Nextcloud, for one, keeps the UIDs of what was deleted for itself. */
async function assignNewUid(run: ListRun, id: Id): Promise<void> {
  const uid = randomUUID();
  await run.store.edit({ origin: 'sync' }, tx => {
    const row = tx.task(id);
    if (!row) return;
    const rows = tx.tasksAt(row.listId, row.uid);
    // The old copy of a move keeps waiting for the task under its new UID.
    for (const old of oldCopiesOf(tx, row)) tx.updateTask(old.id, { uid });
    for (const one of rows) tx.updateTask(one.id, { href: null, etag: null, isDirty: true });
    changeUid(tx, rows, uid);
  });
}
