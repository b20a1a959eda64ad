import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { dataFolderOf, hasStore, ownFolder, storagesIn } from '../dataFolder';
import { CliError } from '../programs/cliError';
import type { Surroundings } from './surroundings';

/** Folders of user data by the editor's name. */
const editors = {
  'VS Code': 'Code',
  'VS Code Insiders': 'Code - Insiders',
  VSCodium: 'VSCodium',
  Cursor: 'Cursor',
} as const;

const extensions = ['dueline.dueline', 'dueline.dueline-offline'];

type Environment = Surroundings['env'];

/** The folder in which the editors of a system keep their user data. */
function dataFolder(env: Environment, platform: NodeJS.Platform): string {
  if (platform === 'win32') return env.APPDATA ?? join(homedir(), 'AppData', 'Roaming');
  const home = env.HOME || homedir();
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  return env.XDG_CONFIG_HOME || join(home, '.config');
}

interface Candidate {
  readonly editor: string;
  readonly folder: string;
  /** The user has chosen it in the editor. */
  readonly isChosen: boolean;
}

function candidates(env: Environment, platform: NodeJS.Platform): Candidate[] {
  const users = Object.entries(editors).map(([editor, name]) => ({
    editor,
    user: join(dataFolder(env, platform), name, 'User'),
  }));
  if (env.VSCODE_PORTABLE)
    users.unshift({ editor: 'VS Code (portable)', user: join(env.VSCODE_PORTABLE, 'user-data', 'User') });
  const all = users.flatMap(({ editor, user }) =>
    extensions.flatMap(id =>
      storagesIn(user, id).map(storage => {
        const folder = dataFolderOf(storage);
        return { editor, folder, isChosen: folder !== ownFolder(storage) };
      }),
    ),
  );
  // Several profiles may have one folder.
  return [...new Map(all.map(one => [one.folder, one])).values()];
}

/** A chosen folder without a store counts as missing: a disk that is not connected may leave an empty folder. */
const isThere = ({ folder, isChosen }: Candidate): boolean => (isChosen ? hasStore(folder) : existsSync(folder));

/**
 * The folder that `--store` or DUELINE_STORE names, else the one folder that editors use.
 *
 * @throws CliError that explains how to choose, if there is none or more than one
 */
export function storeFolder(
  named: string | undefined,
  { env, path }: Pick<Surroundings, 'env' | 'path'>,
  platform = process.platform,
): string {
  // An unset variable, as in --store "$DIR", must not send tasks to another store than intended.
  if (named === '') throw new CliError('usage', '--store needs a folder.');
  const chosen = named ?? env.DUELINE_STORE;
  if (chosen) return existing(path(chosen));
  const all = candidates(env, platform);
  const found = all.filter(isThere);
  if (found.length === 1) return found[0]!.folder;
  if (found.length > 1) {
    const lines = found.map(({ editor, folder }) => `  ${editor}: dueline --store "${folder}"`);
    const text = ['Several folders have tasks. Choose one with --store or DUELINE_STORE:', ...lines].join('\n');
    throw new CliError('store', text);
  }
  const missing = all.find(({ isChosen }) => isChosen);
  if (missing) {
    const text = `The data folder of ${missing.editor}, ${missing.folder}, is missing or has no tasks.`;
    throw new CliError('store', `${text} Choose another one in the editor, or with --store.`);
  }
  const isRemote = env.SSH_CONNECTION || env.REMOTE_CONTAINERS || env.CODESPACES || env.WSL_DISTRO_NAME;
  const remote = isRemote ? '\nThis is a remote machine; an editor on your own computer keeps its tasks there.' : '';
  const text = 'No editor here has Dueline tasks. Open Dueline in VS Code once, or choose a folder with --store.';
  throw new CliError('store', text + remote);
}

function existing(folder: string): string {
  const problem = !existsSync(folder) ? 'does not exist' : statSync(folder).isDirectory() ? '' : 'is not a folder';
  if (problem) throw new CliError('store', `${folder} ${problem}. Create it first, or name another one with --store.`);
  // The extension's folder in the editor's global storage has the store's folder in it.
  const inside = join(folder, 'store');
  return existsSync(join(inside, 'store')) ? inside : folder;
}

/** @throws CliError if nothing has made a store in the folder yet */
export function needStore(folder: string): void {
  if (existsSync(join(folder, 'store'))) return;
  const text = `${folder} has no Dueline tasks. Choose another folder with --store, or create a store there with dueline add.`;
  throw new CliError('store', text);
}
