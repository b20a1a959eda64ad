import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import { isRecurring } from '../../core/recurrence/instances';
import { type Day, dayOf, instantOf, today } from '../../core/time/dates';
import { minuteMs } from '../../core/time/units';
import { t, tn } from '../../shared/l10n';
import type { Announcement } from '../../ui/announcements';
import { rescheduledOf } from '../../ui/applyToSeries';
import { showInformation } from '../../ui/notifications';
import { inSeries, instanceOf, type TaskOccurrence } from '../../ui/occurrences';
import { presetDays } from '../../ui/presetDays';
import {
  type Dated,
  dateChange,
  datesOfOccurrence,
  daysLater,
  dueAt,
  dueOn,
  rescheduledText,
  startAt,
  withoutDue,
} from '../../ui/reschedule';
import type { CommandServices } from '../../ui/services';
import { dateStyle } from '../../ui/settings/settings';
import { momentLabel } from '../../ui/text/dateText';
import { applyPlan, type ChangePlan } from '../common/changePlan';
import { currentOccurrences, type TargetResolver, withoutReadOnly } from '../common/targets';
import {
  type DueChoice,
  dueFor,
  type Later,
  laterLabel,
  pickDate,
  pickDue,
  pickDueOrRepeat,
  pickLater,
} from './dueChoice';
import { planRepeat } from './repeat';

export function dateCommands({ commands, engine }: CommandServices, targets: TargetResolver): vscode.Disposable {
  const { clock } = engine;
  const now = () => today(clock, dateStyle(engine).startHour);
  const onDay =
    (day: Day): DueChoice =>
    task =>
      dueOn(task, day, clock.timeZone);
  return vscode.Disposable.from(
    commands.on('dueline.setDue', async (target, selection) => {
      const rows = await targets.occurrences(target, selection, t('Select a task to set its due date'));
      return rows.length > 0 ? applyPlan(engine, await planDue(engine, rows)) : undefined;
    }),
    commands.on('dueline.setStart', async (target, selection) => {
      const rows = await targets.occurrences(target, selection, t('Select a task to set its start date'));
      if (rows.length === 0) return undefined;
      const choice = await pickDate(
        engine,
        t('Start Date'),
        rows.some(({ task }) => task.dtstart !== null),
      );
      if (choice === undefined) return undefined;
      const change: DueChoice = task => startAt(task, choice, clock.timeZone);
      return applyPlan(engine, planDates(engine, rows, t('Start Date'), change));
    }),
    commands.on('dueline.dueToday', (target, selection) => quick(engine, targets, target, selection, onDay(now()))),
    commands.on('dueline.dueTomorrow', (target, selection) =>
      quick(engine, targets, target, selection, onDay(daysLater(now(), 1))),
    ),
    commands.on('dueline.dueNextWeek', (target, selection) =>
      quick(engine, targets, target, selection, onDay(presetDays(engine).find(({ isNextWeek }) => isNextWeek)!.day)),
    ),
    commands.on('dueline.clearDue', (target, selection) => quick(engine, targets, target, selection, withoutDue)),
    commands.on('dueline.postpone', async (target, selection) => {
      const rows = await targets.occurrences(target, selection, t('Select a task to postpone'));
      return rows.length > 0 ? applyPlan(engine, await planPostpone(engine, rows)) : undefined;
    }),
    commands.on('dueline.rescheduleOverdue', async () => {
      const found = withoutReadOnly(engine, engine.query('is:overdue'));
      const overdue = found.map(({ task }) => ({ task, occurrence: null }));
      if (overdue.length === 0) {
        void showInformation(t('No overdue tasks.'));
        return undefined;
      }
      const title = tn(overdue.length, 'Reschedule {0} Overdue Task', 'Reschedule {0} Overdue Tasks');
      const picked = await pickDue(engine, title, true);
      return picked && applyPlan(engine, planDates(engine, overdue, picked.label, picked.choice));
    }),
  );
}

type Target = Parameters<TargetResolver['occurrences']>[0];
type Selection = Parameters<TargetResolver['occurrences']>[1];

async function quick(
  engine: DuelineEngine,
  targets: TargetResolver,
  target: Target,
  selection: Selection,
  choice: DueChoice,
): Promise<Announcement | undefined> {
  const rows = await targets.occurrences(target, selection, t('Select a task to set its due date'));
  return applyPlan(engine, planDates(engine, rows, t('Due Date'), choice));
}

export async function planDue(engine: DuelineEngine, rows: readonly TaskOccurrence[]): Promise<ChangePlan | undefined> {
  const title = t('Due Date');
  const mayClear = rows.some(({ task }) => task.due !== null);
  // The rule of a task with a start names the days that it starts on.
  const mayRepeat = rows.every(({ task }) => task.dtstart === null && !isRecurring(inSeries(engine, task).task));
  const picked = await (mayRepeat ? pickDueOrRepeat : pickDue)(engine, title, mayClear);
  if (picked && 'repeat' in picked) return planRepeat(engine, rows, picked.repeat);
  return picked && planDates(engine, rows, t('{0}: {1}', title, picked.label), picked.choice);
}

export async function planPostpone(
  engine: DuelineEngine,
  rows: readonly TaskOccurrence[],
): Promise<ChangePlan | undefined> {
  const { clock } = engine;
  const style = dateStyle(engine);
  const now = today(clock, style.startHour);
  const later =
    (by: Later): DueChoice =>
    task =>
      'days' in by
        ? dueOn(task, daysLater(base(engine, task, now), by.days), clock.timeZone)
        : dueAt(task, timeLater(task, by.ms, clock), clock.timeZone);
  const labelOf = (by: Later) => {
    const labels = rows.map(({ task, occurrence }) => {
      const dated = datesOfOccurrence(task, instanceOf(engine, task, occurrence));
      const patch = later(by)(dated);
      return patch.due == null ? '' : momentLabel(patch.due, { ...dated, ...(patch as Partial<Dated>) }, style);
    });
    return new Set(labels).size === 1 ? labels[0] : undefined;
  };
  const picked = await pickLater(engine, t('Postpone'), labelOf);
  if (!picked) return undefined;
  const label = 'label' in picked ? picked.label : laterLabel(picked);
  const choice: DueChoice = 'label' in picked ? task => dueFor(task, picked, clock.timeZone) : later(picked);
  return planDates(engine, rows, t('{0}: {1}', t('Postpone'), label), choice);
}

/** Counts from the task's time, or from now if that has passed or there is none. */
function timeLater({ due, isAllDay, timezone }: Dated, ms: number, clock: DuelineEngine['clock']) {
  const isAhead = due !== null && !isAllDay && instantOf(due, timezone, clock.timeZone) > clock.now();
  const from = isAhead ? due : Math.ceil(clock.now() / minuteMs) * minuteMs;
  return { due: from + ms, isAllDay: false, timezone: isAhead ? timezone : 'UTC' };
}

/** Postponing an overdue task counts from today: a day later than last week is still last week. */
function base(engine: DuelineEngine, task: Dated, now: Day): Day {
  if (task.due === null) return now;
  const day = dayOf(task.due, task.timezone, engine.clock.timeZone);
  return day < now ? now : day;
}

function planDates(
  engine: DuelineEngine,
  targets: readonly TaskOccurrence[],
  label: string,
  choice: DueChoice,
): ChangePlan {
  const changes = () => {
    const found = currentOccurrences(engine, targets).flatMap(
      ({ task, occurrence }) => dateChange(engine, task, occurrence, choice) ?? [],
    );
    // Several occurrences ask for a change that only the series as a whole can make.
    return [...new Map(found.map(change => [JSON.stringify(change), change])).values()];
  };
  return {
    label,
    changes,
    message: changes => rescheduledText(engine, changes),
    rescheduled: changes => rescheduledOf(engine, changes),
  };
}
