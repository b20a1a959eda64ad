import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import type { EditLabel, UndoableStep } from '../../core/kernel/editLabel';
import { isDuelineError } from '../../core/kernel/errors';
import type { Id } from '../../core/kernel/model';
import { isolate, t, tn } from '../../shared/l10n';
import { showQuickPick } from '../../ui/dialogs';
import { showInformation } from '../../ui/notifications';
import type { CommandServices } from '../../ui/services';
import { editName } from '../../ui/text/editName';
import { effectText } from './effectText';

interface Entry extends vscode.QuickPickItem {
  /** Newest first. */
  readonly steps: readonly UndoableStep[];
}

/** The changes by agents, in any window: the history without the user's own steps, session by session, the newest first. */
async function entries(engine: DuelineEngine): Promise<readonly Entry[]> {
  const sessions = new Map<string, UndoableStep[]>();
  for (const step of await engine.undoSteps()) {
    const { client } = step.label;
    if (client) sessions.set(client.session, [...(sessions.get(client.session) ?? []), step]);
  }
  const entry = (label: string, steps: readonly UndoableStep[], change = ''): Entry => {
    const description = isolate(steps[0]!.label.client!.name);
    const detail = [timesOf(engine, steps), change].filter(Boolean).join(' · ');
    return { label, description, detail, steps };
  };
  return [...sessions.values()].flatMap(steps => [
    ...steps.map(step => entry(editName(step.label), [step], effectText(engine, step))),
    // Enter takes the first row, which undoes little.
    ...(steps.length > 1 ? [entry(`$(discard) ${t('Undo All Changes in This Session')}`, steps)] : []),
  ]);
}

function timesOf({ locale }: DuelineEngine, steps: readonly UndoableStep[]): string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  return format.formatRange(steps.at(-1)!.at, steps[0]!.at);
}

/** Undoes one step of an agent or all of a session; later changes to the same tasks stay. */
export const agentChanges = ({ commands, engine }: CommandServices): vscode.Disposable =>
  commands.on('dueline.agentChanges', async () => {
    const items = await entries(engine);
    if (items.length === 0) return void showInformation(t('No changes by agents.'));
    const picked = await showQuickPick(items, {
      placeHolder: t('Select a change by an agent to undo it'),
      matchOnDescription: true,
      matchOnDetail: true,
    });
    if (picked) await undoAll(engine, picked.steps);
  });

/** Later steps are undone first, since an earlier one could otherwise take them along. */
async function undoAll(engine: DuelineEngine, steps: readonly UndoableStep[]): Promise<void> {
  const undone: EditLabel[] = [];
  const tasks = new Set<Id>();
  let isKept = false;
  for (const step of steps) {
    const changes = step.changes();
    try {
      const label = await engine.undoStep(step.id);
      if (!label) continue;
      undone.push(label);
      for (const { task } of changes) tasks.add(task);
    } catch (error) {
      if (steps.length === 1 || !isDuelineError(error, 'invalid')) throw error;
      isKept = true;
    }
  }
  const [only] = undone;
  if (only) {
    const words = steps.length === 1 ? t('Undone: {0}', editName(only)) : sessionWords(tasks.size, only);
    vscode.window.setStatusBarMessage(words, 5000);
  }
  if (isKept) void showInformation(t('Tasks changed later were kept.'));
}

const sessionWords = (count: number, { client }: EditLabel): string =>
  tn(count, 'Undone: changes by {1} to {0} task', 'Undone: changes by {1} to {0} tasks', isolate(client?.name ?? ''));
