import type { EngineSettings, SavedFilter, TodayPart } from '../../core/kernel/settings';
import { serverFilters } from '../parse/serverWords';

/** The settings that the queries of the built-in filters depend on. */
export type FilterSettings = Pick<EngineSettings, 'filters' | 'todayIncludes' | 'upNextDays'>;

export const partsOfToday: readonly TodayPart[] = ['overdue', 'due', 'startingToday'];

/** All of Today: the widget, the filter, the badge and the status bar use it. */
export const wholeToday = 'due:<=today OR start:today';

/** Today with only the parts that the user wants in it. */
export function todayQuery(parts: readonly TodayPart[]): string {
  const terms = {
    overdue: 'is:overdue',
    due: '(due:today -is:overdue)',
    startingToday: '(start:today (due:>today OR no:due))',
  } as const;
  if (partsOfToday.every(part => parts.includes(part))) return wholeToday;
  const some = partsOfToday.filter(part => parts.includes(part)).map(part => terms[part]);
  // Without any part, the query finds nothing instead of everything.
  return some.length > 0 ? some.join(' OR ') : '(is:overdue -is:overdue)';
}

/** Due, or without a due date starting, from today to that many days later. */
export const upNextQuery = (days: number): string => `due:today..+${days}d OR (no:due start:today..+${days}d)`;

/** Filters that every user has, by id. Views translate their names. */
export const builtInFilters = ({ todayIncludes, upNextDays }: FilterSettings): readonly SavedFilter[] => [
  { id: 'today', name: 'Today', query: todayQuery(todayIncludes) },
  { id: 'upNext', name: 'Up next', query: upNextQuery(upNextDays) },
  { id: 'overdue', name: 'Overdue', query: 'is:overdue' },
  { id: 'noDate', name: 'No date', query: 'no:due no:start -is:subtask' },
  { id: 'highPriority', name: 'High priority', query: '!high' },
  { id: 'recentlyDone', name: 'Recently done', query: 'done:-7d..today sort:-done' },
  ...serverFilters,
  { id: 'trash', name: 'Trash', query: 'is:deleted sort:-modified' },
];
