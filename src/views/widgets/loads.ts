import type { Id, Occurrence, Task } from '../../core/kernel/model';
import { type Day, parseDay } from '../../core/time/dates';
import { byParent, minutesOf } from '../../query/agenda/dayLoad';
import type { GroupView, LoadView } from '../../shared/widgetProtocol';
import { lengthText } from '../../ui/text/lengthText';
import { loadOfDay } from '../../ui/text/loadText';
import { options } from './groups';
import type { WidgetContext } from './widgetContext';

/** The lines of each group, by its key. */
type LinesOfGroups = ReadonlyMap<string, readonly Occurrence[]>;

/** Says how long the tasks of groups take. Undefined without an estimate: then nothing is looked up. */
export function loadsOf(context: WidgetContext, shown: LinesOfGroups, groups: readonly GroupView[]): Loads | undefined {
  const { engine, setup } = context;
  const isEstimated = engine.query('has:est is:open limit:1').length > 0;
  if (!isEstimated) return undefined;
  // Today shows the first rows of a group, and counts all.
  const cut = groups.filter(({ more }) => more !== undefined);
  const whole = cut.length > 0 ? engine.widget(setup.kind, options(context)).groups : [];
  const lines = cut.map(({ key }) => [key, whole.find(group => group.key === key)?.items ?? []] as const);
  return new Loads(context, new Map([...shown, ...lines]));
}

class Loads {
  #undated: ReadonlyMap<Id, readonly Task[]> | undefined;

  constructor(
    private readonly context: WidgetContext,
    private readonly lines: LinesOfGroups,
  ) {}

  /** The groups with what they take; the cells of a board have the sum of their column. */
  of(groups: readonly GroupView[]): GroupView[] {
    const columns = new Map<string, Occurrence[]>();
    const linesOf = (key: string) => this.lines.get(key) ?? [];
    for (const { key, board } of groups)
      if (board) columns.set(board.key, (columns.get(board.key) ?? []).concat(linesOf(key)));
    return groups.map(group => {
      if (group.isUnscheduled) return group;
      const day = group.board ? undefined : parseDay(group.key);
      const load = this.#load(group.board ? columns.get(group.board.key)! : linesOf(group.key), day);
      return load ? { ...group, load } : group;
    });
  }

  /** The load of all that is to be done by the end of today. */
  ofToday(): LoadView | undefined {
    const { now } = this.context;
    const isLeftOut = (key: string) => key === 'here' || key === 'done';
    const shown = [...this.lines].flatMap(([key, lines]) => (isLeftOut(key) ? [] : lines));
    return this.#load(shown, now);
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
