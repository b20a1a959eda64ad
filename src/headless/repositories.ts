import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type Repository, remotesOf, repositoryOf } from '../core/code/repository';

type Names = readonly [Repository, ...Repository[]];

/** By which tasks know the repository that a folder is in: its remote, and the name of its folder. */
export function repositoryAt(folder: string): Names | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const found = namesOf(at);
    if (found || dirname(at) === at) return found;
  }
}

/** The repository that a folder is in, else those that are directly in it. */
export function repositoriesAt(folder: string): readonly Names[] {
  const own = repositoryAt(folder);
  if (own) return [own];
  const below = read(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  return below.flatMap(entry => {
    const names = entry.isDirectory() ? namesOf(resolve(folder, entry.name)) : undefined;
    return names ? [names] : [];
  });
}

function namesOf(root: string): Names | undefined {
  const git = read(() => statSync(join(root, '.git')));
  if (!git) return undefined;
  const byFolder = repositoryOf([], basename(root));
  const config = join(git.isFile() ? sharedFolder(root) : join(root, '.git'), 'config');
  const byRemote = repositoryOf(remotesOf(read(() => readFileSync(config, 'utf8')) ?? ''), basename(root));
  return byRemote.id === byFolder.id ? [byFolder] : [byRemote, byFolder];
}

/** That of a working tree that git keeps elsewhere. */
function sharedFolder(at: string): string {
  const text = read(() => readFileSync(join(at, '.git'), 'utf8')) ?? '';
  const own = resolve(at, /^gitdir: (.*)$/m.exec(text)?.[1]?.trim() ?? '');
  return resolve(own, (read(() => readFileSync(join(own, 'commondir'), 'utf8')) ?? '').trim());
}

function read<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
