import { type DayRule, daysOf, type Period, type TimeEntry, timeEntries } from '../../core/code/timeReport';
import type { Id, Task, TaskList } from '../../core/kernel/model';
import type { Clock } from '../../core/time/clock';
import { today } from '../../core/time/dates';

/** The source of times, such as the engine. */
interface Source {
  readonly clock: Clock;
  lists(): readonly Pick<TaskList, 'id'>[];
  rows(listId: Id): readonly Task[];
}

/** A series has the time of all its occurrences. */
export const tasksWithTime = (source: Source): readonly Task[] =>
  source
    .lists()
    .flatMap(({ id }) => source.rows(id))
    .filter(task => task.masterId === null && !task.isDeleted);

export const trackedTime = (source: Source, period: Period, rule: DayRule): TimeEntry[] =>
  timeEntries(tasksWithTime(source), daysOf(period, today(source.clock, rule.startHour), rule.firstDay), rule);
