import { readFileSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { type AnchorEdit, anchorsOf } from '../core/code/anchors';
import { fingerprintAt, indexText, maxCharacters } from '../core/code/fingerprint';
import { hashedPath, type Repository } from '../core/code/repository';
import type { Task } from '../core/kernel/model';
import { refusalError } from '../programs/cliError';
import { repositoryAt, workTree } from '../programs/repositories';

/**
 * The edit that links a task to `path:line` in the repository of a folder, or for an empty text the one that removes its
 * links there. The path is kept as a hash, and of the line only a fingerprint: neither has a word of the code.
 *
 * @throws CliError if there is no such line
 */
export function linkEdit(cwd: string, task: Task, link: string): AnchorEdit {
  const names = repositoryAt(cwd);
  if (!names) throw refusalError('A link needs a repository, but this folder is not in one.');
  if (link.trim() === '') {
    const here = anchorsOf(task).filter(({ repo }) => names.some(({ id }) => id === repo));
    return { remove: here.map(({ source }) => source) };
  }
  return { add: [anchorAt(cwd, names[0], link.trim())] };
}

function anchorAt(cwd: string, repository: Repository, link: string) {
  const [, path = '', number] = /^(.*?)(?::(\d{1,9}))?$/s.exec(link)!;
  const file = fileIn(workTree(cwd), cwd, path);
  if (!file) throw refusalError('That file is not in this repository. Give path:line, from its root.');
  const common = { repo: repository.id, path: hashedPath(repository, file.path) };
  if (number === undefined) return common;
  const line = Number(number) - 1;
  const index = indexText(file.size > maxCharacters ? '' : readFileSync(file.real, 'utf8'));
  const isThere = line >= 0 && (file.size > maxCharacters || line < index.lineCount);
  if (!isThere) throw refusalError(`That file has ${index.lineCount} lines. Give one of these.`);
  const fingerprint = fingerprintAt(index, line);
  return { ...common, line, ...(fingerprint && { fingerprint }) };
}

/** A file below the root, by its path from there or from the folder. No link leads out of the repository. */
function fileIn(root: string, cwd: string, path: string) {
  for (const at of isAbsolute(path) ? [path] : [join(root, path), resolve(cwd, path)]) {
    try {
      const real = realpathSync(at);
      const relativePath = relative(realpathSync(root), real);
      const isInside = relativePath !== '' && !isAbsolute(relativePath) && relativePath.split(sep)[0] !== '..';
      const status = statSync(real);
      if (isInside && status.isFile()) return { real, size: status.size, path: relativePath.split(sep).join('/') };
    } catch {
      // It is not there: it may be from the folder.
    }
  }
  return undefined;
}
