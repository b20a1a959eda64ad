/** Neighbors on each side that a fingerprint has. */
export const contextLines = 5;

/** Seven hexadecimal digits are 28 bits. */
const digits = 7;
const mask = 0xfffffff;

/** Lines with fewer letters (`}`, `});`, `else`) are in every file and identify nothing without their neighbors. */
export const minLetters = 6;

/** A larger text is not read. */
export const maxCharacters = 2 * 1024 * 1024;

/**
 * The lines of a text that are not blank, each as the hash of its characters without the white space: a formatter that
 * indents lines, adds blank ones or writes CRLF changes none of them.
 */
export interface TextIndex {
  readonly text: string;
  /** Number of all lines, blank ones included. */
  readonly lineCount: number;
  /**
   * For each line that is not blank: its number from 0, the index at which it begins, its hash (never 0) and its
   * letters (255 at most).
   */
  readonly numbers: Int32Array;
  readonly starts: Int32Array;
  readonly hashes: Uint32Array;
  readonly letters: Uint8Array;
}

/** The hashes by which a line is found again: its own and those of its neighbors. No code is stored. */
export interface Fingerprint {
  readonly line: number;
  /** Nearest first; 0 if the text begins or ends. */
  readonly before: readonly number[];
  readonly after: readonly number[];
}

const isSpace = (code: number) => code <= 0x20 || code === 0xa0 || code === 0xfeff || code === 0x3000;
const isLetter = (code: number) => ((code | 0x20) - 0x61) >>> 0 < 26 || code >= 0xaa;
const start = 0x811c9dc5;

/** A hash of 28 bits from the state after the last character; never 0, which stands for the edge of a text. */
function finalize(state: number): number {
  let hash = Math.imul(state ^ (state >>> 16), 0x7feb352d);
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b);
  return (hash ^ (hash >>> 16)) & mask || 1;
}

/** One pass over a text; LF, CRLF and CR end lines. */
export function indexText(whole: string): TextIndex {
  const text = whole.length > maxCharacters ? '' : whole;
  const numbers: number[] = [];
  const starts: number[] = [];
  const hashes: number[] = [];
  const letters: number[] = [];
  let [line, from, state, count, isBlank] = [0, 0, start, 0, true];
  for (let at = 0; at <= text.length; at++) {
    const code = at === text.length ? 0x0a : text.charCodeAt(at);
    if (code !== 0x0a && code !== 0x0d) {
      if (isSpace(code)) continue;
      isBlank = false;
      state = Math.imul(state ^ code, 0x01000193);
      if (isLetter(code)) count++;
      continue;
    }
    if (!isBlank) {
      numbers.push(line);
      starts.push(from);
      hashes.push(finalize(state));
      letters.push(Math.min(count, 255));
    }
    if (code === 0x0d && text.charCodeAt(at + 1) === 0x0a) at++;
    line++;
    [from, state, count, isBlank] = [at + 1, start, 0, true];
  }
  return {
    text,
    lineCount: line,
    numbers: Int32Array.from(numbers),
    starts: Int32Array.from(starts),
    hashes: Uint32Array.from(hashes),
    letters: Uint8Array.from(letters),
  };
}

const indexes = new WeakMap<object, { readonly version: number; readonly index: TextIndex }>();

/** The index of a document's current text, built once for each version. */
export function indexOf(document: { readonly version: number; getText(): string }): TextIndex {
  const { version } = document;
  const known = indexes.get(document);
  if (known?.version === version) return known.index;
  const index = indexText(document.getText());
  indexes.set(document, { version, index });
  return index;
}

/** The hash of one line alone. */
export const lineHash = (line: string): number => indexText(line).hashes[0] ?? 0;

export const lettersIn = (line: string): number => indexText(line).letters[0] ?? 0;

/**
 * The index among the lines that are not blank: of the line itself, or else of the next one, or else of the last one.
 */
export function rankOf({ numbers }: TextIndex, line: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle]! < line) low = middle + 1;
    else high = middle;
  }
  return Math.min(low, numbers.length - 1);
}

/** The fingerprint of a line, counted from 0; a blank line has that of the next one. Undefined if the text is blank. */
export function fingerprintAt(index: TextIndex, line: number): Fingerprint | undefined {
  const rank = rankOf(index, line);
  if (rank < 0) return undefined;
  const hash = (at: number) => index.hashes[at] ?? 0;
  const steps = Array.from({ length: contextLines }, (_, step) => step + 1);
  return {
    line: index.hashes[rank]!,
    before: steps.map(step => hash(rank - step)),
    after: steps.map(step => hash(rank + step)),
  };
}

/** A line's text without white space, which stays on this computer: it recognizes an edited line, and hashes cannot. */
export function quoteAt({ text, starts }: TextIndex, rank: number): string {
  const from = starts[rank]!;
  const rest = /[^\r\n]*/y;
  rest.lastIndex = from;
  return rest.exec(text)![0].slice(0, 500).replace(/\s+/g, '');
}

/** In the order of the text: the farthest line before first, the farthest after last. */
export const formatFingerprint = ({ before, line, after }: Fingerprint): string =>
  [...before.toReversed(), line, ...after].map(hash => hash.toString(16).padStart(digits, '0')).join('');

/** Undefined for anything but what {@link formatFingerprint} writes. */
export function parseFingerprint(text: string): Fingerprint | undefined {
  if (text.length !== digits * (2 * contextLines + 1) || !/^[\da-f]+$/i.test(text)) return undefined;
  const hashes = text.match(/.{7}/g)!.map(part => Number.parseInt(part, 16));
  return {
    before: hashes.slice(0, contextLines).reverse(),
    line: hashes[contextLines]!,
    after: hashes.slice(contextLines + 1),
  };
}
