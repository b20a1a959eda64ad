import { wholeToday } from '../filter/eval/builtInFilters';
import type { QueryContext, TaskSource } from '../filter/eval/context';
import { runLines } from '../filter/eval/run';
import { resolveFilter } from '../filter/eval/savedFilters';
import { parseQuery } from '../filter/parse/parser';
import type { Node, Query } from '../filter/parse/syntax';
import { addDays, type Day, type Moment, momentOf, startOfWeek } from '../time/dates';
import { firstDayOf } from '../time/weekStart';
import { agendaGroups, type GroupContext, type Grouped } from './groups';
import type { WidgetOptions, WidgetSnapshot } from './types';
import { type Grouping, type WidgetKind, widgets } from './widgets';

/** What a widget shows of the rows as they stand. A scan: widgets that stay open are kept by `LiveAgenda`. */
export function agendaOf(
  kind: WidgetKind,
  source: TaskSource,
  options: WidgetOptions,
  context: QueryContext,
): WidgetSnapshot {
  const moment = momentOf(context.clock, context.settings.dayStartHour);
  const filter = filterOf(kind, options, context);
  const query = agendaQuery(kind, filter);
  let isCut = false;
  const wide: QueryContext = {
    ...context,
    ...(options.lists ? { lists: options.lists } : {}),
    limit: undefined,
    onCut: () => {
      isCut = true;
    },
  };
  const range = widgets[kind].grouping === 'week' ? weekOf(moment.today.day, context) : undefined;
  const items = runLines(source, query, wide, range);
  const groups = agendaGroups(kind, items, groupContext(source, options, context, moment, filter));
  return snapshotOf(kind, groups, isCut);
}

export const snapshotOf = (kind: WidgetKind, groups: Grouped, isCut: boolean): WidgetSnapshot => ({
  kind,
  ...groups,
  ...(isCut ? { isCut } : {}),
});

export const groupContext = (
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
  week: weekOf(moment.today.day, context),
  upNextDays: context.settings.upNextDays,
  sortDefault: context.settings.sortDefault,
  limit: Math.min(options.limit ?? Number.POSITIVE_INFINITY, context.limit ?? Number.POSITIVE_INFINITY),
});

/** The widget's filter, within the kind's own. */
export function filterOf(kind: WidgetKind, options: WidgetOptions, context: QueryContext): Query {
  const chosen: Query = options.filter?.trim()
    ? resolveFilter(options.filter, context.settings)
    : { text: '', show: [] };
  const { query } = widgets[kind];
  return query === undefined ? chosen : { ...chosen, root: both(parseQuery(query), chosen) };
}

function both(own: Query, filter: Query): Node {
  const nodes = [own.root, filter.root].filter((node): node is Node => node !== undefined);
  return { kind: 'and', nodes, range: [0, filter.text.length] };
}

/** First and last day of the week that `today` lies in. */
export function weekOf(today: Day, { settings, locale }: QueryContext): { from: Day; to: Day } {
  const from = startOfWeek(today, firstDayOf(settings.firstDay, locale));
  return { from, to: addDays(from, 6) };
}

const conditions: Readonly<Record<Grouping, string>> = {
  today: `is:open (is:overdue OR ${wholeToday})`,
  days: 'is:open (due:>=today OR (no:due start:>=today))',
  week: 'is:open (due:week OR (no:due start:week))',
  lists: '',
  query: '',
};

/** What the widget shows at most, and of that what the filter lets through. */
export function agendaQuery(kind: WidgetKind, filter: Query): Query {
  const { grouping } = widgets[kind];
  if (grouping === 'query') return filter;
  const root = both(parseQuery(conditions[grouping]), filter);
  return { text: filter.text, root, ...(filter.sort ? { sort: filter.sort } : {}), show: [] };
}
