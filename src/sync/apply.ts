import { changedGroups, type Group } from '../core/ical/content';
import { readResource } from '../core/ical/readResource';
import type { Resource, ResourceRow } from '../core/ical/row';
import { type ResourceRows, writeResource } from '../core/ical/writeResource';
import type { Id, Task } from '../core/model';
import type { Writer } from '../store/types';
import { groupBy } from './group';
import { resolveParent } from './link';
import { type ConflictRecord, deletion, type Skipped } from './memory';
import { type Lost, mergeTask } from './merge';
import { movedTo } from './moves';
import type { Href, RemoteItem } from './remote';
import { type LocalResource, resourceOf, rowsOf, toResourceRow } from './rows';

/** What taking in a batch did, collected anew each time the work runs. */
export interface Applied {
  pulled: number;
  undeleted: number;
  readonly conflicts: ConflictRecord[];
  readonly skipped: Map<Href, Skipped | undefined>;
  /** Tasks that could not be stored, and why. */
  readonly faults: Map<Id, string>;
  /** Resources that nothing here stands for any more, though we made them: to be deleted on the server. */
  readonly orphans: RemoteItem[];
  /** By child UID. */
  readonly waiting: Map<string, string | undefined>;
}

export const newApplied = (): Applied => ({
  pulled: 0,
  undeleted: 0,
  conflicts: [],
  skipped: new Map(),
  faults: new Map(),
  orphans: [],
  waiting: new Map(),
});

export interface ApplyContext {
  readonly listId: Id;
  readonly now: number;
  /** The text that a row's ETag stands for, as far as it is remembered. */
  readonly baseOf: (href: Href | null, etag: string | null) => string | undefined;
  /** What was sent to a href without a clear answer. */
  readonly sentTo: (href: Href) => string | undefined;
  /** Resources that the same answer calls gone: a UID found there may have moved here. */
  readonly gone: ReadonlySet<Href>;
  /** By UID: parents that a text names and that were never linked. */
  readonly waiting: Readonly<Record<string, string>> | undefined;
}

/** Takes a batch of downloaded resources into the rows; everything about one resource is decided here, by its rows. */
export function applyItems(tx: Writer, items: readonly RemoteItem[], context: ApplyContext): Applied {
  const applied = newApplied();
  const byHref = groupBy(
    tx.selectTasks(`t.list_id = ? AND t.href IN (${marks(items)})`, [context.listId, ...items.map(({ href }) => href)]),
    task => task.href!,
  );
  for (const item of items) new Application(tx, context, applied, item).run(byHref.get(item.href) ?? []);
  return applied;
}

class Application {
  constructor(
    private readonly tx: Writer,
    private readonly context: ApplyContext,
    private readonly applied: Applied,
    private readonly item: RemoteItem,
  ) {}

  run(known: readonly Task[]): void {
    const { href, etag, text } = this.item;
    const resource = readResource(text, { uid: known[0]?.uid, href });
    if (resource.uid === undefined) {
      const isTask = /^BEGIN:VTODO/im.test(text) || known.length > 0;
      const message = 'The server’s copy of this task cannot be read; it is left as it is.';
      this.applied.skipped.set(href, { etag, ...(isTask && { message }) });
      for (const row of known) this.applied.faults.set(row.id, message);
      return;
    }
    const rows = known.length > 0 ? known : this.#adopt(resource.uid, resource);
    if (!rows) {
      const message = 'Another task of this list has the same UID on the server.';
      this.applied.skipped.set(href, { etag, message, behind: resource.uid });
      return;
    }
    this.applied.skipped.set(href, undefined);
    if (rows.length === 0 && this.#isAsSent(resource)) {
      this.applied.orphans.push(this.item);
      return;
    }
    const local = resourceOf(rows);
    if (rows.some(({ isDeleted }) => isDeleted) && (local.master?.isDeleted ?? true))
      this.#intoTombstone(local, resource);
    else
      this.#write(
        local,
        resource,
        rows.some(row => row.isDirty),
      );
  }

  /**
   * Rows that are this resource under another name: sent and not confirmed, or moved by the server. Undefined where the
   * UID belongs to another resource that is still there.
   */
  #adopt(uid: string, resource: Resource): readonly Task[] | undefined {
    const rows = this.tx.selectTasks('t.list_id = ? AND t.uid = ?', [this.context.listId, uid]);
    if (!resource.master) {
      // A lone override belongs beside its master's rows, if its own place is free.
      const ids = new Set(resource.overrides.map(({ fields }) => fields.recurrenceId));
      return rows.some(row => row.recurrenceId !== null && ids.has(row.recurrenceId)) ? undefined : [];
    }
    const isFree = ({ href }: Task) => href === null || this.context.gone.has(href);
    return rows.every(isFree) ? rows : undefined;
  }

  /** Deleted here: stays so unless somebody really edited it there. */
  #intoTombstone(local: LocalResource, resource: Resource): void {
    const { tx, item } = this;
    const base = this.#baseOf(local, resource);
    const isEdited = !base || rowPairs(base, resource).some(([before, after]) => isRealChange(before, after));
    const moved = local.master && movedTo(tx, local.master);
    if (!isEdited || moved) {
      for (const row of rowsOf(local)) tx.updateTask(row.id, { etag: item.etag, href: item.href });
      if (isEdited && moved) this.#merge(resourceOf(moved), resource, base, moved[0]!.listId);
      return;
    }
    for (const row of rowsOf(local)) tx.updateTask(row.id, { isDeleted: false, isDirty: false });
    this.applied.undeleted++;
    this.applied.conflicts.push(this.#record(rowsOf(local)[0]!, 'keptDeleted', []));
    const fresh = resourceOf(rowsOf(local).map(row => tx.task(row.id)!));
    this.#write(fresh, resource, false);
  }

  #write(local: LocalResource, resource: Resource, isDirty: boolean): void {
    if (isDirty) this.#merge(local, resource, this.#baseOf(local, resource));
    else this.#overwrite(local, resource);
  }

  /** What both sides last agreed on. What was sent and arrived after all is exactly that. */
  #baseOf(local: LocalResource, resource: Resource): Resource | undefined {
    const { context, item } = this;
    if (this.#isAsSent(resource)) return resource;
    const head = rowsOf(local)[0];
    const text = head && context.baseOf(head.href, head.etag);
    return text === undefined ? undefined : readResource(text, { uid: resource.uid, href: item.href });
  }

  /** Whether this is what went out to its address without a clear answer. */
  #isAsSent(resource: Resource): boolean {
    const sent = this.context.sentTo(this.item.href);
    if (sent === undefined || sent === deletion) return false;
    const asSent = readResource(sent, { uid: resource.uid, href: this.item.href });
    return rowPairs(asSent, resource).every(([before, after]) => before && after && !isRealChange(before, after));
  }

  #overwrite(local: LocalResource, resource: Resource): void {
    const { tx } = this;
    const masterId = this.#put(local.master, resource.master, false, null) ?? this.#masterElsewhere(resource);
    const known = new Map(local.overrides.map(row => [row.recurrenceId, row]));
    for (const row of resource.overrides) {
      this.#put(known.get(row.fields.recurrenceId), row, false, masterId);
      known.delete(row.fields.recurrenceId);
    }
    for (const row of known.values()) tx.deleteTask(row.id);
    this.applied.pulled++;
  }

  /**
   * Three-way merge of the whole resource. `elsewhere`: the rows lie at this resource's address no more; they were
   * moved to that list and only take over what was edited here.
   */
  #merge(local: LocalResource, resource: Resource, base: Resource | undefined, elsewhere?: Id): void {
    const { tx } = this;
    const mine = this.#rowsToMerge(local, resource, base, elsewhere);
    const { rows, lost, isServers } = mergeTask(base, mine, resource);
    const theirs = new Map(allRows(resource).map(row => [row.fields.recurrenceId, row]));
    const isNews = (row: ResourceRow) => {
      const their = theirs.get(row.fields.recurrenceId);
      return !their || changedGroups(row, their).length > 0;
    };
    const isSentElsewhere = elsewhere !== undefined && tx.list(elsewhere)?.accountId != null;
    const isDirty = (row: ResourceRow) => (elsewhere === undefined ? isNews(row) : isSentElsewhere);
    if (lost.length > 0) this.#recordLost(local, lost);
    // An override that is to go from the server shows in no row but the master's.
    const isBareRemoval = elsewhere === undefined && !isServers && !allRows(rows).some(isDirty);
    const isMasterDirty = isBareRemoval || (!!rows.master && isDirty(rows.master));
    const masterId =
      this.#put(local.master, rows.master, isMasterDirty, null, elsewhere) ?? this.#masterElsewhere(resource);
    const known = new Map(local.overrides.map(row => [row.recurrenceId, row]));
    for (const row of rows.overrides) {
      this.#put(known.get(row.fields.recurrenceId), row, isDirty(row), masterId, elsewhere);
      known.delete(row.fields.recurrenceId);
    }
    for (const task of known.values()) tx.deleteTask(task.id);
    this.applied.pulled++;
  }

  /**
   * A clean row holds nothing to defend: where the base is lost too, it stands for what the server has. Of rows that
   * lie elsewhere nothing says whether they were edited there.
   */
  #rowsToMerge(
    local: LocalResource,
    resource: Resource,
    base: Resource | undefined,
    elsewhere: Id | undefined,
  ): ResourceRows {
    const before = new Map(base && allRows(base).map(row => [row.fields.recurrenceId, row]));
    const theirs = new Map(allRows(resource).map(row => [row.fields.recurrenceId, row]));
    const rows = rowsOf(local)
      .filter(({ isDeleted }) => !isDeleted)
      .flatMap(task => {
        const old = before.get(task.recurrenceId);
        const their = theirs.get(task.recurrenceId);
        if (!task.isDirty && !old && elsewhere === undefined) return their ?? [];
        return toResourceRow(this.tx, task, (old ?? their)?.parentUid, this.context.waiting);
      });
    const master = rows.find(({ fields }) => fields.recurrenceId === null);
    return { ...(master && { master }), overrides: rows.filter(row => row !== master) };
  }

  #recordLost(local: LocalResource, lost: readonly Lost[]): void {
    for (const [recurrenceId, fields] of groupBy(lost, one => one.recurrenceId)) {
      const task = rowsOf(local).find(row => row.recurrenceId === recurrenceId) ?? rowsOf(local)[0]!;
      this.applied.conflicts.push(this.#record(task, 'edited', fields));
    }
  }

  #masterElsewhere(resource: Resource): Id | null {
    if (resource.overrides.length === 0 || resource.uid === undefined) return null;
    const [master] = this.tx.selectTasks('t.list_id = ? AND t.uid = ? AND t.recurrence_id IS NULL', [
      this.context.listId,
      resource.uid,
    ]);
    return master?.id ?? null;
  }

  #put(
    task: Task | undefined,
    row: ResourceRow | undefined,
    isDirty: boolean,
    masterId: Id | null,
    elsewhere?: Id,
  ): Id | null {
    const { tx, context, item, applied } = this;
    if (!row) return task?.id ?? null;
    const { fields } = row;
    const isMaster = fields.recurrenceId === null;
    const listId = elsewhere ?? context.listId;
    const master = elsewhere !== undefined && masterId !== null ? tx.task(masterId) : undefined;
    const place = elsewhere === undefined ? item : master;
    const parent = row.parentUid ? resolveParent(tx, listId, fields.uid, row.parentUid) : undefined;
    const columns = {
      ...fields,
      ...(place && { href: place.href, etag: place.etag }),
      isDirty,
      masterId: isMaster ? null : masterId,
      ...(row.parentUid !== undefined && { parentId: parent?.id ?? null }),
    };
    if (isMaster && elsewhere === undefined)
      applied.waiting.set(fields.uid, row.parentUid && !parent ? row.parentUid : undefined);
    if (task) {
      tx.updateTask(task.id, columns);
      return task.id;
    }
    return tx.insertTask({ ...columns, listId });
  }

  #record(task: Task, reason: ConflictRecord['reason'], lost: readonly Lost[]): ConflictRecord {
    const row = toResourceRow(this.tx, task, null);
    return {
      taskId: task.id,
      listId: task.listId,
      uid: task.uid,
      at: this.context.now,
      reason,
      lost,
      mine: writeResource(
        row.fields.recurrenceId === null ? { master: row, overrides: [] } : { overrides: [row] },
        undefined,
        this.context.now,
      ),
      theirs: this.item.text,
    };
  }
}

/** Reordering, and what programs note about reminders, are no edits worth bringing a deleted task back for. */
const noise: ReadonlySet<Group> = new Set(['sortOrder']);

function isRealChange(before: ResourceRow | undefined, after: ResourceRow | undefined): boolean {
  if (!before || !after) return before !== after;
  return changedGroups(before, after).some(group => !noise.has(group));
}

/** The rows of two texts side by side, by occurrence. */
function rowPairs(a: Resource, b: Resource): [ResourceRow | undefined, ResourceRow | undefined][] {
  const rows = (of: Resource) => new Map(allRows(of).map(row => [row.fields.recurrenceId, row]));
  const [left, right] = [rows(a), rows(b)];
  return [...new Set([...left.keys(), ...right.keys()])].map(id => [left.get(id), right.get(id)]);
}

const allRows = ({ master, overrides }: ResourceRows): readonly ResourceRow[] =>
  master ? [master, ...overrides] : overrides;

const marks = (values: readonly unknown[]) => values.map(() => '?').join(',');
