import * as vscode from 'vscode';

type Show = (text: string, ...actions: string[]) => Thenable<string | undefined>;

/**
 * Shows a message with a button for each command; `commands` has their IDs by the texts of the buttons. It is not awaited:
 * the message stays until the user answers it.
 */
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
