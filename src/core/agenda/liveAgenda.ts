import type { Disposable, Event } from '../events';
import { bindQuery } from '../filter/eval/bind';
import { compileQuery } from '../filter/eval/compile';
import type { QueryContext, TaskSource } from '../filter/eval/context';
import { asksWhenDone, dependsOnOtherTasks, dependsOnTime } from '../filter/eval/dependence';
import { matchContext, runQuery } from '../filter/eval/run';
import { lineOrder } from '../filter/eval/sort';
import { readSort } from '../filter/eval/sortKeys';
import { parseQuery } from '../filter/parse/parser';
import type { Query } from '../filter/parse/syntax';
import type { EpochMs, Id, Occurrence } from '../model';
import { type Moment, momentOf } from '../time/dates';
import { dayMs, minuteMs } from '../time/units';
import { agendaOf, agendaQuery, filterOf, groupContext, snapshotOf, weeksOf } from './agenda';
import { DayView, TodayView, type ViewFilter } from './dayViews';
import { agendaGroups, groupDays, groupToday, groupWeek } from './groups';
import { QueryView } from './queryView';
import { type IndexEntry, TaskIndex } from './taskIndex';
import type { WidgetOptions, WidgetSnapshot } from './types';
import { type Grouping, type WidgetKind, widgets } from './widgets';

/** Rows that an edit touched. */
interface RowChange {
  readonly accounts?: readonly Id[];
  readonly lists: readonly Id[];
  readonly tasks: readonly Id[];
}

interface CachedView {
  /** Undefined where the widget is asked again after every change. */
  view: TodayView | DayView | QueryView | undefined;
  readonly filter: Query;
  /** The minute it was made in, where the filter speaks of the time of day; else undefined. */
  readonly minute: number | undefined;
  snapshot: WidgetSnapshot | undefined;
  /** From after this on a line that is shown is overdue. */
  nextPass: EpochMs;
}

/** From so many changed rows on, everything is read again rather than mended: an import, a first sync. */
const manyRows = 2000;

/** Views that are open at once are few; the ones asked for longest ago go. */
const mostKept = 24;

/** A task in memory takes a kilobyte or two; of large lists no more than one view is kept line by line. */
const mostItems = 50_000;

/**
 * The widgets of rows that change: one scan at the first question, from then on only changed rows are read again.
 * Widgets and counts cost what they show, not what is stored; only a filter that asks for other tasks (parents,
 * children, links, sync) is run again after a change. Snapshots stay the same object until something in them changes, by an edit or by the clock.
 */
export class LiveAgenda implements Disposable {
  readonly #source: TaskSource;
  readonly #context: () => QueryContext;
  readonly #subscription: Disposable | undefined;
  readonly #cachedViews = new Map<string, CachedView>();
  #lines: TaskIndex | undefined;
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
    this.#lines = undefined;
    this.#cachedViews.clear();
  }

  apply({ tasks, lists, accounts = [] }: RowChange): void {
    if (tasks.length > manyRows) this.clear();
    if (!this.#lines) return;
    const changed = new Set<IndexEntry>();
    const rows = this.#lines.update(tasks, line => changed.add(line));
    if ((lists.length + accounts.length > 0 && this.#listsDiffer()) || rows.size > manyRows) this.#cachedViews.clear();
    const moment = this.#moment(this.#context());
    for (const [key, { view, filter }] of this.#cachedViews) {
      if (!view || dependsOnOtherTasks(filter)) this.#cachedViews.delete(key);
      else if (view instanceof QueryView ? view.update(rows) : view.update(changed, moment))
        this.#cachedViews.get(key)!.snapshot = undefined;
    }
  }

  /** Throws `query` where the filter cannot be read. */
  snapshot(kind: WidgetKind, options: WidgetOptions = {}): WidgetSnapshot {
    const key = JSON.stringify([kind, options.lists, options.filter, options.limit]);
    return this.#answer(key, kind, options, context => filterOf(kind, options, context));
  }

  /** What `runQuery` gives: the same array until a line in it changes. Throws `query`. */
  lines(text: string, options: Omit<WidgetOptions, 'filter'> = {}): readonly Occurrence[] {
    const { group: _, ...query } = parseQuery(text);
    if (!isCacheable(query, this.#context())) return runQuery(this.#source, query, { ...this.#context(), ...options });
    const key = JSON.stringify(['lines', options.lists, text, options.limit]);
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
      if (cached.view) cached.view.pass(moment);
      else cached = undefined;
      if (cached) cached.snapshot = undefined;
    }
    cached ??= this.#keep(kind, options, read(context), context, moment);
    this.#cachedViews.delete(key);
    this.#cachedViews.set(key, cached);
    this.#makeRoom(cached);
    if (!cached.snapshot) {
      cached.snapshot = this.#shot(kind, cached, options, context, moment);
      cached.nextPass = nextPassOf(
        cached.view instanceof TodayView ? [cached.view.today] : itemsOf(cached.snapshot),
        moment,
      );
    }
    return cached.snapshot;
  }

  /**
   * When what is kept may change although no row does: a task becomes overdue, or the day ends. What has changed
   * already, since nobody has asked for it again, is none to wait for.
   */
  nextBoundary(): EpochMs {
    const moment = this.#ready(this.#context());
    let next = moment.today.instantEnd;
    for (const { nextPass, minute } of this.#cachedViews.values())
      for (const time of [nextPass + 1, minute === undefined ? next : (minute + 1) * minuteMs])
        if (time > moment.now) next = Math.min(next, time);
    return Math.max(next, moment.now + 1);
  }

  /** The oldest views go; large ones before, of which the snapshot stays until something changes. */
  #makeRoom(newest: CachedView): void {
    if (this.#cachedViews.size > mostKept) this.#cachedViews.delete(this.#cachedViews.keys().next().value!);
    let items = 0;
    for (const cached of [...this.#cachedViews.values()].reverse()) {
      if (!(cached.view instanceof QueryView)) continue;
      items += cached.view.items.length;
      if (items > mostItems && cached !== newest && cached.snapshot) cached.view = undefined;
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

  /** Throws away what another day, zone or setting has made wrong. */
  #ready(context: QueryContext): Moment {
    const moment = this.#moment(context);
    const last = this.#last;
    if (!this.#lines || last?.moment.zone !== moment.zone || last.moment.startHour !== moment.startHour) {
      this.clear();
      this.#lines = new TaskIndex(this.#source, moment, context.onCut);
      this.#listsDiffer();
    } else if (
      last.moment.today.day !== moment.today.day ||
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
      snapshot: undefined,
      nextPass: Number.POSITIVE_INFINITY,
    };
    if (!isCacheable(filter, context)) return { ...base, view: undefined };
    const wide = options.lists ? { ...context, lists: options.lists } : context;
    const { locale } = context;
    const sorting = { moment, lists: this.#source.lists(), ...(locale === undefined ? {} : { locale }) };
    const order = lineOrder(filter.sort ?? readSort(context.settings.sortDefault), sorting);
    const { grouping } = widgets[kind];
    if (!indexed.has(grouping)) {
      const compiled = compileQuery(agendaQuery(kind, filter), this.#source, wide);
      return { ...base, view: new QueryView(this.#source, compiled, order) };
    }
    const bound = bindQuery(filter, this.#source, wide);
    const sieve: ViewFilter = {
      scope: bound.scope,
      condition: filter.root && bound.root,
      around: matchContext(this.#source, context),
      order,
    };
    const lines = this.#lines!;
    if (grouping === 'today') return { ...base, view: new TodayView(lines, sieve, moment) };
    return {
      ...base,
      view: new DayView(lines, sieve, grouping === 'week' ? weeksOf(kind, moment.today.day, context) : undefined),
    };
  }

  #shot(
    kind: WidgetKind,
    { view, filter }: CachedView,
    options: WidgetOptions,
    context: QueryContext,
    moment: Moment,
  ): WidgetSnapshot {
    const limit = Math.min(options.limit ?? Number.POSITIVE_INFINITY, filter.limit ?? Number.POSITIVE_INFINITY);
    if (!view) return agendaOf(kind, this.#source, options, context);
    if (view instanceof QueryView) {
      const grouped = groupContext(kind, this.#source, options, context, moment, filter);
      return snapshotOf(kind, agendaGroups(kind, view.items, { ...grouped, isSorted: true }), view.isCut);
    }
    if (view instanceof TodayView) return snapshotOf(kind, groupToday(view.overdue, view.today, limit), false);
    const day = (number: number) => view.day(number, moment);
    if (view.range) return snapshotOf(kind, groupWeek(view.range, day, limit), view.isCut);
    const today = moment.today.civilStart / dayMs;
    const last = today + context.settings.upNextDays;
    return snapshotOf(kind, groupDays(view.daysFrom(today), last, day, limit), false);
  }
}

/** Groupings whose lines are read from the index by day; the others keep the result of a query. */
const indexed: ReadonlySet<Grouping> = new Set<Grouping>(['today', 'days', 'week']);

/** Whether changed rows can be asked for one by one; the done log has none. */
const isCacheable = (filter: Query, { done }: QueryContext): boolean =>
  !dependsOnOtherTasks(filter) &&
  !filter.show.includes('subtasks') &&
  !(asksWhenDone(filter) && (done?.().length ?? 0) > 0);

const itemsOf = ({ groups }: WidgetSnapshot) => groups.map(group => group.items);

const minuteOf = ({ now }: Moment): number => Math.floor(now / minuteMs);

/** When the first of the shown lines that are not overdue will be. */
function nextPassOf(visible: readonly (readonly Occurrence[])[], { now, civilNow, today }: Moment): EpochMs {
  let next = Number.POSITIVE_INFINITY;
  for (const items of visible) {
    for (const { task, due, isOverdue } of items) {
      if (due === null || isOverdue || task.isAllDay) continue;
      next = Math.min(next, due + (task.timezone === null ? now - civilNow : 0));
    }
  }
  return next < today.instantEnd ? next : Number.POSITIVE_INFINITY;
}

const sameContext = (a: QueryContext, b: QueryContext): boolean =>
  (['settings', 'locale', 'lists', 'limit', 'snoozed', 'conflicted', 'syncErrors', 'here', 'links'] as const).every(
    key => a[key] === b[key],
  );
