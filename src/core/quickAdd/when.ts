import { splitWords } from './languages/words';
import { amountAt, momentAt } from './moments';
import { type ParseContext, parseContextOf } from './parseContext';
import type { PhraseMatch } from './phrases';
import type { Repeat } from './repeatParts';
import { repeatAt } from './repeats';
import { firstPoint, isTimed, pointOf, rruleOf, storedValue } from './resolve';
import type { PhraseTime, When, WhenContext } from './types';

/** A longer text is not a date. */
const longest = 200;

/**
 * Reads the whole text as one date or time, for "Set Due Date…" and "Postpone", where "3 days", "+1w" and "2h" count
 * from now. Undefined for any other text.
 */
export function parseWhen(text: string, options: WhenContext): When | undefined {
  const signed = /^\s*([+-])\s*(?=[\d\p{Nd}])/u.exec(text);
  const back = signed?.[1] === '-' ? -1 : 1;
  const whole =
    readWhole(text.slice(signed?.[0].length ?? 0), options, context => amountAt(context, 0, back)) ??
    readWhole(text, options, context => momentAt(context, 0));
  if (!whole) return undefined;
  const { context, value } = whole;
  const point = pointOf(context, value);
  const { value: due, timezone } = storedValue(context, point, false);
  return { due, isAllDay: !isTimed(point), timezone };
}

interface ParsedRepeat {
  readonly rrule: string;
  readonly fromCompletion: boolean;
  /** The first due value of a series that begins now. */
  readonly first: When;
}

/** The whole text as a repetition: for "Set Repeat…". */
export function parseRepeat(text: string, options: WhenContext): ParsedRepeat | undefined {
  const whole = readWhole(text, options, context => repeatAt(context, 0));
  if (!whole) return undefined;
  const { context, value } = whole;
  const point = firstPoint(context, value, value.start);
  const { value: due, timezone } = storedValue(context, point, true);
  return {
    rrule: rruleOf(context, value, point),
    fromCompletion: value.fromCompletion,
    first: { due, isAllDay: !isTimed(point), timezone },
  };
}

function readWhole<V extends PhraseTime | Repeat>(
  text: string,
  options: WhenContext,
  grammar: (context: ParseContext) => PhraseMatch<V> | undefined,
): { context: ParseContext; value: V } | undefined {
  if (text.length > longest) return undefined;
  const words = splitWords(text, []);
  const context = parseContextOf(words, options);
  const found = words.length > 0 ? grammar(context) : undefined;
  return found && found.next === words.length ? { context, value: found.value } : undefined;
}
