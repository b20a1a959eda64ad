import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Runs git in a folder, as an author with a name; returns what it prints. */
export const gitIn = (folder: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], {
    cwd: folder,
    stdio: 'pipe',
    encoding: 'utf8',
  });

/** Writes a file of a folder, and makes the folders that it is in. */
export function writeIn(folder: string, name: string, text: string): void {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Makes a repository of a folder, with these files in its first commit on `main`. */
export function makeRepository(folder: string, files: Readonly<Record<string, string>>, remote?: string): void {
  for (const [name, text] of Object.entries(files)) writeIn(folder, name, text);
  gitIn(folder, 'init', '-q', '-b', 'main');
  if (remote !== undefined) gitIn(folder, 'remote', 'add', 'origin', remote);
  gitIn(folder, 'add', '.');
  gitIn(folder, 'commit', '-qm', 'first');
}
