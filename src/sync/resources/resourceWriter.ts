import { alarmKey } from '../../core/ical/alarmKey';
import { changedGroups } from '../../core/ical/contentGroups';
import type { Resource, ResourceRow } from '../../core/ical/row';
import { type ResourceRows, writeResource } from '../../core/ical/writeResource';
import { groupBy } from '../../core/kernel/groupBy';
import type { AlarmInput, Id, Task } from '../../core/kernel/model';
import type { NewRow, RowPatch } from '../../core/kernel/rowEdit';
import type { Reader, Writer } from '../../store/types';
import { allRows } from '../merge/resourceDiff';
import { type Lost, mergeTask } from '../merge/threeWayMerge';
import type { RemoteItem } from '../remote/remote';
import type { ConflictRecord } from '../state/ledgerTypes';
import type { ApplyContext, ApplyResult } from './applyResult';
import { findMaster, type LocalResource, rowsOf, toResourceRow } from './localResource';
import { resolveParent } from './parentLinks';

/** Writes one resource into its rows, replacing their values or merged with them. */
export class ResourceWriter {
  constructor(
    private readonly tx: Writer,
    private readonly context: ApplyContext,
    private readonly applied: ApplyResult,
    private readonly item: RemoteItem,
    /** UIDs that have rows in the list. */
    private readonly taken: Set<string>,
  ) {}

  /**
   * The row that {@link overwrite} would insert for a task without a parent or overrides that has no row yet; else
   * undefined.
   */
  newRow({ master, overrides }: Resource): NewRow | undefined {
    if (!master || master.parentUid || overrides.length > 0) return undefined;
    const { context, item, applied } = this;
    const { uid } = master.fields;
    applied.waiting.set(uid, undefined);
    applied.pulled++;
    this.taken.add(uid);
    return { listId: context.listId, href: item.href, etag: item.etag, ...master.fields };
  }

  overwrite(local: LocalResource, resource: Resource): void {
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
   * Three-way merge of the whole resource. `elsewhere`: the rows have left this resource's address for that list, and
   * only take over what was edited here.
   */
  merge(local: LocalResource, resource: Resource, base: Resource | undefined, elsewhere?: Id): void {
    const { tx } = this;
    const mine = this.#rowsToMerge(local, resource, base, elsewhere);
    const { rows, lost, isServers } = mergeTask(base, mine, resource);
    const theirs = new Map(allRows(resource).map(row => [row.fields.recurrenceId, row]));
    const isChanged = (row: ResourceRow) => {
      const their = theirs.get(row.fields.recurrenceId);
      return !their || changedGroups(row, their).length > 0;
    };
    const isSentElsewhere = elsewhere !== undefined && tx.list(elsewhere)?.accountId != null;
    const isDirty = (row: ResourceRow) => (elsewhere === undefined ? isChanged(row) : isSentElsewhere);
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
   * A clean row has no edit to keep: if the base is lost too, it counts as what the server has. Nothing shows if rows
   * at other addresses were edited there.
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
      this.applied.conflicts.push(this.record(task, 'edited', fields));
    }
  }

  #masterElsewhere(resource: Resource): Id | null {
    if (resource.overrides.length === 0 || resource.uid === undefined) return null;
    return findMaster(this.tx, this.context.listId, resource.uid)?.id ?? null;
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
    const source = elsewhere === undefined ? item : master;
    const child = { listId, uid: fields.uid, isNew: isMaster && !task };
    const parent = row.parentUid ? resolveParent(tx, child, row.parentUid) : undefined;
    // Fields written after a spread take six times as long as the spread.
    const columns = {
      href: source?.href,
      etag: source?.etag,
      isDirty,
      masterId: isMaster ? null : masterId,
      parentId: row.parentUid === undefined ? undefined : (parent?.id ?? null),
      ...fields,
    };
    if (isMaster && elsewhere === undefined)
      applied.waiting.set(fields.uid, row.parentUid && !parent ? row.parentUid : undefined);
    const isTaken = this.taken.has(fields.uid);
    this.taken.add(fields.uid);
    const { written } = applied;
    if (task) {
      tx.updateTask(task.id, written.has(task.id) ? columns : differing(columns, task));
      written.add(task.id);
      return task.id;
    }
    const id = tx.insertTask({ ...columns, listId });
    if (isMaster && isTaken) this.#takeLone(id, listId, fields.uid);
    return id;
  }

  /** Exceptions that came in before their series, in resources of their own. */
  #takeLone(masterId: Id, listId: Id, uid: string): void {
    const isLone = 't.list_id = ? AND t.uid = ? AND t.recurrence_id IS NOT NULL AND t.master_id IS NULL';
    for (const { id } of this.tx.selectTasks(isLone, [listId, uid])) {
      this.tx.updateTask(id, { masterId });
      this.applied.written.add(id);
    }
  }

  record(task: Task, reason: ConflictRecord['reason'], lost: readonly Lost[]): ConflictRecord {
    return conflictOf(this.tx, task, { at: this.context.now, reason, lost, theirs: this.item.text });
  }
}

/** The part of a patch that differs from the row. A task that comes in again has mostly stayed the same. */
function differing(patch: RowPatch, task: Task): RowPatch {
  const changes: Record<string, unknown> = {};
  for (const name in patch) {
    const value = patch[name as keyof RowPatch];
    if (value !== undefined && !isStored(value, task[name as keyof Task])) changes[name] = value;
  }
  return changes;
}

function isStored(value: unknown, stored: unknown): boolean {
  if (!Array.isArray(value) || !Array.isArray(stored)) return value === stored;
  return value.length === stored.length && value.every((one, at) => keyOf(one) === keyOf(stored[at]));
}

const keyOf = (one: string | AlarmInput): string => (typeof one === 'string' ? one : alarmKey(one));

/** The record of the local version of a task, before it is replaced. */
export function conflictOf(
  reader: Reader,
  task: Task,
  how: Pick<ConflictRecord, 'at' | 'reason' | 'lost' | 'theirs'>,
): ConflictRecord {
  const { id: taskId, listId, uid } = task;
  const row = toResourceRow(reader, task, null);
  const rows = row.fields.recurrenceId === null ? { master: row, overrides: [] } : { overrides: [row] };
  return { taskId, listId, uid, ...how, mine: writeResource(rows, undefined, how.at) };
}
