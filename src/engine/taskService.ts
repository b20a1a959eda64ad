import { randomUUID } from 'node:crypto';
import type { ListPatch, MoveTarget, TaskChange } from '../api';
import { descent } from '../core/descent';
import { DuelineError } from '../core/errors';
import { type EpochMs, type Id, Status, type Task, type TaskInput } from '../core/model';
import type { EditScope } from '../core/recurrence/seriesEdit';
import type { Origin } from '../core/recurrence/seriesRows';
import type { EngineSettings } from '../core/settings';
import type { Clock } from '../core/time/clock';
import type { TaskStore } from '../store/taskStore';
import type { EditLabel, Writer } from '../store/types';
import { applyChange } from './applyChange';
import type { SyncEngine } from './flavor/flavor';
import { createList, existingList, updateList } from './listEditor';
import { moveTask } from './move';
import { moveListToAccount } from './moveList';
import { TaskEditor } from './taskEditor';
import { restoreAll, Trash } from './trash';

/** What acts ask of the server's side, in the flavor that has one. */
type Server = Pick<SyncEngine, 'deleteRemoteList' | 'origins'>;

/** Every user's act as one durable, undoable step. */
export class TaskService {
  readonly trash: Trash;

  constructor(
    readonly store: TaskStore,
    readonly clock: Clock,
    readonly settings: () => EngineSettings,
    readonly server: Server | undefined,
  ) {
    this.trash = new Trash(store, () => settings().trashRetentionDays);
  }

  createList(input: { name: string; color?: number; accountId?: Id | null }): Promise<Id> {
    return this.#edit({ key: 'list.create', count: 1, title: input.name }, tx => createList(tx, input));
  }

  updateList(id: Id, patch: ListPatch): Promise<void> {
    return this.#edit({ key: 'list.update', count: 1, title: this.store.list(id)?.name }, tx =>
      updateList(tx, id, patch),
    );
  }

  async deleteList(id: Id): Promise<void> {
    const list = existingList(this.store, id);
    if (list.isReadOnly)
      throw new DuelineError(
        'readOnly',
        `"${list.name}" belongs to somebody else, who alone can delete it; you can hide it.`,
      );
    if (list.href !== null && list.accountId !== null) {
      if (!this.server) throw new DuelineError('unsupported', 'The offline flavor of Dueline has no network access.');
      await this.server.deleteRemoteList(id);
    }
    await this.#edit({ key: 'list.delete', count: 1, title: list.name }, tx => {
      if (tx.list(id)) tx.deleteList(id);
    });
  }

  moveListToAccount(id: Id, accountId: Id | null): Promise<Id> {
    return this.#act({ key: 'list.update', count: 1, title: this.store.list(id)?.name }, acts =>
      moveListToAccount(acts, id, accountId),
    );
  }

  createTask(listId: Id, input: TaskInput): Promise<Id> {
    const title = input.title ?? undefined;
    return this.#act({ key: 'create', count: 1, title }, acts => acts.create(listId, input));
  }

  updateTask(id: Id, patch: TaskInput): Promise<void> {
    return this.#closing(patch.status === Status.completed, this.#named('update', id), acts => acts.update(id, patch));
  }

  completeTask(id: Id, occurrence?: EpochMs): Promise<void> {
    return this.#closing(true, this.#named('complete', id), acts => acts.complete(id, { occurrence }));
  }

  setRepeat(id: Id, rrule: string | null, from: 'due' | 'completion'): Promise<void> {
    return this.#act(this.#named('update', id), acts => acts.setRepeat(id, rrule, from));
  }

  skipOccurrence(id: Id, occurrence?: EpochMs): Promise<void> {
    return this.#closing(true, this.#named('skip', id), acts => acts.skip(id, { occurrence }));
  }

  deleteOccurrence(id: Id, occurrence: EpochMs): Promise<void> {
    return this.#act(this.#named('deleteOccurrence', id), acts => acts.exclude(id, occurrence));
  }

  editOccurrence(id: Id, occurrence: EpochMs, scope: EditScope, patch: TaskInput): Promise<Id | undefined> {
    return this.#act(this.#named('update', id), acts => acts.editOccurrence(id, occurrence, scope, patch));
  }

  reopenTask(id: Id): Promise<void> {
    return this.#act(this.#named('reopen', id), acts => acts.reopen(id));
  }

  async deleteTask(id: Id, children: 'keep' | 'delete'): Promise<void> {
    await this.#discard([id], children);
    await this.#act(this.#named('delete', id), acts => acts.delete(id, children));
  }

  moveTask(id: Id, to: MoveTarget): Promise<void> {
    return this.#act(this.#named('move', id), acts => moveTask(acts, id, to));
  }

  async apply(changes: readonly TaskChange[]): Promise<readonly Id[]> {
    const kinds = new Set(changes.map(change => change.type));
    const key = kinds.size === 1 ? nameOf([...kinds][0]!) : 'apply';
    await this.#discard(
      changes.flatMap(change => (change.type === 'delete' ? [change.id] : [])),
      'keep',
    );
    const [only] = changes.length === 1 ? changes : [];
    const title = only && 'id' in only ? (this.store.task(only.id)?.title ?? undefined) : undefined;
    const mayClose = kinds.has('complete') || kinds.has('update');
    return this.#closing(mayClose, { key, count: changes.length, title }, acts =>
      changes.map(change => applyChange(acts, change)).filter(id => id !== undefined),
    );
  }

  async restore(keys: readonly string[], fallbackList: () => Id): Promise<readonly Id[]> {
    const [found, uids] = await Promise.all([this.trash.find(keys), this.trash.uids()]);
    return this.#act({ key: 'restore', count: found.length, title: found[0]?.[0]?.title ?? undefined }, acts =>
      restoreAll(acts, { found, uids, fallbackList: fallbackList() }),
    );
  }

  /** Runs `work` as one step. New uids are drawn before it, because it may run again. */
  act<T>(label: EditLabel, work: (acts: TaskEditor) => T): Promise<T> {
    return this.#act(label, work);
  }

  /** An act that may complete a series: how others do that is known to the server's side. */
  async #closing<T>(mayClose: boolean, label: EditLabel, work: (acts: TaskEditor) => T): Promise<T> {
    return this.#act(label, work, mayClose ? await this.server?.origins() : undefined);
  }

  #act<T>(label: EditLabel, work: (acts: TaskEditor) => T, originOf?: (task: Task) => Origin): Promise<T> {
    const uids: string[] = [];
    return this.#edit(label, tx => {
      let drawn = 0;
      const newUid = () => (uids[drawn++] ??= randomUUID());
      return work(new TaskEditor(tx, this.clock, this.settings(), newUid, originOf));
    });
  }

  #edit<T>(label: EditLabel, work: (tx: Writer) => T): Promise<T> {
    return this.store.edit({ origin: 'user', label }, work);
  }

  #named(key: string, id: Id): EditLabel {
    return { key, count: 1, title: this.store.task(id)?.title ?? undefined };
  }

  async #discard(ids: readonly Id[], children: 'keep' | 'delete'): Promise<void> {
    const roots = ids.flatMap(id => this.store.task(id) ?? []).filter(task => task.masterId === null);
    const below = ({ id }: Task) =>
      this.store.selectTasks('t.parent_id = ? AND t.is_deleted = 0 AND t.master_id IS NULL', [id]);
    const all = children === 'delete' ? descent(roots, below, ({ id }) => id).map(({ item }) => item) : roots;
    await this.trash.keep(all, this.clock.now());
  }
}

const nameOf = (type: TaskChange['type']) => (type === 'updateOccurrence' || type === 'repeat' ? 'update' : type);
