import { QueryError } from './fault';
import type { Range } from './syntax';

const longestPattern = 200;
const longestInput = 10_000;

export interface SafeRegex {
  readonly source: string;
  readonly ignoreCase: boolean;
  test(text: string): boolean;
}

/**
 * A pattern that cannot hold up the window: short, without back-references and look-arounds, without a repetition
 * inside or beside another that could match the same text, and tried on the first 10 000 characters only. What
 * remains costs at most the square of the input for a single unbounded repetition.
 */
export function safeRegex(source: string, flags: string, range: Range): SafeRegex {
  if (source === '') throw new QueryError('The pattern between the slashes is empty.', range);
  if (source.length > longestPattern)
    throw new QueryError(`A pattern may have at most ${longestPattern} characters.`, range);
  const bad = flags.replace('i', '');
  if (bad !== '') throw new QueryError(`After a pattern only "i" may stand, not "${bad}".`, range);
  const danger = dangerIn(source);
  if (danger) throw new QueryError(`This pattern could take too long: ${danger}.`, range);
  let regex: RegExp;
  try {
    regex = new RegExp(source, `u${flags}`);
  } catch {
    try {
      // Many a pattern escapes more than the strict mode allows; it is well meant.
      regex = new RegExp(source, flags);
    } catch (error) {
      const reason = error instanceof Error ? error.message.replace(/^.*: /, '') : String(error);
      throw new QueryError(`This is not a valid pattern: ${reason}.`, range);
    }
  }
  return { source, ignoreCase: flags.includes('i'), test: text => regex.test(text.slice(0, longestInput)) };
}

interface Level {
  /** An unbounded or large repetition stands somewhere in the group. */
  repeats: boolean;
  alternates: boolean;
}

/** Names what could make the pattern explode, or undefined. Conservative: it refuses more than it must. */
function dangerIn(source: string): string | undefined {
  const levels: Level[] = [{ repeats: false, alternates: false }];
  let total = 0;
  let closed: Level | undefined;
  for (let at = 0; at < source.length; at++) {
    const char = source[at]!;
    const group = closed;
    closed = undefined;
    if (char === '\\') {
      const next = source[++at] ?? '';
      if (/[1-9k]/.test(next)) return 'it refers back to a group';
    } else if (char === '[') {
      at = endOfClass(source, at);
    } else if (char === '(') {
      if (/^\(\?(<?[=!])/.test(source.slice(at))) return 'it looks ahead or behind';
      levels.push({ repeats: false, alternates: false });
    } else if (char === ')') {
      closed = levels.length > 1 ? levels.pop() : undefined;
      if (closed) {
        const outer = levels[levels.length - 1]!;
        outer.repeats ||= closed.repeats;
        outer.alternates ||= closed.alternates;
      }
    } else if (char === '|') {
      levels[levels.length - 1]!.alternates = true;
    } else {
      const [length, most] = repetition(source, at);
      if (length === 0) continue;
      at += length - 1;
      if (most <= 1) continue;
      if (group?.repeats) return 'a repetition stands inside another';
      if (group?.alternates && most > 10) return 'a choice is repeated';
      if (most > 10) {
        levels[levels.length - 1]!.repeats = true;
        if (++total > 3) return 'it has more than three long repetitions';
      }
    }
  }
  return undefined;
}

function endOfClass(source: string, from: number): number {
  for (let at = from + 1; at < source.length; at++) {
    if (source[at] === '\\') at++;
    else if (source[at] === ']') return at;
  }
  return source.length;
}

/** Length of the quantifier at `at` (0: none) and how often it repeats at most. */
function repetition(source: string, at: number): [length: number, most: number] {
  const match = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/.exec(source.slice(at));
  if (!match) return [0, 1];
  if (match[1]) return [match[0].length, match[1] === '?' ? 1 : Number.POSITIVE_INFINITY];
  const most = match[3] === '' ? Number(match[2]) : match[4] === '' ? Number.POSITIVE_INFINITY : Number(match[4]);
  return [match[0].length, most];
}
