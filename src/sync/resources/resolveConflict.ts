import { percentDecoded } from '../../core/fields/percent';
import { type Columns, changedGroups, fieldsWith, groupColumns, groups, rowWith } from '../../core/ical/contentGroups';
import { readResource } from '../../core/ical/readResource';
import type { ResourceRow } from '../../core/ical/row';
import { writeResource } from '../../core/ical/writeResource';
import { DuelineError } from '../../core/kernel/errors';
import type { Id, Task, TaskList } from '../../core/kernel/model';
import type { RowPatch } from '../../core/kernel/rowEdit';
import type { FieldResolutions, LostField, Resolution, SyncConflict } from '../../core/sync/syncState';
import type { Writer } from '../../store/types';
import { bothOf } from '../merge/mergeValues';
import { isRealChange, rowPairs } from '../merge/resourceDiff';
import type { Lost } from '../merge/threeWayMerge';
import { syncMessage } from '../messages';
import type { Href } from '../remote/remote';
import type { ConflictRecord } from '../state/ledgerTypes';
import { findMaster } from './localResource';
import { resolveParent } from './parentLinks';

/** A conflict as it is shown to the user, whose version is the server's text with only the lost values restored. */
export function toConflict(id: string, record: ConflictRecord): SyncConflict {
  const { taskId, listId, uid, at, reason, copy, mine, theirs } = record;
  return {
    id,
    taskId,
    listId,
    title: readResource(mine, { uid }).master?.fields.title ?? '',
    at,
    reason,
    ...(copy?.original !== undefined && { files: { mine: nameOf(copy.href), server: nameOf(copy.original) } }),
    lost: lostOf(record).map(toField),
    mine: localOverServer(record) ?? mine,
    server: theirs,
  };
}

const nameOf = (href: Href): string => percentDecoded(href.slice(href.lastIndexOf('/') + 1));

function toField(lost: Lost): LostField {
  const { field, lost: mine, kept: server, recurrenceId } = lost;
  const both = combined(lost);
  return { field, mine, server, ...(both && { both }), ...(recurrenceId !== null && { occurrence: recurrenceId }) };
}

const combined = ({ field, lost, kept }: Lost): Columns | undefined =>
  field === 'occurrence' || !lost || !kept ? undefined : bothOf(lost as Columns, kept as Columns);

/** A removed copy was never merged, so its differences are found here. Its position is that of its list. */
function lostOf({ reason, lost, uid, mine, theirs }: ConflictRecord): readonly Lost[] {
  if (reason !== 'merged' || lost.length > 0) return lost;
  const [here, there] = [mine, theirs].map(text => readResource(text, { uid }).master);
  if (!here || !there) return [];
  const { recurrenceId } = here.fields;
  return changedGroups(here, there).flatMap(field =>
    field === 'unknown' || field === 'sortOrder'
      ? []
      : [{ recurrenceId, field, lost: groupColumns(field, here), kept: groupColumns(field, there) }],
  );
}

/** The server's text with the lost values restored; undefined if the versions differ in more than columns. */
function localOverServer({ uid, at, lost, theirs }: ConflictRecord): string | undefined {
  const { master, overrides } = readResource(theirs, { uid });
  if (lost.length === 0 || lost.some(one => one.field === 'occurrence' || one.lost === null)) return undefined;
  const restored = (row: ResourceRow) =>
    lost
      .filter(({ recurrenceId }) => recurrenceId === row.fields.recurrenceId)
      .reduce((so, one) => rowWith(so, one.lost as Columns), row);
  const rows = { ...(master && { master: restored(master) }), overrides: overrides.map(restored) };
  return withStampsOf(writeResource(rows, theirs, at), theirs);
}

/** `DTSTAMP:20261224T150000Z`, with its continuation lines. */
const stamps = /^(PRODID|DTSTAMP|LAST-MODIFIED|SEQUENCE)\b.*(?:\r?\n[ \t].*)*$/gm;

/** The user is not shown differences in when, and by which program, a text was written. */
function withStampsOf(text: string, other: string): string {
  const theirs = [...other.matchAll(stamps)];
  const ours = [...text.matchAll(stamps)];
  if (theirs.length !== ours.length || theirs.some((one, at) => one[1] !== ours[at]![1])) return text;
  let at = 0;
  return text.replace(stamps, () => theirs[at++]![0]);
}

interface Decision {
  readonly how: Resolution | FieldResolutions;
  readonly now: number;
  /** The UID of a copy that is kept next to the server's version. */
  readonly newUid: string;
}

/** Carries out the user's decision about a conflict, as their own edit of the rows. */
export function resolveConflict(tx: Writer, record: ConflictRecord, decision: Decision): void {
  const { how } = decision;
  if (how === 'server' || isIdenticalCopy(record)) return;
  const task = tx.task(record.taskId);
  // A copy without a lost value differs in lines that no column models: an existing task keeps its own.
  const isOtherLines = record.copy !== undefined && record.lost.length === 0;
  if (how === 'both' || !task || (record.copy && task.isDeleted) || isOtherLines) {
    keepCopy(tx, record, decision);
    return;
  }
  const list = tx.list(task.listId);
  if (!list || list.isReadOnly) throw new DuelineError('readOnly', syncMessage('readOnlyKeepBoth'));
  if (typeof how !== 'string') applyChosen(tx, task, list, record, decision, how);
  else if (record.reason === 'keptDeleted') removeTask(tx, task, list);
  else if (record.lost.length > 0)
    for (const lost of record.lost) applyLocal(tx, task, list, lost, record, decision.now);
  else applyWhole(tx, task, list, rowsOf(record)[0], decision.now);
}

/** True for a copy without a real difference: nothing of it needs to be kept. */
function isIdenticalCopy({ copy, uid, mine, theirs }: ConflictRecord): boolean {
  if (!copy) return false;
  return rowPairs(readResource(mine, { uid }), readResource(theirs, { uid })).every(
    ([here, there]) => !isRealChange(here, there),
  );
}

/** Applies the user's choice for each field. */
function applyChosen(
  tx: Writer,
  task: Task,
  list: TaskList,
  record: ConflictRecord,
  { now }: Decision,
  how: FieldResolutions,
): void {
  for (const [at, lost] of lostOf(record).entries()) {
    const both = how[at] === 'both' ? combined(lost) : undefined;
    if (how[at] === 'mine' || both) applyLocal(tx, task, list, both ? { ...lost, lost: both } : lost, record, now);
  }
}

/** The local version, followed by its overrides. */
function rowsOf({ mine, uid }: ConflictRecord): readonly ResourceRow[] {
  const { master, overrides } = readResource(mine, { uid });
  return master ? [master, ...overrides] : overrides;
}

const isTracked = (list: TaskList | undefined) => list?.accountId != null;

/** Restores one property group, or one occurrence, as it was here. */
function applyLocal(tx: Writer, task: Task, list: TaskList, lost: Lost, record: ConflictRecord, now: number): void {
  const row = tx.taskAt(task.listId, task.uid, lost.recurrenceId);
  if (lost.field === 'occurrence') {
    const master = findMaster(tx, task.listId, task.uid);
    if (lost.lost === null) {
      if (row && row.recurrenceId !== null) tx.deleteTask(row.id);
      if (master) tx.updateTask(master.id, { isDirty: isTracked(list), lastModified: now });
      return;
    }
    const mine = rowsOf(record).find(({ fields }) => fields.recurrenceId === lost.recurrenceId);
    if (!row && master && mine) {
      const { href, etag } = master;
      tx.insertTask({ ...mine.fields, listId: task.listId, masterId: master.id, href, etag, isDirty: isTracked(list) });
    }
    return;
  }
  if (row && lost.lost) tx.updateTask(row.id, patchOf(tx, row, lost.lost as Columns, list, now));
}

function applyWhole(tx: Writer, task: Task, list: TaskList, mine: ResourceRow | undefined, now: number): void {
  if (!mine) return;
  const columns = groups.filter(group => group !== 'unknown').map(group => groupColumns(group, mine));
  tx.updateTask(task.id, patchOf(tx, task, Object.assign({}, ...columns), list, now));
}

function patchOf(tx: Writer, row: Task, columns: Columns, list: TaskList, now: number): RowPatch {
  const { parentUid } = columns;
  const parent = typeof parentUid === 'string' ? resolveParent(tx, row, parentUid) : undefined;
  return {
    ...fieldsWith(row, columns),
    ...(parentUid === null && { parentId: null }),
    ...(parent && { parentId: parent.id }),
    isDirty: isTracked(list),
    lastModified: now,
  };
}

export function removeTask(tx: Writer, task: Task, list: TaskList): void {
  for (const child of tx.selectTasks('t.parent_id = ? AND t.is_deleted = 0', [task.id]))
    tx.updateTask(child.id, { parentId: null, isDirty: isTracked(list) });
  for (const row of tx.tasksAt(task.listId, task.uid)) {
    if (row.href !== null && isTracked(list)) tx.updateTask(row.id, { isDeleted: true });
    else tx.deleteTask(row.id);
  }
}

/** The version from here as a task of its own, in the same list or, if that is read-only, in a local one. */
function keepCopy(tx: Writer, record: ConflictRecord, { now, newUid }: Decision): Id | undefined {
  const [mine, ...overrides] = rowsOf(record);
  if (!mine) throw new DuelineError('notFound', syncMessage('noLocalVersion'));
  const own = tx.list(record.listId);
  const list = own && !own.isReadOnly ? own : tx.lists().find(one => one.accountId === null && !one.isReadOnly);
  if (!list) throw new DuelineError('readOnly', syncMessage('noListForCopy'));
  const { recurrenceId, ...fields } = mine.fields;
  const original = tx.task(record.taskId);
  const fresh = {
    uid: newUid,
    listId: list.id,
    createdAt: now,
    lastModified: now,
    sequence: 0,
    isDirty: isTracked(list),
  };
  const parentId = original && original.listId === list.id ? original.parentId : null;
  const id = tx.insertTask({ ...fields, ...fresh, parentId });
  if (recurrenceId === null)
    for (const override of overrides) tx.insertTask({ ...override.fields, ...fresh, masterId: id });
  return id;
}
