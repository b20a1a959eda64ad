import type { GroupView } from '../../src/views/protocol';
import type { KnownRow } from '../../src/views/widgetRow';

interface Stay {
  readonly row: KnownRow;
  readonly group: GroupView;
  readonly index: number;
}

const isDoneTwin = (other: KnownRow | undefined, row: KnownRow) =>
  other?.taskId === row.taskId && other.state === 'done' && other.occurrence === row.occurrence;

/** A completed row stays where it was for a breath, struck through, before it folds away. */
export class Lingering {
  readonly #stays = new Map<string, Stay>();

  constructor(private readonly onLeave: () => void) {}

  hold(keys: readonly string[], groups: readonly GroupView[], rows: ReadonlyMap<string, KnownRow>): void {
    const pause = matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 1600;
    for (const key of keys) {
      const row = rows.get(key);
      const group = groups.find(one => one.rows.includes(key));
      if (!row || !group || row.state === 'done' || pause === 0) continue;
      const stay: Stay = { row: { ...row, state: 'done' }, group, index: group.rows.indexOf(key) };
      this.#stays.set(key, stay);
      setTimeout(() => {
        // Let go and completed again meanwhile, it stays for the second time.
        if (this.#stays.get(key) === stay) this.letGo([key]);
      }, pause);
    }
  }

  /** Draws these as the host says from now on. */
  letGo(keys: readonly string[]): void {
    for (const key of keys) this.#stays.delete(key);
    this.onLeave();
  }

  /** The groups and rows to draw: what the host says, with the leaving rows still in place. */
  blend(
    groups: readonly GroupView[],
    rows: ReadonlyMap<string, KnownRow>,
  ): { groups: readonly GroupView[]; rows: ReadonlyMap<string, KnownRow> } {
    if (this.#stays.size === 0) return { groups, rows };
    const drawnRows = new Map(rows);
    const drawn = groups.map(group => ({ ...group, rows: [...group.rows] }));
    for (const [key, { row, group, index }] of this.#stays) {
      // The host may show it elsewhere already, among what is done: not twice.
      const isSelf = (other: string) => other === key || isDoneTwin(rows.get(other), row);
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
