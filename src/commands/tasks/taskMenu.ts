import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import type { CommandId } from '../../contributions/definitions';
import { bucketOf } from '../../core/fields/priority';
import { isClosed } from '../../core/fields/status';
import { Status, type Task } from '../../core/kernel/model';
import { isolate, t } from '../../shared/l10n';
import { showQuickPick } from '../../ui/dialogs';
import { isActive } from '../../ui/occurrences';
import { dateStyle } from '../../ui/settings/settings';
import { momentLabel } from '../../ui/text/dateText';
import { priorityWord, repeats, titleOf } from '../../ui/text/taskText';
import { withIcon } from '../../ui/withIcon';
import { linksOf } from './links';

interface ActionItem extends vscode.QuickPickItem {
  readonly command?: CommandId;
}

/** Shows a task and the actions for it, for the keyboard; returns the chosen command. */
export async function openTaskMenu(engine: DuelineEngine, task: Task): Promise<CommandId | undefined> {
  const style = dateStyle(engine);
  const list = engine.lists().find(({ id }) => id === task.listId);
  const lines: ActionItem[] = [
    isClosed(task)
      ? { ...withIcon('discard', t('Reopen')), command: 'dueline.complete' }
      : { ...withIcon('check', t('Complete')), command: 'dueline.complete' },
    ...(isActive(engine, task)
      ? []
      : [{ ...withIcon('play', t('Start Working')), command: 'dueline.start' } satisfies ActionItem]),
    ...(task.status === Status.inProcess
      ? [{ ...withIcon('stop-circle', t('Stop Working')), command: 'dueline.stop' } satisfies ActionItem]
      : []),
    { ...withIcon('edit', t('Rename…')), command: 'dueline.rename' },
    {
      ...withIcon('calendar', t('Due Date…')),
      description: task.due === null ? undefined : momentLabel(task.due, task, style),
      command: 'dueline.setDue',
    },
    { ...withIcon('go-to-file', t('Open')), command: 'dueline.open' },
    ...(linksOf(engine, task).length > 0
      ? [{ ...withIcon('link-external', t('Open link')), command: 'dueline.openLink' } satisfies ActionItem]
      : []),
    { ...withIcon('flag', t('Priority…')), command: 'dueline.setPriority' },
    { ...withIcon('tag', t('Tags…')), command: 'dueline.editTags' },
    { ...withIcon('list-unordered', t('Move to List…')), command: 'dueline.moveToList' },
    { ...withIcon('sync', t('Repeat…')), command: 'dueline.setRecurrence' },
    { ...withIcon('bell', t('Reminder…')), command: 'dueline.addAlarm' },
    { ...withIcon('trash', t('Delete')), command: 'dueline.delete' },
  ];
  const picked = await showQuickPick(lines, {
    title: isolate(titleOf(task)),
    placeHolder: [
      list && isolate(list.name),
      task.priority > 0 && priorityWord(bucketOf(task.priority)),
      repeats(task) && t('repeats'),
      task.tags.map(tag => isolate(`#${tag}`)).join(' '),
    ]
      .filter(Boolean)
      .join(' · '),
  });
  if (picked?.command) await vscode.commands.executeCommand(picked.command, task.id);
  return picked?.command;
}
