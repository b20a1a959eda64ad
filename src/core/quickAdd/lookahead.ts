import type { ParseContext } from './parseContext';

const related = new Set([
  'day',
  'weekday',
  'weekdays',
  'month',
  'part',
  'clock',
  'every',
  'next',
  'until',
  'rangeTo',
  'starting',
  'in',
  'rule',
  'partPrefix',
]);

const shortHalf = /^\d{1,2}(:\d{2})?[ap]$/;
const time = /^\d{1,2}([:h]\d{2}([ap]m|h)?|[ap]m|h|uhr)$/;

/** What begins with a sign, whatever stands before it. */
export const beginsSigned = /^([#@!^*]|\/\/|https?:|after:.)/i;

/**
 * Whether the words before `at` may end a phrase about time that could also be something else: the line ends here, or
 * punctuation, a sigil or more about time follows. "1/2 cup" and "sun cream" are not settled. `dotted`: a full stop may
 * be its own, as in "4." and "Fr.".
 */
export function isComplete(scene: ParseContext, at: number, dotted = false): boolean {
  const { phrases } = scene;
  const ownStop = dotted && at < phrases.words.length && phrases.words[at - 1]!.tail === '.';
  if (phrases.isCut(at) && !ownStop) return true;
  const word = phrases.words[at]!;
  if (beginsSigned.test(word.raw) || isAboutTime(scene, at)) return true;
  const after = phrases.skip(at, 'prefix', 'at');
  return after > at && (isAboutTime(scene, after) || phrases.match(after, /^\d{1,2}$/) !== undefined);
}

function isAboutTime({ phrases }: ParseContext, at: number): boolean {
  if (phrases.match(at, time) || (phrases.lexicon.shortHalves && phrases.match(at, shortHalf))) return true;
  if (phrases.match(at, /^\d{1,2}$/)) {
    return phrases.has(at + 1, 'am') || phrases.has(at + 1, 'pm') || phrases.has(at + 1, 'oclock');
  }
  return phrases.meanings(at).some(found => related.has(found.value.k));
}
