import type * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import type { AlarmInput } from '../../core/kernel/model';
import { minuteMs } from '../../core/time/units';
import { t, tn } from '../../shared/l10n';
import { alarmChoices } from '../../ui/alarmChoices';
import { perform } from '../../ui/announcements';
import { showQuickPick } from '../../ui/dialogs';
import { showWarning } from '../../ui/notifications';
import type { CommandServices } from '../../ui/services';
import { dateStyle } from '../../ui/settings/settings';
import { alarmLabel } from '../../ui/text/alarmText';
import { withIcon } from '../../ui/withIcon';
import { back } from '../kit/inputSteps';
import { currentTasks, type TargetResolver } from '../kit/targets';
import { pickDateOrBack, reminderMoment } from './dueChoice';

export const alarmCommands = ({ commands, engine }: CommandServices, targets: TargetResolver): vscode.Disposable =>
  commands.on('dueline.addAlarm', async (target, selection) => {
    const tasks = await targets.tasks(target, selection, t('Select a task to add a reminder to'));
    if (tasks.length === 0) return undefined;
    const alarm = await askAlarm(
      engine,
      tasks.every(task => task.due !== null),
      tasks.every(task => task.dtstart !== null),
    );
    if (!alarm) return undefined;
    const same = (one: AlarmInput) =>
      one.minutesBefore === alarm.minutesBefore && (one.reference ?? 'DUE') === alarm.reference;
    const changes = currentTasks(engine, tasks)
      .filter(task => !task.alarms.some(same))
      .map(task => ({ type: 'update' as const, id: task.id, patch: { alarms: [...task.alarms, alarm] } }));
    if (changes.length === 0) return undefined;
    return perform(
      engine,
      () => engine.apply(changes),
      () => tn(changes.length, 'Added a reminder to {0} task', 'Added a reminder to {0} tasks'),
    );
  });

/** Before the due date or the start, if the tasks have one, or at a moment of its own. */
async function askAlarm(engine: DuelineEngine, hasDue: boolean, hasStart: boolean): Promise<AlarmInput | undefined> {
  const style = dateStyle(engine);
  const lines = [
    ...alarmChoices(hasDue, hasStart).map(alarm => ({
      label: alarmLabel(alarm, style),
      alarm: alarm as AlarmInput | undefined,
    })),
    { ...withIcon('calendar', t('At a date and time…')), alarm: undefined as AlarmInput | undefined },
  ];
  for (;;) {
    const picked = await showQuickPick(lines, { title: t('Reminder') });
    if (!picked || picked.alarm) return picked?.alarm;
    const choice = await pickDateOrBack(engine, t('Remind Me At'));
    if (choice === back) continue;
    if (choice?.due == null) return undefined;
    const instant = reminderMoment(engine, choice);
    if (instant > engine.clock.now()) return { minutesBefore: -Math.round(instant / minuteMs), reference: 'ABSOLUTE' };
    void showWarning(t('Choose a time in the future. No reminder was added.'));
    return undefined;
  }
}
