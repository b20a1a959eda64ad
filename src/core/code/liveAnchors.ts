import { type Fingerprint, indexText, lettersIn, lineHash, minLetters, quoteAt, type TextIndex } from './fingerprint';
import { likeness } from './locate';

/** One replacement in a text, as editors report it: the range before it, from 0, in UTF-16 units. */
export interface TextChange {
  readonly start: Position;
  readonly end: Position;
  readonly text: string;
}

interface Position {
  readonly line: number;
  readonly character: number;
}

/** The effect of an edit on one anchor. Without a `line` its code was removed, and may be inserted again. */
interface AnchorMove<Key> {
  readonly key: Key;
  readonly file: string;
  readonly line: number | undefined;
}

interface TrackedAnchor<Key> {
  readonly key: Key;
  readonly fingerprint: Fingerprint;
  file: string;
  line: number;
  /** The index at which the line's code begins; `to` is its end. */
  from: number;
  to: number;
  /** Without white space, and its hash. */
  quote: string;
  hash: number;
}

/** Lines that an edit has inserted, at the positions to which later changes of the same edit have moved them. */
interface InsertedLines {
  line: number;
  readonly change: TextChange;
}

/** Removed anchors that may come back; the oldest are forgotten. */
const maxRemovedLines = 500;
/** The least that a new line must have in common with a line to count as its edited version. */
const minSimilarity = 0.6;
/** And from here on also without any of its neighbors: a formatter may change each of them by a character. */
const surelyAlike = 0.85;

/**
 * Anchors of open files while they are edited. Text that is cut and pasted takes its anchors along, also into another
 * file; so does text that is moved by a key, taken back by undo, or rewritten by a formatter.
 */
export class LiveAnchors<Key> {
  readonly #files = new Map<string, TrackedAnchor<Key>[]>();
  readonly #removed = new Set<TrackedAnchor<Key>>();
  /** The text of the last deletion, which may be on the clipboard. */
  #cut: { readonly anchors: ReadonlySet<TrackedAnchor<Key>>; readonly newlines: number } | undefined;

  /** Adds the anchors of a file that was opened or changed from outside, and forgets those that it had before. */
  open(
    file: string,
    anchors: readonly { readonly key: Key; readonly line: number; readonly fingerprint: Fingerprint }[],
    lineText: (line: number) => string,
  ): void {
    const keys = new Set(anchors.map(({ key }) => key));
    for (const anchor of this.#removed) if (keys.has(anchor.key)) this.#removed.delete(anchor);
    const live = anchors.map(({ key, line, fingerprint }) =>
      withFingerprint(
        { key, fingerprint, file, line, from: 0, to: 0, quote: '', hash: fingerprint.line },
        lineText(line),
      ),
    );
    this.#files.set(file, live);
  }

  /** Text that was cut from it can still be pasted elsewhere. */
  close(file: string): void {
    this.#files.delete(file);
  }

  /** The lines that the anchors of a file are on now. */
  linesOf(file: string): readonly { readonly key: Key; readonly line: number }[] {
    return (this.#files.get(file) ?? []).map(({ key, line }) => ({ key, line }));
  }

  /** `changes` in the order in which they apply (VS Code: from the end of the text); `lineText` is of the text after them. */
  edit(file: string, changes: readonly TextChange[], lineText: (line: number) => string): AnchorMove<Key>[] {
    const anchors = this.#files.get(file) ?? [];
    if (anchors.length === 0 && this.#removed.size === 0) return [];
    const before = new Map(anchors.map(anchor => [anchor, anchor.line]));
    const touched = new Set<TrackedAnchor<Key>>();
    const gone = new Map<TrackedAnchor<Key>, TextChange>();
    const inserted: InsertedLines[] = [];
    for (const change of changes) {
      for (const anchor of anchors) if (!gone.has(anchor)) this.#move(anchor, change, touched, gone);
      const by = newlinesIn(change.text) - (change.end.line - change.start.line);
      for (const part of inserted) if (part.line >= change.end.line) part.line += by;
      if (change.text !== '') inserted.push({ line: change.start.line, change });
    }
    for (const anchor of gone.keys()) this.#remove(anchor);
    for (const { start, end, text } of gone.values())
      if (text === '') this.#cut = { anchors: new Set(gone.keys()), newlines: end.line - start.line };
    const back = this.#takeBack(file, inserted, gone);
    const kept = [...anchors.filter(anchor => !gone.has(anchor)), ...back];
    this.#files.set(file, kept);
    for (const anchor of [...touched, ...back])
      if (this.#isHere(anchor, file)) withFingerprint(anchor, lineText(anchor.line));
    return [
      ...kept.flatMap(anchor =>
        before.get(anchor) === anchor.line ? [] : [{ key: anchor.key, file, line: anchor.line }],
      ),
      ...[...gone.keys()].flatMap(anchor =>
        this.#removed.has(anchor) ? [{ key: anchor.key, file, line: undefined }] : [],
      ),
    ];
  }

  /** Other files have many similar lines, so only what was just cut counts as pasted there. */
  #mayBe(anchor: TrackedAnchor<Key>, file: string, { text }: TextChange): boolean {
    return anchor.file === file || (this.#cut?.anchors.has(anchor) === true && this.#cut.newlines === newlinesIn(text));
  }

  #isHere(anchor: TrackedAnchor<Key>, file: string): boolean {
    return anchor.file === file && !this.#removed.has(anchor);
  }

  #move(
    anchor: TrackedAnchor<Key>,
    change: TextChange,
    touched: Set<TrackedAnchor<Key>>,
    gone: Map<TrackedAnchor<Key>, TextChange>,
  ): void {
    const { start, end, text } = change;
    if (start.line > anchor.line || end.line < anchor.line) {
      if (end.line < anchor.line) anchor.line += newlinesIn(text) - (end.line - start.line);
      return;
    }
    const startsBefore = start.line < anchor.line || start.character <= anchor.from;
    const endsBefore = end.line === anchor.line && end.character <= anchor.from;
    const endsBehind = end.line > anchor.line || end.character >= anchor.to;
    touched.add(anchor);
    if (start.line === anchor.line && start.character >= anchor.to) return;
    if (startsBefore && endsBehind && !endsBefore) {
      const isOneLine = start.line === anchor.line && end.line === anchor.line && !/[\r\n]/.test(text);
      if (!isOneLine || text.trim() === '') gone.set(anchor, change);
    } else if (startsBefore) anchor.line = start.line + newlinesIn(text);
  }

  #remove(anchor: TrackedAnchor<Key>): void {
    this.#removed.delete(anchor);
    this.#removed.add(anchor);
    for (const oldest of this.#removed) {
      if (this.#removed.size <= maxRemovedLines) return;
      this.#removed.delete(oldest);
    }
  }

  /** Removed anchors whose line is among the inserted ones: the last removed first. */
  #takeBack(
    file: string,
    inserted: readonly InsertedLines[],
    gone: ReadonlyMap<TrackedAnchor<Key>, TextChange>,
  ): TrackedAnchor<Key>[] {
    const found: TrackedAnchor<Key>[] = [];
    if (this.#removed.size === 0) return found;
    for (const { line, change } of inserted) {
      const index = indexText(change.text);
      for (const anchor of [...this.#removed].reverse()) {
        const rank =
          rankOfSame(index, anchor, this.#mayBe(anchor, file, change)) ??
          (gone.get(anchor) === change ? rankOfEdited(index, anchor) : undefined);
        if (rank === undefined) continue;
        this.#removed.delete(anchor);
        anchor.file = file;
        anchor.line = line + index.numbers[rank]!;
        found.push(anchor);
      }
    }
    return found;
  }
}

/**
 * The line itself, at its best among equal neighbors; with only one neighbor if it has few letters or may be another.
 */
function rankOfSame(
  { hashes }: TextIndex,
  { hash, quote, fingerprint }: TrackedAnchor<unknown>,
  isLikely: boolean,
): number | undefined {
  let best: number | undefined;
  let most = !isLikely || lettersIn(quote) < minLetters ? 0 : -1;
  for (let rank = hashes.indexOf(hash); rank >= 0; rank = hashes.indexOf(hash, rank + 1)) {
    const count = countAround(hashes, rank, fingerprint);
    if (count > most) [best, most] = [rank, count];
  }
  return best;
}

/** Within the text that replaced its line: the most similar line. */
function rankOfEdited(index: TextIndex, { quote, fingerprint }: TrackedAnchor<unknown>): number | undefined {
  if (lettersIn(quote) < minLetters) return undefined;
  const alike = Array.from(index.hashes, (_, rank) => ({ rank, score: likeness(quote, quoteAt(index, rank)) }));
  alike.sort((a, b) => b.score - a.score);
  const [first, second] = alike;
  if (!first || first.score < minSimilarity || first.score < (second?.score ?? 0) + 0.1) return undefined;
  return first.score >= surelyAlike || countAround(index.hashes, first.rank, fingerprint) > 0 ? first.rank : undefined;
}

/** The number of neighbors that have not moved. */
function countAround(hashes: Uint32Array, rank: number, { before, after }: Fingerprint): number {
  const isSame = (hash: number, at: number) => (hash !== 0 && hashes[at] === hash ? 1 : 0);
  let count = 0;
  for (const [step, hash] of before.entries()) count += isSame(hash, rank - step - 1);
  for (const [step, hash] of after.entries()) count += isSame(hash, rank + step + 1);
  return count;
}

function withFingerprint<Key>(anchor: TrackedAnchor<Key>, line: string): TrackedAnchor<Key> {
  const quote = withoutSpace(line);
  anchor.from = line.length - line.trimStart().length;
  anchor.to = Math.max(anchor.from, line.trimEnd().length);
  // A line that is empty for a moment while the user types over it is still recognized by its old text.
  if (quote !== '') [anchor.quote, anchor.hash] = [quote, lineHash(line)];
  return anchor;
}

const withoutSpace = (text: string) => text.slice(0, 500).replace(/\s+/g, '');

export function newlinesIn(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x0a || (code === 0x0d && text.charCodeAt(at + 1) !== 0x0a)) count++;
  }
  return count;
}
