import type { Id, Occurrence, Task } from '../../core/kernel/model';
import { type Day, parseDay } from '../../core/time/dates';
import { byParent, minutesOf } from '../../query/agenda/dayLoad';
import { widgets } from '../../query/agenda/widgets';
import type { GroupView, LoadView } from '../../shared/widgetProtocol';
import { withoutReminded } from '../../ui/pendingReminders';
import { lengthText } from '../../ui/text/lengthText';
import { loadOfDay } from '../../ui/text/loadText';
import { options } from './groups';
import type { WidgetContext } from './widgetContext';

/** The lines of each group, by its key. */
type LinesOfGroups = ReadonlyMap<string, readonly Occurrence[]>;

/** The loads of the groups. Undefined without any estimate: then nothing is computed. */
export function loadsOf(context: WidgetContext, shown: LinesOfGroups, groups: readonly GroupView[]): Loads | undefined {
  const { engine, setup } = context;
  const { grouping, layout } = widgets[setup.kind];
  // Month has no room for sums.
  if (layout === 'month' || engine.query('has:est is:open limit:1').length === 0) return undefined;
  if (grouping !== 'today') return new Loads(context, shown, []);
  const whole = engine.widget(setup.kind, options(context)).groups;
  // Today shows the first rows of a group, and counts all. Other groups show some of its rows in its place.
  const elsewhere = ['reminders', 'here'].flatMap(key => shown.get(key) ?? []);
  const lines = new Map(shown);
  for (const { key, items } of whole)
    if (groups.some(group => group.key === key && group.more !== undefined))
      lines.set(key, withoutReminded(items, elsewhere));
  const today = whole.flatMap(({ items }) => items);
  return new Loads(context, lines, today);
}

class Loads {
  #undated: ReadonlyMap<Id, readonly Task[]> | undefined;

  constructor(
    private readonly context: WidgetContext,
    private readonly lines: LinesOfGroups,
    /** All tasks until the end of today, in whatever group they are shown. */
    private readonly today: readonly Occurrence[],
  ) {}

  /** The groups with their loads; the cells of a board have the sum of their column. */
  of(groups: readonly GroupView[]): GroupView[] {
    const columns = new Map<string, Occurrence[]>();
    const linesOf = (key: string) => this.lines.get(key) ?? [];
    for (const { key, board } of groups) {
      if (!board) continue;
      const column = columns.get(board.key) ?? [];
      columns.set(board.key, column);
      for (const line of linesOf(key)) column.push(line);
    }
    return groups.map(group => {
      if (group.isUnscheduled) return group;
      // A group of a tag can be named like a day.
      const day = group.dropValues?.day === group.key ? parseDay(group.key) : undefined;
      const load = this.#load(group.board ? columns.get(group.board.key)! : linesOf(group.key), day);
      return load ? { ...group, load } : group;
    });
  }

  ofToday(): LoadView | undefined {
    return this.#load(this.today, this.context.now);
  }

  #load(lines: readonly Occurrence[], day: Day | undefined): LoadView | undefined {
    const { engine, now } = this.context;
    const undated = day ? this.#undatedTasks() : byParent([]);
    const minutes = minutesOf(lines, { task: id => engine.task(id), undated });
    if (minutes === 0) return undefined;
    // Nothing is free any more on a day that is over.
    return day && day >= now ? loadOfDay(engine, minutes, day) : { label: lengthText(minutes) };
  }

  #undatedTasks(): ReadonlyMap<Id, readonly Task[]> {
    const { engine } = this.context;
    this.#undated ??= byParent(engine.query('is:open is:subtask no:due no:start').map(({ task }) => task));
    return this.#undated;
  }
}
