import { todayQuery } from '../core/agenda/today';
import { builtInFilters as known } from '../core/filter/eval/savedFilters';
import { t } from '../shared/l10n';
import { setting } from './settings/settings';
import { serverFilters } from './text/syncText';

interface BuiltInFilter {
  readonly id: string;
  readonly name: string;
  readonly query: string;
  readonly icon: string;
}

/** Filters that need not be saved; their tree is the accessible twin of the widgets, in their order where there is one. */
export function builtInFilters(): readonly BuiltInFilter[] {
  const faces: Record<string, readonly [name: string, icon: string, sort: string]> = {
    today: [t('Today'), 'calendar', ''],
    upNext: [t('Up Next'), 'arrow-right', ''],
    overdue: [t('Overdue'), 'flame', ''],
    noDate: [t('No Date'), 'circle-slash', ' sort:priority,title'],
    highPriority: [t('High Priority'), 'arrow-up', ' sort:priority,due'],
    recentlyDone: [t('Recently Done'), 'pass', ' limit:300'],
  };
  const ofEverybody = known.flatMap(({ id, query }) => {
    const face = faces[id];
    const asked = id === 'today' ? todayQuery(setting('dueline.today.include')) : query;
    return face ? [{ id, name: face[0], icon: face[1], query: `${asked}${face[2]}` }] : [];
  });
  return [...ofEverybody, ...serverFilters()];
}
