import * as vscode from 'vscode';
import type { SavedText, Vanished } from '../core/text/document/types';
import { brief, isolate, listed, t, tn } from '../shared/l10n';
import { showInformation, showWarning } from '../ui/notifications';

const maxNamed = 5;

/** Asks what becomes of tasks whose lines are gone. Closing the dialog keeps them. */
export async function askVanished(titles: readonly string[]): Promise<Vanished> {
  const choices = [
    { title: t('Complete'), action: 'complete' as const },
    { title: t('Mark as Canceled'), action: 'cancel' as const },
    { title: t('Delete'), action: 'delete' as const },
    { title: t('Keep'), action: 'keep' as const, isCloseAffordance: true },
  ];
  const named = titles.slice(0, maxNamed).map(title => isolate(brief(title)));
  const more = titles.length - named.length;
  const detail = listed([...named, ...(more > 0 ? [tn(more, '{0} more', '{0} more')] : [])]);
  const question = tn(
    titles.length,
    '{0} task is no longer in the text. What should happen to it?',
    '{0} tasks are no longer in the text. What should happen to them?',
  );
  const picked = await showWarning(question, { modal: true, detail }, ...choices);
  return picked?.action ?? 'keep';
}

/** Says what a save has done, with Undo for this very step, and whether lines were left. */
export function announceSave(saved: SavedText, step: string | undefined): void {
  const left = saved.problems.filter(({ isHeld }) => isHeld).length;
  const done = [
    [saved.added, t('Added: {0}', saved.added)],
    [saved.changed, t('Changed: {0}', saved.changed)],
    [saved.completed, t('Completed: {0}', saved.completed)],
    [saved.cancelled, t('Canceled: {0}', saved.cancelled)],
    [saved.deleted, t('Deleted: {0}', saved.deleted)],
  ].flatMap(([count, words]) => (count === 0 ? [] : [String(words)]));
  const held = tn(left, '{0} line was not saved.', '{0} lines were not saved.');
  const undo = step === undefined ? [] : [t('Undo')];
  const answer = (picked: string | undefined) => {
    if (picked === t('See Problems')) void vscode.commands.executeCommand('workbench.actions.view.problems');
    else if (picked !== undefined) void vscode.commands.executeCommand('dueline.undo', step);
  };
  if (left > 0) void showWarning([...done, held].join(' · '), t('See Problems'), ...undo).then(answer);
  else if (done.length > 0) void showInformation(done.join(' · '), ...undo).then(answer);
}
