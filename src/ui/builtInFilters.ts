import { builtInFilters as filtersFor } from '../query/eval/builtInFilters';
import { quote } from '../query/parse/lexer';
import { t } from '../shared/l10n';
import { engineSettings, savedFilters } from './settings/settings';
import { accountFilters } from './text/syncText';
import { type Icon, priorityIcon } from './text/taskIcon';

interface BuiltInFilter {
  readonly id: string;
  readonly name: string;
  readonly query: string;
  /** A codicon's name, or the sign that rows have. */
  readonly icon: string | Icon;
}

/** The name and query behind an id of the Filters tree: a saved filter's, a built-in one's or a tag's. */
export function filterById(id: string): { readonly name: string; readonly query: string } | undefined {
  const [kind, name = ''] = [id.split(':', 1)[0], id.slice(id.indexOf(':') + 1)];
  if (kind === 'tag') return { name: `#${name}`, query: `tag:${quote(name)}` };
  if (kind === 'builtIn') return labeledBuiltInFilters().find(filter => filter.id === name);
  return savedFilters().find(filter => filter.id === id.replace(/^saved:/, ''));
}

/** Filters that need not be saved; their tree shows the same tasks as the widgets, in the same order if they have one. */
export function labeledBuiltInFilters(): readonly BuiltInFilter[] {
  const faces: Record<string, readonly [name: string, icon: string | Icon, sort: string]> = {
    today: [t('Today'), 'calendar', ''],
    upNext: [t('Up Next'), 'arrow-right', ''],
    overdue: [t('Overdue'), 'flame', ''],
    noDate: [t('No Date'), 'circle-slash', ' sort:priority,title'],
    highPriority: [t('High Priority'), priorityIcon('high'), ' sort:priority,due'],
    recentlyDone: [t('Recently Done'), 'pass', ' limit:300'],
  };
  const ofEverybody = filtersFor(engineSettings()).flatMap(({ id, query }) => {
    const face = faces[id];
    return face ? [{ id, name: face[0], icon: face[1], query: `${query}${face[2]}` }] : [];
  });
  return [...ofEverybody, ...accountFilters()];
}
