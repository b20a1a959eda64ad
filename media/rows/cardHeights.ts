import type { KnownRow } from '../../src/shared/widgetRow';

/** Pixels of a card with two lines and a time, which most cards have. */
const usual = 60;
/** The margin of a card. */
const gap = 4;

/** The heights of cards: measured once they are drawn; until then the height before a change, or the usual one. */
export class CardHeights {
  #known = new WeakMap<KnownRow, number>();
  readonly #before = new Map<string, number>();

  readonly of = (row: KnownRow): number => this.#known.get(row) ?? this.#before.get(row.key) ?? usual + gap;

  forget(): void {
    this.#known = new WeakMap();
    this.#before.clear();
  }

  /** Measures cards; returns true if the height of one differs from `of`. */
  learn(cards: Iterable<HTMLElement>, rows: ReadonlyMap<string, KnownRow>): boolean {
    let hasChanged = false;
    for (const card of cards) {
      const row = rows.get(card.dataset.key ?? '');
      if (!row || this.#known.has(row)) continue;
      // Asking for a height has the browser lay the page out: once for each card.
      const { height: own } = card.getBoundingClientRect();
      if (own === 0) continue;
      const height = own + gap;
      hasChanged ||= height !== this.of(row);
      this.#known.set(row, height);
      this.#before.set(row.key, height);
    }
    return hasChanged;
  }
}

/** A column of cards. */
interface MeasuredColumn {
  /** True if a card is of another height than it was laid out for. */
  learnHeights(): boolean;
  layOutAgain(): void;
}

const waiting = new Set<MeasuredColumn>();

/**
 * Measures a column once all that are drawn with it are: asking between two drawings would have the browser lay the page
 * out for each of them.
 */
export function measureSoon(column: MeasuredColumn): void {
  if (waiting.size === 0) queueMicrotask(measureAll);
  waiting.add(column);
}

function measureAll(): void {
  const columns = [...waiting];
  waiting.clear();
  const changed = columns.filter(column => column.learnHeights());
  for (const column of changed) column.layOutAgain();
}
