import type { WidgetKind, WidgetOptions } from '../../api';
import type { Id, TaskList } from '../../core/kernel/model';
import { addMonths, type Day, startOfMonth, today } from '../../core/time/dates';
import { weeksAround, widgets } from '../../query/agenda/widgets';
import type { FilterSettings } from '../../query/eval/builtInFilters';
import { findFilter } from '../../query/eval/savedFilters';
import { sortIn, withDirectives } from '../../query/parse/splitQuery';
import { isLimits } from '../../shared/readFromPage';
import type { WidgetSetup } from '../../shared/widgetProtocol';
import { daysLater } from '../../ui/reschedule';
import type { DateStyle } from '../../ui/settings/settings';
import { setting } from '../../ui/settings/settings';

export type SetupChange = Partial<Omit<WidgetSetup, 'kind'>>;

/** Reads a setup from the settings, a page's memory or another machine; values that do not fit are left out. */
export function readSetup(kind: WidgetKind, stored: unknown): WidgetSetup {
  const { title, lists, filter, sort, group, stacked, rows, tags, limits, collapsed, limit } = (
    typeof stored === 'object' && stored !== null ? stored : {}
  ) as Record<string, unknown>;
  const text = (value: unknown, most: number) => (typeof value === 'string' ? value.slice(0, most) : '');
  const texts = (value: unknown): string[] =>
    Array.isArray(value) ? value.filter(one => typeof one === 'string').slice(0, 200) : [];
  return {
    kind,
    title: text(title, 200),
    lists: texts(lists),
    filter: text(filter, 2000),
    sort: text(sort, 200),
    group: text(group, 40),
    stacked: stacked === true,
    rows: text(rows, 40),
    tags: text(tags, 2000),
    limits: isLimits(limits) ? limits : {},
    collapsed: texts(collapsed),
    ...(Number.isSafeInteger(limit) && (limit as number) > 0 ? { limit: limit as number } : {}),
    weeksAway: 0,
  };
}

/** The setup that `dueline.widgets` configures for a widget of this kind. */
export const defaultSetup = (kind: WidgetKind): WidgetSetup => readSetup(kind, setting('dueline.widgets')?.[kind]);

/** The part of a setup for the settings: only the values that differ from the built-in ones. */
export function savedSetup({ kind, weeksAway: _, ...setup }: WidgetSetup): Record<string, unknown> {
  const bare: Readonly<Record<string, unknown>> = { ...readSetup(kind, undefined) };
  return Object.fromEntries(
    Object.entries(setup).filter(([part, value]) => JSON.stringify(value) !== JSON.stringify(bare[part])),
  );
}

export function optionsOf(setup: WidgetSetup, lists: readonly TaskList[], settings: FilterSettings): WidgetOptions {
  const listNames = new Set(setup.lists);
  const ids: Id[] = lists.filter(({ name }) => listNames.has(name)).map(({ id }) => id);
  const filter = queryOf(setup, settings);
  return {
    // Lists that are gone narrow nothing: a widget of one deleted list shows all rather than an empty page.
    ...(ids.length > 0 ? { lists: ids } : {}),
    ...(filter === '' ? {} : { filter }),
    ...(setup.limit === undefined ? {} : { limit: setup.limit }),
  };
}

/** The filter with the widget's own order and groups, which override those that the filter names. Throws `query`. */
function queryOf({ kind, filter, sort, group }: WidgetSetup, settings: FilterSettings): string {
  const name = filter.trim();
  const { grouping, setup } = widgets[kind];
  // Columns are not groups of rows below each other.
  const ownGroup = setup === 'columns' ? 'none' : grouping === 'query' ? group : '';
  if (sort === '' && ownGroup === '') return name;
  return withDirectives(findFilter(name, settings)?.query ?? name, {
    ...(sort === '' ? {} : { sort }),
    ...(ownGroup === '' ? {} : { group: ownGroup }),
  });
}

/** Tests whether rows are in the user's own order: by the widget, its filter, or the default sorting. */
export function isByHand({ sort, filter }: WidgetSetup, settings: FilterSettings & { sortDefault: string }): boolean {
  const named = sort || sortIn(findFilter(filter.trim(), settings)?.query ?? filter) || settings.sortDefault;
  return named.trim().toLowerCase().startsWith('manual');
}

/** The day that a widget of whole weeks is about: today, the same weekday of another week, or the first of another month. */
export function dayOfSetup({ kind, weeksAway }: WidgetSetup, style: DateStyle): Day {
  const now = today(style.clock, style.startHour);
  if (weeksAway === 0) return now;
  return widgets[kind].layout === 'month' ? addMonths(startOfMonth(now), weeksAway) : daysLater(now, weeksAway * 7);
}

/** First and last day that it shows. */
export const shownWeeks = (setup: WidgetSetup, style: DateStyle) =>
  weeksAround(setup.kind, dayOfSetup(setup, style), style);
