import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import { t } from '../../shared/l10n';
import { showInformation } from '../../ui/notifications';
import { codePlaces } from '../../ui/taskLinks';
import { onCommand } from '../kit/register';
import type { TargetResolver } from '../kit/targets';
import { agentPrompt } from './prompt';

const chat = 'workbench.action.chat.open';

/** Writes a message into the editor's chat, which the person reads and sends. */
export const handToAgent = (engine: DuelineEngine, targets: TargetResolver): vscode.Disposable =>
  onCommand('dueline.handToAgent', async target => {
    const task = await targets.task(target, t('Select a task to hand to an agent'));
    if (!task) return;
    const places = codePlaces()?.of(task) ?? [];
    const query = agentPrompt(
      engine,
      task,
      places.filter(({ isStale }) => !isStale).map(({ label }) => label),
    );
    if ((await vscode.commands.getCommands(true)).includes(chat)) {
      await vscode.commands.executeCommand(chat, { query, isPartialQuery: true });
      return;
    }
    await vscode.env.clipboard.writeText(query);
    void showInformation(t('This editor has no chat. The message was copied.'));
  });
