import { DuelineError } from '../kernel/errors';
import { coreMessage } from '../kernel/messages';
import type { Range } from '../kernel/range';
import { collect } from './collect';
import { compose } from './compose';
import { splitWords } from './languages/words';
import { parseContextOf } from './parseContext';
import { nearDayIn, nearPriorityIn, quoted } from './titleWords';
import { maxLineLength, type PhraseTime, type QuickAddContext, type QuickAddResult, type QuickAddToken } from './types';

/** A title that nobody would see: the zero-width space alone. */
const unseen = /^[\p{Default_Ignorable_Code_Point}\s]+$/u;

/**
 * Turns a line into a task. Never throws: for a line without a title, or one that is too long, the result has a
 * `problem`. Further lines become the description.
 *
 * @example
 * parseQuickAdd('Pay rent tomorrow 9am #home', { clock }).input // title 'Pay rent', tags ['home'], due tomorrow at 9:00
 */
export function parseQuickAdd(text: string, options: QuickAddContext): QuickAddResult {
  const rejected = options.rejected ?? [];
  const ranges = rejected.filter((entry): entry is Range => typeof entry !== 'number');
  const indexes = rejected.filter(entry => typeof entry === 'number');
  if (indexes.length > 0) {
    const { tokens } = read(text, options, []);
    for (const index of indexes) {
      const token = tokens[index];
      if (token) ranges.push([token.from, token.to]);
    }
  }
  return read(text, options, ranges);
}

function read(text: string, options: QuickAddContext, rejected: readonly Range[]): QuickAddResult {
  const lineEnd = /\r\n?|\n/.exec(text);
  const line = lineEnd ? text.slice(0, lineEnd.index) : text;
  if (line.length > maxLineLength) return tooLong(line);
  const words = splitWords(line, [...rejected, ...quoted(line)]);
  const context = parseContextOf(words, options);
  const collected = collect(line, words, context, options);
  const result = compose(context, collected, options);
  result.tokens.sort((a, b) => a.from - b.from);

  const { input } = result;
  const otherLines = lineEnd ? text.slice(lineEnd.index).trim() : '';
  if (otherLines !== '') input.description = input.description ? `${input.description}\n${otherLines}` : otherLines;
  const left = titleOf(line, result.tokens).replace(unseen, '');
  // A pasted address alone is a task about that address.
  const title = left === '' && input.url ? input.url : left;
  input.title = title;
  const hasDay = collected.repeat !== undefined || collected.moments.some(({ value }) => !isTimeAlone(value));
  const nearDay = options.parseDates === false || hasDay ? undefined : nearDayIn(context.phrases, result.tokens);
  const nearPriority = nearPriorityIn(line, result.tokens, rejected);
  return {
    ...result,
    title,
    ...(nearDay && { nearDay }),
    ...(nearPriority && { nearPriority }),
    ...(title === '' ? { problem: new DuelineError('invalid', coreMessage('titleRequired')) } : {}),
  };
}

const isTimeAlone = ({ day, instant }: PhraseTime): boolean => day === undefined && instant === undefined;

const tooLong = (line: string): QuickAddResult => ({
  input: { title: line },
  tokens: [],
  title: line,
  fromCompletion: false,
  problem: new DuelineError('invalid', coreMessage('lineTooLong', maxLineLength)),
});

function titleOf(line: string, tokens: readonly QuickAddToken[]): string {
  const pieces: string[] = [];
  let from = 0;
  for (const token of tokens) {
    pieces.push(line.slice(from, token.from));
    from = token.to;
  }
  pieces.push(line.slice(from));
  return pieces
    .map((piece, index) => trimmed(piece, pieces[index + 1], index > 0))
    .filter(piece => piece !== '')
    .join(' ')
    .replace(/[\x00-\x08\x0a-\x1f\x7f]/g, '')
    .trim();
}

/** A piece of the title without the punctuation that belonged to the phrase next to it. */
function trimmed(piece: string, next: string | undefined, isAfter: boolean): string {
  let text = isAfter ? piece.replace(/^[,;:.!،؛"”»)\]]+(?=\s|$)/, '') : piece;
  text = text.trim();
  if (next === undefined) return text;
  if (/^["”»)\]]/.test(next)) text = text.replace(/["“«([]$/, '').trimEnd();
  return /(^|\s)[-–—:]$|[,،]$/.test(text) ? text.slice(0, -1).trimEnd() : text;
}
