import { type Raw, valuesOf, withLine } from '../fields/lines';

/**
 * "Three days after it is done" is nothing RRULE can say. It travels as an X-property of ours beside the rule, so
 * that other programs keep it and see a plain rule.
 */
export const repeatFromName = 'X-DUELINE-REPEAT-FROM';

export const repeatsFromCompletion = (task: Raw): boolean =>
  valuesOf(task, repeatFromName).some(value => /^\s*COMPLETION\s*$/i.test(value));

/** `unknownProperties` with or without the mark; null if nothing is left in it. */
export function withRepeatFrom(task: Raw, from: 'due' | 'completion'): string | null {
  if (repeatsFromCompletion(task) === (from === 'completion')) return task.unknownProperties;
  return withLine(task, repeatFromName, from === 'completion' ? 'COMPLETION' : null);
}
