import type { DuelineEngine } from '../api';
import { isPrivate } from '../core/fields/privacy';
import { isDuelineError } from '../core/kernel/errors';
import type { Id, Occurrence, Task, TaskList } from '../core/kernel/model';
import { sanitize } from '../core/text/cleanText';
import { ownership } from '../engine/ownLists';
import { refusalError } from '../programs/cliError';

/**
 * The tasks that programs may see: nothing private (CLASS, RFC 5545 3.8.1.3) or below it, and no list that is someone
 * else's, but all that is in the lists of the setting. Anything else is not there, in errors too.
 */
export class Visibility {
  readonly #lists: ReadonlyMap<Id, TaskList>;
  readonly #whole: ReadonlySet<Id>;

  constructor(
    readonly engine: DuelineEngine,
    names: readonly string[],
  ) {
    const owns = ownership(engine);
    const all = engine.lists();
    this.#whole = new Set(names.flatMap(name => namedLists(all, name, owns)).map(({ id }) => id));
    this.#lists = new Map(all.filter(list => this.#whole.has(list.id) || owns(list)).map(list => [list.id, list]));
  }

  has = (task: Task): boolean => {
    if (!this.#lists.has(task.listId)) return false;
    if (this.#whole.has(task.listId)) return true;
    const seen = new Set<Id>();
    let parent: Task | undefined;
    for (let each: Task | undefined = task; each && !seen.has(each.id); each = parent) {
      parent = this.#parentOf(each);
      // The parent of a deleted task may be gone too, and may have been private.
      const isUnknown = each.isDeleted && !parent && (each.masterId ?? each.parentId) !== null;
      if (isPrivate(each) || isUnknown) return false;
      seen.add(each.id);
    }
    return true;
  };

  #parentOf = ({ masterId, parentId }: Task): Task | undefined => {
    const id = masterId ?? parentId;
    return id === null ? undefined : this.engine.task(id);
  };

  query = (text: string, lists?: readonly Id[]): readonly Occurrence[] =>
    this.engine.query(text, { isVisible: this.has, ...(lists && { lists }) });

  mayName = (kind: 'list' | 'task', id: Id): boolean => {
    if (kind === 'list') return this.hasList(id);
    const task = this.engine.task(id);
    return task !== undefined && this.has(task);
  };

  hasList = (id: Id): boolean => this.#lists.has(id);

  /** @throws CliError if there is none that may be seen */
  list(name: string): Id {
    const normalized = normalizedName(name.replace(/^@/, ''));
    const found = [...this.#lists.values()].filter(
      list => normalizedName(list.name) === normalized || String(list.id) === normalized,
    );
    if (found.length === 1) return found[0]!.id;
    if (found.length > 1)
      throw refusalError(
        `Several lists are called ${sanitize(name)}. Use one of their IDs: ${found.map(({ id }) => id)}.`,
      );
    throw refusalError(`There is no list ${sanitize(name)}.`, [`Lists: ${this.listNames}.`]);
  }

  /** The list that quick add writes to if none is named. @throws CliError if that may not be seen */
  defaultList(): Id {
    const id = this.engine.defaultListId();
    if (this.hasList(id)) return id;
    throw refusalError('The default list is not for agents. Name another list.', [`Lists: ${this.listNames}.`]);
  }

  /** The first ones, in words. */
  get listNames(): string {
    return [...this.#lists.values()]
      .slice(0, 30)
      .map(list => sanitize(list.name))
      .join(', ');
  }

  nameOf = (id: Id): string => sanitize(this.#lists.get(id)?.name ?? '');

  /** @throws CliError if there is none that may be seen */
  task(shortId: string): Task {
    try {
      return this.engine.task(this.engine.findByShortId(shortId, this.has))!;
    } catch (error) {
      if (isDuelineError(error, 'notFound')) throw refusalError(`No task has the ID ${sanitize(shortId)}.`);
      if (isDuelineError(error, 'invalid'))
        throw refusalError('Several tasks have that ID.', [sanitize(error.message)]);
      throw error;
    }
  }

  /** Open tasks that one depends on, without those that are hidden. */
  blockersOf = (task: Task): readonly Task[] =>
    this.engine.blockersOf(task).flatMap(({ task: other }) => (other && this.has(other) ? [other] : []));

  isBlocking = (task: Task): boolean => task.status < 2;

  /** Open tasks that depended on one of these and on nothing else that is open. */
  readyAfter = (done: readonly Task[]): readonly Task[] => {
    const waiting = done.flatMap(({ id }) => this.engine.dependentsOf(id));
    const isReady = (task: Task) => this.isBlocking(task) && !this.blockersOf(task).some(this.isBlocking);
    const ready = waiting.filter(task => this.has(task) && isReady(task));
    return [...new Map(ready.map(task => [task.id, task])).values()];
  };
}

/** The lists that a name of the user's means: its own, else the one that is shared. Others choose the names of theirs. */
function namedLists(all: readonly TaskList[], name: string, owns: (list: TaskList) => boolean): readonly TaskList[] {
  const named = all.filter(list => normalizedName(list.name) === normalizedName(name));
  const own = named.filter(owns);
  return own.length > 0 || named.length > 1 ? own : named;
}

const normalizedName = (name: string) => name.trim().toLocaleLowerCase();
