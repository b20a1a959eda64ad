import { type Grouping, type WidgetKind, widgets } from '../../query/agenda/widgets';
import { brief, t } from '../../shared/l10n';
import { boardGroups } from './board';
import { type Groups, listsGroups, tasksGroups, todayGroups, upNextGroups } from './groups';
import { weekGroups } from './week';
import type { WidgetContext } from './widgetContext';

const names: Readonly<Record<WidgetKind, () => string>> = {
  today: () => t('Today'),
  upNext: () => t('Up Next'),
  lists: () => t('Lists'),
  week: () => t('Week'),
  month: () => t('Month'),
  board: () => t('Board'),
  tasks: () => t('Tasks'),
  done: () => t('Done'),
};

export const kindName = (kind: WidgetKind) => names[kind]();

export const widgetName = ({ kind, title = '' }: { kind: WidgetKind; title?: string }) =>
  brief(title) || kindName(kind);

const groupings: Readonly<Record<Grouping, (context: WidgetContext) => Groups>> = {
  today: todayGroups,
  days: upNextGroups,
  week: weekGroups,
  lists: listsGroups,
  query: tasksGroups,
};

/** Throws `query`. */
export function widgetGroupsOf(context: WidgetContext): Groups {
  const { grouping, layout } = widgets[context.setup.kind];
  return (layout === 'board' ? boardGroups : groupings[grouping])(context);
}
