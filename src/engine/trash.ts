import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { TrashEntry } from '../api';
import type { Disposable } from '../core/kernel/events';
import { groupBy } from '../core/kernel/groupBy';
import type { EpochMs, Id, Task } from '../core/kernel/model';
import { isMovedAway, keepHrefIfSameCollection } from '../core/kernel/tombstone';
import { dayMs } from '../core/time/units';
import type { TaskStore } from '../store/taskStore';
import type { Reader, Sidecar } from '../store/types';
import { place } from './move';
import type { TaskEditor } from './taskEditor';
import { isTracked } from './taskRow';

/** A task, or the row that it was. */
type TaskInList = Pick<Task, 'id' | 'listId'>;

/** The sidecar's entry for one deleted task: its row and its occurrences' rows at that time. */
interface TrashedTask {
  readonly deletedAt: EpochMs;
  readonly rows: readonly Task[];
  /**
   * Other tasks with its UID at that time, existing or deleted: for example a copy in another list. Entries of version
   * 1.1.0 have none.
   */
  readonly others?: readonly TaskInList[];
}

const map = 'trash';

/** The time of the last cleanup, and the time since which the clock has run without a leap. */
interface CleanupState {
  readonly at: EpochMs;
  readonly since: EpochMs;
}

const cleanupMap = 'trashLook';
/** A longer time between two cleanups may just as well be a clock that was set wrong. */
const maxGap = 7 * dayMs;

/**
 * Deleted tasks, kept next to the store for a while. An entry is written before the task is deleted and counts only
 * while the task {@link livesOn} nowhere, so an edit that failed, an undo, or a task that came back from the server
 * needs no cleaning up.
 */
export class Trash {
  #listening: Disposable | undefined;

  /** `onPurge` is called, once the trash was read, whenever tasks are removed from it for good, in any window. */
  constructor(
    readonly store: TaskStore,
    readonly retentionDays: () => number,
    readonly onPurge: () => void,
  ) {}

  /**
   * `newest`: the newest row before what took them away began. A later row with one of their
   * UIDs is that task in a new list, not another one.
   */
  async keep(roots: readonly Task[], now: EpochMs, newest = Number.POSITIVE_INFINITY): Promise<void> {
    if (roots.length === 0) return;
    const sidecar = await this.store.sidecar();
    const keys = new Map<string, string[]>();
    for (const key of sidecar.keysHaving(map, '')) {
      const uid = key.slice(key.indexOf('/') + 1);
      keys.set(uid, [...(keys.get(uid) ?? []), key]);
    }
    // Another entry may just as well be the same task, at a time when it was in another list.
    const deletedBeside = (task: Task) =>
      (keys.get(task.uid) ?? [])
        .map(key => sidecar.get<TrashedTask>(map, key)!)
        .flatMap(entry => (isOther(entry, task) && !livesOn(this.store, entry) ? entry.rows[0]! : []));
    const kept = roots.map(task => {
      const overrides = this.store.overridesOf(task.id);
      const others = [...livingOfUid(this.store, task.uid), ...deletedBeside(task)]
        .filter(({ id, listId }) => id !== task.id && id <= newest && listId !== task.listId)
        .map(({ id, listId }) => ({ id, listId }));
      return [
        keyOf(task),
        { deletedAt: now, rows: [task, ...overrides], ...(others.length > 0 && { others }) } satisfies TrashedTask,
      ] as const;
    });
    await this.#put(sidecar, kept, now);
  }

  /** Stores a task without a row: its own values, and those of its occurrences. */
  async keepRows(rows: readonly [Task, ...Task[]], now: EpochMs): Promise<void> {
    await this.#put(await this.store.sidecar(), [[keyOf(rows[0]), { deletedAt: now, rows }]], now);
  }

  /**
   * Gives a deleted task a UID of its own: another task takes over the one that it had. A task that exists again keeps it.
   * The returned function removes the entry if the other one has turned out to be the same task.
   */
  async setApart(listId: Id, uid: string): Promise<() => Promise<void>> {
    const sidecar = await this.store.sidecar();
    const key = keyOf({ listId, uid });
    const entry = sidecar.get<TrashedTask>(map, key);
    if (!entry || livesOn(this.store, entry)) return async () => undefined;
    const own = randomUUID();
    const ownKey = keyOf({ listId, uid: own });
    const rows = entry.rows.map(row => ({ ...row, uid: own }));
    await sidecar.put(map, [
      [key, undefined],
      [ownKey, { ...entry, rows }],
    ]);
    return async () => {
      const isSame = (task: Task) => task.listId === listId && hasContentOf(this.store, task, entry);
      if (livingOfUid(this.store, uid).some(isSame)) await this.purge([ownKey]);
    };
  }

  async #put(sidecar: Sidecar, kept: readonly (readonly [string, TrashedTask])[], now: EpochMs): Promise<void> {
    const expired = (await this.#expired(sidecar, now)).map(key => [key, undefined] as const);
    await sidecar.put(map, [...expired, ...kept]);
  }

  /** None until the clock has gone on steadily for as long as tasks are kept: after a leap, nobody knows how old they are. */
  async #expired(sidecar: Sidecar, now: EpochMs): Promise<readonly string[]> {
    const last = sidecar.get<CleanupState>(cleanupMap, 'last');
    const isSteady = last !== undefined && now >= last.at && now - last.at <= maxGap;
    const since = isSteady ? last.since : now;
    await sidecar.put(cleanupMap, [['last', { at: now, since } satisfies CleanupState]]);
    const oldest = now - this.retentionDays() * dayMs;
    if (since > oldest) return [];
    return this.#all(sidecar).flatMap(([key, { deletedAt }]) => (deletedAt < oldest ? [key] : []));
  }

  async entries(): Promise<readonly TrashEntry[]> {
    const sidecar = await this.store.sidecar();
    this.#listening ??= sidecar.onDidChange(change => {
      if (change.map === map && change.keys.some(key => sidecar.get(map, key) === undefined)) this.onPurge();
    });
    const living = this.#livingUids();
    return this.#all(sidecar)
      .filter(([, entry]) => !living.has(entry.rows[0]!.uid) || !livesOn(this.store, entry))
      .map(([key, { deletedAt, rows }]) => ({ key, deletedAt, listId: rows[0]!.listId, task: rows[0]! }))
      .sort((a, b) => b.deletedAt - a.deletedAt);
  }

  /** The entries, each with those of its subtasks that were deleted with it. */
  async find(keys: readonly string[]): Promise<readonly TrashedTask[]> {
    const sidecar = await this.store.sidecar();
    const all = new Map(this.#all(sidecar));
    const below = groupBy([...all.values()], ({ deletedAt, rows }) => `${deletedAt}/${rows[0]!.parentId}`);
    const found = new Set(keys.flatMap(key => all.get(key) ?? []));
    // A set gives what is added to it meanwhile, too: the subtasks of subtasks.
    for (const { deletedAt, rows } of found)
      for (const entry of below.get(`${deletedAt}/${rows[0]!.id}`) ?? []) found.add(entry);
    return [...found];
  }

  /** The UIDs of deleted tasks, by the ids that they had. */
  async uids(): Promise<ReadonlyMap<Id, string>> {
    const entries = this.#all(await this.store.sidecar());
    return new Map(entries.map(([, { rows }]) => [rows[0]!.id, rows[0]!.uid]));
  }

  async purge(keys: readonly string[]): Promise<void> {
    const sidecar = await this.store.sidecar();
    await sidecar.put(
      map,
      keys.map(key => [key, undefined] as const),
    );
  }

  #all(sidecar: Sidecar) {
    return sidecar.entries<TrashedTask>(map);
  }

  #livingUids(): ReadonlySet<string> {
    const sql = 'SELECT uid FROM tasks WHERE recurrence_id IS NULL AND is_deleted = 0';
    return new Set(this.store.select<{ uid: string }>(sql).map(({ uid }) => uid));
  }
}

const keyOf = ({ listId, uid }: Pick<Task, 'listId' | 'uid'>): string => `${listId}/${uid}`;

const livingOfUid = (reader: Reader, uid: string): readonly Task[] =>
  reader.tasksOfUid(uid).filter(({ recurrenceId, isDeleted }) => recurrenceId === null && !isDeleted);

/** True if a task is known to be another one than the deleted one with its UID. */
const isOther = ({ rows, others = [] }: TrashedTask, task: TaskInList): boolean =>
  task.id !== rows[0]!.id && others.some(({ id, listId }) => id === task.id || listId === task.listId);

/**
 * True if a deleted task exists again, in whatever list and row. Another task that had its UID when it was deleted does
 * not count, unless its content is the same: if a task was only moved, its new row may have come before the old one was
 * deleted.
 */
function livesOn(reader: Reader, entry: TrashedTask): boolean {
  return livingOfUid(reader, entry.rows[0]!.uid).some(
    task => !isOther(entry, task) || hasContentOf(reader, task, entry),
  );
}

const hasContentOf = (reader: Reader, task: Task, { rows }: TrashedTask): boolean =>
  isDeepStrictEqual(contentOf([task, ...reader.overridesOf(task.id)]), contentOf(rows));

/** The content of rows, without their address and what a server knows of them. */
const contentOf = (rows: readonly Task[]) =>
  rows
    .map(
      ({ id, listId, masterId, parentId, href, etag, sequence, lastModified, createdAt, sortOrder, ...content }) => ({
        ...content,
        isDirty: undefined,
        alarms: content.alarms.map(alarm => ({ ...alarm, id: undefined })),
      }),
    )
    .sort((a, b) => (a.recurrenceId ?? 0) - (b.recurrenceId ?? 0));

/** The entries that a restore brings back, and their list if their own is gone. */
interface Restoration {
  readonly found: readonly TrashedTask[];
  readonly uids: ReadonlyMap<Id, string>;
  readonly fallbackList: Id;
}

/** Restores subtasks below their parents, which may have been restored before, with new ids. */
export function restoreAll(editor: TaskEditor, { found, uids, fallbackList }: Restoration): readonly Id[] {
  const restored = found.flatMap(entry => {
    const id = restoreRows(editor, entry, fallbackList);
    return id === undefined ? [] : { id, parentId: entry.rows[0]!.parentId };
  });
  for (const { id, parentId } of restored) {
    const task = editor.existing(id);
    const uid = parentId === null || task.parentId !== null ? undefined : uids.get(parentId);
    const parent = (uid === undefined ? [] : editor.tx.tasksOfUid(uid)).find(
      row => row.listId === task.listId && row.masterId === null && !row.isDeleted,
    );
    if (parent) place(editor, task, { parentId: parent.id });
  }
  return restored.map(({ id }) => id);
}

/** Restores rows: over their tombstones if the deletion was not sent to the server yet, else as new tasks. */
function restoreRows(editor: TaskEditor, entry: TrashedTask, fallbackList: Id): Id | undefined {
  const { tx } = editor;
  const { rows } = entry;
  const [first] = rows;
  if (!first || livesOn(tx, entry)) return undefined;
  const buried = tx.tasksAt(first.listId, first.uid).filter(({ isDeleted }) => isDeleted);
  // The tombstone of a task that moved away only holds its old address.
  const [movedRow] = buried.filter(row => isMovedAway(row.unknownProperties));
  if (buried.length > 0 && !movedRow) {
    // Its deletion may have been sent after all, before a backup brought it back: then it is sent again.
    for (const row of buried) tx.updateTask(row.id, { isDeleted: false, isDirty: isTracked(tx.list(row.listId)!) });
    return buried.find(row => row.masterId === null)?.id;
  }
  const list = tx.list(first.listId);
  const listId = list && !list.isReadOnly ? list.id : fallbackList;
  const target = tx.list(listId)!;
  // A list has one task of a UID.
  if (livingOfUid(tx, first.uid).some(task => task.listId === listId)) return undefined;
  if (movedRow) tx.deleteTask(movedRow.id);
  const href = keepHrefIfSameCollection((movedRow ?? first).href, isTracked(target) ? target.href : null);
  const fresh = { listId, href, etag: null, isDeleted: false, isDirty: isTracked(target) };
  const parent = first.parentId === null ? undefined : tx.task(first.parentId);
  const { id: _id, ...columns } = first;
  const parentId = parent && parent.listId === listId && !parent.isDeleted ? parent.id : null;
  const id = tx.insertTask({ ...columns, ...fresh, parentId });
  for (const { id: _row, ...override } of rows.slice(1))
    tx.insertTask({ ...override, ...fresh, masterId: id, parentId });
  return id;
}
