import * as vscode from 'vscode';
import type { Task } from '../core/model';
import type { CommandId } from '../ids';
import { bucketOf, isClosed, isRecurring, priorityWord, titleOf } from '../views/describe';
import { isolate, plain, t } from '../views/l10n';
import type { Parts } from '../views/parts';
import { dateStyle } from '../views/settings';
import { momentLabel } from '../views/when';

interface Line extends vscode.QuickPickItem {
  readonly command?: CommandId;
}

/** A task and what can be done with it, without leaving the keyboard. */
export async function openTaskMenu(parts: Parts, task: Task): Promise<void> {
  const style = dateStyle(parts.engine);
  const list = parts.engine.lists().find(({ id }) => id === task.listId);
  const lines: Line[] = [
    isClosed(task)
      ? { label: `$(discard) ${t('Reopen')}`, command: 'dueline.complete' }
      : { label: `$(check) ${t('Complete')}`, command: 'dueline.complete' },
    { label: `$(edit) ${t('Rename…')}`, command: 'dueline.rename' },
    {
      label: `$(calendar) ${t('Due Date…')}`,
      description: task.due === null ? undefined : momentLabel(task.due, task, style),
      command: 'dueline.setDue',
    },
    { label: `$(go-to-file) ${t('Open')}`, command: 'dueline.open' },
    { label: `$(flag) ${t('Priority…')}`, command: 'dueline.setPriority' },
    { label: `$(tag) ${t('Tags…')}`, command: 'dueline.editTags' },
    { label: `$(list-unordered) ${t('Move to List…')}`, command: 'dueline.moveToList' },
    { label: `$(sync) ${t('Repeat…')}`, command: 'dueline.setRecurrence' },
    { label: `$(bell) ${t('Reminder…')}`, command: 'dueline.addAlarm' },
    { label: `$(trash) ${t('Delete')}`, command: 'dueline.delete' },
  ];
  const picked = await vscode.window.showQuickPick(lines, {
    title: isolate(titleOf(task)),
    placeHolder: [
      list && isolate(list.name),
      task.priority > 0 && priorityWord(bucketOf(task.priority)),
      isRecurring(task) && t('repeats'),
      task.tags.map(tag => `#${plain(tag)}`).join(' '),
    ]
      .filter(Boolean)
      .join(' · '),
  });
  if (picked?.command) await vscode.commands.executeCommand(picked.command, task.id);
}
