import type { RowView } from '../../src/views/protocol';

/** Two lines and a time: most cards are as high. */
const usual = 62;
const gap = 6;

/** How high cards are: measured once they were drawn, guessed until then. A changed row is another one. */
export class CardHeights {
  #known = new WeakMap<RowView, number>();

  readonly of = (row: RowView): number => this.#known.get(row) ?? usual;

  forget(): void {
    this.#known = new WeakMap();
  }

  /** Whether a card among these turned out to be of another height. */
  learn(cards: Iterable<HTMLElement>, rows: ReadonlyMap<string, RowView>): boolean {
    let news = false;
    for (const card of cards) {
      const row = rows.get(card.dataset.key ?? '');
      const height = card.offsetHeight + gap;
      if (!row || card.offsetHeight === 0 || this.#known.get(row) === height) continue;
      news ||= this.of(row) !== height;
      this.#known.set(row, height);
    }
    return news;
  }
}
