import { endOfLine, startOfLine, withoutClosingSigns } from './todoLines';
import type { Todo } from './todos';

/** The text that replaces [from, to). */
interface TextEdit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Puts the short ID in parentheses after the word, behind a name that is there. */
export function withTaskId(text: string, todo: Todo, id: string): TextEdit {
  const from = offsetOf(text, todo) + todo.word.length;
  const suffix = /^(?:\([^()\n]*\))?:?/.exec(text.slice(from, from + 100))![0];
  return { from, to: from + suffix.length, text: `(${todo.owner ? `${todo.owner}, ` : ''}${id}):` };
}

/**
 * Removes the comment, with its lines if nothing else is on them. If the comment has other text, too, only the text of
 * the todo is removed.
 */
export function withoutComment(text: string, todo: Todo): TextEdit {
  const at = offsetOf(text, todo);
  const { from, to, until } = todo.comment;
  const start = startOfLine(text, at);
  const end = endOfLine(text, until);
  const others = text.slice(from, at) + text.slice(Math.min(end, to), to);
  if (!/[\p{L}\p{N}]/u.test(others)) return removed(text, from, to);
  const last = Math.max(at, startOfLine(text, until));
  const textEnd = last + withoutClosingSigns(text.slice(last, Math.min(end, to)).replace(inner, '')).length;
  const isLine = start > from && end < to && !/[\p{L}\p{N}]/u.test(text.slice(start, at));
  if (isLine && text.slice(textEnd, end).trim() === '') return removed(text, start, end);
  return { from: at, to: textEnd, text: '' };
}

/** The point at which another comment begins or ends inside: `/*`, `-}`, `#[`. */
const inner = /(?:\{-|\/[*+]|\(\*|#[|=[]|-\}|[*+]\/|\*\)|[|=\]]#).*/;

/** Removes a comment with the lines that become empty, or with the blanks in front of it. */
function removed(text: string, from: number, to: number): TextEdit {
  const start = startOfLine(text, from);
  const end = endOfLine(text, to);
  const isAlone = text.slice(start, from).trim() === '' && text.slice(to, end).trim() === '';
  if (isAlone) return { from: start, to: Math.min(end + 1, text.length), text: '' };
  return { from: from - /[ \t]*$/.exec(text.slice(start, from))![0].length, to, text: '' };
}

function offsetOf(text: string, { line, character }: Todo): number {
  let start = 0;
  for (let at = 0; at < line; at++) start = text.indexOf('\n', start) + 1;
  return start + character;
}
