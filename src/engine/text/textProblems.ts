import type { ParsedQuickAdd } from '../../api';
import { messageOf } from '../../core/kernel/errors';
import type { Message } from '../../core/kernel/message';
import type { Id } from '../../core/kernel/model';
import type { TextChanges } from '../../core/text/document/compare';
import { columnOf } from '../../core/text/document/line';
import { withoutBackslashes } from '../../core/text/document/literal';
import { maxLevels, numberedBlockers, type OutlineLine, type ReadText } from '../../core/text/document/readText';
import type { TextProblem } from '../../core/text/document/types';
import { engineMessage } from '../messages';

export type FoundProblem = Omit<TextProblem, 'at' | 'isHeld'>;

/** The problem of a line that no task can be read from as it is; `before` is how the line of a task was read before. */
export function problemsOf(
  line: OutlineLine,
  read: ParsedQuickAdd,
  lists: ReadonlyMap<string, Id>,
  before?: ParsedQuickAdd,
): FoundProblem[] {
  const { noList, problem, tokens } = read;
  const found: FoundProblem[] = [];
  const { outer } = withoutBackslashes(line.words);
  const column = (offset: number) => columnOf(line, offset);
  if (line.heading && !lists.has(line.heading.key) && line.id === undefined) found.push(noHeading(line.heading));
  if (problem) found.push({ kind: 'unread', message: messageOf(problem) });
  if (noList) {
    const { name, why } = noList;
    const message = {
      readOnly: () => engineMessage('textListReadOnly', name),
      subtask: () => engineMessage('subtaskInOtherList'),
      unknown: () => engineMessage('textNoListNamed', name),
    }[why]();
    found.push({ kind: 'noList', message, from: column(outer(noList.from)), to: column(outer(noList.to)) });
  }
  if (before && line.id !== undefined && read.template !== before.template)
    for (const { kind, from, to } of tokens)
      if (kind === 'template') {
        const [start, end] = [outer(from), outer(to)];
        const message = engineMessage('textTemplate', line.words.slice(start, end));
        found.push({ kind, message, from: column(start), to: column(end) });
      }
  for (const { from, to, text } of impossibleDates(line.words))
    if (!tokens.some(token => outer(token.from) < to && from < outer(token.to)))
      found.push({
        kind: 'noDate',
        message: engineMessage('textNoDate', text),
        from: column(from),
        to: column(to),
      });
  return found;
}

export const noHeading = ({ name }: { readonly name: string }): FoundProblem => ({
  kind: 'heading',
  message: engineMessage('textNoListNamed', name),
});

export const tooDeep = (): FoundProblem => ({ kind: 'deep', message: engineMessage('textTooDeep', maxLevels) });

export const inCircle = (): FoundProblem => ({ kind: 'circle', message: engineMessage('textCircle') });

export const problemMessage = (kind: TextProblem['kind'], line: OutlineLine): Message => {
  if (kind === 'gone') return engineMessage('textTaskGone');
  if (kind === 'doubled') return engineMessage('textIdTwice', line.id ?? '');
  return kind === 'unknown' ? engineMessage('textIdUnknown', line.id ?? '') : engineMessage('textChangedMeanwhile');
};

interface WrittenDate {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** "2026-02-30", "31.4.2026": a date in digits, which the calendar may not have. */
const digits = /(?<![\w.\\/-])(?:(\d{4})-(\d{1,2})-(\d{1,2})|(\d{1,2})\.(\d{1,2})\.(\d{4}))(?![\w/-])/g;

const isReal = (year: number, month: number, day: number) => {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
};

/** Digits that are written like a date, of a day that no calendar has: 2026-02-30, 31.4.2026. */
function impossibleDates(words: string): WrittenDate[] {
  return [...words.matchAll(digits)].flatMap(match => {
    const [text, year, month, day, dayFirst, monthNext, yearLast] = match;
    const isDate = year
      ? isReal(Number(year), Number(month), Number(day))
      : isReal(Number(yearLast), Number(monthNext), Number(dayFirst));
    return isDate ? [] : [{ text, from: match.index, to: match.index + text.length }];
  });
}

/** Lines whose numbers and words would make them wait for themselves, directly or through others. */
export function circlesOf({ ids }: TextChanges, mine: ReadText): readonly OutlineLine[] {
  // Numbers alone cannot form a circle.
  if (!mine.tasks.some(({ words }) => words.includes('after:'))) return [];
  const byId = new Map(mine.tasks.map(line => [ids.get(line) ?? line.id, line]));
  const waits = new Map<OutlineLine, Set<OutlineLine>>();
  const add = (line: OutlineLine, other: OutlineLine | undefined) => {
    if (other) waits.set(line, (waits.get(line) ?? new Set()).add(other));
  };
  for (const [line, before] of numberedBlockers(mine)) add(line, before);
  for (const line of mine.tasks)
    if (line.words.includes('after:'))
      for (const [, id] of line.words.matchAll(/(?<=^|\s)after:(dl-[a-z\d]+)/gi))
        add(line, byId.get(id!.toLowerCase()));
  // A line that waits only for lines above it that are in no circle is in none: most need not be followed.
  const free = new Set<OutlineLine>();
  for (const line of mine.tasks) if ([...(waits.get(line) ?? [])].every(other => free.has(other))) free.add(line);
  const reaches = (from: OutlineLine): boolean => {
    const seen = new Set<OutlineLine>();
    const open = [...(waits.get(from) ?? [])];
    for (let next = open.pop(); next; next = open.pop()) {
      if (next === from) return true;
      if (seen.has(next) || free.has(next)) continue;
      seen.add(next);
      open.push(...(waits.get(next) ?? []));
    }
    return false;
  };
  return [...waits.keys()].filter(line => !free.has(line) && reaches(line));
}
