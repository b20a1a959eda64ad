import { lstat, mkdir, readdir, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import { Disposables } from '../../core/kernel/events';
import { isolate, t } from '../../shared/l10n';
import { type Announcement, announcementOf } from '../../ui/announcements';
import { showInputBox } from '../../ui/dialogs';
import { showError } from '../../ui/errors';
import { showInformation } from '../../ui/notifications';
import type { Services } from '../../ui/services';
import { codeLinks } from '../../ui/text/codeLinks';

/** In the first working tree of a repository, so that all working trees share it. */
const folderName = '.tasks';
/** The repositories whose list the user does not want, in the memory of the window. */
const declined = 'repositoryLists.declined';

/**
 * Lists in a repository: a folder of tasks that is committed with it. One is made by a command, and that of a clone is
 * offered when the clone is opened, since anyone may have committed it. Nothing else is written into the repository.
 */
export function repositoryLists({ commands, engine, memory }: Pick<Services, 'commands' | 'engine' | 'memory'>) {
  const owned = new Disposables();
  const offer = () => void offerFound(engine, memory).catch(showError);
  owned.add(commands.on('dueline.newAccountInRepository', () => newInRepository(engine)));
  owned.add(vscode.workspace.onDidGrantWorkspaceTrust(offer));
  owned.add(vscode.workspace.onDidChangeWorkspaceFolders(offer));
  offer();
  return owned;
}

const tasksIn = (root: vscode.Uri) => vscode.Uri.joinPath(root, folderName);
const nameOf = ({ path }: vscode.Uri): string => path.split('/').filter(Boolean).at(-1) ?? '';

/** The account of a folder, which is known by its path without links. */
async function accountOf(engine: DuelineEngine, { fsPath }: vscode.Uri) {
  const path = await realpath(fsPath).catch(() => fsPath);
  return engine
    .accounts()
    .find(({ homeSetUrl }) => homeSetUrl?.startsWith('file:') && resolve(fileURLToPath(homeSetUrl)) === path);
}

/** A folder that is really in the working tree: a link could lead anywhere. */
const isFolder = async ({ fsPath }: vscode.Uri): Promise<boolean> =>
  lstat(fsPath).then(
    stat => stat.isDirectory(),
    () => false,
  );

async function newInRepository(engine: DuelineEngine): Promise<Announcement | undefined> {
  const [root] = (await codeLinks()?.mainTrees()) ?? [];
  if (root?.scheme !== 'file') {
    void showInformation(t('Open a folder of a git repository first.'));
    return undefined;
  }
  const folder = tasksIn(root);
  const name = await showInputBox({
    title: t('New List in This Repository'),
    prompt: t(
      'The list is stored in {0}. Commit that folder to share the list with every clone.',
      isolate(join(nameOf(root), folderName)),
    ),
    value: nameOf(root),
    validateInput: text => (text.trim() === '' ? t('A name is required.') : undefined),
  });
  if (name === undefined) return undefined;
  await mkdir(folder.fsPath, { recursive: true });
  if (!(await isFolder(folder))) throw new Error(t('{0} is not a folder.', isolate(folder.fsPath)));
  const accountId = await accountAt(engine, folder);
  const listId = await engine.createList({ name: name.trim(), accountId });
  await engine.sync({ accountId });
  return announcementOf({ text: t('Created list {0}', isolate(name.trim())), listId }, undefined);
}

const accountAt = async (engine: DuelineEngine, folder: vscode.Uri) =>
  (await accountOf(engine, folder))?.id ??
  engine.addAccount({ serverUrl: folder.toString(), username: '', password: '' });

/** Asks once for each repository: its tasks come from all who commit to it. */
async function offerFound(engine: DuelineEngine, memory: vscode.Memento): Promise<void> {
  if (!vscode.workspace.isTrusted || engine.readOnlyReason) return;
  for (const root of (await codeLinks()?.mainTrees()) ?? []) {
    const folder = tasksIn(root);
    const known = memory.get<readonly string[]>(declined, []);
    if (root.scheme !== 'file' || known.includes(root.toString())) continue;
    if (await accountOf(engine, folder)) continue;
    if (!(await isFolder(folder)) || (await readdir(folder.fsPath)).length === 0) continue;
    const [add, never] = [t('Add List'), t('Not for This Repository')];
    const text = t('{0} has a list of tasks in {1}.', isolate(nameOf(root)), folderName);
    const picked = await showInformation(text, add, never);
    if (picked === never)
      await memory.update(declined, [...memory.get<readonly string[]>(declined, []), root.toString()]);
    if (picked === add) await engine.sync({ accountId: await accountAt(engine, folder) });
  }
}
