import type { Task } from '../model';

/**
 * "Three days after it is done" is nothing RRULE can say. It travels as an X-property of ours beside the rule, so
 * that other programs keep it and see a plain rule.
 */
export const repeatFromName = 'X-DUELINE-REPEAT-FROM';
const line = `${repeatFromName}:COMPLETION`;
const form = /^X-DUELINE-REPEAT-FROM(;[^:]*)?:\s*COMPLETION\s*$/i;

/** The raw lines that no column models; damaged JSON holds none. */
export function linesOf({ unknownProperties }: Pick<Task, 'unknownProperties'>): string[] {
  if (!unknownProperties) return [];
  try {
    const lines: unknown = JSON.parse(unknownProperties);
    return Array.isArray(lines) ? lines.filter(item => typeof item === 'string') : [];
  } catch {
    return [];
  }
}

export const repeatsFromCompletion = (task: Pick<Task, 'unknownProperties'>): boolean =>
  !!task.unknownProperties?.toUpperCase().includes(repeatFromName) && linesOf(task).some(text => form.test(text));

/** `unknownProperties` with or without the mark; null where nothing is left in it. */
export function withRepeatFrom(task: Pick<Task, 'unknownProperties'>, from: 'due' | 'completion'): string | null {
  const marked = repeatsFromCompletion(task);
  if (marked === (from === 'completion')) return task.unknownProperties;
  const others = linesOf(task).filter(text => !form.test(text));
  const lines = from === 'completion' ? [...others, line] : others;
  return lines.length > 0 ? JSON.stringify(lines) : null;
}
