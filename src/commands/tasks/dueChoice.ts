import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import type { EpochMs, TaskInput } from '../../core/kernel/model';
import { civilMs, type Day, instantOf } from '../../core/time/dates';
import { timeOfDay } from '../../core/time/timeOfDay';
import { t, tn } from '../../shared/l10n';
import { ask } from '../../ui/dialogs';
import { presetDays } from '../../ui/presetDays';
import { type Dated, dueAt, dueOn, withoutDue } from '../../ui/reschedule';
import { dateStyle } from '../../ui/settings/settings';
import { mediumDay, momentLabel } from '../../ui/text/dateText';
import { withIcon } from '../../ui/withIcon';
import { back } from '../kit/inputSteps';

/** The user's choice, as a patch for each task it is applied to. */
export type DueChoice = (task: Dated) => TaskInput;

interface DueItem extends vscode.QuickPickItem {
  readonly asked?: DueAnswer;
}

/** A date as it was entered, not yet fitted to a task. */
type DueInput = Pick<TaskInput, 'due' | 'isAllDay' | 'timezone'>;

interface DueAnswer {
  readonly dates?: DueInput;
  readonly day?: Day;
  /** Later than the task's own date. */
  readonly days?: number;
}

interface Question {
  readonly title: string;
  readonly placeholder: string;
  readonly presets: DueItem[];
  /** Beside dates: what else may be typed. */
  readonly typed?: (text: string) => DueItem[];
  readonly mayGoBack?: boolean;
}

/** A typed number also counts as days. `after`: the resulting date, if the tasks agree on one. */
export async function pickLater(
  engine: DuelineEngine,
  title: string,
  after: (days: number) => string | undefined,
): Promise<DueAnswer | undefined> {
  const by = (days: number): DueItem => ({
    label: tn(days, 'By {0} day', 'By {0} days'),
    description: after(days),
    asked: { days },
  });
  const typed = (text: string): DueItem[] => {
    const days = Number(/^\+?(\d{1,3})$/.exec(text.trim())?.[1] ?? 0);
    return days > 0 ? [{ ...by(days), alwaysShow: true }] : [];
  };
  const placeholder = t('Select how far, or type days or a date: 5, friday 9am');
  const choice = await askDate(engine, { title, placeholder, presets: [1, 2, 3, 7, 14, 30].map(by), typed });
  return choice === back ? undefined : choice;
}

/** The label of a date that was entered directly. */
export const dueLabel = (engine: DuelineEngine, dates: DueInput) => momentOf(dates, engine);

/** Asks for a due date: a preset keeps a task's time of day, words as quick add understands them set it. */
export async function pickDue(
  engine: DuelineEngine,
  title: string,
  mayClear: boolean,
): Promise<{ readonly choice: DueChoice; readonly label: string } | undefined> {
  const choice = await askDue(engine, title, mayClear, false);
  if (!choice || choice === back) return undefined;
  const { dates, day } = choice;
  if (dates) return { choice: task => dueAt(task, dates, engine.clock.timeZone), label: momentOf(dates, engine) };
  if (day === undefined) return { choice: withoutDue, label: t('No date') };
  return { choice: task => dueOn(task, day, engine.clock.timeZone), label: mediumDay(day) };
}

function momentOf({ due, isAllDay, timezone }: DueInput, engine: DuelineEngine): string {
  return momentLabel(due!, { timezone: timezone ?? null, isAllDay: isAllDay ?? false }, dateStyle(engine));
}

/** Asks for any date; null clears it. */
export async function pickDate(
  engine: DuelineEngine,
  title: string,
  mayClear: boolean,
): Promise<DueInput | null | undefined> {
  const choice = await askDue(engine, title, mayClear, false);
  return choice === back ? undefined : dueOf(choice);
}

/** The same as the second step of a flow, with a way back to the first. */
export async function pickDateOrBack(
  engine: DuelineEngine,
  title: string,
): Promise<DueInput | null | undefined | typeof back> {
  const choice = await askDue(engine, title, false, true);
  return choice === back ? back : dueOf(choice);
}

/** When a date that was asked for reminds: a day without a time at the hour at which all-day tasks do. */
export const reminderMoment = (engine: DuelineEngine, { due, isAllDay, timezone }: DueInput): EpochMs => {
  const time = isAllDay ? timeOfDay(engine.settings.allDayAlarmTime) : 0;
  return instantOf(due! + time, timezone ?? null, engine.clock.timeZone);
};

function dueOf(choice: DueAnswer | undefined): DueInput | null | undefined {
  if (!choice) return undefined;
  if (choice.dates) return choice.dates;
  return choice.day === undefined ? null : { due: civilMs(choice.day), isAllDay: true, timezone: null };
}

function askDue(
  engine: DuelineEngine,
  title: string,
  mayClear: boolean,
  mayGoBack: boolean,
): Promise<DueAnswer | undefined | typeof back> {
  const presets: DueItem[] = presetDays(engine).map(({ label, icon, day }) => ({
    ...withIcon(icon, label),
    description: mediumDay(day),
    asked: { day },
  }));
  if (mayClear) presets.push({ ...withIcon('close', t('No date')), asked: {} });
  const placeholder = t('Select a date, or type one: friday 9am, in 3 days, Dec 24');
  return askDate(engine, { title, placeholder, presets, mayGoBack });
}

function askDate(
  engine: DuelineEngine,
  { title, placeholder, presets, typed: other, mayGoBack }: Question,
): Promise<DueAnswer | undefined | typeof back> {
  const typed = (text: string): DueItem[] => {
    const found = other?.(text) ?? [];
    if (found.length > 0) return found;
    // A title is needed for the words to be read as a task's; it is not kept.
    const dates = engine.understand(`x ${text}`, { onlyDates: true }).input;
    if (dates.due == null) return [];
    return [{ ...withIcon('check', momentOf(dates, engine)), alwaysShow: true, asked: { dates: dates } }];
  };
  const look = {
    title,
    placeholder,
    items: presets,
    ...(mayGoBack && { step: 2, totalSteps: 2, buttons: [vscode.QuickInputButtons.Back] }),
  };
  return ask<DueItem, DueAnswer | typeof back>(look, pick => ({
    onType(text) {
      const found = typed(text);
      const isUnknown = found.length === 0 && text.trim() !== '';
      const note: DueItem[] = isUnknown ? [{ label: t('“{0}” is not a date.', text.trim()), alwaysShow: true }] : [];
      pick.items = [...found, ...presets, ...note];
    },
    onButton: () => back,
    onAccept: (line = typed(pick.value)[0]) => line?.asked,
  }));
}
