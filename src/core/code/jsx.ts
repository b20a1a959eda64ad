import { endOfTemplate } from './templates';

/** [from, to) in UTF-16 units. */
interface Span {
  readonly from: number;
  readonly to: number;
}

interface Element {
  readonly to: number;
  /** Between its braces there is code again; all else in it is text. */
  readonly holes: readonly Span[];
}

/** `<div`, `<Some.Part`, and the beginning of `<>`. */
const openTag = /<(?:([A-Za-z][\w.:-]*)|(?=>))/y;
/** `</div>`, `</>`. */
const closeTag = /<\/\s*([A-Za-z][\w.:-]*)?\s*>/y;
/** The next of these in `<a title="x" {...props} />`: a string, a comment, the end of the tag, a brace. */
const inTag = /"[^"]*"|'[^']*'|\/\*[\s\S]*?\*\/|\/\/.*|\/>|[{>]/g;
const inText = /[{<]/g;
/** The next of these in `{list.map(row => …)}`: a comment, a string, a template or a brace. */
const inCode = /\/\/.*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|[`{}]/g;

/** The holes of the JSX element that begins there; undefined if none ends, for example because `<` is an operator. */
export function jsxHoles(text: string, from: number, end: number): Element | undefined {
  const holes: Span[] = [];
  const open: string[] = [];
  for (let at = from; at < end; ) {
    const name = matchAt(openTag, text, at);
    const closed = name ? undefined : matchAt(closeTag, text, at);
    if (name) {
      const tag = endOfTag(text, at + name[0].length, end, holes);
      if (!tag) return undefined;
      at = tag.to;
      if (!tag.isWhole) open.push(name[1] ?? '');
    } else if (closed) {
      at += closed[0].length;
      if (open.pop() !== (closed[1] ?? '')) return undefined;
    } else if (text[at] === '{') {
      const to = endOfCode(text, at + 1, end);
      if (to === undefined) return undefined;
      holes.push({ from: at + 1, to: to - 1 });
      at = to;
    } else return undefined;
    if (open.length === 0) return { to: at, holes };
    inText.lastIndex = at;
    const next = inText.exec(text);
    if (!next) return undefined;
    at = next.index;
  }
  return undefined;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Behind its `>`; a whole one ends with `/>`. */
function endOfTag(text: string, from: number, end: number, holes: Span[]) {
  for (let at = from; at < end; ) {
    const match = matchAt(inTag, text, at);
    if (!match) return undefined;
    at = match.index + match[0].length;
    if (match[0] === '/>' || match[0] === '>') return { to: at, isWhole: match[0] === '/>' };
    if (match[0].startsWith('/')) holes.push({ from: match.index, to: at });
    if (match[0] !== '{') continue;
    const to = endOfCode(text, at, end);
    if (to === undefined) return undefined;
    holes.push({ from: at, to: to - 1 });
    at = to;
  }
  return undefined;
}

/** Behind the `}`. */
function endOfCode(text: string, from: number, end: number): number | undefined {
  let depth = 1;
  for (let at = from; at < end; ) {
    const match = matchAt(inCode, text, at);
    if (!match) return undefined;
    const [sign] = match;
    at = match.index + sign.length;
    if (sign === '`') at = endOfTemplate(text, at);
    else if (sign === '{') depth++;
    else if (sign === '}' && --depth === 0) return at;
  }
  return undefined;
}
