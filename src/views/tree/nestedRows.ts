import { isClosed } from '../../core/fields/status';
import type { Id, Occurrence } from '../../core/kernel/model';

/** Rows of one query, nested under their parents if those are among them. A row's key is stable while it is shown. */
export class NestedRows {
  readonly roots: readonly string[];
  readonly #rows = new Map<string, Occurrence>();
  readonly #keys = new Map<Id, string>();
  readonly #children = new Map<string, string[]>();
  readonly #totals = new Map<string, { done: number; total: number }>();

  /** Closed rows always count toward the progress of their parent, but are only shown with `showClosed`. */
  constructor(found: readonly Occurrence[], options: { nest: boolean; showClosed: boolean }) {
    const roots: string[] = [];
    const keys = this.#keys;
    const parents = new Map(found.map(({ task }) => [task.id, task.parentId]));
    const keyed = found.map(row => {
      const { id, masterId, parentId } = row.task;
      // A changed occurrence represents its series: subtasks name the series, and its row stays as the series moves on.
      const isSeries = masterId !== null && !isClosed(row.task) && !parents.has(masterId);
      const own = isSeries ? masterId : id;
      const key = keys.has(own) ? `${own}@${row.due ?? row.dtstart}` : `${own}`;
      if (!keys.has(own)) keys.set(own, key);
      if (!keys.has(id)) keys.set(id, key);
      if (isSeries) parents.set(masterId, parentId);
      return { key, row };
    });
    for (const { key, row } of keyed) {
      const parent = options.nest && hasFirmParent(row.task.id, parents) ? keys.get(row.task.parentId!) : undefined;
      const closed = isClosed(row.task);
      if (parent !== undefined) {
        const total = this.#totals.get(parent) ?? { done: 0, total: 0 };
        this.#totals.set(parent, { done: total.done + (closed ? 1 : 0), total: total.total + 1 });
      }
      if (closed && !options.showClosed) continue;
      this.#rows.set(key, row);
      if (parent === undefined) roots.push(key);
      else if (this.#children.get(parent)?.push(key) === undefined) this.#children.set(parent, [key]);
    }
    // Open subtasks of a parent that is not shown move to the top, so that they are not hidden.
    for (const [parent, children] of this.#children) if (!this.#rows.has(parent)) roots.push(...children);
    this.roots = roots;
  }

  row(key: string): Occurrence | undefined {
    return this.#rows.get(key);
  }

  /** The key of the row that shows a task, the first of several. */
  keyOf(task: Id): string | undefined {
    return this.#keys.get(task);
  }

  childrenOf(key: string): readonly string[] {
    return this.#children.get(key) ?? [];
  }

  progressOf(key: string): { done: number; total: number } | undefined {
    return this.#totals.get(key);
  }

  /**
   * Applies lines of which a few have new content, all with the positions and parents that they had; returns the keys
   * of the rows that are now drawn differently. Returns undefined and changes nothing if more than that has changed.
   */
  patch(before: readonly Occurrence[], after: readonly Occurrence[]): readonly string[] | undefined {
    if (before.length !== after.length) return undefined;
    const changed: [key: string, old: Occurrence, row: Occurrence][] = [];
    for (let at = 0; at < after.length; at++) {
      const [old, row] = [before[at]!, after[at]!];
      if (old === row) continue;
      const key = this.#keys.get(row.task.id)!;
      if (changed.length === maxPatchedRows || this.#rows.get(key) !== old || !isSamePosition(old, row))
        return undefined;
      changed.push([key, old, row]);
    }
    for (const [key, , row] of changed) this.#rows.set(key, row);
    return changed.filter(([, old, row]) => !sameRow(old, row)).map(([key]) => key);
  }

  keysMissingIn(after: NestedRows): readonly string[] {
    return [...this.#rows.keys()].filter(key => !after.#rows.has(key));
  }

  /**
   * The rows that a tree must redraw to get from `before` to this, by key; `top` if the roots differ in their number or
   * among the first `visibleRows`.
   */
  changesSince(before: NestedRows, visibleRows = Number.POSITIVE_INFINITY): { top: boolean; keys: readonly string[] } {
    const keys: string[] = [];
    for (const [key, row] of this.#rows) {
      const old = before.row(key);
      if (
        old &&
        (!sameRow(old, row) ||
          !sameKeys(before.childrenOf(key), this.childrenOf(key)) ||
          !this.#sameProgress(before, key))
      )
        keys.push(key);
    }
    const top = !sameKeys(before.roots, this.roots, visibleRows);
    return { top, keys };
  }

  #sameProgress(before: NestedRows, key: string): boolean {
    const [a, b] = [before.progressOf(key), this.progressOf(key)];
    return a?.done === b?.done && a?.total === b?.total;
  }
}

/** More changed rows than this are arranged again with all others. */
const maxPatchedRows = 100;

const isSamePosition = (a: Occurrence, b: Occurrence): boolean =>
  a.task.id === b.task.id && a.task.parentId === b.task.parentId && isClosed(a.task) === isClosed(b.task);

/** Other clients can make tasks each other's parents; those are at the top. */
function hasFirmParent(id: Id, parents: ReadonlyMap<Id, Id | null>): boolean {
  const seen = new Set<Id>();
  for (let at = parents.get(id); at != null; at = parents.get(at)) {
    if (at === id || seen.has(at)) return at !== id && !seen.has(id);
    seen.add(at);
  }
  return parents.get(id) != null;
}

export function sameKeys(a: readonly string[], b: readonly string[], first = Number.POSITIVE_INFINITY): boolean {
  if (a.length !== b.length) return false;
  const end = Math.min(a.length, first);
  for (let at = 0; at < end; at++) if (a[at] !== b[at]) return false;
  return true;
}

/** The fields a row is drawn from. */
const shown = [
  'id',
  'title',
  'status',
  'priority',
  'isDirty',
  'isAllDay',
  'timezone',
  'rrule',
  'rdate',
  'href',
  'listId',
  'parentId',
  'description',
  'url',
  'color',
  // Its blockers.
  'unknownProperties',
] as const;

export const sameRow = (a: Occurrence, b: Occurrence): boolean =>
  a === b ||
  (a.due === b.due &&
    a.dtstart === b.dtstart &&
    a.isOverdue === b.isOverdue &&
    (a.task === b.task ||
      (shown.every(field => a.task[field] === b.task[field]) &&
        a.task.alarms.length === b.task.alarms.length &&
        sameKeys(a.task.tags, b.task.tags))));
