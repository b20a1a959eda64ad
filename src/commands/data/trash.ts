import * as vscode from 'vscode';
import type { DuelineEngine, TrashEntry } from '../../api';
import type { TrashTarget } from '../../contributions/commandTargets';
import { foldCase } from '../../query/eval/foldCase';
import { isolate, t, tn } from '../../shared/l10n';
import { perform } from '../../ui/announcements';
import { ask } from '../../ui/dialogs';
import { showInformation, showWarning } from '../../ui/notifications';
import type { CommandServices } from '../../ui/services';
import { dateStyle } from '../../ui/settings/settings';
import { stampLabel } from '../../ui/text/dateText';
import { titleOf } from '../../ui/text/taskText';

export const trashCommands = ({ commands, engine }: CommandServices): vscode.Disposable =>
  vscode.Disposable.from(
    commands.on('dueline.restore', async (target, selection) => {
      const keys = await keysFor(engine, target, selection, t('Restore Deleted Tasks'));
      if (keys.length === 0) return undefined;
      return perform(
        engine,
        () => engine.restore(keys),
        restored => tn(restored.length, 'Restored {0} task', 'Restored {0} tasks'),
      );
    }),
    commands.on('dueline.deletePermanently', async (target, selection) => {
      const isWhole = target !== undefined && 'id' in target && target.id === 'trash';
      const keys = isWhole
        ? (await everything(engine)).map(({ key }) => key)
        : await keysFor(engine, target, selection, t('Delete Permanently'));
      if (keys.length === 0) return;
      const question = tn(keys.length, 'Permanently delete {0} task?', 'Permanently delete {0} tasks?');
      const go = t('Delete Permanently');
      const detail = t('This cannot be undone.');
      if ((await showWarning(question, { modal: true, detail }, go)) !== go) return;
      await engine.purge(keys);
    }),
  );

/** All deleted tasks and lists; if there are none, informs the user. */
async function everything(engine: DuelineEngine): Promise<readonly TrashEntry[]> {
  const entries = await engine.trash();
  if (entries.length === 0) void showInformation(t('The trash is empty.'));
  return entries;
}

interface TrashLine extends vscode.QuickPickItem {
  readonly key: string;
}

/** The rows that a command was called on, else those that the user picks. */
async function keysFor(
  engine: DuelineEngine,
  target: TrashTarget | undefined,
  selection: readonly TrashTarget[] | undefined,
  title: string,
): Promise<readonly string[]> {
  const rows = selection ?? (target === undefined ? [] : [target]);
  const called = rows.flatMap(one => ('trashKey' in one ? one.trashKey : []));
  if (called.length > 0) return called;
  const lists = new Map(engine.lists().map(list => [list.id, list.name]));
  const style = dateStyle(engine);
  const lines = (await everything(engine)).map(({ key, listId, deletedAt, task }) => ({
    label: isolate(titleOf(task)),
    description: [lists.get(listId) ?? '', stampLabel(deletedAt, style)].filter(Boolean).map(isolate).join(' · '),
    key,
  }));
  if (lines.length === 0) return [];
  const options = {
    title,
    placeholder: t('Select tasks'),
    canSelectMany: true,
    matchOnDescription: true,
    items: lines,
  };
  const picked = await ask<TrashLine, readonly TrashLine[]>(options, pick => {
    // The editor itself focuses no row of a picker with boxes; Enter takes that row if no box is ticked.
    const onType = (text: string) => {
      const hasText = ({ label, description }: TrashLine) =>
        foldCase(`${label} ${description}`).includes(foldCase(text));
      pick.activeItems = lines.filter(hasText).slice(0, 1);
    };
    return {
      onType,
      onShow: () => onType(''),
      onAccept: line => (pick.selectedItems.length > 0 ? pick.selectedItems : line && [line]),
    };
  });
  return picked?.map(({ key }) => key) ?? [];
}
