import * as vscode from 'vscode';
import type { TrashEntry } from '../../api';
import type { TrashTarget } from '../../contributions/commandTargets';
import { isolate, t, tn } from '../../shared/l10n';
import { showInformation, showWarning } from '../../ui/notifications';
import type { Parts } from '../../ui/services';
import { dateStyle } from '../../ui/settings/settings';
import { stampLabel } from '../../ui/text/dateText';
import { titleOf } from '../../ui/text/taskText';
import { onCommand } from '../kit/register';
import { announce } from '../kit/undo';

export const trashCommands = (parts: Parts): vscode.Disposable =>
  vscode.Disposable.from(
    onCommand('dueline.restore', async (target, selection) => {
      const keys = await keysFor(parts, target, selection, t('Restore Deleted Tasks'));
      if (keys.length === 0) return;
      const restored = await parts.engine.restore(keys);
      announce(tn(restored.length, 'Restored {0} task', 'Restored {0} tasks'));
    }),
    onCommand('dueline.deletePermanently', async (target, selection) => {
      const isWhole = target !== undefined && 'id' in target && target.id === 'trash';
      const keys = isWhole
        ? (await everything(parts)).map(({ key }) => key)
        : await keysFor(parts, target, selection, t('Delete Permanently'));
      if (keys.length === 0) return;
      const question = tn(keys.length, 'Permanently delete {0} task?', 'Permanently delete {0} tasks?');
      const go = t('Delete Permanently');
      const detail = t('This cannot be undone.');
      if ((await showWarning(question, { modal: true, detail }, go)) !== go) return;
      await parts.engine.purge(keys);
      await vscode.commands.executeCommand('dueline.view.refresh');
    }),
  );

/** All that was deleted; where there is nothing, the person is told. */
async function everything({ engine }: Parts): Promise<readonly TrashEntry[]> {
  const entries = await engine.trash();
  if (entries.length === 0) void showInformation(t('The trash is empty.'));
  return entries;
}

/** The rows a command was called on, else those that the person picks. */
async function keysFor(
  parts: Parts,
  target: TrashTarget | undefined,
  selection: readonly TrashTarget[] | undefined,
  title: string,
): Promise<readonly string[]> {
  const rows = selection ?? (target === undefined ? [] : [target]);
  const called = rows.flatMap(one => ('trashKey' in one ? one.trashKey : []));
  if (called.length > 0) return called;
  const lists = new Map(parts.engine.lists().map(list => [list.id, list.name]));
  const style = dateStyle(parts.engine);
  const lines = (await everything(parts)).map(({ key, listId, deletedAt, task }) => ({
    label: isolate(titleOf(task)),
    description: [isolate(lists.get(listId) ?? ''), stampLabel(deletedAt, style)].filter(Boolean).join(' · '),
    key,
  }));
  if (lines.length === 0) return [];
  const picked = await vscode.window.showQuickPick(lines, {
    title,
    placeHolder: t('Select tasks'),
    canPickMany: true,
    matchOnDescription: true,
  });
  return picked?.map(({ key }) => key) ?? [];
}
