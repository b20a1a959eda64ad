import type { ParseContext } from './parseContext';
import { estimateWord } from './sigils';

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

/** `3p`, `7:30a`. */
const shortHalf = /^\d{1,2}(:\d{2})?[ap]$/;
/** `3pm`, `15:00`, `15h`, `9uhr`. */
const time = /^\d{1,2}([:h]\d{2}([ap]m|h)?|[ap]m|h|uhr)$/;
const number = /^\d{1,2}$/;

/** Two times in one word: "3-4pm", "15:00–16:00". */
export const joinedTimes = /^(\d[\d:.h]*[a-z]*)[-–—](\d[\d:.h]*[a-z]*)$/;

/** True if a sign begins something, whatever is before it: "#work", "!1", "~30m", "// note", Todoist's "p1". */
export const beginsSigned = (raw: string): boolean =>
  /^([#@!^*]|\/\/|https?:|after:.|p[1-4]$)/i.test(raw) || estimateWord(raw.toLowerCase()) !== undefined;

/**
 * True if the words before `at` may end a phrase about time that could also be something else: the line ends here, or
 * punctuation, a sigil or more about time follows. "1/2 cup" and "sun cream" are not settled. `dotted`: a full stop may
 * be its own, as in "4." and "Fr.".
 */
export function isComplete(context: ParseContext, at: number, dotted = false): boolean {
  const { phrases } = context;
  const ownStop = dotted && at < phrases.words.length && phrases.words[at - 1]!.tail === '.';
  if (phrases.isCut(at) && !ownStop) return true;
  const word = phrases.words[at]!;
  if (beginsSigned(word.raw) || isAboutTime(context, at)) return true;
  const after = phrases.skip(at, 'prefix', 'at');
  if (after > at && (isAboutTime(context, after) || phrases.match(after, number) !== undefined)) return true;
  // "1/2 between teams", "12/24 between 3 and 4pm".
  const between = phrases.skip(at, 'between');
  const and = between > at && phrases.match(between, number) ? phrases.skip(between + 1, 'and') : between + 1;
  return between > at && (isAboutTime(context, between) || (and > between + 1 && isAboutTime(context, and)));
}

function isAboutTime({ phrases }: ParseContext, at: number): boolean {
  const isTime = (text: string) => time.test(text) || (phrases.lexicon.shortHalves && shortHalf.test(text));
  const word = phrases.match(at, /^\d.*$/)?.[0] ?? '';
  const [, begin = '', end = word] = joinedTimes.exec(word) ?? [];
  if (isTime(end) && (begin === '' || number.test(begin) || isTime(begin))) return true;
  if (number.test(end)) {
    return phrases.has(at + 1, 'am') || phrases.has(at + 1, 'pm') || phrases.has(at + 1, 'oclock');
  }
  return phrases.meanings(at).some(found => related.has(found.value.k));
}
