import { type Todo, withoutClosingSigns } from './todos';

/** The text that replaces [from, to). */
interface TextEdit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** The short ID goes into the parentheses behind the word, after the name that is there. */
export function withTaskId(text: string, todo: Todo, id: string): TextEdit {
  const from = offsetOf(text, todo) + todo.word.length;
  const said = /^(?:\([^()\n]*\))?:?/.exec(text.slice(from, from + 100))![0];
  return { from, to: from + said.length, text: `(${todo.owner ? `${todo.owner}, ` : ''}${id}):` };
}

/**
 * Without the comment, and without its lines where nothing else is on them. A comment that says more keeps the rest: it
 * loses the line, or where it begins or ends on it, what the line says from the word on.
 */
export function withoutComment(text: string, todo: Todo): TextEdit {
  const at = offsetOf(text, todo);
  const { from, to } = todo.comment;
  const start = startOfLine(text, at);
  const end = endOfLine(text, at);
  const others = text.slice(from, at) + text.slice(Math.min(end, to), to);
  if (!/[\p{L}\p{N}]/u.test(others)) return removed(text, from, to);
  const said = withoutClosingSigns(text.slice(at, Math.min(end, to)).replace(inner, ''));
  const isLine = start > from && end < to && !/[\p{L}\p{N}]/u.test(text.slice(start, at));
  if (isLine && said === text.slice(at, end).trimEnd()) return removed(text, start, end);
  return { from: at, to: at + said.length, text: '' };
}

/** From where another comment begins or ends inside. */
const inner = /(?:\{-|\/[*+]|\(\*|#[|=[]|-\}|[*+]\/|\*\)|[|=\]]#).*/;

/** With the lines that are empty then, or the blanks in front of it. */
function removed(text: string, from: number, to: number): TextEdit {
  const start = startOfLine(text, from);
  const end = endOfLine(text, to);
  const isAlone = text.slice(start, from).trim() === '' && text.slice(to, end).trim() === '';
  if (isAlone) return { from: start, to: Math.min(end + 1, text.length), text: '' };
  return { from: from - /[ \t]*$/.exec(text.slice(start, from))![0].length, to, text: '' };
}

const startOfLine = (text: string, at: number) => (at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1);

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

function offsetOf(text: string, { line, character }: Todo): number {
  let start = 0;
  for (let at = 0; at < line; at++) start = text.indexOf('\n', start) + 1;
  return start + character;
}
