// The parts of the engine that rows of tasks need.
export { isRecurring } from '../../core/recurrence/instances';
export { alarmsBetween } from '../../core/reminders/alarms';
export { Blockers, mayDependSql } from '../../query/eval/blockers';
export { Queries } from '../queries';
