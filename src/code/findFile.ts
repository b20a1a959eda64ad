import * as vscode from 'vscode';
import type { TaskAnchor } from '../core/code/anchors';
import { indexText, maxCharacters } from '../core/code/fingerprint';
import { locateAmong } from '../core/code/locate';
import { hashedPath, isHashedPath, type Repository, renameCandidates } from '../core/code/repository';
import type { LocationMemory } from './locationMemory';
import { pathIn, type WorkingCopies, type WorkingCopy } from './workingCopies';

/** Files that are compared with a path that is not synced, and how many of them at a time. */
const maxFiles = 100_000;
const comparedAtOnce = 2000;

/** The file that an anchor means, in the working copies that are known here; undefined if it is in none. */
export async function fileOfAnchor(
  anchor: TaskAnchor,
  copies: WorkingCopies,
  memory: LocationMemory,
): Promise<vscode.Uri | undefined> {
  return (await fileIn(await copies.all(), anchor, memory)) ?? fileIn(await copies.withNested(), anchor, memory);
}

/** In one of these working copies. */
export async function fileIn(copies: readonly WorkingCopy[], anchor: TaskAnchor, memory: LocationMemory) {
  for (const copy of copies) {
    if (!copy.names.some(({ id }) => id === anchor.repo)) continue;
    const seen = memory.pathOf(anchor);
    // A renamed file may have its old name again.
    const found = (await fileAt(copy, seen)) ?? (await fileAt(copy, await pathOfAnchor(anchor, copy)));
    if (found) return found;
    const other = seen === undefined ? undefined : await moved(anchor, seen, copy, memory);
    if (other) return other;
  }
  return undefined;
}

/** The file at the path; undefined if there is none. */
export async function fileAt(copy: WorkingCopy, path: string | undefined): Promise<vscode.Uri | undefined> {
  if (path === undefined) return undefined;
  // On Windows `..\` leads out of a folder too.
  const file = vscode.Uri.joinPath(copy.root, path.includes('..') ? path.replaceAll('\\', '/') : path);
  return isInside(copy, file) && (await exists(file)) ? file : undefined;
}

const pathOfAnchor = async (anchor: TaskAnchor, copy: WorkingCopy) =>
  isHashedPath(anchor.path) ? pathByHash(anchor, copy) : anchor.path;

/** An anchor may come from another program, so its path must not lead out of the working copy. */
const isInside = ({ root }: WorkingCopy, { path }: vscode.Uri) => path.startsWith(root.path.replace(/\/?$/, '/'));

export const exists = (file: vscode.Uri): Thenable<boolean> =>
  vscode.workspace.fs.stat(file).then(
    ({ type }) => (type & vscode.FileType.File) !== 0,
    () => false,
  );

/** The schemes of folders that the editor's search answers for. */
const searched = /^(?:file|vscode-remote|vscode-vfs)$/;
const maxWaitMs = 5000;

/** The editor's search never answers if it cannot search the kind of one of the folders that it is to look into. */
export function findFiles(
  pattern: vscode.GlobPattern,
  exclude: string | null,
  max: number,
  token?: vscode.CancellationToken,
): Thenable<vscode.Uri[]> {
  const found = vscode.workspace.findFiles(pattern, exclude, max, token);
  const folders = vscode.workspace.workspaceFolders ?? [];
  const roots = typeof pattern === 'string' ? folders.map(({ uri }) => uri) : [pattern.baseUri];
  if (roots.every(({ scheme }) => searched.test(scheme))) return found;
  return Promise.race([found, new Promise<vscode.Uri[]>(resolve => setTimeout(() => resolve([]), maxWaitMs))]);
}

const filesIn = ({ root }: WorkingCopy, pattern: string, max: number): Thenable<vscode.Uri[]> =>
  findFiles(new vscode.RelativePattern(root, pattern), '**/{.git,node_modules}/**', max);

async function pathByHash({ path, repo }: TaskAnchor, copy: WorkingCopy): Promise<string | undefined> {
  const name = copy.names.find(({ id }) => id === repo);
  return name && (await pathsByHash(new Set([path]), name, copy)).get(path);
}

/** The paths of files by their hashes, in one pass over all files. */
export async function pathsByHash(
  hashes: ReadonlySet<string>,
  name: Repository,
  copy: WorkingCopy,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const files = await filesIn(copy, '**/*', maxFiles);
  for (let at = 0; at < files.length && found.size < hashes.size; at += comparedAtOnce) {
    for (const file of files.slice(at, at + comparedAtOnce)) {
      const path = pathIn(copy, file);
      const hash = hashedPath(name, path);
      if (hashes.has(hash)) found.set(hash, path);
    }
    await new Promise(resolve => setImmediate(resolve));
  }
  return found;
}

/** A file of that name in which the line surely is. */
async function moved(
  anchor: TaskAnchor,
  path: string,
  copy: WorkingCopy,
  memory: LocationMemory,
): Promise<vscode.Uri | undefined> {
  const files = await filesIn(
    copy,
    `**/${path
      .split('/')
      .at(-1)!
      .replace(/[[\]{}*?!]/g, '?')}`,
    200,
  );
  const byPath = new Map(files.map(file => [pathIn(copy, file), file]));
  const texts = await Promise.all(
    renameCandidates(path, byPath.keys()).map(async candidate => {
      const file = byPath.get(candidate)!;
      try {
        const { size } = await vscode.workspace.fs.stat(file);
        if (size > maxCharacters) return [];
        const bytes = await vscode.workspace.fs.readFile(file);
        return [{ file, index: indexText(new TextDecoder().decode(bytes)) }];
      } catch {
        // The file cannot be read or is gone; the others are still searched.
        return [];
      }
    }),
  );
  return locateAmong(texts.flat(), memory.queries(anchor)[0]!)?.file;
}
