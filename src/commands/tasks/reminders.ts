import * as vscode from 'vscode';
import type { DuelineEngine, Reminder } from '../../api';
import type { Task } from '../../core/kernel/model';
import { isolate, t } from '../../shared/l10n';
import { showQuickPick } from '../../ui/dialogs';
import { showError } from '../../ui/errors';
import { showInformation } from '../../ui/notifications';
import type { Services } from '../../ui/services';
import { reminderDetails } from '../../ui/text/reminderText';
import { titleOf } from '../../ui/text/taskText';
import { withIcon } from '../../ui/withIcon';
import { ReminderNotifier } from '../../views/reminders/reminderNotifier';
import { ReminderStatus } from '../../views/reminders/reminderStatus';
import type { TargetResolver } from '../common/targets';
import { ReminderActions } from './reminderActions';
import { ReminderNotifications } from './reminderNotifications';

/** The user's side of reminders: notifications, the list of those that wait, and their commands. */
export function reminderCommands(
  { commands, announce, engine, log }: Pick<Services, 'commands' | 'announce' | 'engine' | 'log'>,
  targets: TargetResolver,
): vscode.Disposable {
  const answers = new ReminderActions(engine, announce);
  const notifications = new ReminderNotifications(engine, answers, () => showWaiting(engine, answers));
  const waitingFor = (tasks: readonly Task[]) => {
    const ids = new Set(tasks.map(({ id }) => id));
    return engine.reminders.pending().filter(({ task }) => ids.has(task.id));
  };
  return vscode.Disposable.from(
    new ReminderStatus(engine),
    new ReminderNotifier(engine, log, due => void notifications.show(due).catch(showError)),
    commands.on('dueline.snooze', async (target, selection) => {
      await engine.reminders.open();
      const tasks = await targets.tasks(target, selection, t('Select a task to snooze its reminder'));
      const waiting = waitingFor(tasks);
      const reminders = waiting.length > 0 ? waiting : tasks.flatMap(({ id }) => engine.reminders.upcoming(id) ?? []);
      if (reminders.length > 0) await answers.snooze(reminders);
      else if (tasks.length > 0) await offerReminder(tasks);
    }),
    commands.on('dueline.dismissReminder', async (target, selection) => {
      await engine.reminders.open();
      await answers.dismiss(
        waitingFor(await targets.tasks(target, selection, t('Select a task to dismiss its reminder'))),
      );
    }),
    commands.on('dueline.showPendingAlarms', async (answer, notification) => {
      await engine.reminders.open();
      if (answer !== undefined && notification !== undefined) await notifications.answer(answer, notification);
      else await showWaiting(engine, answers);
    }),
  );
}

interface ReminderItem extends vscode.QuickPickItem {
  readonly reminder?: Reminder;
  readonly all?: 'snooze' | 'dismiss';
}

/** Shows the waiting reminders until the list is empty or the user leaves. */
async function showWaiting(engine: DuelineEngine, answers: ReminderActions): Promise<void> {
  for (;;) {
    const waiting = engine.reminders.pending();
    if (waiting.length === 0) {
      vscode.window.setStatusBarMessage(t('No pending reminders.'), 5000);
      return;
    }
    const lines: ReminderItem[] = waiting.map(reminder => ({
      label: isolate(titleOf(reminder.task)),
      description: reminderDetails(reminder, engine).join(' · '),
      reminder,
    }));
    if (waiting.length > 1)
      lines.push(
        { label: '', kind: vscode.QuickPickItemKind.Separator },
        { ...withIcon('watch', t('Snooze All…')), all: 'snooze' },
        { ...withIcon('close-all', t('Dismiss All')), all: 'dismiss' },
      );
    const picked = await showQuickPick(lines, {
      title: t('Reminders'),
      placeHolder: t('Select a reminder to complete, snooze or dismiss it'),
      matchOnDescription: true,
    });
    if (!picked) return;
    if (picked.all === 'snooze') await answers.snooze(waiting);
    else if (picked.all === 'dismiss') await answers.dismiss(waiting);
    else if (picked.reminder && (await answer(answers, picked.reminder)) === 'left') return;
  }
}

async function answer(answers: ReminderActions, reminder: Reminder): Promise<'left' | undefined> {
  const lines: (vscode.QuickPickItem & { run: () => Promise<unknown>; leaves?: true })[] = [
    { ...withIcon('check', t('Complete')), run: () => answers.complete(reminder) },
    { ...withIcon('watch', t('Snooze…')), run: () => answers.snooze([reminder]) },
    { ...withIcon('go-to-file', t('Open')), run: () => answers.open(reminder), leaves: true },
    { ...withIcon('close', t('Dismiss')), run: () => answers.dismiss([reminder]) },
  ];
  const picked = await showQuickPick(lines, { title: isolate(titleOf(reminder.task)) });
  await picked?.run();
  return picked?.leaves ? 'left' : undefined;
}

async function offerReminder(tasks: readonly Task[]): Promise<void> {
  const add = t('Add Reminder…');
  const picked = await showInformation(t('No reminder to snooze.'), add);
  if (picked === add)
    await vscode.commands.executeCommand(
      'dueline.addAlarm',
      tasks[0]!.id,
      tasks.map(({ id }) => id),
    );
}
