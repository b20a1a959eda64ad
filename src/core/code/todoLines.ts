import type { Comment } from './comments';

/** A line that continues the first line of a todo: its text and its range, [from, to). */
interface FurtherLine extends Comment {
  readonly text: string;
}

const maxLines = 60;

/** A line of this length was broken because it was full: the next one continues it, however it begins. */
const fullColumns = 60;

/** Begins a line that is for a program, or is about something else: "@param x", "eslint-disable", "region Views". */
const directive =
  /^(?:[@\\][a-z]|#|\+build\b|-\*-|vim?:|[\w-]+:(?=\S)|(?:eslint|tslint|biome|prettier|stylelint|jshint|istanbul|c8|v8|ts|flow|noqa|nolint|pylint|mypy|ruff|fmt|yapf|isort|rubocop|shellcheck|cspell|swiftlint|ktlint|detekt|clang|region|endregion|pragma|noinspection|language)\b[-:\s]?)/i;

/** A line of code that was commented out, `total = 0`: the TODO is about it, so it is not removed with the comment. */
const code =
  /[;{}]$|^[\w.$]+\(.*\)$|^(?:(?:const|let|var|final|auto) )?[\w.$[\]]+(?:: \w+)? (?:[-+*/|&]|:)?= \S|^(?:import|using) [\w.]+$|^from \S+ import\b|^(?:if|elif|for|while|def|class) .*:$/;

/** The end of a comment that is nested in it: `-->`, `-}`, or a star and a slash. */
const closesOther = /^(?:[*+]\/|--!?>|[-*|=\]]+[})#])/;

/** The sign of a line comment: `//`, `#`, `REM`. */
const sign = /^[ \t]*(?:rem\b|[^\p{L}\p{N}\s]+)/iu;
/** The sign in front of a line of a block comment, ` * ` for example; it may have none. */
const signOfLine = /^[ \t]*(?:[*|+#;%!]+(?=[ \t]|$))?/;

/** `-->`, `=#`, `--}}`, or a star and a slash: the end of the comment that the text is in. */
const closingSigns = /(?:(?<!\*)\*+\/|--!?>|-\}|\*\)|#>|\]=*\]|=#|\|#|\]#|#\}|--~?\}\}|\}\}|\+\/|\*@|###|\})$/;
export const withoutClosingSigns = (text: string): string => text.trimEnd().replace(closingSigns, '').trimEnd();

/**
 * The lines that continue the first line of a todo: those of its comment, or of the one-line comments right below it.
 * `at` is the position of its word, and `isTodo` is true for a line that begins another todo.
 */
export function furtherLines(
  text: string,
  comments: readonly Comment[],
  nth: number,
  at: number,
  isTodo: (line: string) => boolean,
): FurtherLine[] {
  const found: FurtherLine[] = [];
  const column = at - startOfLine(text, at);
  let before = text.slice(at, endOfLine(text, at));
  let length = column + before.trimEnd().length;
  for (const line of linesBelow(text, comments, nth, at)) {
    const content = withoutClosingSigns(text.slice(line.from, line.to));
    if (
      directive.test(content) ||
      code.test(content) ||
      closesOther.test(content) ||
      isTodo(content) ||
      !/[\p{L}\p{N}]/u.test(content)
    )
      break;
    const indent = line.from - startOfLine(text, line.from);
    const continues = indent > column || length >= fullColumns || !/^\p{Lu}/u.test(content) || /[:(]\s*$/.test(before);
    if (!continues || found.length === maxLines) break;
    found.push({ text: content, from: line.from, to: line.from + content.length });
    before = content;
    length = indent + content.length;
  }
  return found;
}

/** The lines without their comment signs, up to the first line that is not a comment. */
function* linesBelow(text: string, comments: readonly Comment[], nth: number, at: number): Generator<Comment> {
  const { from, to } = comments[nth]!;
  const isOnLines = endOfLine(text, from) < to;
  for (let end = endOfLine(text, at); isOnLines && end < to; end = endOfLine(text, end + 1)) {
    const line = text.slice(end + 1, Math.min(endOfLine(text, end + 1), to));
    yield behind(end + 1, line, signOfLine);
  }
  if (isOnLines || withoutClosingSigns(text.slice(from, to)) !== text.slice(from, to).trimEnd()) return;
  const ownSign = sign.exec(text.slice(from, to))?.[0];
  for (let below = nth + 1; below < comments.length; below++) {
    const [above, next] = [comments[below - 1]!, comments[below]!];
    const line = text.slice(next.from, next.to);
    const start = startOfLine(text, next.from);
    const isBelow = endOfLine(text, above.from) + 1 === start && text.slice(start, next.from).trim() === '';
    const isAligned = next.from - start === above.from - startOfLine(text, above.from);
    if (!isBelow || !isAligned || line.includes('\n') || sign.exec(line)?.[0] !== ownSign) return;
    yield behind(next.from, line, sign);
  }
}

function behind(at: number, line: string, pattern: RegExp): Comment {
  const skipped = pattern.exec(line)?.[0].length ?? 0;
  const rest = line.slice(skipped);
  const from = at + skipped + (rest.length - rest.trimStart().length);
  return { from, to: at + line.length };
}

export const startOfLine = (text: string, at: number): number => (at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1);

export function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

/** The first sentence of several lines, which become one. */
export function firstSentence(lines: readonly string[]): string {
  const joined = lines.filter(line => line !== '').join(' ');
  const ends = joined.matchAll(/[.!?](?=\s+[^\p{Ll}\s])/gu);
  for (const { index } of ends)
    if (
      !/(?:\b(?:e\.g|i\.e|cf|vs|etc|approx|no|z\.\s?B|d\.\s?h|bzw|p\.\s?ex)|(?:^|\s)\p{L})$/iu.test(
        joined.slice(0, index),
      )
    )
      return joined.slice(0, index + 1);
  return joined;
}
