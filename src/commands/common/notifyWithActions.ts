import * as vscode from 'vscode';

type Show = (text: string, ...actions: string[]) => Thenable<string | undefined>;

/** Shows a message with commands, each under the text of its button; never awaited, since it stays until it is answered. */
export function notifyWithActions(
  show: Show,
  text: string,
  commands: Readonly<Record<string, string>>,
  target?: unknown,
): void {
  void show(text, ...Object.keys(commands)).then(picked => {
    if (picked !== undefined) void vscode.commands.executeCommand(commands[picked]!, target);
  });
}
