import * as vscode from 'vscode';
import { type Day, dayOf, today } from '../core/dates';
import type { EpochMs, Id, Task } from '../core/model';
import { t, tn } from '../views/l10n';
import type { Parts } from '../views/parts';
import { type Dated, dateChange, daysLater, dueOn, startAt, withoutDue } from '../views/reschedule';
import { showInformation } from '../views/saying';
import { dateStyle } from '../views/settings';
import { type DueChoice, pickDate, pickDue, presetDays } from './dueChoice';
import { announce } from './history';
import { onCommand } from './register';
import { tasksFor } from './targets';

export function scheduleCommands(parts: Parts): vscode.Disposable {
  const { clock } = parts.engine;
  const now = () => today(clock, dateStyle(parts.engine).startHour);
  const onDay =
    (day: Day): DueChoice =>
    task =>
      dueOn(task, day, clock.timeZone);
  return vscode.Disposable.from(
    onCommand('dueline.setDue', async (target, selection) => {
      const tasks = await tasksFor(parts, target, selection, t('Set the due date of which task?'));
      if (tasks.length === 0) return;
      const choice = await pickDue(
        parts,
        t('Due Date'),
        tasks.some(task => task.due !== null),
      );
      if (choice) await reschedule(parts, tasks, choice, occurrencesIn(target, selection));
    }),
    onCommand('dueline.setStart', async (target, selection) => {
      const tasks = await tasksFor(parts, target, selection, t('Set the start date of which task?'));
      if (tasks.length === 0) return;
      const choice = await pickDate(
        parts,
        t('Start Date'),
        tasks.some(task => task.dtstart !== null),
      );
      if (choice !== undefined)
        await reschedule(parts, tasks, task => startAt(task, choice), occurrencesIn(target, selection));
    }),
    onCommand('dueline.dueToday', (target, selection) => quick(parts, target, selection, onDay(now()))),
    onCommand('dueline.dueTomorrow', (target, selection) =>
      quick(parts, target, selection, onDay(daysLater(now(), 1))),
    ),
    onCommand('dueline.dueNextWeek', (target, selection) =>
      quick(parts, target, selection, onDay(presetDays(parts).find(({ isNextWeek }) => isNextWeek)!.day)),
    ),
    onCommand('dueline.clearDue', (target, selection) => quick(parts, target, selection, withoutDue)),
    onCommand('dueline.postpone', async (target, selection) => {
      const tasks = await tasksFor(parts, target, selection, t('Postpone which task?'));
      const days = tasks.length > 0 ? await askDays() : undefined;
      if (days === undefined) return;
      const later: DueChoice = task => dueOn(task, daysLater(base(parts, task, now()), days), clock.timeZone);
      await reschedule(parts, tasks, later, occurrencesIn(target, selection));
    }),
    onCommand('dueline.rescheduleOverdue', async () => {
      const overdue = parts.engine.query('is:overdue').map(({ task }) => task);
      if (overdue.length === 0) {
        void showInformation(t('Nothing is overdue.'));
        return;
      }
      const title = tn(overdue.length, 'Reschedule {0} Overdue Task', 'Reschedule {0} Overdue Tasks');
      const choice = await pickDue(parts, title, true);
      if (choice) await reschedule(parts, overdue, choice);
    }),
  );
}

type Target = Parameters<typeof tasksFor>[1];
type Selection = Parameters<typeof tasksFor>[2];

async function quick(parts: Parts, target: Target, selection: Selection, choice: DueChoice): Promise<void> {
  const tasks = await tasksFor(parts, target, selection, t('Set the due date of which task?'));
  await reschedule(parts, tasks, choice, occurrencesIn(target, selection));
}

/** Which occurrences a widget meant by its rows. */
function occurrencesIn(target: Target, selection: Selection): ReadonlyMap<Id, EpochMs> {
  const called = selection?.length ? selection : [target];
  return new Map(
    called.flatMap(one =>
      typeof one === 'object' && 'taskId' in one && one.occurrence != null
        ? [[one.taskId, one.occurrence] as const]
        : [],
    ),
  );
}

/** Postponing an overdue task counts from today: a day later than last week is still last week. */
function base(parts: Parts, task: Dated, now: Day): Day {
  if (task.due === null) return now;
  const day = dayOf(task.due, task.timezone, parts.engine.clock.timeZone);
  return day < now ? now : day;
}

async function askDays(): Promise<number | undefined> {
  const lines = [1, 2, 3, 7, 14, 30].map(days => ({ label: tn(days, 'By {0} day', 'By {0} days'), days }));
  return (await vscode.window.showQuickPick(lines, { title: t('Postpone'), placeHolder: t('How far?') }))?.days;
}

async function reschedule(
  parts: Parts,
  tasks: readonly Task[],
  choice: DueChoice,
  occurrences: ReadonlyMap<Id, EpochMs> = new Map(),
): Promise<void> {
  const { engine } = parts;
  const lists = new Map<Id, readonly Task[]>();
  const rows = (listId: Id) => {
    const known = lists.get(listId) ?? engine.rows(listId);
    lists.set(listId, known);
    return known;
  };
  const changes = tasks.flatMap(
    task => dateChange({ clock: engine.clock, rows }, task, occurrences.get(task.id) ?? null, choice) ?? [],
  );
  if (changes.length === 0) return;
  await engine.apply(changes);
  announce(tn(changes.length, 'Rescheduled {0} task', 'Rescheduled {0} tasks'));
}
