import type { Range } from '../../kernel/range';

/** Words without the backslashes that keep some of them literal, and the positions of these words. */
interface LiteralWords {
  readonly text: string;
  readonly ranges: readonly Range[];
  /** The offset in the words with their backslashes, for an offset in the words without. */
  outer(offset: number): number;
}

const none: readonly Range[] = [];

/** Removes the backslashes, each of which keeps the word after it literal. */
export function withoutBackslashes(words: string): LiteralWords {
  if (!words.includes('\\')) return { text: words, ranges: none, outer: offset => offset };
  const removed: number[] = [];
  const ranges: Range[] = [];
  const text = words.replace(/(?<=^|\s)\\(\S+)/g, (_, word: string, at: number) => {
    const from = at - removed.length;
    removed.push(at);
    ranges.push([from, from + word.length]);
    return word;
  });
  const outer = (offset: number) => {
    let at = offset;
    for (const backslash of removed) if (backslash <= at) at++;
    return at;
  };
  return { text, ranges, outer };
}

/** Writes a backslash before the words of a title that begin at these offsets. */
export function withBackslashes(title: string, offsets: ReadonlySet<number>): string {
  return title.replace(/\S+/g, (word, at: number) => (offsets.has(at) || word.startsWith('\\') ? `\\${word}` : word));
}
