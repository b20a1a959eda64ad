import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { repositoryOf } from '../core/code/repository';

/** The id under which tasks know the repository of a folder; undefined where the folder is in none. */
export function repositoryAt(folder: string): string | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const found = read(() => statSync(join(at, '.git')));
    if (found) return repositoryOf(remotesOf(found.isFile() ? sharedFolder(at) : join(at, '.git')), basename(at)).id;
    if (dirname(at) === at) return undefined;
  }
}

/** That of a working tree that git keeps elsewhere. */
function sharedFolder(at: string): string {
  const text = read(() => readFileSync(join(at, '.git'), 'utf8')) ?? '';
  const own = resolve(at, /^gitdir: (.*)$/m.exec(text)?.[1]?.trim() ?? '');
  return resolve(own, (read(() => readFileSync(join(own, 'commondir'), 'utf8')) ?? '').trim());
}

const remotesOf = (folder: string): string[] =>
  [...(read(() => readFileSync(join(folder, 'config'), 'utf8')) ?? '').matchAll(/^\s*url\s*=\s*(.+)$/gm)].map(
    ([, url]) => url!.trim(),
  );

function read<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
