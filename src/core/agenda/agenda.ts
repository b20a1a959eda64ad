import type { QueryContext, TaskSource } from '../filter/eval/context';
import { runLines } from '../filter/eval/run';
import { resolveFilter } from '../filter/eval/savedFilters';
import { parseQuery } from '../filter/parse/parser';
import type { Node, Query } from '../filter/parse/syntax';
import { addDays, type Day, type Moment, momentOf, startOfWeek } from '../time/dates';
import { firstDayOf } from '../time/weekStart';
import { agendaGroups, type GroupContext } from './groups';
import type { WidgetKind, WidgetOptions, WidgetSnapshot } from './types';

/** What a widget shows of the rows as they stand. A scan: widgets that stay open are kept by `LiveAgenda`. */
export function agendaOf(
  kind: WidgetKind,
  source: TaskSource,
  options: WidgetOptions,
  context: QueryContext,
): WidgetSnapshot {
  const moment = momentOf(context.clock, context.settings.dayStartHour);
  const filter = filterOf(options, context);
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
  const range = kind === 'week' ? weekOf(moment.today.day, context) : undefined;
  const items = runLines(source, query, wide, range);
  return withCut(agendaGroups(kind, items, groupContext(source, options, context, moment, filter)), isCut);
}

export const withCut = (shot: WidgetSnapshot, isCut: boolean): WidgetSnapshot =>
  isCut ? { ...shot, isCut: true } : shot;

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

export const filterOf = (options: WidgetOptions, context: QueryContext): Query =>
  options.filter?.trim() ? resolveFilter(options.filter, context.settings.filters) : { text: '', show: [] };

/** First and last day of the week that `today` lies in. */
export function weekOf(today: Day, { settings, locale }: QueryContext): { from: Day; to: Day } {
  const from = startOfWeek(today, firstDayOf(settings.firstDay, locale));
  return { from, to: addDays(from, 6) };
}

const conditions: Readonly<Record<'today' | 'upNext' | 'week', string>> = {
  today: 'is:open (is:overdue OR due:<=today OR start:today)',
  upNext: 'is:open (due:>=today OR (no:due start:>=today))',
  week: 'is:open (due:week OR (no:due start:week))',
};

/** What the widget shows at most, and of that what the filter lets through. */
export function agendaQuery(kind: WidgetKind, filter: Query): Query {
  if (kind === 'tasks') return filter;
  const own = kind === 'lists' ? parseQuery('is:open').root : parseQuery(conditions[kind]).root;
  const nodes = [own, filter.root].filter((node): node is Node => node !== undefined);
  return {
    text: filter.text,
    root: { kind: 'and', nodes, range: [0, filter.text.length] },
    ...(filter.sort ? { sort: filter.sort } : {}),
    show: [],
  };
}
