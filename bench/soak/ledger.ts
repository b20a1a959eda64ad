import type { Task } from '../../src/api';
import type { Commit } from '../../test/interop/support/rowTrace';

/** The last wish for a task. A member is absent if two wanted different things at a time: sync decides then. */
interface Wish {
  isGone?: boolean;
  title?: string | null;
  /** The UID of the task above it. */
  parent?: string | null;
}

interface Entry {
  wish: Wish;
  /** The server's other user has edited it: sync may weigh that against a deletion. */
  isShared?: boolean;
  /** Edited on the server and taken off it at a time: it may be in both places, since neither edit gives way. */
  isTaken?: boolean;
  readonly trail: string[];
}

/** The facts that must hold for every task, by its UID: they come from what the actors did, not from what a sync made of it. */
export class Ledger {
  readonly #entries = new Map<string, Entry>();

  knows = (uid: string): boolean => this.#entries.has(uid);

  /** A task that is there from now on, made or brought back. */
  made(uid: string, title: string | null, parent: string | null, by: string): void {
    const entry = this.#of(uid, `${by} makes “${title}”`);
    entry.wish = entry.isShared ? {} : { isGone: false, title, parent };
  }

  /** An absent member stays absent. */
  wants(uid: string, wish: Wish, by: string): void {
    const entry = this.#of(uid, `${by} wants ${JSON.stringify(wish)}`);
    for (const name of Object.keys(wish) as (keyof Wish)[])
      if (name in entry.wish) Object.assign(entry.wish, { [name]: wish[name] });
    if (!wish.isGone) return;
    if (entry.isShared) entry.wish = {};
    for (const other of this.#entries.values()) if (other.wish.parent === uid) other.wish.parent = null;
  }

  /** The server's user does something that others do not know of. */
  noteUserEdit(action: 'title' | 'notes' | 'delete', uid: string): void {
    const entry = this.#of(uid, `the server’s user: ${action}`);
    entry.isShared = true;
    // A deletion here gives way to an edit there, and takes unsent edits with it; and the reverse.
    if (action === 'delete' || entry.wish.isGone) entry.wish = {};
    else if (action === 'title') delete entry.wish.title;
  }

  /** An edit by the interface, undo and redo too: only its rows show the result. */
  heard({ changes, living, lists }: Commit, by: string): void {
    const isOwn = (id: number) => lists.some(list => list.id === id && list.accountId === null);
    for (const { was, is } of changes) {
      if (was && !living.has(was.uid)) this.wants(was.uid, { isGone: true }, by);
      if (!is) continue;
      const before = was?.uid === is.uid ? was : undefined;
      if (!before) this.made(is.uid, is.title, is.parent, by);
      else if (before.title !== is.title) this.wants(is.uid, { title: is.title }, by);
      if (before && (before.parent !== is.parent || before.listId !== is.listId))
        this.wants(is.uid, { parent: is.parent }, by);
      const entry = this.#of(is.uid);
      if (isOwn(is.listId) && !(before && isOwn(before.listId)) && entry.isShared) entry.isTaken = true;
    }
  }

  /** The faults of the tasks that are there now. */
  faults(tasks: readonly Task[]): string[] {
    const found: string[] = [];
    const addFault = (uid: string, fault: string) =>
      found.push([`${uid} ${fault}:`, ...this.#of(uid).trail].join('\n    '));
    for (const task of tasks) {
      const { uid, title, listId } = task;
      const { wish, isTaken, trail } = this.#of(uid);
      if (trail.length === 0) addFault(uid, `“${title}” came from nowhere`);
      if (wish.isGone) addFault(uid, `“${title}” came back`);
      if (wish.title !== undefined && wish.title !== title)
        addFault(uid, `has the title “${title}”, not “${wish.title}”`);
      if (!isTaken && tasks.some(other => other !== task && other.uid === uid)) addFault(uid, 'is there twice');
      const parent = tasks.find(({ id }) => id === task.parentId)?.uid ?? null;
      if (wish.parent === undefined || wish.parent === parent) continue;
      const isBeside = tasks.some(other => other.uid === wish.parent && other.listId === listId);
      if (isBeside || parent !== null)
        addFault(uid, `is under ${parent ?? 'nothing'}, not ${wish.parent ?? 'nothing'}`);
    }
    const there = new Set(tasks.map(({ uid }) => uid));
    for (const [uid, { wish }] of this.#entries) if (wish.isGone === false && !there.has(uid)) addFault(uid, 'is lost');
    return found;
  }

  #of(uid: string, event?: string): Entry {
    const entry = this.#entries.get(uid) ?? { wish: {}, trail: [] };
    this.#entries.set(uid, entry);
    if (event !== undefined) entry.trail.push(`${new Date().toISOString().slice(11, 23)} ${event}`);
    return entry;
  }
}
