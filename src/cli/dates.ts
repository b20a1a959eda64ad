import type { DuelineEngine } from '../api';
import type { Task, TaskInput } from '../core/model';
import { wallOf } from '../core/time/dates';
import { cleaned } from './cliError';
import { refused, type Session } from './session';

export const clears = /^(none|)$/i;

/** A date in the words of quick add; null clears it, undefined leaves it. */
type Asked = Required<Pick<TaskInput, 'due' | 'isAllDay' | 'timezone'>> | null | undefined;

function asked(session: Session, engine: DuelineEngine, option: 'due' | 'start'): Asked {
  const text = session.text(option);
  if (text === undefined) return undefined;
  if (clears.test(text)) return null;
  const { input } = engine.understand(`x ${text}`, { onlyDates: true });
  if (input.due == null || input.title !== 'x') throw refused(`--${option} does not understand ${cleaned(text)}.`);
  return { due: input.due, isAllDay: input.isAllDay ?? false, timezone: input.timezone ?? null };
}

/**
 * What `--due` and `--start` change. Both dates are of one kind and in one time zone (RFC 5545 3.8.2.3): a date that
 * stays is not to mean something else afterwards.
 */
export function datesOf(session: Session, engine: DuelineEngine, task: Task): TaskInput {
  const [due, start] = [asked(session, engine, 'due'), asked(session, engine, 'start')];
  const said = due ?? start;
  const patch: TaskInput = {
    ...(due === undefined ? {} : { due: due?.due ?? null }),
    ...(start === undefined ? {} : { dtstart: start?.due ?? null }),
  };
  if (!said) return patch;
  if (due && start && due.isAllDay !== start.isAllDay)
    throw refused('Start and due must both have a time, or neither.');
  const stays = due === undefined ? task.due : start === undefined ? task.dtstart : null;
  if (stays !== null && task.isAllDay !== said.isAllDay) throw otherKind(due ? 'start' : 'due', task);
  const zoned = inZone(patch, said, zoneOf(engine, task, stays !== null), engine.clock.timeZone);
  const { dtstart: from = task.dtstart, due: to = task.due } = zoned;
  if (from !== null && to !== null && from > to) throw refused('The start would be after the due date.');
  return zoned;
}

function otherKind(option: 'due' | 'start', { isAllDay }: Task) {
  const name = option === 'due' ? 'due' : 'start';
  return refused(
    isAllDay
      ? `The ${name} date is a day without a time. Give --${option} too, with a time.`
      : `The ${name} date has a time. Give --${option} too, as a day.`,
  );
}

/** Null where it is the same wall time everywhere. */
function zoneOf({ clock }: DuelineEngine, task: Task, isOneStays: boolean): string | null {
  if (isOneStays) return task.timezone;
  if (task.rrule === null && task.masterId === null) return 'UTC';
  // In UTC, a series would be at another time of day in summer.
  const isInZone = !task.isAllDay && (task.due ?? task.dtstart) !== null && task.timezone !== 'UTC';
  return isInZone ? task.timezone : clock.timeZone;
}

function inZone(patch: TaskInput, said: NonNullable<Asked>, zone: string | null, here: string): TaskInput {
  const { isAllDay } = said;
  if (isAllDay) return { ...patch, isAllDay, timezone: null };
  if (zone !== null) return { ...patch, isAllDay, timezone: zone };
  const wall = (field: 'due' | 'dtstart') => (patch[field] == null ? {} : { [field]: wallOf(patch[field], here) });
  return { ...patch, ...wall('due'), ...wall('dtstart'), isAllDay, timezone: null };
}
