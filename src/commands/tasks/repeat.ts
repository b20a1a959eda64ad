import * as vscode from 'vscode';
import type { DuelineEngine, TaskChange } from '../../api';
import { DuelineError } from '../../core/kernel/errors';
import type { Task } from '../../core/kernel/model';
import { isRecurring } from '../../core/recurrence/instances';
import { repeatsFromCompletion } from '../../core/recurrence/repeatFrom';
import { civilMs, type Day, dayOf, today } from '../../core/time/dates';
import { isolate, t, tn } from '../../shared/l10n';
import { perform } from '../../ui/announcements';
import { ask } from '../../ui/dialogs';
import { inSeries, type TaskOccurrence } from '../../ui/occurrences';
import type { CommandServices } from '../../ui/services';
import { dateStyle, setting } from '../../ui/settings/settings';
import { commonRules, repeatedText } from '../../ui/text/ruleText';
import { titleOf } from '../../ui/text/taskText';
import { withIcon } from '../../ui/withIcon';
import type { ChangePlan } from '../common/changePlan';
import { back, pickStep } from '../common/inputSteps';
import { type ReadRepeat, readRepeat } from '../common/readRepeat';
import { currentTasks, type TargetResolver } from '../common/targets';
import { dueFor } from './dueChoice';

export const repeatCommands = ({ commands, engine }: CommandServices, targets: TargetResolver): vscode.Disposable =>
  vscode.Disposable.from(
    commands.on('dueline.skipOccurrence', async target => {
      const row = await targets.task(target, t('Select a task to skip its next occurrence'));
      if (!row) return undefined;
      const named = typeof target === 'object' ? target.occurrence : undefined;
      const { task, occurrence } = inSeries(engine, row, named);
      if (!isRecurring(task)) throw new DuelineError('invalid', t('This task does not repeat.'));
      return perform(
        engine,
        () => engine.skipOccurrence(task.id, occurrence ?? undefined),
        () => t('Skipped one occurrence of {0}', isolate(titleOf(task))),
      );
    }),
    commands.on('dueline.setRecurrence', async (target, selection) => {
      const rows = await targets.tasks(target, selection, t('Select a task to set its repeat'));
      if (rows.length === 0) return undefined;
      const tasks = seriesOf(engine, rows);
      const now = today(engine.clock, dateStyle(engine).startHour);
      const on = dayIn(tasks[0]!, engine, now);
      const answer = await askRepeat(engine, on, tasks);
      if (!answer) return undefined;
      const changes = currentTasks(engine, tasks).map(task => repeatChange(task, answer, now));
      if (changes.length === 0) return undefined;
      return perform(
        engine,
        () => engine.apply(changes),
        () => repeatedTasksText(tasks, answer.rrule),
      );
    }),
  );

/** A repeat is the series' own, whichever of its occurrences it is asked for. */
const seriesOf = (engine: DuelineEngine, rows: readonly Task[]): readonly Task[] =>
  [...new Set(rows.map(row => inSeries(engine, row).task.id))].flatMap(id => engine.task(id) ?? []);

/**
 * A repeat that was typed as the due date of tasks without one: it begins on its first date, as in Quick Add. A day keeps
 * the task's time, as any typed date does.
 */
export function planRepeat(engine: DuelineEngine, rows: readonly TaskOccurrence[], repeat: ReadRepeat): ChangePlan {
  const { rrule, from, first, label } = repeat;
  const tasks = rows.map(({ task }) => task);
  const firstOf = (task: Task) => (first.dtstart === undefined ? dueFor(task, first, engine.clock.timeZone) : first);
  const changes = () =>
    currentTasks(engine, tasks)
      .filter(task => !isRecurring(task))
      .map((task): TaskChange => ({ type: 'repeat', id: task.id, rrule, from, first: firstOf(task) }));
  return { label: t('{0}: {1}', t('Repeat'), label), changes, message: () => repeatedTasksText(tasks, rrule) };
}

const repeatedTasksText = (tasks: readonly Task[], rrule: string | null): string =>
  tasks.length === 1
    ? repeatedText(isolate(titleOf(tasks[0]!)), rrule)
    : tn(tasks.length, 'Changed the repeat for {0} task', 'Changed the repeat for {0} tasks');

interface Repeat {
  readonly rrule: string | null;
  readonly from: 'due' | 'completion';
}

/** A series counts from a date; a task without one starts today. */
const repeatChange = (task: Task, repeat: Repeat, now: Day): TaskChange => ({
  type: 'repeat',
  id: task.id,
  ...repeat,
  ...(repeat.rrule !== null && task.due === null && task.dtstart === null
    ? { first: { due: civilMs(now), isAllDay: true, timezone: null } }
    : {}),
});

/** The rule, then what the next date counts from, with a way back to the rule. */
async function askRepeat(engine: DuelineEngine, on: Day, tasks: readonly Task[]): Promise<Repeat | undefined> {
  const mayEnd = tasks.some(isRecurring);
  for (;;) {
    const rrule = await askRule(engine, on, mayEnd);
    if (rrule === undefined) return undefined;
    if (rrule === null) return { rrule, from: 'due' };
    const from = await askFrom(tasks);
    if (from !== back) return from && { rrule, from };
  }
}

function askFrom(tasks: readonly Task[]): Promise<'due' | 'completion' | typeof back | undefined> {
  const known = tasks.filter(isRecurring);
  const usual = setting('dueline.recurrence.defaultMode');
  const current = known.length === 0 ? usual : known.every(task => repeatsFromCompletion(task)) ? 'completion' : 'due';
  const lines = [
    {
      label: t('From the due date'),
      detail: t('A task that repeats every Monday stays on Mondays.'),
      answer: 'due' as const,
    },
    {
      label: t('From the completion date'),
      detail: t('The same interval, counted from the day you complete it.'),
      answer: 'completion' as const,
    },
  ].toSorted((a, b) => Number(b.answer === current) - Number(a.answer === current));
  return pickStep(lines, {
    title: t('Repeat'),
    placeholder: t('Select what the next date counts from'),
    step: 2,
    of: 2,
  });
}

function dayIn(task: Task, engine: DuelineEngine, now: Day): Day {
  const value = task.dtstart ?? task.due;
  return value === null ? now : dayOf(value, task.timezone, engine.clock.timeZone);
}

interface RuleItem extends vscode.QuickPickItem {
  readonly rule: string | null;
}

/** Asks for a rule: the usual ones as they fall on this day, or words. Null ends the repeat. */
function askRule(engine: DuelineEngine, on: Day, mayEnd: boolean): Promise<string | null | undefined> {
  const presets: RuleItem[] = [...commonRules(on)];
  if (mayEnd) presets.unshift({ ...withIcon('close', t('Does not repeat')), rule: null });
  const typed = (text: string): RuleItem[] => {
    const repeat = readRepeat(engine, text);
    return repeat ? [{ ...withIcon('check', repeat.label), rule: repeat.rrule, alwaysShow: true }] : [];
  };
  const placeholder = t('Select a rule, or type one: every 3 days, every second tuesday');
  return ask<RuleItem, string | null>(
    { title: t('Repeat'), step: 1, totalSteps: 2, placeholder, items: presets },
    pick => ({
      onType(text) {
        pick.items = [...typed(text), ...presets];
      },
      onAccept: (line = typed(pick.value)[0]) => line?.rule,
    }),
  );
}
