import { randomUUID } from 'node:crypto';
import type { ListPatch, MoveTarget, TaskChange, TrashEntry } from '../api';
import { statusAfter } from '../core/fields/status';
import type { TaskEdit } from '../core/fields/values';
import { walkTree } from '../core/kernel/descent';
import type { EditClient } from '../core/kernel/editLabel';
import { DuelineError } from '../core/kernel/errors';
import { type EpochMs, type Id, Status, type Task, type TaskInput } from '../core/kernel/model';
import type { EngineSettings } from '../core/kernel/settings';
import type { EditScope } from '../core/recurrence/seriesEdit';
import type { Clock } from '../core/time/clock';
import type { TaskStore } from '../store/taskStore';
import type { EditLabel, Writer } from '../store/types';
import type { Dependencies } from './dependencies';
import type { Completion, DoneLog } from './doneLog';
import type { SyncEngine } from './flavor/flavor';
import { later } from './later/door';
import type { Ending, TaskEditor } from './taskEditor';
import type { Trash } from './trash';
import type { ActiveTime } from './working';

/** The server's side, in the flavor that has one. */
type Server = Pick<SyncEngine, 'deleteList' | 'origins'>;

/** The part of the API that writes: every user's act as one durable step, which can be undone. */
export abstract class TaskService {
  #deleted: Trash | undefined;
  #client: EditClient | undefined;
  #mayChange: ((task: Task) => void) | undefined;

  constructor(
    protected readonly store: TaskStore,
    readonly clock: Clock,
  ) {}

  protected get deleted(): Trash {
    this.#deleted ??= new (later().Trash)(
      this.store,
      () => this.settings.trashRetentionDays,
      () => this.fireAll(),
    );
    return this.#deleted;
  }

  abstract readonly settings: EngineSettings;
  protected abstract readonly server: Server | undefined;
  protected abstract readonly dependencies: Dependencies;
  protected abstract readonly doneLog: DoneLog;
  abstract readonly working: Pick<ActiveTime, 'stopFor'>;
  abstract defaultListId(): Id;
  protected abstract fireAll(): void;

  workFor(client: EditClient | undefined, mayChange?: (task: Task) => void): void {
    this.#client = client;
    this.#mayChange = mayChange;
  }

  createList(input: { name: string; color?: number; accountId?: Id | null }): Promise<Id> {
    return this.editTasks({ key: 'list.create', count: 1, title: input.name }, ({ tx }) =>
      later().createList(tx, input),
    );
  }

  updateList(id: Id, patch: ListPatch): Promise<void> {
    return this.updateLists([{ id, patch }]);
  }

  updateLists(changes: readonly { readonly id: Id; readonly patch: ListPatch }[]): Promise<void> {
    const title = this.store.list(changes[0]?.id ?? 0)?.name;
    return this.editTasks({ key: 'list.update', count: changes.length, title }, ({ tx }) => {
      for (const { id, patch } of changes) later().updateList(tx, id, patch);
    });
  }

  async deleteList(id: Id): Promise<void> {
    const list = later().existingList(this.store, id);
    if (list.isReadOnly)
      throw new DuelineError('readOnly', later().engineMessage('foreignListNotDeletable', list.name));
    const tasksOf = () =>
      this.store.select<{ id: Id }>('SELECT id FROM tasks WHERE list_id = ?', [id]).map(row => row.id);
    const label = { key: 'list.delete', count: 1, title: list.name };
    const deleteHere = (isAsBefore: () => boolean) =>
      this.editTasks(label, ({ tx }) => (isAsBefore() ? tx.deleteList(id) : undefined), { ended: tasksOf() });
    if (list.accountId !== null && this.server) return this.server.deleteList(id, deleteHere);
    if (list.accountId !== null && list.href !== null)
      throw new DuelineError('unsupported', later().engineMessage('noNetwork'));
    await deleteHere(() => true);
  }

  moveListToAccount(id: Id, accountId: Id | null): Promise<Id> {
    return this.editTasks({ key: 'list.update', count: 1, title: this.store.list(id)?.name }, editor =>
      later().moveListToAccount(editor, id, accountId),
    );
  }

  async createTask(listId: Id, input: TaskEdit): Promise<Id> {
    const [id] = await this.apply([{ type: 'create', listId, input }]);
    return id!;
  }

  async updateTask(id: Id, patch: TaskEdit): Promise<void> {
    await this.apply([{ type: 'update', id, patch }]);
  }

  async completeTask(id: Id, { occurrence }: { occurrence?: EpochMs } = {}): Promise<void> {
    await this.apply([{ type: 'complete', id, ...(occurrence === undefined ? {} : { occurrence }) }]);
  }

  async setRepeat(id: Id, rrule: string | null, from: 'due' | 'completion' = 'due'): Promise<void> {
    await this.apply([{ type: 'repeat', id, rrule, from }]);
  }

  skipOccurrence(id: Id, occurrence?: EpochMs): Promise<void> {
    return this.editTasks(this.#named('skip', id), editor => editor.skip(id, { occurrence }), { mayComplete: true });
  }

  async deleteOccurrence(id: Id, occurrence: EpochMs): Promise<void> {
    await this.apply([{ type: 'deleteOccurrence', id, occurrence }]);
  }

  async editOccurrence(id: Id, occurrence: EpochMs, scope: EditScope, patch: TaskEdit): Promise<Id | undefined> {
    const [begun] = await this.apply([{ type: 'updateOccurrence', id, occurrence, scope, patch }]);
    return begun;
  }

  async reopenTask(id: Id): Promise<void> {
    await this.apply([{ type: 'reopen', id }]);
  }

  async deleteTask(id: Id, { children = 'keep' }: { children?: 'keep' | 'delete' } = {}): Promise<void> {
    const deleted = children === 'delete' ? this.#withSubtasks(id) : [id];
    await this.editTasks(this.#named('delete', id), editor => editor.delete(id, children), { ended: deleted, deleted });
  }

  async moveTask(id: Id, to: MoveTarget): Promise<void> {
    await this.apply([{ type: 'move', id, to }]);
  }

  async apply(changes: readonly TaskChange[]): Promise<readonly Id[]> {
    const kinds = new Set(changes.map(change => change.type));
    const tasks = new Set(changes.map(change => this.#seriesOf(change)));
    const isOne = changes.length === 1 || (kinds.size > 1 && tasks.size === 1);
    const key = kinds.size === 1 ? labelKeyOf([...kinds][0]!) : isOne ? 'update' : 'apply';
    const field = key === 'update' ? fieldOf(changes) : undefined;
    const subject = isOne ? { count: 1, title: this.#titleOf(changes[0]!) } : { count: changes.length };
    const label = { key, ...subject, ...(field === undefined ? {} : { field }) };
    const work = (editor: TaskEditor) =>
      changes.map(change => applyChange(editor, change)).filter(id => id !== undefined);
    const ended = changes.flatMap(endsWork);
    const deleted = changes.flatMap(change => (change.type === 'delete' ? [change.id] : []));
    return this.editTasks(label, work, { ended, deleted, mayComplete: changes.some(completes) });
  }

  async plan(changes: readonly TaskChange[], ids: readonly Id[]): Promise<readonly Task[]> {
    let planned: readonly Task[] = [];
    const enough = new Error('planned');
    const work = (editor: TaskEditor): never => {
      for (const change of changes) applyChange(editor, change);
      planned = ids.map(id => editor.tx.task(id)!);
      // Throwing rolls the edit back.
      throw enough;
    };
    await this.editTasks({ key: 'update', count: changes.length }, work).catch(error => {
      if (error !== enough) throw error;
    });
    return planned;
  }

  trash = (): Promise<readonly TrashEntry[]> => this.deleted.entries();
  purge = (keys: readonly string[]) => this.deleted.purge(keys);

  async restore(keys: readonly string[]): Promise<readonly Id[]> {
    const [found, uids] = await Promise.all([this.deleted.find(keys), this.deleted.uids()]);
    return this.editTasks(
      { key: 'restore', count: found.length, title: found[0]?.rows[0]?.title ?? undefined },
      editor => later().restoreAll(editor, { found, uids, fallbackList: this.defaultListId() }),
    );
  }

  /**
   * Runs `work` as one step; before, work on ended tasks stops, and deleted ones go to the trash. It may run again if another
   * window was faster: new UIDs are drawn once for both. If it may complete a series, sync knows how other programs do that.
   */
  async editTasks<T>(
    named: EditLabel,
    work: (editor: TaskEditor) => T,
    { ended = [], deleted = [], mayComplete = false }: Ending = {},
  ): Promise<T> {
    if (ended.length > 0) await this.working.stopFor(ended);
    if (deleted.length > 0) await this.#discard(deleted);
    const uids: string[] = [];
    let done: readonly Completion[] = [];
    const client = this.#client && { client: this.#client };
    const label = { ...named, ...(mayComplete ? { step: randomUUID() } : {}), ...client };
    const originOf = mayComplete ? await this.server?.origins() : undefined;
    // A new task makes no other ready.
    if (label.key !== 'create') this.dependencies.now();
    const result = await this.store.edit({ origin: 'user', label }, tx => {
      let drawn = 0;
      const newUid = () => (uids[drawn++] ??= randomUUID());
      const writer = this.#mayChange ? guarded(tx, this.#mayChange) : tx;
      const editor = new (later().TaskEditor)(writer, this.clock, this.settings, newUid, originOf);
      done = editor.done;
      return work(editor);
    });
    if (done.length > 0 && label.step !== undefined) await this.doneLog.add(done, label.step);
    return result;
  }

  #named(key: string, id: Id): EditLabel {
    return { key, count: 1, title: this.store.task(id)?.title ?? undefined };
  }

  /** The task that a change counts for: an occurrence with values of its own counts for its series. */
  #seriesOf = (change: TaskChange): Id | TaskChange =>
    change.type === 'create' ? change : (this.store.task(change.id)?.masterId ?? change.id);

  #titleOf(change: TaskChange): string | undefined {
    return (change.type === 'create' ? change.input.title : this.store.task(change.id)?.title) ?? undefined;
  }

  #withSubtasks(id: Id): readonly Id[] {
    const below = (parent: Id) => this.store.subtasksOf(parent).map(task => task.id);
    return walkTree([id], below, one => one).map(({ item }) => item);
  }

  async #discard(ids: readonly Id[]): Promise<void> {
    const tasks = ids.flatMap(id => this.store.task(id) ?? []).filter(task => task.masterId === null);
    await this.deleted.keep(tasks, this.clock.now());
  }
}

/**
 * A writer that calls `mayChange` before it changes or deletes a task, with the task as it is then. Tombstones do not
 * count.
 */
function guarded(tx: Writer, mayChange: (task: Task) => void): Writer {
  const ask = (id: Id) => {
    const task = tx.task(id);
    if (task && !task.isDeleted) mayChange(task);
  };
  const own: Partial<Writer> = {
    updateTask: (id, patch) => {
      ask(id);
      tx.updateTask(id, patch);
    },
    deleteTask: id => {
      ask(id);
      tx.deleteTask(id);
    },
  };
  return new Proxy(tx, {
    get(_, name) {
      const value = own[name as keyof Writer] ?? (tx[name as keyof Writer] as unknown);
      return typeof value === 'function' ? value.bind(tx) : value;
    },
  });
}

/** Applies one of a batch of changes; returns the id of a created task. Throws `invalid` for a kind nobody knows. */
function applyChange(editor: TaskEditor, change: TaskChange): Id | undefined {
  switch (change.type) {
    case 'create': {
      const id = editor.create(change.listId, change.input);
      if (change.from) editor.repeatFrom(id, change.from);
      if (change.meeting) editor.setLines(id, task => later().withMeeting(task, change.meeting!));
      if (change.anchors) editor.editAnchors(id, { add: change.anchors });
      return id;
    }
    case 'update':
      return void editor.update(change.id, change.patch);
    case 'updateOccurrence': {
      const begun = editor.editOccurrence(change.id, change.occurrence, change.scope ?? 'this', change.patch);
      if (change.listId !== undefined) later().moveTask(editor, begun ?? change.id, { listId: change.listId });
      return begun;
    }
    case 'repeat':
      return void editor.setRepeat(change.id, change.rrule, change.from, change.first);
    case 'blockers':
      return void later().changeBlockers(editor, change.id, change);
    case 'anchors':
      return void editor.editAnchors(change.id, change.edit);
    case 'branch':
      return void editor.setLines(change.id, task => later().withBranch(task, change.branch));
    case 'complete':
      return void editor.complete(change.id, change);
    case 'reopen':
      return void editor.reopen(change.id);
    case 'delete':
      return void editor.delete(change.id, 'keep');
    case 'deleteOccurrence':
      return void editor.exclude(change.id, change.occurrence);
    case 'move':
      return void later().moveTask(editor, change.id, change.to);
    default:
      throw new DuelineError('invalid', `"${(change as { type: unknown }).type}" is no change of a task.`);
  }
}

/** The status that a change sets in an open task, if any. */
const statusOf = (patch: TaskInput) => statusAfter(patch, { status: Status.needsAction });

/** True if a change may complete a series. */
const completes = (change: TaskChange) =>
  change.type === 'complete' || (change.type === 'update' && statusOf(change.patch) === Status.completed);

/** The task that nobody works on after a change. */
const endsWork = (change: TaskChange): Id | readonly Id[] => {
  const ends =
    change.type === 'complete' ||
    change.type === 'delete' ||
    (change.type === 'update' && (statusOf(change.patch) ?? Status.inProcess) !== Status.inProcess);
  return ends ? change.id : [];
};

const dateFields: readonly string[] = ['dtstart', 'due', 'isAllDay', 'timezone'];

/** The one field that all of the changes set; undefined if there are several. */
function fieldOf(changes: readonly TaskChange[]): string | undefined {
  const fields = changes.flatMap(change => {
    if (change.type === 'repeat') return ['rrule'];
    if (change.type !== 'update' && change.type !== 'updateOccurrence') return [change.type];
    return Object.keys(change.patch).map(name => (dateFields.includes(name) ? 'due' : name));
  });
  return new Set(fields).size === 1 ? fields[0] : undefined;
}

const labelKeyOf = (type: TaskChange['type']) =>
  ['updateOccurrence', 'repeat', 'blockers', 'anchors', 'branch'].includes(type) ? 'update' : type;
