import { join } from 'node:path';
import type * as vscode from 'vscode';
import { gitIn, makeRepository } from '../../support/repository';
import { sharedSession } from './shared';
import { isWatched } from './watched';
import { clear } from './widgetPages';
import type { Window } from './window';

const timeoutMs = 60_000;

/** A window with a repository in the folder that is open, as the only one that the git extension has open. */
interface CodeWindow {
  readonly window: Window;
  readonly folder: string;
  file(name: string): string;
}

/** The window that all files about code share, with a repository of that name in it. */
export async function openCode(
  name: string,
  files: Readonly<Record<string, string>>,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<CodeWindow> {
  const session = await sharedSession({
    theme: 'dark',
    size: { width: 1300, height: 820 },
    settings,
    own: { builtIn: ['git-base', 'git', 'markdown-language-features'] },
  });
  const { window } = session;
  await window.run(async vscode => {
    const git = await vscode.extensions.getExtension('vscode.git')!.activate();
    for (const { rootUri } of git.getAPI(1).repositories) await vscode.commands.executeCommand('git.close', rootUri);
  });
  await isWatched(window, session.folder);
  const folder = join(session.folder, name);
  makeRepository(folder, files, `git@example.org:team/${name}.git`);
  await window.view();
  return { window, folder, file: file => join(folder, file) };
}

/** No task is there, no file is open, and the files are as they were committed. */
export async function beginAnew({ window, folder }: CodeWindow): Promise<void> {
  gitIn(folder, 'checkout', '-q', '--', '.');
  await window.run(closeAll);
  await clear(window);
}

/** The editor hears late of what git wrote, or never: each text that it has in mind is read again before its tab is closed. */
async function closeAll({ commands, window, workspace }: typeof vscode): Promise<void> {
  const isFresh = async (document: vscode.TextDocument) => {
    const bytes = await workspace.fs.readFile(document.uri).then(
      found => found,
      () => undefined,
    );
    const isSame = bytes === undefined || new TextDecoder().decode(bytes) === document.getText();
    return isSame && !document.isDirty;
  };
  for (const document of workspace.textDocuments) {
    if (!['file', 'vscode-remote'].includes(document.uri.scheme) || (await isFresh(document))) continue;
    const shown = await window.showTextDocument(document.uri, { preview: false });
    await commands.executeCommand('workbench.action.files.revert');
    if (!(await isFresh(shown.document))) throw new Error(`${document.uri.path} is not as on the disk`);
  }
  await commands.executeCommand('workbench.action.closeAllEditors');
}

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
  await tab.first().waitFor({ timeout: timeoutMs });
}

/** The titles of the tasks that a query finds. */
export const titlesOf = (window: Window, query: string): Promise<string[]> =>
  window.run(async (vscode, query) => {
    const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
    return api.query(query).map(({ task }: { task: { title: string } }) => task.title);
  }, query) as Promise<string[]>;

/** A task of the first list. */
export const addTask = (window: Window, title: string): Promise<{ id: number; shortId: string }> =>
  window.run(async (vscode, title) => {
    const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
    const id: number = await api.createTask(api.lists()[0].id, { title });
    return { id, shortId: api.shortIdOf(api.task(id)) as string };
  }, title);
