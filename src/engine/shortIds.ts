import { isShortId, readShortId, ShortIdIndex } from '../core/code/shortId';
import { DuelineError } from '../core/kernel/errors';
import { groupBy } from '../core/kernel/groupBy';
import type { Id, Task } from '../core/kernel/model';
import { foldCase } from '../query/eval/foldCase';
import type { TaskStore } from '../store/taskStore';
import type { StoreChange } from '../store/types';
import { engineMessage } from './messages';
import { ownership } from './ownLists';

/** The short IDs of tasks, in addition to their UIDs. */
export class ShortIds {
  #index: ShortIdIndex | undefined;
  /** Open tasks by their titles; undefined until asked for, and after each change. */
  #titles: ReadonlyMap<string, readonly Id[]> | undefined;

  constructor(readonly store: TaskStore) {}

  /** Updates the index after a change. A deleted UID stays in it: an ID that was shown still means its task. */
  update({ tasks }: StoreChange): void {
    this.#titles = undefined;
    if (this.#index) this.#read(this.#index, 'AND id IN (SELECT value FROM json_each(?))', [JSON.stringify(tasks)]);
  }

  /** The short ID of a task; an occurrence has that of its series. */
  shortIdOf(of: Id | Task): string {
    const task = typeof of === 'number' ? this.store.task(of) : of;
    if (!task) throw new DuelineError('notFound', engineMessage('taskGone'));
    return this.#ready().shortIdOf(task.uid);
  }

  /**
   * The task with a short ID. Tasks that are not `isVisible` count as missing.
   *
   * @throws DuelineError `notFound` if no task has it, `invalid` if it could be the ID of several
   */
  find(text: string, isVisible: (task: Task) => boolean = () => true): Id {
    const begin = readShortId(text);
    const found =
      begin === undefined
        ? []
        : this.#ready()
            .find(begin)
            .flatMap(uid => this.#tasksOf(uid))
            .filter(isVisible);
    if (found.length === 0) throw new DuelineError('notFound', engineMessage('shortIdUnknown', text.trim()));
    const task = this.#choice()(found);
    if (!task) throw new DuelineError('invalid', engineMessage('shortIdOfSeveral', text.trim(), this.#named(found)));
    return task.id;
  }

  /**
   * An ID in a commit or a comment was as long as necessary at that time, and still means its task: anybody who shares
   * a list can make another task whose ID begins with it. A task in a list of the user's own is preferred to one in
   * another list, and one that was created first and was here first to the others. If these two disagree, the ID may
   * mean any of them: a task's creation date can be made up, and the tasks came here in any order.
   */
  #choice(): (found: readonly Task[]) => Task | undefined {
    let ownLists: ReadonlySet<Id> | undefined;
    return found => {
      if (found.length < 2) return found[0];
      ownLists ??= new Set(
        this.store
          .lists()
          .filter(ownership(this.store))
          .map(({ id }) => id),
      );
      const own = found.filter(({ listId }) => ownLists!.has(listId));
      const [first, ...others] = (own.length > 0 ? own : found).toSorted((one, other) => one.id - other.id);
      const isFirst = others.every(
        ({ createdAt }) => first!.createdAt !== null && first!.createdAt < (createdAt ?? Number.POSITIVE_INFINITY),
      );
      return isFirst ? first : undefined;
    };
  }

  /** The task of each ID that means one, from one query for all of them: a file can be full of IDs. */
  tasksOf(texts: Iterable<string>): ReadonlyMap<string, Task> {
    const uids = new Map<string, readonly string[]>();
    for (const text of texts) if (!uids.has(text)) uids.set(text, this.#ready().find(readShortId(text) ?? ''));
    const all = JSON.stringify([...new Set([...uids.values()].flat())]);
    if (all === '[]') return new Map();
    // The index on UIDs begins with the list; without the signs another one would be taken, with all rows of a list.
    const rows = this.store.selectTasks(
      `t.list_id IN (SELECT id FROM task_lists) AND t.uid IN (SELECT value FROM json_each(?))
       AND +t.master_id IS NULL AND +t.is_deleted = 0`,
      [all],
    );
    const byUid = groupBy(rows, ({ uid }) => uid);
    const choice = this.#choice();
    const named = new Map<string, Task>();
    for (const [text, found] of uids) {
      const task = choice(found.flatMap(uid => byUid.get(uid) ?? []));
      if (task) named.set(text, task);
    }
    return named;
  }

  /**
   * The open task with the ID or the whole title; without `dl-`, only the whole ID is one, since words look like it. Tasks
   * that are not `isVisible` count as missing.
   */
  taskNamed(name: string, isVisible: (id: Id) => boolean = () => true): Id | undefined {
    const titled = isShortId(name) ? [] : (this.#byTitle().get(foldCase(name.trim())) ?? []).filter(isVisible);
    const found = titled.length > 0 ? titled : this.#openById(name, isVisible);
    return found.length === 1 ? found[0] : undefined;
  }

  #byTitle(): ReadonlyMap<string, readonly Id[]> {
    if (!this.#titles) {
      const titles = new Map<string, Id[]>();
      const open = this.store.select<{ id: Id; title: string }>(
        `SELECT id, IFNULL(title, '') AS title FROM tasks
         WHERE is_deleted = 0 AND status IN (0, 1) AND master_id IS NULL`,
      );
      for (const { id, title } of open) {
        const folded = foldCase(title.trim());
        const known = titles.get(folded);
        if (known) known.push(id);
        else if (folded !== '') titles.set(folded, [id]);
      }
      this.#titles = titles;
    }
    return this.#titles;
  }

  #openById(name: string, isVisible: (id: Id) => boolean): readonly Id[] {
    const begin = readShortId(name);
    if (begin === undefined) return [];
    const isNamed = (uid: string) => isShortId(name) || this.#ready().shortIdOf(uid).endsWith(`-${begin}`);
    const open = this.#ready()
      .find(begin)
      .filter(isNamed)
      .flatMap(uid => this.#tasksOf(uid))
      .filter(({ id, status }) => status < 2 && isVisible(id));
    const task = this.#choice()(open);
    return task ? [task.id] : [];
  }

  #named(tasks: readonly Task[]): string {
    // Two tasks with one UID have one short ID; they are named by their numbers.
    const idOf = ({ id, uid }: Task) =>
      tasks.some(task => task.id !== id && task.uid === uid) ? `${id}` : this.#ready().shortIdOf(uid);
    const names = tasks.slice(0, 5).map(task => `${idOf(task)} (${task.title ?? ''})`);
    return [...names, ...(tasks.length > 5 ? ['…'] : [])].join(', ');
  }

  #tasksOf = (uid: string): readonly Task[] =>
    this.store.tasksOfUid(uid).filter(task => task.masterId === null && !task.isDeleted);

  #ready(): ShortIdIndex {
    if (!this.#index) {
      this.#index = new ShortIdIndex();
      this.#read(this.#index);
    }
    return this.#index;
  }

  #read(index: ShortIdIndex, which = '', params: readonly string[] = []): void {
    // One text costs a quarter of as many rows. Without the signs an index with nearly all rows would be taken.
    const [all] = this.store.select<{ uids: string }>(
      `SELECT json_group_array(uid) AS uids FROM tasks WHERE +master_id IS NULL AND +is_deleted = 0 ${which}`,
      params,
    );
    for (const uid of JSON.parse(all!.uids) as string[]) index.add(uid);
  }
}
