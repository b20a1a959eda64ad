import * as vscode from 'vscode';
import { t } from '../../shared/l10n';
import { showInformation } from '../../ui/notifications';
import type { CommandServices } from '../../ui/services';
import { type CodeLink, codeLinks } from '../../ui/text/codeLinks';
import type { TargetResolver } from '../common/targets';
import { agentPrompt } from './prompt';

const chat = 'workbench.action.chat.open';

/** `src/auth/session.ts:118`, with a note if it is uncertain; in English, like the rest of the message to the agent. */
const locationText = ({ folder, label, isStale, isGone, isProbable }: CodeLink): string =>
  [[folder, label].filter(Boolean).join('/'), isStale || isGone ? '(stale)' : isProbable ? '(probably)' : '']
    .filter(Boolean)
    .join(' ');

/** Writes a message into the editor's chat, for the user to read and send. */
export const handToAgent = ({ commands, engine }: CommandServices, targets: TargetResolver): vscode.Disposable =>
  commands.on('dueline.handToAgent', async target => {
    const task = await targets.task(target, t('Select a task to hand to an agent'));
    if (!task) return;
    const links = codeLinks()?.of(task) ?? [];
    const query = agentPrompt(engine, task, links.map(locationText));
    if ((await vscode.commands.getCommands(true)).includes(chat)) {
      await vscode.commands.executeCommand(chat, { query, isPartialQuery: true });
      return;
    }
    await vscode.env.clipboard.writeText(query);
    void showInformation(t('This editor has no chat. The message was copied.'));
  });
