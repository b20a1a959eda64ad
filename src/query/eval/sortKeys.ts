import { sortKey } from '../parse/directives';
import type { SortKey } from '../parse/syntax';

const usual: readonly SortKey[] = (['due', 'priority', 'title'] as const).map(field => ({ field, descending: false }));

/** The order of the setting `sort.default`; one that cannot be parsed counts as the usual one. */
export function readSort(setting: string): readonly SortKey[] {
  const keys = setting
    .split(',')
    .map(key => key.trim())
    .filter(key => key !== '');
  try {
    return keys.length === 0 ? usual : keys.map(key => sortKey(key, [0, 0]));
  } catch {
    return usual;
  }
}
