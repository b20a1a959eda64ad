import type { SavedFilter } from '../../core/kernel/settings';
import { parseQuery } from '../parse/parser';
import type { Query } from '../parse/syntax';
import { builtInFilters, type FilterSettings } from './builtInFilters';
import { foldCase } from './foldCase';

/** The saved filter with this id or name (case and accents aside), the user's own before the built-in ones. */
export function findFilter(nameOrId: string, settings: FilterSettings): SavedFilter | undefined {
  const key = foldCase(nameOrId.trim());
  const all = [...settings.filters, ...builtInFilters(settings)];
  return all.find(filter => filter.id === nameOrId) ?? all.find(filter => foldCase(filter.name.trim()) === key);
}

/** The filter that a user chose for a widget: a saved filter's name, else a query. Throws `query`. */
export const resolveFilter = (nameOrQuery: string, settings: FilterSettings): Query =>
  parseQuery(findFilter(nameOrQuery, settings)?.query ?? nameOrQuery);
