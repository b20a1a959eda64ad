import * as vscode from 'vscode';
import { type Day, today, weekday } from '../core/dates';
import type { Task, TaskInput } from '../core/model';
import { t } from '../views/l10n';
import type { Parts } from '../views/parts';
import { daysLater, dueAt, dueOn, withoutDue } from '../views/reschedule';
import { dateStyle } from '../views/settings';
import { mediumDay, momentLabel } from '../views/when';

/** What a person chose, as a patch for each task it is applied to. */
export type DueChoice = (task: Task) => TaskInput;

interface Line extends vscode.QuickPickItem {
  readonly choice?: DueChoice;
}

export function presetDays(parts: Parts): readonly { label: string; icon: string; day: Day }[] {
  const style = dateStyle(parts.engine);
  const now = today(style.clock, style.startHour);
  const toMonday = ((8 - weekday(now)) % 7 || 7) as number;
  const presets = [
    { label: t('Today'), icon: 'calendar', day: now },
    { label: t('Tomorrow'), icon: 'arrow-right', day: daysLater(now, 1) },
    { label: t('Next week'), icon: 'arrow-right', day: daysLater(now, toMonday) },
    { label: t('In two weeks'), icon: 'arrow-right', day: daysLater(now, 14) },
  ];
  return presets.filter((preset, at) => presets.findIndex(({ day }) => day === preset.day) === at);
}

/** Asks for a date: a preset, or words as quick add understands them. */
export function pickDue(parts: Parts, title: string, mayClear: boolean): Promise<DueChoice | undefined> {
  const pick = vscode.window.createQuickPick<Line>();
  pick.title = title;
  pick.placeholder = t('Pick a day, or type: friday 9am, in 3 days, 24 December');
  const zone = parts.engine.clock.timeZone;
  const style = dateStyle(parts.engine);
  const presets: Line[] = presetDays(parts).map(({ label, icon, day }) => ({
    label: `$(${icon}) ${label}`,
    description: mediumDay(day),
    choice: task => dueOn(task, day, zone),
  }));
  if (mayClear) presets.push({ label: `$(close) ${t('No date')}`, choice: withoutDue });

  const typed = (text: string): Line[] => {
    const said = parts.engine.understand(text).input;
    if (said.due == null) return [];
    const label = momentLabel(said.due, { timezone: said.timezone ?? null, isAllDay: said.isAllDay ?? false }, style);
    return [{ label: `$(check) ${label}`, alwaysShow: true, choice: task => dueAt(task, said) }];
  };
  return new Promise(resolve => {
    let choice: DueChoice | undefined;
    pick.items = presets;
    pick.onDidChangeValue(text => {
      pick.items = text.trim() === '' ? presets : [...typed(text), ...presets];
    });
    pick.onDidAccept(() => {
      choice = pick.activeItems[0]?.choice;
      if (choice) pick.hide();
    });
    pick.onDidHide(() => {
      pick.dispose();
      resolve(choice);
    });
    pick.show();
  });
}
