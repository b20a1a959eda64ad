import { jsxHoles } from './jsx';
import { type Piece, type Syntax, syntaxOf } from './languages';
import { endOfInterpolated, endOfTemplate } from './templates';

/** A comment as it is in the text, its marks included: [from, to) in UTF-16 units. */
export interface Comment {
  readonly from: number;
  readonly to: number;
}

/** Then the signs are of something else. */
const maxFailures = 20;
/** Characters that are gone through for strings that turn out to have no end. */
const maxInVain = 2_000_000;
/** The deepest nesting of parts within parts. */
const maxDepth = 30;

/** The work that a text has cost so far, all its parts together: a text can be made to cost more and more. */
interface Cost {
  /** Words of here-documents that never end, so that each is searched only once. */
  readonly endless: Set<string>;
  /** `<` that began no element. */
  failed: number;
  inVain: number;
}

/** This many characters take less than the 8 ms for which the host may be blocked. */
const slice = 16_000;

/**
 * The comments of a text in its order; text in a string that looks like a comment is not one. Every few thousand
 * characters comes `undefined`, so that a host can pause there.
 */
export function* commentsOf(text: string, language: string): Generator<Comment | undefined> {
  const syntax = syntaxOf(language);
  if (syntax) yield* scan(text, syntax, 0, text.length, { endless: new Set(), failed: 0, inVain: 0 });
}

function* scan(
  text: string,
  syntax: Syntax,
  start: number,
  end: number,
  cost: Cost,
  depth = 0,
): Generator<Comment | undefined> {
  if (depth > maxDepth) return;
  const { groups, pieces } = syntax;
  // Another scan may run between two steps of this one.
  const pattern = new RegExp(syntax.pattern);
  let paused = start;
  for (let at = start; at < end; ) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (!match || match.index >= end) return;
    const piece = pieces[groups.findIndex(group => match[group] !== undefined)]!;
    const from = match.index;
    const to = Math.min(end, Math.max(from + 1, from + match[0].length));
    if (piece.kind === 'comment') yield { from, to };
    if (piece.kind === 'part') yield* scan(text, syntaxOf(piece.language!)!, from, to, cost, depth + 1);
    if (piece.kind === 'jsx') {
      const element = cost.failed < maxFailures ? jsxHoles(text, from, end) : undefined;
      for (const hole of element?.holes ?? []) yield* scan(text, syntax, hole.from, hole.to, cost, depth + 1);
      if (!element) cost.failed++;
      at = element?.to ?? to;
    } else if (piece.kind === 'heredoc') {
      const body = hereDocument(text, to, /\w+/.exec(match[0])![0], cost.endless);
      if (body) yield* scan(text, syntax, to, body.from, cost, depth + 1);
      at = body?.to ?? to;
    } else if (piece.kind === 'closed') {
      at = endOfClosed(text, piece, to, cost) ?? from + 1;
    } else {
      at = Math.min(end, endOf(text, piece, from, to));
      if (piece.kind === 'nested') yield { from, to: at };
    }
    if (at - paused > slice) {
      paused = at;
      yield undefined;
    }
  }
}

function endOf(text: string, { kind, source, close }: Piece, from: number, to: number): number {
  if (kind === 'nested') return endOfNested(text, to, new RegExp(source, 'y'), close!);
  if (kind === 'template') return endOfTemplate(text, to);
  if (kind === 'interpolated') return endOfInterpolated(text, to, text.slice(from, to).includes('@'));
  return kind === 'block' ? endOfBlock(text, from, to) : to;
}

/** Undefined if it has no end. */
function endOfClosed(text: string, { rest, isOnLine }: Piece, to: number, cost: Cost): number | undefined {
  if (cost.inVain > maxInVain) return undefined;
  const pattern = new RegExp(rest!, 'y');
  pattern.lastIndex = to;
  if (pattern.test(text)) return pattern.lastIndex;
  const line = isOnLine ? text.indexOf('\n', to) : -1;
  cost.inVain += (line < 0 ? text.length : line) - to;
  return undefined;
}

function endOfNested(text: string, from: number, open: RegExp, close: string): number {
  let depth = 1;
  for (let at = from; at < text.length; at++) {
    open.lastIndex = at;
    if (text.startsWith(close, at)) {
      at += close.length - 1;
      if (--depth === 0) return at + 1;
    } else if (open.test(text)) {
      depth++;
      at = open.lastIndex - 1;
    }
  }
  return text.length;
}

/** The lines below that are indented more than the one with the key. */
function endOfBlock(text: string, from: number, to: number): number {
  const indent = /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', from - 1) + 1, from))![0].length;
  let end = text.indexOf('\n', to);
  while (end >= 0) {
    const line = /([ \t]*)(\S?)/y;
    line.lastIndex = end + 1;
    const [, space, sign] = line.exec(text)!;
    if (sign !== '' && space!.length <= indent) return end;
    end = text.indexOf('\n', end + 1);
  }
  return text.length;
}

/**
 * From the next line to the one with the word; undefined if there is no such line, because then `<<` is not a
 * here-document.
 */
function hereDocument(text: string, at: number, word: string, endless: Set<string>): Comment | undefined {
  const from = text.indexOf('\n', at) + 1;
  if (from === 0 || endless.has(word) || endless.size > maxFailures) return undefined;
  const end = new RegExp(`^[ \\t]*${word}(?!\\w)`, 'gm');
  end.lastIndex = from;
  if (end.test(text)) return { from, to: end.lastIndex };
  endless.add(word);
  return undefined;
}
