import { splitWords } from './languages/words';
import { amountAt, momentAt } from './moments';
import { type ParseContext, parseContextOf } from './parseContext';
import type { PhraseMatch } from './phrases';
import type { Repeat } from './repeatParts';
import { repeatAt } from './repeats';
import { firstPoint, isTimed, pointOf, repeatText, storedValue } from './resolve';
import type { Moment, When, WhenContext } from './types';

/** A phrase longer than this is no date. */
const longest = 200;

/**
 * The whole text as one date or time: for "Set Due Date…" and "Postpone", where "3 days", "+1w" and "2h" count from
 * now. Undefined where it is none.
 */
export function parseWhen(text: string, context: WhenContext): When | undefined {
  const signed = /^\s*([+-])\s*(?=[\d\p{Nd}])/u.exec(text);
  const back = signed?.[1] === '-' ? -1 : 1;
  const whole =
    readWhole(text.slice(signed?.[0].length ?? 0), context, scene => amountAt(scene, 0, back)) ??
    readWhole(text, context, scene => momentAt(scene, 0));
  if (!whole) return undefined;
  const { scene, value } = whole;
  const point = pointOf(scene, value);
  const { value: due, timezone } = storedValue(scene, point, false);
  return { due, isAllDay: !isTimed(point), timezone };
}

interface ParsedRepeat {
  readonly rrule: string;
  readonly fromCompletion: boolean;
  /** The first due value of a series that begins now. */
  readonly first: When;
}

/** The whole text as a repetition: for "Set Repeat…". */
export function parseRepeat(text: string, context: WhenContext): ParsedRepeat | undefined {
  const whole = readWhole(text, context, scene => repeatAt(scene, 0));
  if (!whole) return undefined;
  const { scene, value } = whole;
  const point = firstPoint(scene, value, value.start);
  const { value: due, timezone } = storedValue(scene, point, true);
  return {
    rrule: repeatText(scene, value, point),
    fromCompletion: value.fromCompletion,
    first: { due, isAllDay: !isTimed(point), timezone },
  };
}

function readWhole<V extends Moment | Repeat>(
  text: string,
  context: WhenContext,
  grammar: (scene: ParseContext) => PhraseMatch<V> | undefined,
): { scene: ParseContext; value: V } | undefined {
  if (text.length > longest) return undefined;
  const words = splitWords(text, []);
  const scene = parseContextOf(words, context);
  const found = words.length > 0 ? grammar(scene) : undefined;
  return found && found.next === words.length ? { scene, value: found.value } : undefined;
}
