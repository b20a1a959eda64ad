import { type Day, type Moment, momentOf } from '../../core/time/dates';
import { firstDayOf } from '../../core/time/weekStart';
import { wholeToday } from '../eval/builtInFilters';
import type { QueryContext, TaskSource } from '../eval/context';
import { runLines } from '../eval/run';
import { resolveFilter } from '../eval/savedFilters';
import { parseQuery } from '../parse/parser';
import type { Node, Query } from '../parse/syntax';
import { agendaGroups, type GroupContext, type Grouped } from './groups';
import type { WidgetOptions, WidgetSnapshot } from './types';
import { type Grouping, type WidgetKind, weeksAround, widgets } from './widgets';

/** The rows of a widget as they are now. A scan: widgets that stay open are kept by `LiveAgenda`. */
export function agendaOf(
  kind: WidgetKind,
  source: TaskSource,
  options: WidgetOptions,
  context: QueryContext,
): WidgetSnapshot {
  const moment = momentOf(context.clock, context.settings.dayStartHour);
  const filter = filterOf(kind, options, context);
  let isCut = false;
  const wide: QueryContext = {
    ...context,
    ...(options.lists ? { lists: options.lists } : {}),
    limit: undefined,
    onCut: () => {
      isCut = true;
    },
  };
  const range = widgets[kind].grouping === 'week' ? weeksOf(kind, moment.today.day, context) : undefined;
  const items = runLines(source, agendaQuery(kind, filter, range), wide, range);
  const groups = agendaGroups(kind, items, groupContext(kind, source, options, context, moment, filter));
  return snapshotOf(kind, groups, isCut);
}

export const snapshotOf = (kind: WidgetKind, groups: Grouped, isCut: boolean): WidgetSnapshot => ({
  kind,
  ...groups,
  ...(isCut ? { isCut } : {}),
});

export const groupContext = (
  kind: WidgetKind,
  source: TaskSource,
  options: WidgetOptions,
  context: QueryContext,
  moment: Moment,
  filter: Query,
): GroupContext => ({
  moment,
  lists: source.lists(),
  scope: options.lists,
  locale: context.locale,
  filter,
  weeks: weeksOf(kind, moment.today.day, context),
  upNextDays: context.settings.upNextDays,
  sortDefault: context.settings.sortDefault,
  limit: Math.min(options.limit ?? Number.POSITIVE_INFINITY, context.limit ?? Number.POSITIVE_INFINITY),
  groupLimit: options.groupLimit ?? Number.POSITIVE_INFINITY,
});

/** The widget's filter, within the kind's own, in that one's order and groups if it names none. */
export function filterOf(kind: WidgetKind, options: WidgetOptions, context: QueryContext): Query {
  const chosen: Query = options.filter?.trim()
    ? resolveFilter(options.filter, context.settings)
    : { text: '', show: [] };
  const { query } = widgets[kind];
  if (query === undefined) return chosen;
  const { sort, group, ...own } = parseQuery(query);
  return { ...(sort && { sort }), ...(group && { group }), ...chosen, root: both(own, chosen) };
}

function both(own: Query, filter: Query): Node {
  const nodes = [own.root, filter.root].filter((node): node is Node => node !== undefined);
  return { kind: 'and', nodes, range: [0, filter.text.length] };
}

/** First and last day of the weeks around today. */
export const weeksOf = (kind: WidgetKind, today: Day, { settings, locale }: QueryContext) =>
  weeksAround(kind, today, { ...settings, firstDay: firstDayOf(settings.firstDay, locale) });

const conditions: Readonly<Record<Exclude<Grouping, 'week'>, string>> = {
  today: `is:open (is:overdue OR ${wholeToday})`,
  days: 'is:open (due:>=today OR (no:due start:>=today))',
  lists: '',
  query: '',
};

/** The most that the widget shows, narrowed by the filter. */
function agendaQuery(kind: WidgetKind, filter: Query, range?: Days): Query {
  const { grouping } = widgets[kind];
  return grouping === 'query' ? filter : within(conditionOf(kind, range), filter);
}

/** The condition on the tasks of a kind, besides its `query`; a widget of whole weeks is about `range`. */
export function conditionOf(kind: WidgetKind, range?: Days): string {
  const { grouping } = widgets[kind];
  const days = range && `${range.from}..${range.to}`;
  return grouping === 'week' ? `is:open (due:${days} OR (no:due start:${days}))` : conditions[grouping];
}

/** The query of a widget for a whole day: it includes tasks that will be overdue at any time of the day. */
export const liveQuery = (kind: WidgetKind, filter: Query, range?: Days): Query =>
  widgets[kind].grouping === 'today'
    ? within('is:open (due:<=tomorrow OR start:today)', filter)
    : agendaQuery(kind, filter, range);

interface Days {
  readonly from: Day;
  readonly to: Day;
}

function within(condition: string, filter: Query): Query {
  const root = both(parseQuery(condition), filter);
  return { text: filter.text, root, ...(filter.sort ? { sort: filter.sort } : {}), show: [] };
}
