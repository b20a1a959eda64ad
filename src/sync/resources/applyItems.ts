import { isTooLarge, readResource } from '../../core/ical/readResource';
import type { Resource } from '../../core/ical/row';
import { groupBy } from '../../core/kernel/groupBy';
import type { Id, Task } from '../../core/kernel/model';
import type { NewRow } from '../../core/kernel/rowEdit';
import type { Reader, Writer } from '../../store/types';
import { decideTask, type TaskAction, type TaskFacts } from '../decide/decideTask';
import { unforeseen } from '../decide/rules';
import { allRows, isRealChange, isStoredFrom, rowPairs } from '../merge/resourceDiff';
import { syncMessage } from '../messages';
import type { Href, RemoteItem } from '../remote/remote';
import { deletion } from '../state/syncLedger';
import { type ApplyContext, type ApplyResult, newApplyResult } from './applyResult';
import { changeUid } from './changeUid';
import { headsAmong, type LocalResource, resourceOf, rowsOf } from './localResource';
import { ResourceWriter } from './resourceWriter';
import type { Arrival } from './settled';
import { leaveTombstone, movedTo, stateOfTombstone } from './taskMoves';

interface Read {
  readonly item: RemoteItem;
  /** The rows at its address. */
  readonly known: readonly Task[];
  readonly resource: Resource;
}

/**
 * The number of texts that are parsed before they are inserted: a whole batch would all be in memory at the same time.
 */
const readAtOnce = 80;

/** Stands for a text that is too large to be read. */
const noResource = readResource('');

const readItem = ({ text, href }: RemoteItem, uid: string | undefined): Resource =>
  isTooLarge(text) ? noResource : readResource(text, { uid, href });

/**
 * Takes a batch of downloaded resources into the rows; everything about one resource is decided here, by its rows. `changes`: of
 * all that came together, if these are a part.
 */
export function applyItems(
  tx: Writer,
  items: readonly RemoteItem[],
  context: ApplyContext,
  changes = context.isPartial ? noChanges : changesOfHands(tx, context.listId, items),
): ApplyResult {
  const applied = newApplyResult();
  const { listId, held } = context;
  const hrefs = items.map(({ href }) => href);
  const byHref = rowsAt(tx, listId, held ? held.hrefsAmong(tx, hrefs) : hrefs);
  for (let at = 0; at < items.length; at += readAtOnce) {
    const read = items.slice(at, at + readAtOnce).map((item): Read => {
      const known = byHref.get(item.href) ?? [];
      return { item, known, resource: readItem(item, known[0]?.uid) };
    });
    const uids = read.flatMap(({ resource }) => resource.uid ?? []);
    const taken = held ? new Set(held.uidsAmong(tx, uids)) : takenUids(tx, listId, uids);
    applyRead(read, one => new Application(tx, context, applied, one, taken, changes), tx);
  }
  return applied;
}

function applyRead(read: readonly Read[], begin: (one: Read) => Application, tx: Writer): void {
  // Plain ones need no lookup, so they are inserted together; the others must find them.
  const plain: NewRow[] = [];
  for (const one of read) {
    const application = begin(one);
    const row = application.newRow();
    if (row) {
      plain.push(row);
      continue;
    }
    tx.insertMasters(plain.splice(0));
    application.run();
  }
  tx.insertMasters(plain);
}

function rowsAt(tx: Reader, listId: Id, hrefs: readonly Href[]): ReadonlyMap<Href, readonly Task[]> {
  if (hrefs.length === 0) return new Map();
  const isAmong = 't.list_id = ? AND t.href IN (SELECT value FROM json_each(?))';
  return groupBy(tx.selectTasks(isAmong, [listId, JSON.stringify(hrefs)]), task => task.href!);
}

/** One query for all: most incoming tasks have no namesake here. */
function takenUids(tx: Writer, listId: Id, uids: readonly string[]): Set<string> {
  const taken = tx.select<{ uid: string }>(
    'SELECT DISTINCT uid FROM tasks WHERE list_id = ? AND uid IN (SELECT value FROM json_each(?))',
    [listId, JSON.stringify(uids)],
  );
  return new Set(taken.map(({ uid }) => uid));
}

/** Programs that number their files, or name them by title, let files exchange their names: the UID is the task, not the name. */
export interface ChangesOfHands {
  /** The UID that is at each address now. */
  readonly uidAt: ReadonlyMap<Href, string>;
  readonly claimed: ReadonlySet<string>;
}

const noChanges: ChangesOfHands = { uidAt: new Map(), claimed: new Set() };

export function changesOfHands(reader: Reader, listId: Id, items: readonly RemoteItem[]): ChangesOfHands {
  const hrefs = items.map(({ href }) => href);
  const byHref = rowsAt(reader, listId, hrefs);
  const uidAt = new Map<Href, string>();
  for (const item of items) {
    const { uid } = readItem(item, byHref.get(item.href)?.[0]?.uid);
    if (uid !== undefined) uidAt.set(item.href, uid);
  }
  return { uidAt, claimed: new Set(uidAt.values()) };
}

/** True if a row is no longer at its address, so that its task may turn up at another one. */
const isFree = (row: Task, gone: ReadonlySet<Href>, { uidAt }: ChangesOfHands): boolean =>
  row.href === null || gone.has(row.href) || (uidAt.get(row.href) ?? row.uid) !== row.uid || isMissing(row);

/** Nothing was at its address at the last check: it waits to be made again. */
export const isMissing = ({ href, etag, isDirty }: Task): boolean => href !== null && etag === null && isDirty;

/**
 * The rows of a UID that a resource stands for, wherever they are: the parts of a series may be in several resources, but none
 * of them in two. A master brings the exceptions along that lie with it.
 */
function rowsNamed(rows: readonly Task[], resource: Resource): readonly Task[] {
  const ids = new Set(allRows(resource).map(({ fields }) => fields.recurrenceId));
  const master = ids.has(null) ? rows.find(({ recurrenceId }) => recurrenceId === null) : undefined;
  return rows.filter(({ recurrenceId, href }) => ids.has(recurrenceId) || (master && href === master.href));
}

interface Deferred extends Arrival {
  readonly item: RemoteItem;
  readonly known: readonly Task[];
  /** All rows of its UID. */
  readonly others: readonly Task[];
  /** No row of its task is at an address that still has it. */
  readonly isAddressFree: boolean;
}

/** Finds out what deferred resources mean for the rows at their addresses. */
export function planDeferred(reader: Reader, items: readonly RemoteItem[], context: ApplyContext): readonly Deferred[] {
  const { listId, gone } = context;
  const hrefs = items.map(({ href }) => href);
  const byHref = rowsAt(reader, listId, hrefs);
  const changes = changesOfHands(reader, listId, items);
  return items.map(item => {
    const known = byHref.get(item.href) ?? [];
    const uid = changes.uidAt.get(item.href)!;
    const others = reader.tasksAt(listId, uid);
    const isInWay = (row: Task) => row.href !== item.href && !isFree(row, gone, changes);
    const isAddressFree = !(others.some(isInWay) && rowsNamed(others, readItem(item, uid)).some(isInWay));
    return { item, uid, known, before: known.map(row => row.uid), others, isAddressFree };
  });
}

/** Returns the addresses whose task is gone, since another task is there now. */
export function replacedBy(found: readonly Deferred[], context: ApplyContext): readonly Href[] {
  const claimed = new Set(found.map(({ uid }) => uid));
  const isElsewhere = ({ uid, before }: Deferred) => before.every(one => one === uid || claimed.has(one));
  const isRenamed = ({ others, known, item }: Deferred) =>
    others.length === 0 && hasOnlyAnotherUid(known, item, context);
  return found.flatMap(one => (one.isAddressFree && !isElsewhere(one) && !isRenamed(one) ? one.item.href : []));
}

/** Some servers replace a task's UID by their own. A text that differs in anything else is another task. */
function hasOnlyAnotherUid(known: readonly Task[], { href, text }: RemoteItem, context: ApplyContext): boolean {
  const head = known[0];
  const mayBeSame = context.mayChangeUids && head && !head.isDeleted;
  const base = mayBeSame ? context.baseOf(head.href, head.etag) : undefined;
  return base !== undefined && isStoredFrom(readResource(base, { href }), readResource(text, { href }));
}

/** Finds the rows of a resource, and decides what becomes of them. */
class Application {
  readonly #writer: ResourceWriter;

  constructor(
    private readonly tx: Writer,
    private readonly context: ApplyContext,
    private readonly applied: ApplyResult,
    private readonly read: Read,
    private readonly taken: Set<string>,
    private readonly changes: ChangesOfHands,
  ) {
    this.#writer = new ResourceWriter(tx, context, applied, read.item, taken);
  }

  /** The row of a plain new task, with everything noted but the row itself; undefined if there is more to decide. */
  newRow(): NewRow | undefined {
    const { item, known, resource } = this.read;
    const { taken, context } = this;
    if (resource.uid === undefined || resource.hasOthers || known.length > 0) return;
    if (taken.has(resource.uid) || context.sentTo(item.href)) return;
    const row = this.#writer.newRow(resource);
    if (row) this.applied.skipped.set(item.href, undefined);
    return row;
  }

  run(): void {
    const { item, known, resource } = this.read;
    const rows = this.#findRows();
    const facts: TaskFacts =
      typeof rows === 'string'
        ? { local: this.#stateOf(known), base: 'known', remote: rows }
        : this.#factsOf(resourceOf(rows), resource);
    const { action, log } = decideTask(facts);
    if (log !== undefined && resource.uid !== undefined) this.applied.decided.push([resource.uid, log]);
    if (typeof rows !== 'string') this.#take(action, resourceOf(rows), resource);
    else if (action === 'defer') this.applied.deferred.push(item);
    else if (action === 'skip' || action === 'hide') this.#leaveOut(resource);
    else unforeseen(action);
  }

  /** The rows of the resource, or the reason why it has none. */
  #findRows(): readonly Task[] | 'unreadable' | 'crossed' | 'second' {
    const { known, resource } = this.read;
    const { uid } = resource;
    if (uid === undefined) return 'unreadable';
    const own = known.filter(row => row.uid === uid);
    const rows = own.length > 0 ? own : this.#adopt(uid, resource);
    return rows.length === 0 && resource.master && this.#sentText() ? this.#tombstoneOf(uid) : rows;
  }

  /** If it was sent from here without an answer, and its task has moved on since, the server's copy waits as a tombstone. */
  #tombstoneOf(uid: string): readonly Task[] {
    const { tx, context, taken } = this;
    const { href, etag } = this.read.item;
    if (!leaveTombstone(tx, { listId: context.listId, uid, href, etag }, context.sentRow(href))) return [];
    taken.add(uid);
    return tx
      .tasksAt(context.listId, uid)
      .filter(row => row.href === href)
      .slice(0, 1);
  }

  #stateOf(rows: readonly Task[]): TaskFacts['local'] {
    const { master } = resourceOf(rows);
    if (rows.length === 0) return 'none';
    const isTombstone = rows.some(({ isDeleted }) => isDeleted) && (master?.isDeleted ?? true);
    if (isTombstone) return master ? stateOfTombstone(this.tx, master) : 'deleted';
    return rows.some(({ isDirty }) => isDirty) ? 'edited' : 'clean';
  }

  /** A task that is clean here takes the text over, edited or not; without a base, all of it counts as edited. */
  #factsOf(local: LocalResource, resource: Resource): TaskFacts {
    const state = this.#stateOf(rowsOf(local));
    const sent = this.context.sentTo(this.read.item.href);
    const base = sent === undefined ? 'known' : sent === deletion ? 'deletionSent' : 'sent';
    // Nothing shows if an exception without its series was deleted here.
    const mayBeOurs = state !== 'none' || resource.master !== undefined;
    if (mayBeOurs && this.#isOurs(resource)) return { local: state, base, remote: 'ours' };
    const isClean = state === 'none' || state === 'clean';
    const before = isClean ? undefined : this.#baseOf(local, resource);
    const isTouched = before && rowPairs(before, resource).every(([old, now]) => !isRealChange(old, now));
    return { local: state, base, remote: isTouched ? 'touched' : 'changed' };
  }

  #take(action: TaskAction, local: LocalResource, resource: Resource): void {
    const { href, etag } = this.read.item;
    const { skipped, faults, leftovers } = this.applied;
    skipped.set(href, resource.hasOthers ? { etag, hasOthers: true } : undefined);
    switch (action) {
      case 'remove':
        leftovers.push(this.read.item);
        break;
      case 'mergeSent':
        this.#writer.merge(local, resource, this.#sent(resource));
        break;
      case 'merge':
        this.#writer.merge(local, resource, this.#baseOf(local, resource));
        break;
      case 'undelete':
        this.#undelete(local, resource);
        break;
      case 'keepDeletion':
      case 'follow':
        this.#keepDeletion(local, resource, action);
        break;
      case 'insert':
      case 'overwrite':
        this.#writer.overwrite(local, resource);
        break;
      default:
        unforeseen(action);
    }
    if (!resource.hasOthers) return;
    for (const row of this.#headsOf(resource.uid!))
      if (!row.isDeleted) faults.set(row.id, syncMessage('fileHasOthers'));
  }

  /**
   * A resource that is not a task, or that has another one's UID: the rows at its address, or else that one, get an
   * error.
   */
  #leaveOut(resource: Resource): void {
    const { known, item } = this.read;
    const { href, etag } = item;
    const { skipped, faults, oversized } = this.applied;
    const { uid } = resource;
    skipped.set(href, uid === undefined ? { etag } : { etag, behind: uid });
    if (resource === noResource) oversized.add(href);
    const unread = resource === noResource ? syncMessage('taskTooLarge') : syncMessage('versionUnreadable');
    const rows = uid === undefined || known.length > 0 ? known : this.#headsOf(uid);
    for (const row of rows) faults.set(row.id, uid === undefined ? unread : syncMessage('sameUid'));
  }

  /** The task of a UID, which another resource is: nothing else shows the user that there is a second one. */
  #headsOf = (uid: string): readonly Task[] => headsAmong(this.tx.tasksAt(this.context.listId, uid));

  /**
   * Rows that are this resource under another name: sent and not confirmed, or moved by the server or another program.
   * `second` if the UID belongs to another resource that is still there.
   */
  #adopt(uid: string, resource: Resource): readonly Task[] | 'crossed' | 'second' {
    const { tx, context, changes } = this;
    const { known } = this.read;
    const others = this.taken.has(uid) ? tx.tasksAt(context.listId, uid) : [];
    if (known.length > 0 && context.isPartial) return 'crossed';
    if (others.length === 0) {
      const isElsewhere = known.some(row => changes.claimed.has(row.uid));
      const isRenamed = !isElsewhere && hasOnlyAnotherUid(known, this.read.item, context);
      return isRenamed ? this.#renamed(known, uid) : this.#without(known);
    }
    const rows = rowsNamed(others, resource);
    if (!rows.every(row => isFree(row, context.gone, changes))) return context.isPartial ? 'crossed' : 'second';
    this.#without(known);
    return rows;
  }

  /** Overrides that the server does not have yet come along. */
  #renamed(known: readonly Task[], uid: string): readonly Task[] {
    changeUid(this.tx, known, uid);
    return known.map(({ id }) => this.tx.task(id)!);
  }

  /** A task that is made again after it was lost here needs an address of its own. */
  #without(known: readonly Task[]): readonly [] {
    for (const row of known)
      if (row.etag === null && !this.changes.claimed.has(row.uid)) this.tx.updateTask(row.id, { href: null });
    return [];
  }

  /** The task was deleted here, but edited there. */
  #undelete(local: LocalResource, resource: Resource): void {
    const { tx } = this;
    const rows = rowsOf(local);
    for (const { id } of rows) this.applied.written.add(id);
    for (const { id } of rows) tx.updateTask(id, { isDeleted: false, isDirty: false });
    this.applied.conflicts.push(this.#writer.record(rows[0]!, 'keptDeleted', []));
    this.#writer.overwrite(resourceOf(rows.map(({ id }) => tx.task(id)!)), resource);
  }

  /** `follow`: edits made there go to the list where the task is now. */
  #keepDeletion(local: LocalResource, resource: Resource, action: 'keepDeletion' | 'follow'): void {
    const { tx } = this;
    const { etag, href } = this.read.item;
    const base = action === 'follow' ? this.#baseOf(local, resource) : undefined;
    const moved = action === 'follow' && local.master ? movedTo(tx, local.master) : [];
    for (const { id } of rowsOf(local)) {
      this.applied.written.add(id);
      tx.updateTask(id, { etag, href });
    }
    if (moved.length > 0) this.#writer.merge(resourceOf(moved), resource, base, moved[0]!.listId);
  }

  /** The text that both sides last agreed on: exactly the sent one, if it arrived after all. */
  #baseOf(local: LocalResource, resource: Resource): Resource | undefined {
    const { context } = this;
    const sent = this.#sent(resource);
    if (sent && rowPairs(sent, resource).every(([before, after]) => !isRealChange(before, after))) return resource;
    const head = rowsOf(local)[0];
    const text = head && context.baseOf(head.href, head.etag);
    return text === undefined ? sent : readResource(text, { uid: resource.uid, href: this.read.item.href });
  }

  #sentText(): string | undefined {
    const sent = this.context.sentTo(this.read.item.href);
    return sent === deletion ? undefined : sent;
  }

  /**
   * True if this is the text that was sent to its address without a clear answer, and not someone else's edit of it.
   */
  #isOurs(resource: Resource): boolean {
    const sent = this.#sent(resource);
    return sent !== undefined && isStoredFrom(sent, resource);
  }

  /**
   * The text that was sent to its address, if it was this task: another program may have put a copy of it there, with
   * its own UID. Some servers replace the UID; then the sent one is nowhere else.
   */
  #sent({ uid }: Resource): Resource | undefined {
    const text = this.#sentText();
    if (text === undefined) return undefined;
    const { href } = this.read.item;
    const sent = readResource(text, { href });
    if (sent.uid === uid) return sent;
    const isOther = !this.context.mayChangeUids || sent.uid === undefined || this.#isElsewhere(sent.uid);
    return isOther ? undefined : readResource(text, { uid, href });
  }

  /** True if another resource of the list has the UID. */
  #isElsewhere(uid: string): boolean {
    const rows = this.tx.tasksAt(this.context.listId, uid);
    const { href } = this.read.item;
    return this.changes.claimed.has(uid) || rows.some(row => row.href !== href && row.etag !== null);
  }
}
