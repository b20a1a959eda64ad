import type * as vscode from 'vscode';
import { agentProvider } from '../../contributions/serverIds';

interface Start {
  readonly runtime: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The part of the editor's API that takes servers, since 1.101. */
export interface Editor extends Pick<typeof vscode, 'Disposable'> {
  readonly lm?: { registerMcpServerDefinitionProvider?(id: string, provider: object): vscode.Disposable };
  readonly McpStdioServerDefinition?: new (label: string, command: string, args: string[], env: object) => object;
  /** The part of Cursor's own API that does. */
  readonly cursor?: {
    readonly mcp?: { registerServer?(server: object): void; unregisterServer?(name: string): void };
  };
}

const name = 'dueline';

/** Agents of the editor find the tasks by themselves, by a server that the editor starts. An older editor has none. */
export function offerToEditor(editor: Editor, { runtime, args, env }: Start): vscode.Disposable {
  const { lm, McpStdioServerDefinition: Server, Disposable, cursor } = editor;
  if (cursor?.mcp?.registerServer) {
    cursor.mcp.registerServer({ name, server: { command: runtime, args: [...args], env: { ...env } } });
    return new Disposable(() => cursor.mcp?.unregisterServer?.(name));
  }
  if (!lm?.registerMcpServerDefinitionProvider || !Server) return new Disposable(() => {});
  const provideMcpServerDefinitions = () => [new Server('Dueline', runtime, [...args], { ...env })];
  return lm.registerMcpServerDefinitionProvider(agentProvider, { provideMcpServerDefinitions });
}
