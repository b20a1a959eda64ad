import { type Piece, type Syntax, syntaxOf } from './languages';

/** A comment as it is in the text, its marks included: [from, to) in UTF-16 units. */
interface Comment {
  readonly from: number;
  readonly to: number;
}

/** So many characters take less than the 8 ms that a host may be kept. */
const slice = 16_000;

/**
 * The comments of a text, one after another; what looks like one in a string is none. `undefined` comes between them
 * after every few thousand characters: a host stops there, and goes on when it has time.
 */
export function* commentsOf(text: string, language: string): Generator<Comment | undefined> {
  const syntax = syntaxOf(language);
  if (syntax) yield* scan(text, syntax, 0, text.length);
}

function* scan(text: string, syntax: Syntax, start: number, end: number): Generator<Comment | undefined> {
  const { groups, pieces } = syntax;
  // Another scan may run between two steps of this one.
  const pattern = new RegExp(syntax.pattern);
  /** Words of here-documents that have no end: looked for once. */
  const endless = new Set<string>();
  let paused = start;
  for (let at = start; at < end; ) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (!match || match.index >= end) return;
    const piece = pieces[groups.findIndex(group => match[group] !== undefined)]!;
    const from = match.index;
    const to = Math.min(end, Math.max(from + 1, from + match[0].length));
    if (piece.kind === 'comment') yield { from, to };
    if (piece.kind === 'part') yield* scan(text, syntaxOf(piece.language!)!, from, to);
    if (piece.kind === 'heredoc') {
      const body = hereDocument(text, to, /\w+/.exec(match[0])![0], endless);
      if (body) yield* scan(text, syntax, to, body.from);
      at = body?.to ?? to;
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
  return kind === 'block' ? endOfBlock(text, from, to) : to;
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

const inTemplate = /\\[\s\S]|`|\$\{/g;
const inBraces = /\/\/.*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|[`{}]/g;

/** Behind the `, with the code between the braces of ${…}, in which there can be templates again. */
function endOfTemplate(text: string, from: number): number {
  /** For each ${ that is open, the braces that are open in it. */
  const open: number[] = [];
  let sign = inTemplate;
  for (let at = from; ; ) {
    sign.lastIndex = at;
    const match = sign.exec(text)?.[0];
    if (match === undefined) return text.length;
    at = sign.lastIndex;
    const last = open.length - 1;
    if (sign === inTemplate) {
      if (match === '`' && last < 0) return at;
      if (match === '${') open.push(0);
      if (match === '`' || match === '${') sign = inBraces;
    } else if (match === '`') sign = inTemplate;
    else if (match === '{') open[last]!++;
    else if (match === '}' && open[last]! > 0) open[last]!--;
    else if (match === '}') {
      open.pop();
      sign = inTemplate;
    }
  }
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

/** From the next line to that with the word; undefined where there is none: then `<<` means something else. */
function hereDocument(text: string, at: number, word: string, endless: Set<string>): Comment | undefined {
  const from = text.indexOf('\n', at) + 1;
  if (from === 0 || endless.has(word)) return undefined;
  const end = new RegExp(`^[ \\t]*${word}(?!\\w)`, 'gm');
  end.lastIndex = from;
  if (end.test(text)) return { from, to: end.lastIndex };
  endless.add(word);
  return undefined;
}
