import * as vscode from 'vscode';
import { civilMs, type Day, dayOf, today } from '../core/dates';
import { DuelineError } from '../core/errors';
import type { Task, TaskInput } from '../core/model';
import { isRecurring, titleOf } from '../views/describe';
import { isolate, t, tn } from '../views/l10n';
import type { Parts } from '../views/parts';
import { usualRules } from '../views/ruleWords';
import { dateStyle } from '../views/settings';
import { announce } from './history';
import { onCommand } from './register';
import { taskFor, tasksFor } from './targets';

export const repeatCommands = (parts: Parts): vscode.Disposable =>
  vscode.Disposable.from(
    onCommand('dueline.skipOccurrence', async target => {
      const task = await taskFor(parts, target, t('Skip the next occurrence of which task?'));
      if (!task) return;
      if (!isRecurring(task)) throw new DuelineError('invalid', t('This task does not repeat.'));
      const occurrence = typeof target === 'object' ? (target.occurrence ?? undefined) : undefined;
      await parts.engine.skipOccurrence(task.id, occurrence);
      announce(t('Skipped one occurrence of {0}', isolate(titleOf(task))));
    }),
    onCommand('dueline.setRecurrence', async (target, selection) => {
      const tasks = await tasksFor(parts, target, selection, t('Repeat which task?'));
      if (tasks.length === 0) return;
      const now = today(parts.engine.clock, dateStyle(parts.engine).startHour);
      const rule = await askRule(
        parts,
        dayIn(tasks[0]!, parts, now),
        tasks.some(task => task.rrule !== null),
      );
      if (rule === undefined) return;
      await parts.engine.apply(
        tasks.map(({ id, ...task }) => ({ type: 'update', id, patch: patchFor(task, rule, now) })),
      );
      announce(tn(tasks.length, 'Changed the repeat of {0} task', 'Changed the repeat of {0} tasks'));
    }),
  );

/** A series counts from a date; a task without one starts today. */
const patchFor = (task: Pick<Task, 'due' | 'dtstart'>, rrule: string | null, now: Day): TaskInput =>
  rrule !== null && task.due === null && task.dtstart === null
    ? { rrule, due: civilMs(now), isAllDay: true, timezone: null }
    : { rrule };

function dayIn(task: Task, parts: Parts, now: Day): Day {
  const value = task.dtstart ?? task.due;
  return value === null ? now : dayOf(value, task.timezone, parts.engine.clock.timeZone);
}

interface Line extends vscode.QuickPickItem {
  readonly rule: string | null;
}

/** Asks for a rule: the usual ones as they fall on this day, or words. Null ends the repeat. */
function askRule(parts: Parts, on: Day, mayEnd: boolean): Promise<string | null | undefined> {
  const presets: Line[] = [...usualRules(on)];
  if (mayEnd) presets.unshift({ label: `$(close) ${t('Do not repeat')}`, rule: null });
  const pick = vscode.window.createQuickPick<Line>();
  pick.title = t('Repeat');
  pick.placeholder = t('Pick a rule, or type: every 3 days, every second tuesday');
  pick.items = presets;
  pick.onDidChangeValue(text => {
    const { input, tokens } = parts.engine.understand(`x ${text}`, { onlyDates: true });
    const token = tokens.find(({ kind }) => kind === 'repeat');
    const typed: Line[] =
      input.rrule && token
        ? [{ label: `$(check) ${token.label}`, description: input.rrule, rule: input.rrule, alwaysShow: true }]
        : [];
    pick.items = [...typed, ...presets];
  });
  return new Promise(resolve => {
    let rule: string | null | undefined;
    pick.onDidAccept(() => {
      rule = pick.activeItems[0]?.rule;
      pick.hide();
    });
    pick.onDidHide(() => {
      pick.dispose();
      resolve(rule);
    });
    pick.show();
  });
}
