import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { chooseDataFolder, dataFolderOf, folderChoices, hasStore, otherFolders, ownFolder } from '../dataFolder';
import { isolate, t } from '../shared/l10n';
import { showQuickPick } from '../ui/dialogs';
import { showInformation, showWarning } from '../ui/notifications';

/**
 * The folder for a window that would open without tasks although another folder has some. Unless the user says otherwise,
 * that is the other one: no window is empty by mistake. It asks again until it is answered; all windows that ask share the
 * first answer.
 */
export async function askDataFolder(storage: string): Promise<string> {
  const chosen = dataFolderOf(storage);
  const found = folderChoices(storage);
  const [first] = found;
  if (first === undefined) return chosen;
  const [use, empty] = [t('Use These Tasks'), t('Start Without Tasks')];
  const question =
    chosen === ownFolder(storage)
      ? t('Dueline has tasks in another profile of this editor. Use them here, too?')
      : t('The data folder {0} is missing. Use other tasks of this editor?', isolate(chosen));
  const picked = await showWarning(question, { modal: true, detail: found.join('\n') }, use, empty);
  const one = picked === use && found.length > 1 ? await pickFolder(found) : first;
  const now = dataFolderOf(storage);
  if (now !== chosen || hasStore(now)) return now;
  // The store that is created there is the answer.
  if (picked === empty) return chosen;
  if (picked !== use || one === undefined) return first;
  chooseDataFolder(storage, one);
  return one;
}

async function pickFolder(folders: readonly string[]): Promise<string | undefined> {
  const picked = await showQuickPick(
    folders.map(folder => ({ label: isolate(folder), folder })),
    { placeHolder: t('Select a data folder') },
  );
  return picked?.folder;
}

/** Lets the user choose where the tasks of this profile are: in another profile, or in any folder. Nothing is copied. */
export async function pickDataFolder(storage: string): Promise<void> {
  const now = dataFolderOf(storage);
  const known = [...new Set([now, ownFolder(storage), ...otherFolders(storage)])];
  const other = t('Other Folder…');
  const picked = await showQuickPick(
    [
      ...known.map(folder => ({
        label: isolate(folder),
        folder,
        ...(folder === now && { description: t('in use') }),
      })),
      { label: other, folder: undefined },
    ],
    {
      title: t('Choose Data Folder'),
      placeHolder: t('Select where the tasks of this profile are. Nothing is copied.'),
    },
  );
  const folder = picked && (picked.folder ?? (await askFolder()));
  if (folder === undefined || folder === now) return;
  chooseDataFolder(storage, folder);
  const reload = t('Reload Window');
  const answer = await showInformation(t('Dueline uses {0} after a reload.', isolate(folder)), reload);
  if (answer === reload) await vscode.commands.executeCommand('workbench.action.reloadWindow');
}

/** A folder that has tasks, or nothing in it. */
async function askFolder(): Promise<string | undefined> {
  const title = t('Choose Data Folder');
  const [chosen] =
    (await vscode.window.showOpenDialog({ title, openLabel: title, canSelectFolders: true, canSelectFiles: false })) ??
    [];
  if (chosen?.scheme !== 'file') return undefined;
  // The storage of the extension was chosen instead of the folder in it.
  const storeFolder = join(chosen.fsPath, 'store');
  const folder = hasStore(storeFolder) ? storeFolder : chosen.fsPath;
  if (hasStore(folder) || !existsSync(folder) || readdirSync(folder).length === 0) return folder;
  throw new Error(t('{0} contains other files. Choose an empty folder, or one with Dueline’s tasks.', isolate(folder)));
}
