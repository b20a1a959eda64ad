import type { EpochMs, Id, Task } from '../../core/kernel/model';
import type { EngineSettings } from '../../core/kernel/settings';
import type { AlarmContext, FiringAlarm, Snooze } from '../../core/reminders/alarms';
import type { Clock } from '../../core/time/clock';
import type { TaskStore } from '../../store/taskStore';
import { rows } from '../rows/door';

/** An override that is done may hold for occurrences that are not. */
const mayHoldOn = `t.unknown_properties LIKE '%"RECURRENCE-ID%'`;

/** The alarms that rows of the store fire, snoozes counted in. */
export class AlarmFinder {
  constructor(
    private readonly store: Pick<TaskStore, 'selectTasks' | 'overridesOf' | 'task'>,
    private readonly clock: Clock,
    private readonly settings: () => EngineSettings,
    private readonly snoozes: () => readonly Snooze[],
    private readonly onCut: (id: Id) => void,
  ) {}

  /** The alarms of all tasks in [from, to), earliest first. */
  between(from: EpochMs, to: EpochMs): readonly FiringAlarm[] {
    const tasks = this.store.selectTasks(
      `t.is_deleted = 0 AND (t.status < 2 OR ${mayHoldOn}) AND t.id IN (SELECT task_id FROM task_alarms)`,
    );
    return rows().alarmsBetween(tasks, from, to, this.#context(this.snoozes()));
  }

  /** The alarms of these tasks between two times, and of the series that they are occurrences of. */
  betweenOf(ids: Iterable<Id>, from: EpochMs, to: EpochMs): readonly FiringAlarm[] {
    const { alarmsBetween, isRecurring } = rows();
    const tasks = new Map<Id, Task>();
    for (const id of ids) {
      const task = this.store.task(id);
      if (!task) continue;
      tasks.set(id, task);
      const master = task.masterId === null ? undefined : this.store.task(task.masterId);
      if (master) tasks.set(master.id, master);
      const held = `t.master_id = ? AND t.is_deleted = 0 AND ${mayHoldOn}`;
      const overrides = isRecurring(task) ? this.store.selectTasks(held, [id]) : [];
      for (const row of overrides) tasks.set(row.id, row);
    }
    return alarmsBetween([...tasks.values()], from, to, this.#context(this.snoozes()));
  }

  /** The alarms of these rows at their own times: as if nobody had put any off. */
  of(tasks: readonly Task[], from: EpochMs, to: EpochMs): readonly FiringAlarm[] {
    return rows().alarmsBetween(tasks, from, to, this.#context([]));
  }

  #context(snoozes: readonly Snooze[]): AlarmContext {
    return {
      zone: this.clock.timeZone,
      allDayAlarmTime: this.settings().allDayAlarmTime,
      master: id => this.store.task(id),
      overridesOf: id => this.store.overridesOf(id),
      snoozes,
      onCut: this.onCut,
    };
  }
}
