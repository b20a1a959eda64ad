import { t } from './l10n';

export interface BuiltInFilter {
  readonly id: string;
  readonly name: string;
  readonly query: string;
  readonly icon: string;
}

/** Filters that everybody wants; their tree is the accessible twin of the widgets. */
export const builtInFilters = (upNextDays: number): readonly BuiltInFilter[] => [
  { id: 'today', name: t('Today'), icon: 'calendar', query: '(due:<=today OR start:today) sort:due,priority' },
  { id: 'upNext', name: t('Up Next'), icon: 'arrow-right', query: `due:tomorrow..+${upNextDays}d sort:due,priority` },
  { id: 'overdue', name: t('Overdue'), icon: 'flame', query: 'is:overdue sort:due,priority' },
  { id: 'noDate', name: t('No Date'), icon: 'circle-slash', query: 'no:due no:start sort:priority,title' },
  { id: 'high', name: t('High Priority'), icon: 'arrow-up', query: 'priority:high sort:priority,due' },
  { id: 'done', name: t('Recently Done'), icon: 'pass', query: 'done:-7d..today sort:-done limit:200' },
];
