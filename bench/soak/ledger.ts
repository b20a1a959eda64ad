import type { Task } from '../../src/api';

/** `either`: two actors wanted different things at a time, and sync decides. */
type Fate = 'there' | 'gone' | 'either';

/** What has to be true of every task at the end, by its UID: from what the actors did, not from what the product says. */
export class Ledger {
  readonly #fates = new Map<string, Fate>();
  /** Titles as last written; absent where two actors wrote at a time. */
  readonly #titles = new Map<string, string>();
  /** The server's other user has edited them: sync may weigh that against a deletion. */
  readonly #shared = new Set<string>();
  /** Above which each was last put, by UID; absent where only the product can say. */
  readonly #parents = new Map<string, string | null>();
  /** Edited on the server and taken off it at a time: it may be in both places, since neither edit gives way. */
  readonly #taken = new Set<string>();
  readonly #trails = new Map<string, string[]>();
  created = 0;

  add({ uid, title }: Pick<Task, 'uid' | 'title'>, by: string, parent: string | null = null): void {
    this.created += 1;
    this.#set(uid, 'there', title, `${by} creates “${title}”`);
    this.#parents.set(uid, parent);
  }

  /** Puts it under a task, or (null) at the top of its list. */
  put(uid: string, parent: string | null, by: string): void {
    if (this.#parents.has(uid)) this.#parents.set(uid, parent);
    this.note(uid, `${by} puts it under ${parent ?? 'nothing'}`);
  }

  /** Moves it with what is below it into another list; `isOwn`: one that no server has. */
  moved(uid: string, to: string, isOwn: boolean, by: string): void {
    this.put(uid, null, `${by} moves it to ${to} and`);
    if (isOwn && this.#shared.has(uid)) this.#taken.add(uid);
  }

  knows(uid: string): boolean {
    return this.#fates.has(uid);
  }

  wrote(uid: string, title: string, by: string): void {
    if (this.#titles.has(uid)) this.#titles.set(uid, title);
    this.note(uid, `${by} writes “${title}”`);
  }

  deleted(uid: string, by: string): void {
    const isOpen = this.#shared.has(uid) || this.#fates.get(uid) === 'either';
    this.#fates.set(uid, isOpen ? 'either' : 'gone');
    if (isOpen) this.#titles.delete(uid);
    for (const [child, parent] of this.#parents) if (parent === uid) this.#parents.set(child, null);
    this.note(uid, `${by} deletes it`);
  }

  /** An edit on the server: a deletion here that it does not know of gives way. */
  touchedThere(uid: string, isTitle: boolean): void {
    this.#shared.add(uid);
    const isGone = this.#fates.get(uid) === 'gone';
    if (isGone) this.#fates.set(uid, 'either');
    // What was written here and not sent yet goes with the deletion.
    if (isTitle || isGone) this.#titles.delete(uid);
    this.note(uid, `the server’s user edits its ${isTitle ? 'title' : 'notes'}`);
  }

  /** A deletion on the server: an edit here that it does not know of brings the task back. */
  deletedThere(uid: string): void {
    this.unsure(uid, 'the server’s user deletes it');
    this.#shared.add(uid);
  }

  /** An act that came to no clear end. */
  unsure(uid: string, why: string): void {
    this.#fates.set(uid, 'either');
    this.#titles.delete(uid);
    this.#parents.delete(uid);
    this.note(uid, why);
  }

  /** Takes in what an act did whose outcome only the product knows: undo, restore. */
  adopt(before: readonly Task[], after: readonly Task[], by: string): void {
    const [old, now] = [before, after].map(tasks => new Map(tasks.map(task => [task.uid, task])));
    for (const [uid, task] of now!) {
      if (!old!.has(uid)) this.#revive(task, by);
      else if (old!.get(uid)!.title !== task.title) this.wrote(uid, task.title ?? '', by);
      const [above, was] = [parentOf(after, task), old!.has(uid) ? parentOf(before, old!.get(uid)!) : undefined];
      if (above !== was) this.put(uid, above, by);
    }
    for (const uid of old!.keys()) if (!now!.has(uid)) this.unsure(uid, `${by} takes it away`);
  }

  note(uid: string, what: string): void {
    const trail = this.#trails.get(uid) ?? [];
    trail.push(`${timeOf(Date.now())} ${what}`);
    this.#trails.set(uid, trail);
  }

  /** What is wrong with the tasks that are there now; `trash` says when each that is not was deleted. */
  faults(tasks: readonly Task[], trash: ReadonlyMap<string, number>): string[] {
    const found: string[] = [];
    const say = (uid: string, what: string) =>
      found.push([`${uid} ${what}:`, ...(this.#trails.get(uid) ?? [])].join('\n    '));
    const counts = new Map<string, number>();
    for (const { uid, title } of tasks) {
      counts.set(uid, (counts.get(uid) ?? 0) + 1);
      const wanted = this.#titles.get(uid);
      if (!this.#fates.has(uid)) say(uid, `“${title}” came from nowhere`);
      else if (this.#fates.get(uid) === 'gone') say(uid, `“${title}” came back`);
      else if (wanted !== undefined && wanted !== title) say(uid, `has the title “${title}”, not “${wanted}”`);
    }
    for (const [uid, count] of counts) if (count > 1 && !this.#taken.has(uid)) say(uid, 'is there twice');
    for (const task of tasks) {
      const [is, wanted] = [parentOf(tasks, task), this.#parents.get(task.uid)];
      if (wanted === undefined || is === wanted) continue;
      const isBeside = tasks.some(({ uid, listId }) => uid === wanted && listId === task.listId);
      if (isBeside || is !== null) say(task.uid, `is under ${is ?? 'nothing'}, not ${wanted ?? 'nothing'}`);
    }
    for (const [uid, fate] of this.#fates) {
      if (fate !== 'there' || counts.has(uid)) continue;
      const deletedAt = trash.get(uid);
      say(uid, deletedAt === undefined ? 'is lost' : `was deleted at ${timeOf(deletedAt)}`);
    }
    return found;
  }

  #revive({ uid, title }: Task, by: string): void {
    this.#fates.set(uid, 'either');
    if (!this.#shared.has(uid)) this.#set(uid, 'there', title, `${by} brings it`);
  }

  #set(uid: string, fate: Fate, title: string | null, note: string): void {
    this.#fates.set(uid, fate);
    this.#titles.set(uid, title ?? '');
    this.note(uid, note);
  }
}

const parentOf = (tasks: readonly Task[], { parentId }: Task): string | null =>
  tasks.find(({ id }) => id === parentId)?.uid ?? null;

const timeOf = (moment: number) => new Date(moment).toISOString().slice(11, 23);
