import type * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import type { EpochMs, TaskInput } from '../../core/kernel/model';
import type { ReadDate } from '../../core/quickAdd/types';
import { civilMs, type Day, dayOfCivil, daysBetween, instantOf, today } from '../../core/time/dates';
import { timeOfDay } from '../../core/time/timeOfDay';
import { minuteMs } from '../../core/time/units';
import { t, tn } from '../../shared/l10n';
import { presetDays } from '../../ui/presetDays';
import { type Dated, dueAt, dueOn, withoutDue } from '../../ui/reschedule';
import { lengthLabel } from '../../ui/text/alarmText';
import { mediumDay } from '../../ui/text/dateText';
import { withIcon } from '../../ui/withIcon';
import { askDate } from '../common/askDate';
import { type ReadRepeat, readRepeat } from '../common/readRepeat';

/** The choice of a date, as a patch for each task it is applied to. */
export type DueChoice = (task: Dated) => TaskInput;

/** A date that was typed, not yet fitted to a task. */
type DueInput = Pick<ReadDate, 'due' | 'isAllDay' | 'timezone' | 'label'>;

/** How much later than the task's own date: by days, or by a time of the clock. */
export type Later = { readonly days: number } | { readonly ms: number };

type DueAnswer = DueInput | { readonly day: Day } | typeof noDate;
/** A typed repeat is more than a date: only a question about due dates takes one. */
type RepeatAnswer = { readonly repeat: ReadRepeat };
const noDate: unique symbol = Symbol('no date');

/** `labelOf`: the date that comes of it, if the tasks agree on one. A number alone is one of days. */
export function pickLater(
  engine: DuelineEngine,
  title: string,
  labelOf: (later: Later) => string | undefined,
): Promise<Later | DueInput | undefined> {
  const by = (later: Later): { label: string; description: string | undefined; answer: Later | DueInput } => ({
    label: laterLabel(later),
    description: labelOf(later),
    answer: later,
  });
  const read = (text: string) => {
    const number = Number(/^\+?(\d{1,3})$/.exec(text.trim())?.[1] ?? 0);
    const date = number > 0 ? undefined : engine.readDate(text);
    const later = number > 0 ? { days: number } : date?.isAmount ? lengthOf(engine, date) : undefined;
    return later ? by(later) : date && dateLine(date);
  };
  const placeholder = t('Select how far, or type it: 5, 2 weeks, 3h, friday 9am');
  const presets = [1, 2, 3, 7, 14, 30].map(days => by({ days }));
  return askDate<Later | DueInput>({ engine, title, placeholder, presets, read });
}

/** A length of time, from the date that it leads to from now; undefined if that is not in the future. */
function lengthOf({ clock, settings }: DuelineEngine, { due, isAllDay }: ReadDate): Later | undefined {
  if (!isAllDay) return due > clock.now() ? { ms: due - Math.ceil(clock.now() / minuteMs) * minuteMs } : undefined;
  const days = daysBetween(today(clock, settings.dayStartHour), dayOfCivil(due));
  return days > 0 ? { days } : undefined;
}

export const laterLabel = (later: Later): string =>
  'days' in later ? tn(later.days, 'By {0} day', 'By {0} days') : t('By {0}', lengthLabel(later.ms));

/** Asks for a due date: a day keeps a task's time of day; words that Quick Add understands may set it. */
export async function pickDue(
  engine: DuelineEngine,
  title: string,
  mayClear: boolean,
): Promise<{ readonly choice: DueChoice; readonly label: string } | undefined> {
  const answer = await askDue(engine, title, mayClear);
  return answer && choiceOf(engine, answer);
}

/** Asks for a due date, or the repeat of tasks that have none. */
export async function pickDueOrRepeat(
  engine: DuelineEngine,
  title: string,
  mayClear: boolean,
): Promise<{ readonly choice: DueChoice; readonly label: string } | RepeatAnswer | undefined> {
  const answer = await askDue<RepeatAnswer>(engine, title, mayClear, text => {
    const repeat = readRepeat(engine, text);
    return repeat && { ...withIcon('sync', repeat.label), description: repeat.firstLabel, answer: { repeat } };
  });
  if (!answer) return undefined;
  return typeof answer === 'object' && 'repeat' in answer ? answer : choiceOf(engine, answer);
}

function choiceOf(engine: DuelineEngine, answer: DueAnswer): { readonly choice: DueChoice; readonly label: string } {
  const zone = engine.clock.timeZone;
  if (answer === noDate) return { choice: withoutDue, label: t('No date') };
  if ('day' in answer) return { choice: task => dueOn(task, answer.day, zone), label: mediumDay(answer.day) };
  return { choice: task => dueFor(task, answer, zone), label: answer.label };
}

/** A day keeps a task's time of day, whether it was typed or chosen. */
export const dueFor = (task: Dated, date: Omit<DueInput, 'label'>, zone: string): TaskInput =>
  date.isAllDay ? dueOn(task, dayOfCivil(date.due), zone) : dueAt(task, date, zone);

/** Asks for any date; null clears it. */
export async function pickDate(
  engine: DuelineEngine,
  title: string,
  mayClear: boolean,
): Promise<Omit<DueInput, 'label'> | null | undefined> {
  const answer = await askDue(engine, title, mayClear);
  if (!answer) return undefined;
  if (answer === noDate) return null;
  return 'day' in answer ? { due: civilMs(answer.day), isAllDay: true, timezone: null } : answer;
}

/** When a date that was typed reminds: a day without a time at the hour at which all-day tasks do. */
export const reminderMoment = (engine: DuelineEngine, { due, isAllDay, timezone }: Omit<DueInput, 'label'>): EpochMs =>
  instantOf(due + (isAllDay ? timeOfDay(engine.settings.allDayAlarmTime) : 0), timezone, engine.clock.timeZone);

function askDue<More = never>(
  engine: DuelineEngine,
  title: string,
  mayClear: boolean,
  readMore?: (text: string) => (vscode.QuickPickItem & { readonly answer: More }) | undefined,
): Promise<DueAnswer | More | undefined> {
  const days = presetDays(engine).map(({ label, icon, day }) => ({
    ...withIcon(icon, label),
    description: mediumDay(day),
    answer: { day },
  }));
  const presets = [
    ...days,
    ...(mayClear ? [{ ...withIcon('close', t('No date')), answer: noDate as typeof noDate }] : []),
  ];
  const placeholder = t('Select a date, or type one: friday 9am, in 3 days, Dec 24');
  const read = (text: string) => {
    const date = engine.readDate(text);
    return date ? dateLine(date) : readMore?.(text);
  };
  return askDate<DueAnswer | More>({ engine, title, placeholder, presets, read });
}

const dateLine = (date: DueInput) => ({ ...withIcon('check', date.label), answer: date });
