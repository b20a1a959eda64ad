import type { BoundTerm } from '../filter/eval/bind';
import { expandOccurrences } from '../filter/eval/expand';
import { overridesOf } from '../filter/eval/items';
import { type MatchContext, matches } from '../filter/eval/match';
import type { LineOrder } from '../filter/eval/sort';
import type { Id, Occurrence } from '../model';
import { RuleBudget } from '../recurrence/ruleBudget';
import type { Day, Moment } from '../time/dates';
import { dayMs } from '../time/units';
import { fileByDay } from './groups';
import { type IndexEntry, isPastEntry, type TaskIndex } from './taskIndex';

/** What a kept view lets through: lists, and the condition of its filter. */
export interface ViewFilter {
  readonly scope: ReadonlySet<Id> | undefined;
  readonly condition: BoundTerm | undefined;
  readonly around: MatchContext;
  readonly order: LineOrder;
}

const inScope = ({ scope }: ViewFilter, line: IndexEntry) => scope === undefined || scope.has(line.listId);

function filterItems(items: readonly Occurrence[], { condition, around }: ViewFilter): readonly Occurrence[] {
  return condition === undefined ? items : items.filter(item => matches(condition, item, around));
}

/** Overdue and today's lines, sorted; a changed line goes out of its place and into its new one. */
export class TodayView {
  readonly #groups: Record<'overdue' | 'today', Occurrence[]> = { overdue: [], today: [] };
  readonly #placed = new Map<IndexEntry, Occurrence>();

  constructor(
    readonly lines: TaskIndex,
    readonly sieve: ViewFilter,
    moment: Moment,
  ) {
    const candidates = [...this.#candidates(moment)].filter(line => inScope(sieve, line));
    const items = lines.items(candidates, moment);
    const byItem = new Map(candidates.map(line => [line.item, line]));
    for (const item of filterItems(items, sieve)) {
      this.#placed.set(byItem.get(item)!, item);
      this.#groups[item.isOverdue ? 'overdue' : 'today'].push(item);
    }
    sieve.order.sort(this.#groups.overdue);
    sieve.order.sort(this.#groups.today);
  }

  get overdue(): readonly Occurrence[] {
    return this.#groups.overdue;
  }

  get today(): readonly Occurrence[] {
    return this.#groups.today;
  }

  /** Whether the view shows something else now. */
  update(changedEntries: ReadonlySet<IndexEntry>, moment: Moment): boolean {
    let changed = false;
    const coming: IndexEntry[] = [];
    for (const line of changedEntries) {
      const placed = this.#placed.get(line);
      if (placed) {
        this.#placed.delete(line);
        this.#pull(placed);
        changed = true;
      }
      if (this.lines.lines.get(line.id) === line && this.#belongs(line, moment) && inScope(this.sieve, line))
        coming.push(line);
    }
    this.lines.items(coming, moment);
    for (const line of coming) {
      const item = line.item && filterItems([line.item], this.sieve)[0];
      if (!item) continue;
      this.#placed.set(line, item);
      this.#push(item);
      changed = true;
    }
    return changed;
  }

  /** Moves what has become overdue since; the day is still the same. */
  pass(moment: Moment): void {
    const today = moment.today.civilStart / dayMs;
    const passed = new Set<IndexEntry>();
    for (const day of [today, today + 1])
      for (const line of this.lines.byDue.get(day) ?? [])
        if (isPastEntry(line, moment) && this.#placed.get(line)?.isOverdue !== true) passed.add(line);
    this.update(passed, moment);
  }

  *#candidates(moment: Moment): Generator<IndexEntry> {
    const today = moment.today.civilStart / dayMs;
    for (const [day, lines] of this.lines.byDue) {
      if (day <= today) yield* lines;
      // Where the day starts late, a floating time after midnight is past before its own day begins.
      else if (day === today + 1) for (const line of lines) if (isPastEntry(line, moment)) yield line;
    }
    for (const line of this.lines.byStart.get(today) ?? [])
      if (!(line.dueDay <= today) && !isPastEntry(line, moment)) yield line;
  }

  #belongs(line: IndexEntry, moment: Moment): boolean {
    const today = moment.today.civilStart / dayMs;
    return line.dueDay <= today || line.startDay === today || isPastEntry(line, moment);
  }

  #push(item: Occurrence): void {
    const group = this.#groups[item.isOverdue ? 'overdue' : 'today'];
    group.splice(placeOf(group, item, this.sieve.order), 0, item);
  }

  #pull(item: Occurrence): void {
    const group = this.#groups[item.isOverdue ? 'overdue' : 'today'];
    const guess = placeOf(group, item, this.sieve.order);
    const at = group[guess] === item ? guess : group.indexOf(item);
    if (at >= 0) group.splice(at, 1);
  }
}

/** Where `item` stands in a sorted array, or would. */
export function placeOf(sorted: readonly Occurrence[], item: Occurrence, { compare }: LineOrder): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(sorted[middle]!, item) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Lines by the day on which they are shown, each day read and sorted when first asked for. */
export class DayView {
  readonly #days = new Map<number, readonly Occurrence[]>();
  #expanded: Map<number, Occurrence[]> | undefined;
  #budget = new RuleBudget();

  constructor(
    readonly lines: TaskIndex,
    readonly sieve: ViewFilter,
    /** Set: series stand on every day of it, not on their next one alone. */
    readonly range?: { readonly from: Day; readonly to: Day },
  ) {}

  /** Whether series have more dates on the days that were asked for. */
  get isCut(): boolean {
    return this.#budget.isCut;
  }

  day(day: number, moment: Moment): readonly Occurrence[] {
    let found = this.#days.get(day);
    if (!found) {
      const visible: IndexEntry[] = [];
      for (const line of this.lines.byDue.get(day) ?? []) visible.push(line);
      for (const line of this.lines.byStart.get(day) ?? []) if (Number.isNaN(line.dueDay)) visible.push(line);
      const matching = visible.filter(line => inScope(this.sieve, line) && !(this.range && line.isSeries));
      const items = [
        ...this.lines.items(matching, moment),
        ...(this.range ? (this.#occurrences(moment).get(day) ?? []) : []),
      ];
      found = this.sieve.order.sort([...filterItems(items, this.sieve)]);
      this.#days.set(day, found);
    }
    return found;
  }

  /** Days on which a line may stand, from `from` on, ascending. */
  daysFrom(from: number): number[] {
    const days = new Set<number>();
    for (const day of this.lines.byDue.keys()) if (day >= from) days.add(day);
    for (const day of this.lines.byStart.keys()) if (day >= from) days.add(day);
    return [...days].sort((a, b) => a - b);
  }

  /** Whether days that were asked for may show something else now. */
  update(changedEntries: ReadonlySet<IndexEntry>, _moment?: Moment): boolean {
    let changed = false;
    for (const line of changedEntries) {
      if (this.range && line.isSeries) {
        changed ||= this.#days.size > 0;
        this.#expanded = undefined;
        this.#days.clear();
      }
      for (const day of [line.dueDay, line.startDay]) {
        if (Number.isNaN(day)) continue;
        // Without a range the days go on as far as there are lines: a new one may be among the next.
        if (this.#days.delete(day) || !this.range) changed = true;
      }
    }
    return changed;
  }

  /** A day's lines may become overdue; their places stay. */
  pass(moment: Moment): void {
    const day = moment.today.civilStart / dayMs;
    this.#days.delete(day);
    this.#days.delete(day + 1);
    this.#expanded = undefined;
  }

  #occurrences(moment: Moment): Map<number, Occurrence[]> {
    if (this.#expanded) return this.#expanded;
    const found = new Map<number, Occurrence[]>();
    this.#expanded = found;
    this.#budget = new RuleBudget();
    const lines = [...this.lines.series].filter(line => inScope(this.sieve, line));
    const { source } = this.lines;
    const masters = lines.flatMap(line => source.task(line.id) ?? []);
    const overrides = overridesOf(source, masters);
    for (const [index, master] of masters.entries()) {
      const next = lines[index]!.item;
      if (!next) continue;
      const allowance = this.#budget.allowance();
      for (const item of expandOccurrences(
        master,
        overrides.get(master.id) ?? [],
        next,
        moment,
        this.range!,
        allowance,
      ))
        fileByDay(found, item, moment);
      if (allowance.isSpent) this.lines.onCut?.(master.id);
    }
    return found;
  }
}
