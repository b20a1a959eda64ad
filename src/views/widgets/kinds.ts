import type { WidgetKind } from '../../api';
import { views } from '../../contributions/ids';
import { brief, t } from '../../shared/l10n';
import type { Frame } from '../../shared/widgetProtocol';
import { type Groups, listsGroups, tasksGroups, todayGroups, upNextGroups } from './groups';
import { weekGroups } from './week';
import type { WidgetContext } from './widgetContext';

interface Facts {
  readonly name: () => string;
  /** A codicon's name. */
  readonly icon: string;
  /** The view in the side bar or the panel. */
  readonly view: string;
  readonly layout: Frame['layout'];
  /** Its rows may stand in the person's own order. */
  readonly isOrdered?: boolean;
  readonly groups: (making: WidgetContext) => Groups;
}

/** What tells the widgets from each other on the editor's side. */
export const widgets: Readonly<Record<WidgetKind, Facts>> = {
  today: { name: () => t('Today'), icon: 'calendar', view: views.today, layout: 'list', groups: todayGroups },
  upNext: { name: () => t('Up Next'), icon: 'arrow-right', view: views.upNext, layout: 'list', groups: upNextGroups },
  lists: {
    name: () => t('Lists'),
    icon: 'list-unordered',
    view: views.widgetLists,
    layout: 'columns',
    isOrdered: true,
    groups: listsGroups,
  },
  week: { name: () => t('Week'), icon: 'layout', view: views.week, layout: 'week', groups: weekGroups },
  tasks: {
    name: () => t('Tasks'),
    icon: 'checklist',
    view: views.tasks,
    layout: 'list',
    isOrdered: true,
    groups: tasksGroups,
  },
};

export const widgetName = ({ kind, title = '' }: { kind: WidgetKind; title?: string }) =>
  brief(title) || widgets[kind].name();
