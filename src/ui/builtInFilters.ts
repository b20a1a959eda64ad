import { builtInFilters as filtersFor } from '../query/eval/builtInFilters';
import { t } from '../shared/l10n';
import { engineSettings } from './settings/settings';
import { serverFilters } from './text/syncText';

interface BuiltInFilter {
  readonly id: string;
  readonly name: string;
  readonly query: string;
  readonly icon: string;
}

/** Filters that need not be saved; their tree shows the same tasks as the widgets, in the same order if they have one. */
export function labeledBuiltInFilters(): readonly BuiltInFilter[] {
  const faces: Record<string, readonly [name: string, icon: string, sort: string]> = {
    today: [t('Today'), 'calendar', ''],
    upNext: [t('Up Next'), 'arrow-right', ''],
    overdue: [t('Overdue'), 'flame', ''],
    noDate: [t('No Date'), 'circle-slash', ' sort:priority,title'],
    highPriority: [t('High Priority'), 'arrow-up', ' sort:priority,due'],
    recentlyDone: [t('Recently Done'), 'pass', ' limit:300'],
  };
  const ofEverybody = filtersFor(engineSettings()).flatMap(({ id, query }) => {
    const face = faces[id];
    return face ? [{ id, name: face[0], icon: face[1], query: `${query}${face[2]}` }] : [];
  });
  return [...ofEverybody, ...serverFilters()];
}
