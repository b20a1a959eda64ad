import type { SavedFilter } from '../../settings';
import { parseQuery } from '../parse/parser';
import { serverFilters } from '../parse/serverWords';
import type { Query } from '../parse/syntax';
import { foldCase } from './foldCase';

/** Filters that every person has, by id. Their names are put in words by the views. */
export const builtInFilters: readonly SavedFilter[] = [
  { id: 'today', name: 'Today', query: 'due:<=today OR start:today' },
  { id: 'upNext', name: 'Up next', query: 'due:today..+7d OR (no:due start:today..+7d)' },
  { id: 'overdue', name: 'Overdue', query: 'is:overdue' },
  { id: 'noDate', name: 'No date', query: 'no:due no:start' },
  { id: 'highPriority', name: 'High priority', query: '!high' },
  { id: 'recentlyDone', name: 'Recently done', query: 'done:-7d..today sort:-done' },
  ...serverFilters,
  { id: 'trash', name: 'Trash', query: 'is:deleted sort:-modified' },
];

/** The saved filter with this id or name (case and accents aside), a person's own before the built-in ones. */
export function findFilter(nameOrId: string, filters: readonly SavedFilter[]): SavedFilter | undefined {
  const wanted = foldCase(nameOrId.trim());
  const all = [...filters, ...builtInFilters];
  return all.find(filter => filter.id === nameOrId) ?? all.find(filter => foldCase(filter.name.trim()) === wanted);
}

/** What a person chose for a widget: a saved filter's name, else a query. Throws `query`. */
export const resolveFilter = (nameOrQuery: string, filters: readonly SavedFilter[]): Query =>
  parseQuery(findFilter(nameOrQuery, filters)?.query ?? nameOrQuery);
