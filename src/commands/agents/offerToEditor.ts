import type * as vscode from 'vscode';
import { agentProvider, agentTools } from '../../contributions/serverIds';

interface Start {
  readonly runtime: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** A connection that the extension itself has to the tools. */
export interface OwnTools {
  readonly names: readonly string[];
  call(
    name: string,
    args: unknown,
    client: string,
  ): Promise<{ readonly content: readonly { readonly text: string }[]; readonly isError?: true }>;
}

interface Tool {
  invoke(options: { readonly input: unknown }): Promise<object>;
}

/** What editors since 1.90 may have of it: tools come with 1.95, servers with 1.101. */
export interface Editor extends Pick<typeof vscode, 'Disposable' | 'commands'> {
  readonly env: Pick<typeof vscode.env, 'appName'>;
  readonly lm?: {
    registerTool?(name: string, tool: Tool): vscode.Disposable;
    registerMcpServerDefinitionProvider?(id: string, provider: object): vscode.Disposable;
  };
  readonly McpStdioServerDefinition?: new (label: string, command: string, args: string[], env: object) => object;
  readonly LanguageModelToolResult?: new (content: object[]) => object;
  readonly LanguageModelTextPart?: new (text: string) => object;
}

/** Agents of the editor find the tasks by themselves: by a server where it takes one, else by tools, and never by both. */
export function offerToEditor(editor: Editor, { runtime, args, env }: Start, own: OwnTools): vscode.Disposable {
  const { lm, McpStdioServerDefinition: Server, LanguageModelToolResult: Result, LanguageModelTextPart: Part } = editor;
  if (lm?.registerMcpServerDefinitionProvider && Server) {
    const provideMcpServerDefinitions = () => [new Server('Dueline', runtime, [...args], { ...env })];
    return lm.registerMcpServerDefinitionProvider(agentProvider, { provideMcpServerDefinitions });
  }
  if (!lm?.registerTool || !Result || !Part) return new editor.Disposable(() => {});
  const tools = own.names.map(name =>
    lm.registerTool!(agentTools.prefix + name, {
      invoke: async ({ input }) => {
        const { content, isError } = await own.call(name, input, editor.env.appName);
        const text = content.map(part => part.text).join('\n');
        // So the model is told of it.
        if (isError) throw new Error(text);
        return new Result([new Part(text)]);
      },
    }),
  );
  void editor.commands.executeCommand('setContext', agentTools.context, true);
  return editor.Disposable.from(...tools);
}
