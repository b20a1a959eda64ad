/** The kinds of widgets, each defined by one object that the engine, the views and the manifest read. */

import { addDays, type Day, startOfMonth, startOfWeek } from '../../core/time/dates';

/** The way in which a widget's tasks are chosen and grouped. */
export type Grouping =
  /** Overdue tasks and today's. */
  | 'today'
  /** The next days that have tasks. */
  | 'days'
  /** The days of whole weeks: one, or the six around a month. */
  | 'week'
  /** One group per list. */
  | 'lists'
  /** The `group:` of the widget's filter. */
  | 'query';

/**
 * The part of its appearance that the user chooses: the grouping of its rows, the layout of its columns, or the meaning
 * of its columns and rows.
 */
export type SetupPart = 'group' | 'stacked' | 'columns';

interface WidgetView {
  readonly container: 'sidebar' | 'panel';
  /** Its initial share of the height; a view without one is hidden until the user shows it. */
  readonly size?: number;
  /** Its key in package.nls.json, if another view uses the key of the kind. */
  readonly word?: string;
}

export interface WidgetDefinition {
  readonly grouping: Grouping;
  /** For `lists` and `query`: the filter that limits its tasks, with their default order and groups. */
  readonly query?: string;
  readonly layout: 'list' | 'columns' | 'week' | 'month' | 'board';
  readonly setup?: SetupPart;
  /** A codicon's name. */
  readonly icon: string;
  /** Its rows can have the user's own order. */
  readonly isOrdered?: true;
  /** Above its rows, a map shows how many tasks were completed on each day of a year. */
  readonly hasMap?: true;
  readonly view: WidgetView;
}

/** In the order in which they are offered. */
const definitions = {
  today: {
    grouping: 'today',
    layout: 'list',
    setup: 'group',
    icon: 'calendar',
    view: { container: 'sidebar', size: 10 },
  },
  upNext: { grouping: 'days', layout: 'list', setup: 'group', icon: 'arrow-right', view: { container: 'panel' } },
  lists: {
    grouping: 'lists',
    query: 'is:open',
    layout: 'columns',
    setup: 'stacked',
    icon: 'list-unordered',
    isOrdered: true,
    view: { container: 'panel', word: 'listsWidget' },
  },
  week: { grouping: 'week', layout: 'week', icon: 'layout-centered', view: { container: 'panel', size: 3 } },
  month: { grouping: 'week', layout: 'month', icon: 'table', view: { container: 'panel' } },
  board: {
    grouping: 'query',
    layout: 'board',
    setup: 'columns',
    icon: 'project',
    isOrdered: true,
    view: { container: 'panel' },
  },
  tasks: {
    grouping: 'query',
    layout: 'list',
    setup: 'group',
    icon: 'checklist',
    isOrdered: true,
    view: { container: 'panel' },
  },
  done: {
    grouping: 'query',
    query: 'done:-27d..today sort:-done group:done',
    layout: 'list',
    setup: 'group',
    icon: 'graph',
    hasMap: true,
    view: { container: 'panel' },
  },
} as const satisfies Record<string, WidgetDefinition>;

/** `today`, `week`, `board` …: the key of a definition above. */
export type WidgetKind = keyof typeof definitions;
export const widgetKinds = Object.keys(definitions) as readonly WidgetKind[];
/**
 * @example
 * widgets.month.layout // 'month'
 */
export const widgets: Readonly<Record<WidgetKind, WidgetDefinition>> = definitions;

/** The way in which weeks are shown; `firstDay`: 0 Sunday … 6 Saturday. */
interface WeekRule {
  readonly firstDay: number;
  readonly weekStartsToday?: boolean;
}

/**
 * The first and last day that a widget of whole weeks shows. Week shows the week that contains the day, or the seven days
 * from it on; Month shows six weeks, beginning with the week of the first of the month.
 */
export function weeksAround(
  kind: WidgetKind,
  day: Day,
  { firstDay, weekStartsToday }: WeekRule,
): { from: Day; to: Day } {
  const isMonth = widgets[kind].layout === 'month';
  const from = !isMonth && weekStartsToday ? day : startOfWeek(isMonth ? startOfMonth(day) : day, firstDay);
  return { from, to: addDays(from, isMonth ? 41 : 6) };
}
