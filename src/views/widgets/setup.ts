import type { WidgetKind, WidgetOptions } from '../../api';
import { type Day, startOfWeek, today } from '../../core/dates';
import type { Id, TaskList } from '../../core/model';
import { daysLater } from '../reschedule';
import { setting } from '../settings';
import type { DateStyle } from '../when';

/** What one widget shows. The settings hold it by list names, since ids differ from machine to machine. */
export interface WidgetSetup {
  readonly kind: WidgetKind;
  readonly title?: string;
  /** Names; all visible lists where empty. */
  readonly lists: readonly string[];
  /** A saved filter's name, or a query. */
  readonly filter: string;
  readonly limit?: number;
  /** Week: weeks away from this one. */
  readonly weeksAway: number;
}

export const widgetKinds: readonly WidgetKind[] = ['today', 'upNext', 'lists', 'week', 'tasks'];

/** Reads what a person, a page's memory or another machine wrote; what does not fit is left out. */
export function readSetup(kind: WidgetKind, said: unknown): WidgetSetup {
  const { title, lists, filter, limit } = (typeof said === 'object' && said !== null ? said : {}) as Record<
    string,
    unknown
  >;
  return {
    kind,
    ...(typeof title === 'string' && title !== '' ? { title: title.slice(0, 200) } : {}),
    lists: Array.isArray(lists) ? lists.filter(name => typeof name === 'string').slice(0, 200) : [],
    filter: typeof filter === 'string' ? filter.slice(0, 2000) : '',
    ...(Number.isSafeInteger(limit) && (limit as number) > 0 ? { limit: limit as number } : {}),
    weeksAway: 0,
  };
}

/** What the setting `dueline.widgets` gives a widget of this kind. */
export const defaultSetup = (kind: WidgetKind): WidgetSetup =>
  readSetup(kind, setting<Record<string, unknown> | undefined>('dueline.widgets')?.[kind]);

export function optionsOf(setup: WidgetSetup, lists: readonly TaskList[]): WidgetOptions {
  const wanted = new Set(setup.lists);
  const ids: Id[] = lists.filter(({ name }) => wanted.has(name)).map(({ id }) => id);
  return {
    // Lists that are gone narrow nothing: a widget of one deleted list shows all rather than an empty page.
    ...(ids.length > 0 ? { lists: ids } : {}),
    ...(setup.filter.trim() === '' ? {} : { filter: setup.filter }),
    ...(setup.limit === undefined ? {} : { limit: setup.limit }),
  };
}

/** The first day of the week that a Week widget shows. */
export function weekStart({ weeksAway }: WidgetSetup, style: DateStyle): Day {
  return daysLater(startOfWeek(today(style.clock, style.startHour), style.firstDay), weeksAway * 7);
}
