import type { GroupView } from '../../src/shared/widgetProtocol';
import { isLoaded, type KnownRow } from '../../src/shared/widgetRow';

interface DelayedRow {
  readonly row: KnownRow;
  readonly group: GroupView;
  readonly index: number;
  /** The rows that the widget had. */
  readonly before: ReadonlyMap<string, KnownRow>;
  /** The host has taken it out of its old position. */
  hasLeft: boolean;
}

/** A completed occurrence is shown again under its own key, or as a new task of its own. */
function isCompletedCopy(other: KnownRow | undefined, { row, before }: DelayedRow): boolean {
  if (other?.state !== 'done') return false;
  if (other.taskId === row.taskId) return other.occurrence === row.occurrence;
  return (
    row.occurrence !== null && !before.has(other.key) && isLoaded(other) && isLoaded(row) && other.title === row.title
  );
}

/** Keeps a completed row in its position for a moment, struck through, before it disappears. */
export class CompletionDelay {
  readonly #pending = new Map<string, DelayedRow>();

  constructor(
    private readonly onLeave: () => void,
    private readonly delayMs: () => number,
  ) {}

  delay(keys: readonly string[], groups: readonly GroupView[], rows: ReadonlyMap<string, KnownRow>): void {
    const delayMs = this.delayMs();
    for (const key of keys) {
      const row = rows.get(key);
      const group = groups.find(one => one.rows.includes(key));
      if (!row || !group || row.state === 'done' || delayMs === 0) continue;
      const index = group.rows.indexOf(key);
      const delayed: DelayedRow = { row: { ...row, state: 'done' }, group, index, before: rows, hasLeft: false };
      this.#pending.set(key, delayed);
      setTimeout(() => {
        // If it was released and completed again meanwhile, the second timer ends it.
        if (this.#pending.get(key) === delayed) this.release([key]);
      }, delayMs);
    }
  }

  /** Draws these as the host has them from now on. */
  release(keys: readonly string[]): void {
    for (const key of keys) this.#pending.delete(key);
    this.onLeave();
  }

  /** Applies the host's rows: a row that is back because of an undo is drawn normally at once. */
  reconcile(groups: readonly GroupView[], rows: ReadonlyMap<string, KnownRow>): void {
    for (const [key, delayed] of this.#pending) {
      const isOpen = groups.some(group => group.rows.includes(key)) && rows.get(key)?.state !== 'done';
      if (isOpen && delayed.hasLeft) this.#pending.delete(key);
      delayed.hasLeft ||= !isOpen;
    }
  }

  /** The groups and rows to draw: those of the host, with the leaving rows still in place. */
  merge(
    groups: readonly GroupView[],
    rows: ReadonlyMap<string, KnownRow>,
  ): { groups: readonly GroupView[]; rows: ReadonlyMap<string, KnownRow> } {
    if (this.#pending.size === 0) return { groups, rows };
    const drawnRows = new Map(rows);
    const drawn = groups.map(group => ({ ...group, rows: [...group.rows] }));
    for (const [key, delayed] of this.#pending) {
      const { row, group, index } = delayed;
      // The host may already show it among the completed tasks; it must not appear twice.
      const isSelf = (other: string) => other === key || isCompletedCopy(rows.get(other), delayed);
      let target = drawn.find(one => one.key === group.key);
      if (target) target.rows = target.rows.filter(other => !isSelf(other));
      else {
        target = { ...group, rows: [] };
        drawn.unshift(target);
      }
      target.rows.splice(index, 0, key);
      drawnRows.set(key, row);
    }
    return { groups: drawn, rows: drawnRows };
  }
}
