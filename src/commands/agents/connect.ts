import * as vscode from 'vscode';
import { agentProvider } from '../../contributions/serverIds';
import { isolate, t } from '../../shared/l10n';
import { showQuickPick } from '../../ui/dialogs';
import { showInformation } from '../../ui/notifications';
import { onCommand } from '../kit/register';
import { setupsOf } from './setups';

/** Shows and copies it, and writes nothing: where it belongs is the person's to say. */
export const connectAgent = (program: string): vscode.Disposable =>
  onCommand('dueline.connectAgent', async () => {
    const items = setupsOf(program, process.platform).map(({ agent, file, text }) => ({
      label: agent,
      description: file,
      detail: text,
    }));
    const picked = await showQuickPick(items, { placeHolder: t('Select an agent to copy its configuration') });
    if (!picked) return;
    await vscode.env.clipboard.writeText(picked.detail);
    const place = picked.description === '' ? t('a terminal') : isolate(picked.description);
    void showInformation(t('Copied. Paste it into {0}.', place));
  });

interface Lm {
  registerMcpServerDefinitionProvider?(id: string, provider: object): vscode.Disposable;
}
type Definition = new (label: string, command: string, args: string[], env: Record<string, string>) => object;

/** Agents of the editor find the tasks by themselves, from 1.101 on. */
export function offerToEditor(
  program: string,
  start: { readonly runtime: string; readonly env: Record<string, string> },
) {
  const { lm, McpStdioServerDefinition: Server } = vscode as { lm?: Lm; McpStdioServerDefinition?: Definition };
  if (!lm?.registerMcpServerDefinitionProvider || !Server) return new vscode.Disposable(() => {});
  const provideMcpServerDefinitions = () => [new Server('Dueline', start.runtime, [program, 'mcp'], { ...start.env })];
  return lm.registerMcpServerDefinitionProvider(agentProvider, { provideMcpServerDefinitions });
}
