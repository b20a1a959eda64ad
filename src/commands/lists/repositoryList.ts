import { lstat, mkdir, readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import { isByRemote } from '../../core/code/repository';
import { Disposables } from '../../core/kernel/events';
import { isolate, t } from '../../shared/l10n';
import { type Announcement, announcementOf } from '../../ui/announcements';
import { showInputBox } from '../../ui/dialogs';
import { showError } from '../../ui/errors';
import { showInformation } from '../../ui/notifications';
import type { CommandServices } from '../../ui/services';
import { codeLinks } from '../../ui/text/codeLinks';

/** In the first working tree of a repository, so that all working trees share it. */
const folderName = '.tasks';
/** The repositories whose list was offered, by their roots. */
const offeredKey = 'repositoryLists.asked';

/**
 * Lists in a repository: a folder of tasks that is committed with it. One is made by a command, and that of a clone is
 * offered when the clone is opened, since anyone may have committed it. Nothing else is written into the repository.
 */
export function repositoryLists({ commands, engine }: CommandServices, globalState: vscode.Memento) {
  const owned = new Disposables();
  const offers = new Offers(engine, globalState);
  const offer = () => void offers.make().catch(showError);
  owned.add(commands.on('dueline.newAccountInRepository', () => newInRepository(engine)));
  owned.add(vscode.workspace.onDidGrantWorkspaceTrust(offer));
  owned.add(vscode.workspace.onDidChangeWorkspaceFolders(offer));
  offer();
  return owned;
}

const tasksIn = (root: vscode.Uri) => vscode.Uri.joinPath(root, folderName);
const nameOf = ({ path }: vscode.Uri): string => path.split('/').filter(Boolean).at(-1) ?? '';

const foldersOf = (engine: DuelineEngine) =>
  engine
    .accounts()
    .flatMap(({ id, homeSetUrl }) =>
      homeSetUrl?.startsWith('file:') ? [{ id, path: resolve(fileURLToPath(homeSetUrl)) }] : [],
    );

/** The account of a folder, which is known by its path without links. */
async function accountOf(engine: DuelineEngine, { fsPath }: vscode.Uri) {
  const path = await realpath(fsPath).catch(() => fsPath);
  return foldersOf(engine).find(account => account.path === path);
}

/**
 * True if an account has the list of another clone of the repository, which contains the same tasks. The name of a folder
 * alone makes no clone.
 */
async function isInOtherClone(engine: DuelineEngine, root: vscode.Uri): Promise<boolean> {
  const others = foldersOf(engine).filter(({ path }) => basename(path) === folderName);
  const [own, ...names] = await Promise.all(
    [root, ...others.map(({ path }) => vscode.Uri.file(dirname(path)))].map(at => codeLinks()?.repositoryAt(at)),
  );
  return own !== undefined && isByRemote(own) && names.some(name => name?.id === own.id);
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
    title: t('New Repository List'),
    prompt: t(
      'The list is stored in {0}. Commit that folder to share the list with every clone.',
      isolate(join(nameOf(root), folderName)),
    ),
    value: nameOf(root),
    validateInput: text => (text.trim() === '' ? t('A name is required.') : undefined),
  });
  if (name === undefined) return undefined;
  await mkdir(folder.fsPath, { recursive: true });
  if (!(await isFolder(folder)))
    throw new Error(t('{0} is not a folder. Rename or remove it first.', isolate(folder.fsPath)));
  const accountId = await accountAt(engine, root);
  const listId = await engine.createList({ name: name.trim(), accountId });
  await engine.sync({ accountId });
  return announcementOf({ text: t('Created list {0}', isolate(name.trim())), listId }, undefined);
}

/** The account has the name of the repository, since the folder is called the same in each. */
const accountAt = async (engine: DuelineEngine, root: vscode.Uri) =>
  (await accountOf(engine, tasksIn(root)))?.id ??
  engine.addAccount({ serverUrl: tasksIn(root).toString(), username: '', password: '', displayName: nameOf(root) });

/** Asks once for each repository, whatever the answer: its tasks come from all who commit to it. */
class Offers {
  /** The roots with an open question in this window. */
  readonly #open = new Set<string>();

  constructor(
    readonly engine: DuelineEngine,
    readonly globalState: vscode.Memento,
  ) {}

  async make(): Promise<void> {
    if (!vscode.workspace.isTrusted || this.engine.readOnlyReason) return;
    const roots = (await codeLinks()?.mainTrees()) ?? [];
    await Promise.all(roots.filter(({ scheme }) => scheme === 'file').map(root => this.#offer(root)));
  }

  async #offer(root: vscode.Uri): Promise<void> {
    const { engine } = this;
    const [key, folder] = [root.toString(), tasksIn(root)];
    if (this.#offered().includes(key)) return;
    if (!(await isFolder(folder)) || (await readdir(folder.fsPath)).length === 0) return;
    if ((await accountOf(engine, folder)) || (await isInOtherClone(engine, root))) return;
    if (this.#offered().includes(key) || this.#open.has(key)) return;
    this.#open.add(key);
    const add = t('Add List');
    const text = t('{0} has a list of tasks in {1}.', isolate(nameOf(root)), folderName);
    const picked = await showInformation(text, add, t('Not for This Repository'));
    await this.globalState.update(offeredKey, [...new Set([...this.#offered(), key])]);
    if (picked === add) await engine.sync({ accountId: await accountAt(engine, root) });
  }

  #offered = (): readonly string[] => this.globalState.get<readonly string[]>(offeredKey, []);
}
