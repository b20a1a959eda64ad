import type { GroupView } from '../../src/shared/widgetProtocol';
import { hasWords, type KnownRow } from '../../src/shared/widgetRow';

interface DelayedRow {
  readonly row: KnownRow;
  readonly group: GroupView;
  readonly index: number;
  /** The rows that the widget had. */
  readonly before: ReadonlyMap<string, KnownRow>;
  /** The host has taken it out of its old position. */
  hasLeft: boolean;
}

/** A completed occurrence comes back under its own key, or as a task of its own that was not there before. */
function isCompletedCopy(other: KnownRow | undefined, { row, before }: DelayedRow): boolean {
  if (other?.state !== 'done') return false;
  if (other.taskId === row.taskId) return other.occurrence === row.occurrence;
  return (
    row.occurrence !== null && !before.has(other.key) && hasWords(other) && hasWords(row) && other.title === row.title
  );
}

/** A completed row stays in its position for a moment, struck through, before it goes. */
export class CompletionDelay {
  readonly #stays = new Map<string, DelayedRow>();

  constructor(
    private readonly onLeave: () => void,
    /** How long, in ms. */
    private readonly breath: () => number,
  ) {}

  delay(keys: readonly string[], groups: readonly GroupView[], rows: ReadonlyMap<string, KnownRow>): void {
    const pause = this.breath();
    for (const key of keys) {
      const row = rows.get(key);
      const group = groups.find(one => one.rows.includes(key));
      if (!row || !group || row.state === 'done' || pause === 0) continue;
      const index = group.rows.indexOf(key);
      const stay: DelayedRow = { row: { ...row, state: 'done' }, group, index, before: rows, hasLeft: false };
      this.#stays.set(key, stay);
      setTimeout(() => {
        // Let go and completed again meanwhile, it stays for the second time.
        if (this.#stays.get(key) === stay) this.letGo([key]);
      }, pause);
    }
  }

  /** Draws these as the host has them from now on. */
  letGo(keys: readonly string[]): void {
    for (const key of keys) this.#stays.delete(key);
    this.onLeave();
  }

  /** Takes in the host's rows: one that left and is back, because of an undo, is drawn as it is at once. */
  reconcile(groups: readonly GroupView[], rows: ReadonlyMap<string, KnownRow>): void {
    for (const [key, stay] of this.#stays) {
      const isOpen = groups.some(group => group.rows.includes(key)) && rows.get(key)?.state !== 'done';
      if (isOpen && stay.hasLeft) this.#stays.delete(key);
      stay.hasLeft ||= !isOpen;
    }
  }

  /** The groups and rows to draw: those of the host, with the leaving rows still in place. */
  merge(
    groups: readonly GroupView[],
    rows: ReadonlyMap<string, KnownRow>,
  ): { groups: readonly GroupView[]; rows: ReadonlyMap<string, KnownRow> } {
    if (this.#stays.size === 0) return { groups, rows };
    const drawnRows = new Map(rows);
    const drawn = groups.map(group => ({ ...group, rows: [...group.rows] }));
    for (const [key, stay] of this.#stays) {
      const { row, group, index } = stay;
      // The host may show it elsewhere already, among what is done: not twice.
      const isSelf = (other: string) => other === key || isCompletedCopy(rows.get(other), stay);
      let home = drawn.find(one => one.key === group.key);
      if (home) home.rows = home.rows.filter(other => !isSelf(other));
      else {
        home = { ...group, rows: [] };
        drawn.unshift(home);
      }
      home.rows.splice(index, 0, key);
      drawnRows.set(key, row);
    }
    return { groups: drawn, rows: drawnRows };
  }
}
