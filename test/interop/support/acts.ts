import type { Id, TaskList } from '../../../src/api';
import { bringsVersion, type Commit, hasChanged, type RowChange } from './rowTrace';

/** A device's row. */
interface Holder {
  readonly actor: string;
  readonly row: Id;
}

/** The place of a task at the end of a run: the path of a list, or one device's own list. */
export interface Final {
  readonly place: string;
  /** The first device's row; the owner's, if it is in a list that no server has. */
  readonly holder: Holder;
  readonly isOwn: boolean;
  readonly title: string | null;
  readonly parent: string | null;
}

type Field = 'title' | 'place' | 'parent';

/** A value that someone set in a task. */
interface Act {
  readonly actor: string;
  /** The actor's row. */
  readonly row: Id;
  readonly at: number;
  readonly before: string | null | undefined;
  readonly value: string | null;
  /** When a sync brought the value to others, and in which of their rows; the rows of other programs are not watched. */
  readonly seen: Map<string, { readonly at: number; readonly row?: Id }>;
  /** The rows that had this value after a sync. */
  readonly knownBy: Set<string>;
  /** True if a sync of the actor has sent the value. */
  isSent?: boolean;
  /** True for a place that no server had at that time. */
  readonly isOwn?: boolean;
}

interface Gone {
  readonly actor: string;
  readonly at: number;
  readonly title: string | null;
}

interface Made {
  readonly actor: string;
  readonly at: number;
  /** The row of the actor that created it; absent if its rows are not watched. */
  readonly row?: Id;
  /**
   * The place in which others see the task first. If it was moved before it was sent, that is the place to which it was
   * moved.
   */
  place: string;
  isSent?: boolean;
  /** True if the actor had never had it, or took it from a file: then it is a task of its own, even if that UID was deleted before. */
  readonly isFirst: boolean;
  /** When a sync had removed it there: the actor that created it knows of earlier deletions. */
  readonly takenAt: number | undefined;
}

/** Everything that users and other programs did to one task. */
class Story {
  readonly acts: Readonly<Record<Field, Act[]>> = { title: [], place: [], parent: [] };
  readonly gone: Gone[] = [];
  readonly made: Made[] = [];
  /** Titles that the user decided against. */
  readonly abandonedTitles = new Set<string>();
  /** Parents in texts between which the user decides: a decision chooses a whole text. */
  readonly offeredParents: (string | null)[] = [];
  /** Deleted parents: if one is restored, the task may be under it again, until the user moves the task. */
  readonly goneParents = new Set<string>();
  /** By actor, row and UID, the parents that a row has only seen outside of its list. Only a sync links the row to one. */
  readonly unshown = new Set<string>();
  /** The actors that edited the task after it was created. */
  readonly editors = new Set<string>();
  /** The devices that have had the task, and the sync in which each last lost it. */
  readonly known = new Map<string, 'here' | 'deleted' | { readonly takenAt: number }>();
  /** The rows in which each actor has had the task, and the last places of these. */
  readonly rows = new Map<string, string>();
  /** True if someone had it in two rows, because two accounts have one list: an act on one row does not know the other. */
  isDouble = false;

  /**
   * The values that nobody who knew them has replaced later: one, or several that were set at the same time. With `to`,
   * only the values that this row has seen.
   */
  last(field: Field, to?: Holder): readonly (string | null)[] {
    const hasReached = ({ actor, row, knownBy }: Act) =>
      to === undefined || (actor === to.actor && row === to.row) || knownBy.has(`${to.actor} ${to.row}`);
    const acts = this.acts[field].filter(hasReached);
    const isOfRow = (row: Id | undefined, other: Act) => !this.isDouble || row === undefined || row === other.row;
    const isKnown = (one: Act, other: Act) => {
      if (other.actor === one.actor) return isOfRow(one.row, other);
      const seen = one.seen.get(other.actor);
      return seen !== undefined && seen.at < other.at && isOfRow(seen.row, other);
    };
    const isReplaced = (one: Act) => acts.some(other => other.at > one.at && isKnown(one, other));
    return acts.filter(act => !isReplaced(act)).map(({ value }) => value);
  }

  all = (field: Field): readonly (string | null)[] =>
    this.acts[field].flatMap(({ before = null, value }) => [before, value]);

  /** True if there is a deletion that nobody has undone. */
  get mayBeGone(): boolean {
    return this.gone.some(
      ({ actor, at }) => !this.made.some(made => made.at > at && (made.actor === actor || (made.takenAt ?? 0) > at)),
    );
  }
}

/**
 * Collects the acts of users on their devices, and of other programs on the server, by the UID of the task. An act is an
 * edit of a row, with the values that it replaced. At the end, it reports the tasks that exist without a reason, and those
 * that are missing.
 */
export class Acts {
  readonly #stories = new Map<string, Story>();
  /** The last known addresses of the devices' lists. */
  readonly #addresses = new Map<string, string>();
  readonly #generations = new Map<string, number>();
  readonly #deletedPlaces = new Set<string>();
  #now = 0;

  story(uid: string): Story {
    const story = this.#stories.get(uid) ?? new Story();
    this.#stories.set(uid, story);
    return story;
  }

  note(actor: string, { origin, isImport, changes, living, lists }: Commit): void {
    this.#now++;
    for (const { id, href } of lists) this.#learn(actor, id, href);
    for (const change of changes) {
      for (const task of [change.was, change.is])
        if (task && (living.get(task.uid) ?? 0) > 1) this.story(task.uid).isDouble = true;
      if (origin === 'sync') this.#brought(actor, change, living);
      else if (hasChanged(change)) this.#did(actor, change, { living, changes, isImport });
    }
    const ids = new Set(lists.map(({ id }) => `${actor} ${id}`));
    for (const key of this.#generations.keys()) if (key.startsWith(`${actor} `) && !ids.has(key)) this.#ended.add(key);
  }

  readonly #ended = new Set<string>();

  /** Ids are used again: a list that is created after another one was deleted is another place. */
  #learn(actor: string, id: Id, href: string | null): void {
    const key = `${actor} ${id}`;
    if (this.#ended.delete(key)) this.#generations.set(key, this.#generations.get(key)! + 1);
    if (!this.#generations.has(key)) this.#generations.set(key, 0);
    if (href !== null) this.#addresses.set(this.#keyOf(actor, id), href);
  }

  #keyOf = (actor: string, listId: Id): string =>
    `${actor} ${listId}.${this.#generations.get(`${actor} ${listId}`) ?? 0}`;

  placeOf = (actor: string, listId: Id): string => this.#resolve(this.#keyOf(actor, listId));

  #resolve = (place: string): string => this.#addresses.get(place) ?? place;

  /** A list was deleted: nothing is known about the effect on its tasks. */
  deletesList(actor: string, { id, href }: Pick<TaskList, 'id' | 'href'>): void {
    // It may be the first act on this device.
    this.#learn(actor, id, href);
    this.#deletedPlaces.add(this.#keyOf(actor, id));
  }

  #act(story: Story, field: Field, act: Pick<Act, 'actor' | 'row' | 'before' | 'value' | 'isSent' | 'isOwn'>): void {
    story.acts[field].push({ ...act, at: this.#now, seen: new Map(), knownBy: new Set() });
  }

  #did(
    actor: string,
    { id, was, is }: RowChange,
    { living, changes, isImport }: Pick<Commit, 'living' | 'changes' | 'isImport'>,
  ): void {
    this.#seesParents(actor);
    if (was && (!is || is.uid !== was.uid)) this.deletes(was.uid, actor, was.title, living.has(was.uid));
    if (!is) return;
    const before = was?.uid === is.uid ? was : undefined;
    const story = this.story(is.uid);
    const by = { actor, row: id };
    const place = this.#keyOf(actor, is.listId);
    const oldPlace = before && this.#keyOf(actor, before.listId);
    if (before && !this.#isListMoving) story.editors.add(actor);
    if (!before) this.makes(is.uid, actor, place, { row: id, isImport });
    story.rows.set(`${actor} ${id}`, place);
    const made = story.made.findLast(one => one.actor === actor && one.row === id);
    if (made && !made.isSent) made.place = place;
    if (!before || before.title !== is.title)
      this.#act(story, 'title', { ...by, before: before?.title, value: is.title });
    if (place !== oldPlace)
      this.#act(story, 'place', { ...by, before: oldPlace, value: place, isOwn: this.#isOwn(place) });
    // The deletion of its parent put it under none, perhaps not for others.
    const wentWith = is.parent === null && before?.parent && this.#isDeletedIn(changes, before.parent, is.listId);
    if (!before || before.parent !== is.parent || (place !== oldPlace && !this.#isListMoving)) {
      this.#act(story, 'parent', { ...by, before: before?.parent, value: is.parent });
      story.goneParents.clear();
      story.unshown.delete(`${actor} ${id} ${is.parent}`);
    }
    if (wentWith) story.goneParents.add(before.parent);
  }

  #isDeletedIn = (changes: readonly RowChange[], uid: string, listId: Id): boolean =>
    changes.some(({ was, is }) => was?.uid === uid && was.listId === listId && !is);

  #isListMoving = false;

  /** A list was moved, which does not change the parents of its tasks. */
  async movesList(work: () => Promise<unknown>): Promise<void> {
    this.#isListMoving = true;
    await work().finally(() => {
      this.#isListMoving = false;
    });
  }

  /** An act of someone whose rows are not watched, in the list at `place`. */
  writes(
    uid: string,
    actor: string,
    field: Field,
    before: string | null | undefined,
    value: string | null,
    place: string,
  ): void {
    this.#now++;
    const story = this.story(uid);
    if (before !== undefined) story.editors.add(actor);
    const { isDouble, rows } = story;
    const placeOf = (act: Act) => this.#resolve(rows.get(`${act.actor} ${act.row}`) ?? place);
    // The other task with this UID gives no information about this one.
    const isThere = (act: Act) => !isDouble || placeOf(act) === place;
    const same = story.acts[field].filter(
      act => act.value !== null && this.#resolve(act.value) === before && isThere(act),
    );
    // If several did the same, those that are still to be sent are not the ones found on the server.
    const isAnySent = same.some(act => act.isSent);
    for (const act of same) if (act.isSent || !isAnySent) act.seen.set(actor, { at: this.#now - 0.5 });
    this.#act(story, field, { actor, row: 0, before, value, isSent: true });
  }

  makes(
    uid: string,
    actor: string,
    place: string,
    { row, isImport = false }: { row?: Id; isImport?: boolean } = {},
  ): void {
    const story = this.story(uid);
    const known = story.known.get(actor);
    const { takenAt } = typeof known === 'object' ? known : { takenAt: undefined };
    story.made.push({ actor, row, at: this.#now, place, isFirst: known === undefined || isImport, takenAt });
    story.known.set(actor, 'here');
    story.rows.set(`${actor} ${row}`, place);
  }

  /** `title`: the title that the actor saw. */
  deletes(uid: string, actor: string, title: string | null, isStillThere = false): void {
    const story = this.story(uid);
    story.gone.push({ actor, at: this.#now, title });
    if (!isStillThere) story.known.set(actor, 'deleted');
  }

  /** Notes one of the texts between which the user decides. */
  offers(uid: string, title: string | null, parent: string | null): void {
    const { abandonedTitles, offeredParents } = this.story(uid);
    if (title !== null) abandonedTitles.add(title);
    offeredParents.push(parent);
  }

  /** A merge has replaced a parent by this one, and keeps the other for the user's decision. */
  yieldsTo(uid: string, parent: string | null): void {
    this.story(uid).offeredParents.push(parent);
  }

  #brought(actor: string, { id, was, is }: RowChange, living: ReadonlyMap<string, number>): void {
    if (was && !living.has(was.uid)) {
      this.story(was.uid).known.set(actor, { takenAt: this.#now });
      this.#parentGoes(actor, was.uid);
    }
    if (!is) return;
    const story = this.story(is.uid);
    story.known.set(actor, 'here');
    const place = this.#keyOf(actor, is.listId);
    story.rows.set(`${actor} ${id}`, place);
    if (is.isSent) for (const made of story.made) if (made.actor === actor && made.row === id) made.isSent = true;
    const values = { title: is.title, place: this.#resolve(place), parent: is.parent };
    for (const field of ['title', 'place', 'parent'] as const) {
      const own = story.acts[field].filter(act => act.actor === actor && act.row === id);
      if (is.isSent) for (const act of own) act.isSent = true;
      const isSame = ({ value }: Act) => (field === 'place' ? this.#resolve(value!) : value) === values[field];
      // That this edit was sent from here does not mean that others have sent the same edit.
      const isOwn = own.some(act => act.isSent && isSame(act));
      const edits = story.acts[field].filter(act => isSame(act) && (act.actor === actor || !isOwn || act.isSent));
      const holder = { actor, row: id };
      if (field === 'parent') this.#markParentKnown(story, { id, was, is }, actor, edits);
      else this.#markKnown(holder, edits);
    }
  }

  /** A task whose move away from a parent was not sent when a sync took that parent still names it, and may be under it again. */
  #parentGoes(actor: string, parent: string): void {
    const isUnsent = (act: Act) => act.actor === actor && act.before === parent && act.value === null && !act.isSent;
    for (const { acts, goneParents } of this.#stories.values()) if (acts.parent.some(isUnsent)) goneParents.add(parent);
  }

  #markKnown({ actor, row }: Holder, edits: readonly Act[], at = this.#now): void {
    for (const act of edits) {
      act.knownBy.add(`${actor} ${row}`);
      if (act.actor !== actor && !act.seen.has(actor)) act.seen.set(actor, { at, row });
    }
  }

  /** Rows that a sync has put under no task, by actor and row; `markKnown` notes the acts that the row then knows. */
  readonly #unlinked = new Map<string, { readonly actor: string; readonly markKnown: () => void }>();

  /**
   * A sync may store a task before its parent, and link them later: until its user acts, a row without a parent has not
   * seen that it has none.
   */
  #markParentKnown(
    { acts, unshown }: Story,
    change: RowChange & { readonly is: object },
    actor: string,
    edits: readonly Act[],
  ): void {
    const { id: row, was, is } = change;
    const holder = { actor, row };
    const key = `${actor} ${row}`;
    const before = this.#unlinked.get(key);
    this.#unlinked.delete(key);
    if (is.parent !== null) {
      unshown.delete(`${key} ${is.parent}`);
      this.#markKnown(holder, edits);
      return;
    }
    before?.markKnown();
    // A parent that is not in its list shows as none, and so does the one that follows it.
    const isAsBefore = was?.parent === null && !bringsVersion(change);
    const hidden = isAsBefore ? [] : acts.parent.filter(act => act.actor !== actor && act.isSent);
    const at = this.#now;
    const markKnown = () => {
      for (const act of hidden) {
        if (!act.knownBy.has(key)) unshown.add(`${key} ${act.value}`);
        act.knownBy.add(key);
      }
      this.#markKnown(holder, edits, at);
    };
    this.#unlinked.set(key, { actor, markKnown });
  }

  #seesParents(actor?: string): void {
    for (const [key, one] of this.#unlinked)
      if (actor === undefined || one.actor === actor) {
        this.#unlinked.delete(key);
        one.markKnown();
      }
  }

  /** UIDs of the tasks that a sync has removed there, and that nobody has restored. */
  takenFrom = (actor: string): string[] =>
    [...this.#stories].flatMap(([uid, { known }]) => (typeof known.get(actor) === 'object' ? uid : []));

  /**
   * The faults at the end, by the UID of the task. `kept`: the texts that merges replaced and kept; `offered`:
   * tasks that a user is asked about, since two lists have them.
   */
  *faults(
    finals: ReadonlyMap<string, readonly Final[]>,
    kept: string,
    offered: ReadonlySet<string>,
  ): Iterable<readonly [uid: string, fault: string]> {
    this.#seesParents();
    const deleted = new Set([...this.#deletedPlaces].map(this.#resolve));
    for (const [uid, story] of this.#stories) {
      const found = finals.get(uid) ?? [];
      const isIn = (place: string | null) => place !== null && deleted.has(this.#resolve(place));
      const wentWithList = found.length === 0 && story.last('place').some(isIn);
      if (found.length === 0 && !wentWithList && story.made.length > 0 && !story.mayBeGone) yield [uid, 'is gone'];
      const wasInDeleted = story.all('place').some(isIn);
      if (!wentWithList) yield* this.#lostTitles(story, found, kept, wasInDeleted).map(fault => [uid, fault] as const);
      if (wasInDeleted || found.length === 0) continue;
      yield* this.#wrongPlaces(story, found, offered.has(uid)).map(fault => [uid, fault] as const);
      const isOffered = offered.has(uid);
      for (const one of found)
        if (!this.#mayBeUnder(uid, one, finals, isOffered)) yield [uid, this.#parentText(story, one)];
    }
  }

  /** Titles that someone wrote, that nobody has seen, changed or deleted since, and that no merge keeps. */
  #lostTitles(
    { acts, gone, abandonedTitles }: Story,
    found: readonly Final[],
    kept: string,
    wasInDeleted: boolean,
  ): string[] {
    const isLost = ({ actor, at, value, seen }: Act) =>
      value !== null &&
      !abandonedTitles.has(value) &&
      !(wasInDeleted && actor === 'neighbor' && seen.size === 0) &&
      !found.some(({ title }) => title === value) &&
      !(found.length === 0 && gone.length > 0) &&
      !acts.title.some(({ before }) => before === value) &&
      !gone.some(one => one.title === value || (one.actor === actor && one.at > at)) &&
      !kept.includes(value);
    return acts.title.filter(isLost).map(({ value }) => `lost its title “${value}”`);
  }

  #wrongPlaces(story: Story, found: readonly Final[], isOffered: boolean): string[] {
    const places = [...new Set(found.map(({ place }) => place))];
    const resolved = (among: readonly (string | null)[]) =>
      new Set(among.flatMap(place => (place === null ? [] : this.#resolve(place))));
    const births = resolved(story.made.filter(({ isFirst }) => isFirst).map(({ place }) => place));
    const isMoved = story.acts.place.some(({ before }) => before !== undefined);
    const placed = `it is in ${places.join(' and ')}`;
    if (births.size > 1) {
      // A file that was taken into several lists: each has its own task of this UID, until someone moves one.
      const isTooFew = story.gone.length === 0 && !isMoved && places.length < births.size;
      return isTooFew ? [`${placed}, and was made in ${[...births].join(' and ')}`] : [];
    }
    // An edit of a task that was gone has recreated it in its last place.
    const isOpen = isOffered || story.gone.length > 0 || this.#isMissedByEditors(story);
    const expected = resolved(isOpen ? story.all('place') : story.last('place'));
    const shared = new Set(found.flatMap(({ place, isOwn }) => (isOwn ? [] : place)));
    if (shared.size > 1 && !isOffered) return [`${placed}, and nobody is asked which it is to be`];
    const isWanted = places.every(place => expected.has(place));
    return isWanted ? [] : [`${placed}, and was last put into ${[...expected].join(' or ')}`];
  }

  /**
   * For the others, a task that someone moves into a list of one device is gone, even if that list is sent later. If one of
   * them has edited it, the edit recreates it, as that of a deleted task does, without the acts that they do not know yet.
   */
  #isMissedByEditors({ acts, editors }: Story): boolean {
    const movers = acts.place.filter(({ before, isOwn }) => before !== undefined && isOwn);
    return movers.some(({ actor }) => [...editors].some(editor => editor !== actor));
  }

  #isOwn = (place: string): boolean => !/^(https?|file):|^\//.test(this.#resolve(place));

  /** With `to`, only what that row has seen: later acts of others do not reach a list of one device. */
  #parentsOf(uid: string, to?: Holder): readonly (string | null)[] {
    const story = this.#stories.get(uid);
    if (!story) return [null];
    const isOpen = story.gone.length > 0 || (to === undefined && this.#isMissedByEditors(story));
    return [...(isOpen ? story.all('parent') : story.last('parent', to)), ...story.offeredParents];
  }

  #mayBeUnder(
    uid: string,
    { place, parent, holder, isOwn }: Final,
    finals: ReadonlyMap<string, readonly Final[]>,
    isOffered: boolean,
  ): boolean {
    // If the user is asked about two copies, each is where the devices that know it have put it.
    const possible = [
      ...this.#parentsOf(uid, isOwn ? holder : undefined),
      ...(isOffered ? this.#parentsOf(uid, holder) : []),
    ];
    if (parent !== null && this.#stories.get(uid)?.goneParents.has(parent)) return true;
    return possible.some(expected => {
      if (expected === parent) return true;
      if (parent !== null || expected === null) return false;
      if (isOwn && this.#stories.get(uid)?.unshown.has(`${holder.actor} ${holder.row} ${expected}`)) return true;
      const isBeside = finals.get(expected)?.some(one => one.place === place) ?? false;
      return !isBeside || this.#leadsTo(uid, expected);
    });
  }

  /** Two people may have made tasks subtasks of each other at the same time: one of them loses the parent. */
  #leadsTo(uid: string, from: string, passed = new Set<string>()): boolean {
    if (from === uid) return true;
    if (passed.has(from)) return false;
    passed.add(from);
    return this.#parentsOf(from).some(parent => parent !== null && this.#leadsTo(uid, parent, passed));
  }

  #parentText(story: Story, { parent }: Final): string {
    return `is under ${parent}, and was last put under ${story.last('parent').join(' or ')}`;
  }
}
