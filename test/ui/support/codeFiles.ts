import type { Window } from './window';

/** Shows a file in a tab that stays, with the cursor on a line, which is counted from 1. */
export async function showFile(window: Window, path: string, line: number): Promise<void> {
  await window.run(
    async (vscode, path, line) => {
      const editor = await vscode.window.showTextDocument(vscode.Uri.file(path), { preview: false });
      editor.selection = new vscode.Selection(line - 1, 0, line - 1, 0);
      await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
    },
    path,
    line,
  );
  const tab = window.page.locator('.tab.active').filter({ hasText: path.split('/').at(-1)! });
  await tab.first().waitFor({ timeout: 60_000 });
}

/** The titles of the tasks that a query finds. */
export const titlesOf = (window: Window, query: string): Promise<string[]> =>
  window.run(async (vscode, query) => {
    const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
    return api.query(query).map(({ task }: { task: { title: string } }) => task.title);
  }, query) as Promise<string[]>;
