import type { Disposable, Event } from '../../core/kernel/events';
import type { EpochMs, Id, Occurrence } from '../../core/kernel/model';
import { clockChange, type Moment, momentOf } from '../../core/time/dates';
import { dayMs, minuteMs } from '../../core/time/units';
import { partsOfToday } from '../eval/builtInFilters';
import { compileQuery } from '../eval/compile';
import type { QueryContext, TaskSource } from '../eval/context';
import { asksWhenDone, dependsOnOtherTasks, dependsOnTime } from '../eval/dependence';
import { groupItems } from '../eval/group';
import { runQuery } from '../eval/run';
import { lineOrder } from '../eval/sort';
import { readSort } from '../eval/sortKeys';
import { parseQuery } from '../parse/parser';
import type { Query } from '../parse/syntax';
import { agendaOf, filterOf, groupContext, liveQuery, snapshotOf, weeksOf } from './agenda';
import { groupDays, groupLists, groupToday, groupWeek, onlyParts } from './groups';
import { distinctCount, linesBy } from './lineGroupings';
import { LineView } from './lineView';
import { SeriesIndex } from './seriesIndex';
import type { WidgetOptions, WidgetSnapshot } from './types';
import { type WidgetKind, widgets } from './widgets';

/** Rows that an edit touched. */
interface RowChange {
  readonly accounts?: readonly Id[];
  readonly lists: readonly Id[];
  readonly tasks: readonly Id[];
}

interface CachedView {
  /** Undefined if the widget is queried again after every change. */
  view: LineView | undefined;
  readonly filter: Query;
  /** The minute it was made in, if the filter depends on the time of day; else undefined. */
  readonly minute: number | undefined;
  /** Snapshots by their limits. */
  readonly snapshots: Map<string, WidgetSnapshot>;
  /** The next moment after which another line is overdue. */
  nextPass: EpochMs;
}

/** From this many changed rows on, everything is read again rather than updated: an import, a first sync. */
const manyRows = 2000;

/** Views that are open at once are few; the ones asked for longest ago go. */
const maxEntries = 24;

/** A widget that shows more and more of the same lines. */
const maxLimits = 8;

/** A task in memory takes a kilobyte or two; of large lists no more than one view is kept line by line. */
const maxItems = 50_000;

/**
 * The widgets of rows that change: one scan at the first question, from then on only changed rows are read again.
 * Widgets cost what they show, not what is stored; only a filter that asks for other tasks (parents,
 * children, links, sync) is run again after a change. Snapshots stay the same object until something in them changes, by an edit or by the clock.
 */
export class LiveAgenda implements Disposable {
  readonly #source: TaskSource;
  readonly #context: () => QueryContext;
  readonly #subscription: Disposable | undefined;
  readonly #cachedViews = new Map<string, CachedView>();
  #series: SeriesIndex | undefined;
  #listsShown = '';
  #last: { readonly context: QueryContext; readonly moment: Moment } | undefined;

  /** `context` is asked at every question; it hands out the same settings and sets until they change. */
  constructor(source: TaskSource, context: () => QueryContext, changes?: Event<RowChange>) {
    this.#source = source;
    this.#context = context;
    this.#subscription = changes?.(change => this.apply(change));
  }

  dispose(): void {
    this.#subscription?.dispose();
    this.clear();
  }

  /** Forgets everything, to be read again at the next question. */
  clear(): void {
    this.#series = undefined;
    this.#cachedViews.clear();
  }

  apply({ tasks, lists, accounts = [] }: RowChange): void {
    if (tasks.length > manyRows) this.clear();
    if (!this.#series) return;
    const rows = this.#series.affected(tasks);
    if ((lists.length + accounts.length > 0 && this.#listsDiffer()) || rows.size > manyRows) this.#cachedViews.clear();
    const moment = this.#moment(this.#context());
    for (const [key, { view, filter }] of this.#cachedViews) {
      if (!view || dependsOnOtherTasks(filter)) this.#cachedViews.delete(key);
      else if (view.update(rows, moment)) this.#cachedViews.get(key)!.snapshots.clear();
    }
  }

  /** Throws `query` if the filter cannot be read. */
  snapshot(kind: WidgetKind, options: WidgetOptions = {}): WidgetSnapshot {
    const key = JSON.stringify([kind, options.lists, options.filter]);
    return this.#answer(key, kind, options, context => filterOf(kind, options, context));
  }

  /** The lines of `runQuery`: the same array until a line in it changes. Throws `query`. */
  lines(text: string, options: Omit<WidgetOptions, 'filter'> = {}): readonly Occurrence[] {
    const { group: _, ...query } = parseQuery(text);
    if (!isCacheable(query, this.#context())) return runQuery(this.#source, query, { ...this.#context(), ...options });
    const key = JSON.stringify(['lines', options.lists, text]);
    return this.#answer(key, 'tasks', options, () => query).groups[0]!.items;
  }

  #answer(
    key: string,
    kind: WidgetKind,
    options: WidgetOptions,
    read: (context: QueryContext) => Query,
  ): WidgetSnapshot {
    const context = this.#context();
    const moment = this.#ready(context);
    let cached = this.#cachedViews.get(key);
    if (cached && cached.minute !== undefined && cached.minute !== minuteOf(moment)) cached = undefined;
    if (cached?.view && !isCacheable(cached.filter, context)) cached = undefined;
    if (cached && moment.now > cached.nextPass) {
      if (cached.view) cached.view.refreshTimes(moment);
      else cached = undefined;
      cached?.snapshots.clear();
    }
    cached ??= this.#keep(kind, options, read(context), context, moment);
    this.#cachedViews.delete(key);
    this.#cachedViews.set(key, cached);
    this.#makeRoom(cached);
    const limits = `${options.limit} ${options.groupLimit}`;
    const known = cached.snapshots.get(limits);
    if (known) return known;
    const snapshot = this.#shot(kind, cached, options, context, moment);
    const isToday = cached.view !== undefined && widgets[kind].grouping === 'today';
    const next = isToday ? cached.view!.nextPass(moment) : nextPassOf(snapshot, moment);
    const others = cached.snapshots.size > 0 ? cached.nextPass : Number.POSITIVE_INFINITY;
    cached.nextPass = next < moment.today.instantEnd ? Math.min(next, others) : others;
    if (cached.snapshots.size >= maxLimits) cached.snapshots.delete(cached.snapshots.keys().next().value!);
    cached.snapshots.set(limits, snapshot);
    return snapshot;
  }

  /**
   * The next moment at which cached lines may change although no row does: a task becomes overdue, the clocks change,
   * or the day ends. A change that has already happened, but that nobody has asked for since, is not waited for.
   */
  nextBoundary(): EpochMs {
    const moment = this.#ready(this.#context());
    let next = clockChange(moment.now, moment.today.instantEnd, moment.zone);
    for (const { nextPass, minute } of this.#cachedViews.values())
      for (const time of [nextPass + 1, minute === undefined ? next : minute * minuteMs + 1])
        if (time > moment.now) next = Math.min(next, time);
    return Math.max(next, moment.now + 1);
  }

  /** Drops the oldest views, large ones first; their snapshots stay until something changes. */
  #makeRoom(newest: CachedView): void {
    if (this.#cachedViews.size > maxEntries) this.#cachedViews.delete(this.#cachedViews.keys().next().value!);
    let items = 0;
    for (const cached of [...this.#cachedViews.values()].reverse()) {
      items += cached.view?.itemCount ?? 0;
      if (items > maxItems && cached !== newest && cached.snapshots.size > 0 && cached.view) cached.view = undefined;
    }
  }

  /** A sync writes to every list and account; only what views show of them, or filter by, makes them again. */
  #listsDiffer(): boolean {
    const now = JSON.stringify([
      this.#source.lists().map(list => [list.id, list.name, list.accountId, list.isVisible, list.isReadOnly]),
      this.#source.accounts().map(({ id, displayName }) => [id, displayName]),
    ]);
    const differ = now !== this.#listsShown;
    this.#listsShown = now;
    return differ;
  }

  #moment(context: QueryContext): Moment {
    return momentOf(context.clock, context.settings.dayStartHour);
  }

  /** Throws away what another day, a change of clocks, a zone or a setting has made wrong. */
  #ready(context: QueryContext): Moment {
    const moment = this.#moment(context);
    const last = this.#last;
    if (!this.#series || last?.moment.zone !== moment.zone || last.moment.startHour !== moment.startHour) {
      this.clear();
      this.#series = new SeriesIndex(this.#source);
      this.#listsDiffer();
    } else if (
      last.moment.today.day !== moment.today.day ||
      last.moment.civilNow - last.moment.now !== moment.civilNow - moment.now ||
      moment.now < last.moment.now ||
      !sameContext(last.context, context)
    ) {
      this.#cachedViews.clear();
    }
    this.#last = { context, moment };
    return moment;
  }

  #keep(kind: WidgetKind, options: WidgetOptions, filter: Query, context: QueryContext, moment: Moment): CachedView {
    const base = {
      filter,
      minute: dependsOnTime(filter) ? minuteOf(moment) : undefined,
      snapshots: new Map(),
      nextPass: Number.POSITIVE_INFINITY,
    };
    if (!isCacheable(filter, context)) return { ...base, view: undefined };
    const wide = options.lists ? { ...context, lists: options.lists } : context;
    const { locale } = context;
    const sorting = { moment, lists: this.#source.lists(), ...(locale === undefined ? {} : { locale }) };
    const order = lineOrder(filter.sort ?? readSort(context.settings.sortDefault), sorting);
    const range = widgets[kind].grouping === 'week' ? weeksOf(kind, moment.today.day, context) : undefined;
    const compiled = compileQuery(liveQuery(kind, filter, range), this.#source, wide);
    const by = linesBy(kind, moment, context.settings.todayIncludes);
    return { ...base, view: new LineView(this.#source, compiled, order, by, moment, range) };
  }

  #shot(
    kind: WidgetKind,
    { view, filter }: CachedView,
    options: WidgetOptions,
    context: QueryContext,
    moment: Moment,
  ): WidgetSnapshot {
    const { limit = Number.POSITIVE_INFINITY, groupLimit = Number.POSITIVE_INFINITY } = options;
    const least = Math.min(limit, filter.limit ?? Number.POSITIVE_INFINITY);
    const { grouping } = widgets[kind];
    if (!view) return this.#whole(kind, options, context, moment);
    const linesOf = (group: number) => view.lines(group, moment);
    switch (grouping) {
      case 'today':
        return snapshotOf(kind, groupToday(linesOf(0), linesOf(1), { limit: least, groupLimit }), false);
      case 'days': {
        const today = moment.today.civilStart / dayMs;
        const days = view.groups.filter(day => day >= today).sort((a, b) => a - b);
        return snapshotOf(kind, groupDays(days, today + context.settings.upNextDays, linesOf, least), false);
      }
      case 'week': {
        const groups = groupWeek(view.range!, linesOf, least);
        return snapshotOf(kind, { groups, openCount: distinctCount(view) }, view.isCut);
      }
      case 'lists': {
        const groups = groupLists({ scope: options.lists, lists: this.#source.lists() }, linesOf, least);
        return snapshotOf(kind, { groups, openCount: view.table.size }, view.isCut);
      }
      case 'query': {
        const { lists, locale, sortDefault } = groupContext(kind, this.#source, options, context, moment, filter);
        const sorting = { moment, lists, ...(locale === undefined ? {} : { locale }) };
        const keys = filter.sort ?? readSort(sortDefault);
        const groups = groupItems(linesOf(0).slice(0, least), filter.group, keys, sorting);
        return snapshotOf(kind, { groups, openCount: view.openCount }, view.isCut);
      }
    }
  }

  #whole(kind: WidgetKind, options: WidgetOptions, context: QueryContext, moment: Moment): WidgetSnapshot {
    const parts = context.settings.todayIncludes;
    if (widgets[kind].grouping !== 'today' || partsOfToday.every(part => parts.includes(part)))
      return agendaOf(kind, this.#source, options, context);
    const { limit = Number.POSITIVE_INFINITY, groupLimit = Number.POSITIVE_INFINITY, ...rest } = options;
    return onlyParts(agendaOf(kind, this.#source, rest, context), parts, moment, { limit, groupLimit });
  }
}

/** True if changed rows can be asked for one by one; the done log has none. */
const isCacheable = (filter: Query, { done }: QueryContext): boolean =>
  !dependsOnOtherTasks(filter) &&
  !filter.show.includes('subtasks') &&
  !(asksWhenDone(filter) && (done?.().length ?? 0) > 0);

/** A minute ends with its last moment: a task that is due at 20:00 is overdue only after that, in the next one. */
const minuteOf = ({ now }: Moment): number => Math.ceil(now / minuteMs);

/** When the first of the shown lines that are not overdue will be. */
function nextPassOf({ groups }: WidgetSnapshot, { now, civilNow }: Moment): EpochMs {
  let next = Number.POSITIVE_INFINITY;
  for (const { items } of groups) {
    for (const { task, due, isOverdue } of items) {
      if (due === null || isOverdue || task.isAllDay) continue;
      next = Math.min(next, due + (task.timezone === null ? now - civilNow : 0));
    }
  }
  return next;
}

const sameContext = (a: QueryContext, b: QueryContext): boolean =>
  (['settings', 'locale', 'lists', 'limit', 'snoozed', 'conflicted', 'syncErrors', 'here', 'links'] as const).every(
    key => a[key] === b[key],
  );
