import type { KnownRow } from '../../src/shared/widgetRow';

/** Two lines and a time: most cards are as high. */
const usual = 60;
/** The margin of a card. */
const gap = 4;

/** How high cards are: measured once they were drawn; until then as high as they were before a change, or guessed. */
export class CardHeights {
  #known = new WeakMap<KnownRow, number>();
  readonly #before = new Map<string, number>();

  readonly of = (row: KnownRow): number => this.#known.get(row) ?? this.#before.get(row.key) ?? usual;

  forget(): void {
    this.#known = new WeakMap();
    this.#before.clear();
  }

  /** Takes in the heights of cards; true if one of them is of another height than before. */
  learn(cards: Iterable<HTMLElement>, rows: ReadonlyMap<string, KnownRow>): boolean {
    let news = false;
    for (const card of cards) {
      const row = rows.get(card.dataset.key ?? '');
      // Asking for a height has the browser lay the page out: once for each card.
      if (!row || this.#known.has(row) || card.offsetHeight === 0) continue;
      const height = card.offsetHeight + gap;
      news ||= height !== this.of(row);
      this.#known.set(row, height);
      this.#before.set(row.key, height);
    }
    return news;
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
