import type { DuelineEngine, TaskChange } from '../api';
import type { Task, TaskInput } from '../core/kernel/model';
import { openOccurrences } from '../core/recurrence/instances';
import { sanitize } from '../core/text/cleanText';
import { wallOf } from '../core/time/dates';
import { isLiveSeries } from '../query/eval/items';
import { refusalError } from './cliError';

/** `none`, or nothing: clears the date. */
export const clearWord = /^(none|)$/i;

/** A date in Quick Add syntax; null clears it, undefined leaves it. */
type ParsedDate = Required<Pick<TaskInput, 'due' | 'isAllDay' | 'timezone'>> | null | undefined;

/** The words for the dates, by the names that `option` returns. */
interface DateWords {
  readonly due?: string | undefined;
  readonly start?: string | undefined;
}

type FieldLabel = (field: keyof DateWords) => string;

function readOption(engine: DuelineEngine, text: string | undefined, option: string): ParsedDate {
  if (text === undefined) return undefined;
  if (clearWord.test(text)) return null;
  const date = engine.readDate(text);
  if (!date) {
    const help = 'Use a date such as “friday 9am”, “in 3 days” or 2026-12-24.';
    throw refusalError(`“${sanitize(text)}” is not a date for ${option}. ${help}`);
  }
  const { due, isAllDay, timezone } = date;
  return { due, isAllDay, timezone };
}

type DatedInput = Pick<Task, 'due' | 'dtstart' | 'isAllDay' | 'timezone' | 'rrule' | 'masterId'>;

/**
 * The changes that new dates mean. Both dates are of one kind and in one time zone (RFC 5545 3.8.2.3): a date that
 * stays must not mean something else afterwards.
 */
export function datesOf(engine: DuelineEngine, task: DatedInput, words: DateWords, option: FieldLabel): TaskInput {
  const [due, start] = [readOption(engine, words.due, option('due')), readOption(engine, words.start, option('start'))];
  const date = due ?? start;
  const patch: TaskInput = {
    ...(due === undefined ? {} : { due: due?.due ?? null }),
    ...(start === undefined ? {} : { dtstart: start?.due ?? null }),
  };
  if (!date) return patch;
  if (due && start && due.isAllDay !== start.isAllDay)
    throw refusalError('Start and due must both have a time, or neither.');
  const otherDate = due === undefined ? task.due : start === undefined ? task.dtstart : null;
  if (otherDate !== null && task.isAllDay !== date.isAllDay) throw otherKind(due ? 'start' : 'due', task, option);
  const zoned = inZone(patch, date, zoneOf(engine, task, otherDate !== null), engine.clock.timeZone);
  const { dtstart: from = task.dtstart, due: to = task.due } = zoned;
  if (from !== null && to !== null && from > to) throw refusalError('The start would be after the due date.');
  return zoned;
}

/**
 * The changes that give a task these dates, with the rest of a patch. A series is shown by its next occurrence: those are
 * its dates, and the whole series moves by their distance.
 */
export function changesWithDates(
  engine: DuelineEngine,
  task: Task,
  patch: TaskInput,
  words: DateWords,
  option: FieldLabel,
): TaskChange[] {
  const { id } = task;
  const [next] = isLiveSeries(task) ? openOccurrences(task, engine.overridesOf(id), engine.clock.timeZone) : [];
  const { isAllDay, timezone } = next?.override ?? task;
  const shown = next && {
    dtstart: task.dtstart === null ? null : next.dtstart,
    due: task.due === null ? null : next.due,
  };
  const dates = datesOf(engine, { ...task, isAllDay, timezone, ...shown }, words, option);
  const isMoved = next !== undefined && (dates.due != null || dates.dtstart != null);
  const own = isMoved ? patch : { ...dates, ...patch };
  return [
    ...(isMoved
      ? [{ type: 'updateOccurrence', id, occurrence: next.recurrenceId, scope: 'all', patch: dates } as const]
      : []),
    ...(Object.keys(own).length > 0 ? [{ type: 'update', id, patch: own } as const] : []),
  ];
}

function otherKind(name: keyof DateWords, { isAllDay }: DatedInput, option: FieldLabel) {
  return refusalError(
    isAllDay
      ? `The ${name} date is a day without a time. Give ${option(name)} too, with a time.`
      : `The ${name} date has a time. Give ${option(name)} too, as a day.`,
  );
}

/** Null if it is the same wall time everywhere. */
function zoneOf({ clock }: DuelineEngine, task: DatedInput, isOneStays: boolean): string | null {
  if (isOneStays) return task.timezone;
  if (task.rrule === null && task.masterId === null) return 'UTC';
  // In UTC, a series would be at another time of day in summer.
  const isInZone = !task.isAllDay && (task.due ?? task.dtstart) !== null && task.timezone !== 'UTC';
  return isInZone ? task.timezone : clock.timeZone;
}

function inZone(patch: TaskInput, date: NonNullable<ParsedDate>, zone: string | null, here: string): TaskInput {
  const { isAllDay } = date;
  if (isAllDay) return { ...patch, isAllDay, timezone: null };
  if (zone !== null) return { ...patch, isAllDay, timezone: zone };
  const wall = (field: 'due' | 'dtstart') => (patch[field] == null ? {} : { [field]: wallOf(patch[field], here) });
  return { ...patch, ...wall('due'), ...wall('dtstart'), isAllDay, timezone: null };
}
