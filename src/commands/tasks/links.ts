import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import { DuelineError } from '../../core/errors';
import { isolate, t } from '../../shared/l10n';
import { showInformation } from '../../ui/notifications';
import { isTaskTarget } from '../../ui/selection';
import { linkTask, linkTo, openTaskLink } from '../../ui/taskLinks';
import { titleOf } from '../../ui/text/taskText';
import { pickTask } from '../kit/pickTask';
import { onCommand } from '../kit/register';
import type { TargetResolver } from '../kit/targets';
import { announce } from '../kit/undo';

/** A task's link to a file or a page; by keyboard what dropping a file on a task does. */
export const linkCommands = (engine: DuelineEngine, targets: TargetResolver): vscode.Disposable =>
  vscode.Disposable.from(
    onCommand('dueline.linkHere', async target => {
      const place = placeIn(vscode.window.activeTextEditor);
      if (!place) {
        void showInformation(t('Open a saved file first. The task is linked to its current line.'));
        return;
      }
      // An editor's menu hands over its file, which is no task. What is selected in a tree then says nothing of this line.
      const question = t('Select a task to link to this line');
      const task = isTaskTarget(target) ? await targets.task(target, question) : await pickTask(engine, question);
      if (task && (await linkTask(engine, task.id, place))) announce(t('Linked {0}', isolate(titleOf(task))));
    }),
    onCommand('dueline.openLink', async target => {
      const task =
        target === undefined
          ? await selectedOr(engine, targets, t('Select a task to open its link'))
          : await targets.task(target, '');
      if (!task) return;
      if (!task.url) throw new DuelineError('invalid', t('This task has no link.'));
      await openTaskLink(task.url);
    }),
    onCommand('dueline.removeLink', async target => {
      const task =
        target === undefined
          ? await selectedOr(engine, targets, t('Select a task to remove its link'))
          : await targets.task(target, '');
      if (!task?.url) return;
      await engine.updateTask(task.id, { url: null });
      announce(t('Removed the link from {0}', isolate(titleOf(task))));
    }),
  );

/** Only tasks that have a link are offered. */
const selectedOr = async (engine: DuelineEngine, targets: TargetResolver, placeholder: string) =>
  (await targets.selection.current()).length > 0
    ? targets.task(undefined, placeholder)
    : pickTask(engine, placeholder, 'has:url sort:due,priority', t('No open tasks have a link.'));

function placeIn(editor: vscode.TextEditor | undefined): string | undefined {
  if (!editor || editor.document.isUntitled) return undefined;
  return linkTo(editor.document.uri, editor.selection.active.line);
}
