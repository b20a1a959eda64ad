import type { Range } from '../../core/kernel/range';

/**
 * Words of a line that the user wants as plain text, by their position: the same words elsewhere keep their meaning.
 * They follow the line while it is typed in, until they are changed themselves.
 */
export class LiteralWords {
  #text: string;
  #ranges: readonly Range[];

  constructor(text = '', ranges: readonly Range[] = []) {
    this.#text = text;
    this.#ranges = ranges.filter(([from, to]) => from >= 0 && from < to && to <= text.length);
  }

  get text(): string {
    return this.#text;
  }

  get ranges(): readonly Range[] {
    return this.#ranges;
  }

  keep(range: Range): void {
    this.#ranges = [...this.#ranges, range];
  }

  /** Follows an edit of the line; `caret`, if known, decides which of two equal words was changed. */
  follow(text: string, caret?: number): void {
    const { from, to, by } = changeOf(this.#text, text, caret);
    this.#ranges = this.#ranges.flatMap((range): Range[] => {
      if (range[1] <= from) return [range];
      return range[0] >= to ? [[range[0] + by, range[1] + by]] : [];
    });
    this.#text = text;
  }

  /** The words after another text and its words, as one text. */
  behind(text: string, ranges: readonly Range[]): LiteralWords {
    const by = text === '' ? 0 : text.length + 1;
    const moved = this.#ranges.map(([from, to]): Range => [from + by, to + by]);
    return new LiteralWords([text, this.#text].filter(part => part !== '').join(' '), [...ranges, ...moved]);
  }
}

/** The text that was typed or pasted to turn `before` into `after`, and the caret after it. */
export function insertedText(before: string, after: string): { readonly text: string; readonly caret: number } {
  const { from, to, by } = changeOf(before, after);
  return { text: after.slice(from, to + by), caret: to + by };
}

/** [from, to) of `before` is what `after` has something else for, `by` characters longer. */
function changeOf(before: string, after: string, caret?: number): { from: number; to: number; by: number } {
  const shorter = Math.min(before.length, after.length);
  const behind = caret === undefined ? undefined : after.slice(caret);
  let commonEnd = 0;
  if (behind !== undefined && before.endsWith(behind)) commonEnd = Math.min(behind.length, shorter);
  let from = 0;
  while (from < shorter - commonEnd && before[from] === after[from]) from++;
  while (commonEnd < shorter - from && before[before.length - 1 - commonEnd] === after[after.length - 1 - commonEnd])
    commonEnd++;
  return { from, to: before.length - commonEnd, by: after.length - before.length };
}
