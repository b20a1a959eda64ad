// Where a release is attached: the code-hosting site by its own program, or a folder that stands in for it.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/**
 * @typedef {{tag: string, title: string, notes: string, files: string[]}} Attached
 * @typedef {{name: string, has(tag: string): boolean, put(release: Attached): void}} Host `put` makes a release or completes it
 */

/** @type {Host} */
export const gitHub = {
  name: 'GitHub',
  has: tag => succeeds(['release', 'view', tag]),
  put: ({ tag, title, notes, files }) => {
    const about = ['--title', title, '--notes-file', '-'];
    const made = gitHub.has(tag)
      ? ['release', 'edit', tag, ...about]
      : ['release', 'create', tag, '--verify-tag', ...about];
    execFileSync('gh', made, { input: notes, stdio: ['pipe', 'inherit', 'inherit'] });
    execFileSync('gh', ['release', 'upload', tag, '--clobber', ...files], { stdio: 'inherit' });
  },
};

/**
 * @param {string} folder
 * @returns {Host}
 */
export const folderHost = folder => ({
  name: `the folder ${folder}`,
  has: tag => existsSync(join(folder, tag, 'notes.md')),
  put: ({ tag, title, notes, files }) => {
    mkdirSync(join(folder, tag), { recursive: true });
    for (const file of files) write(join(folder, tag, basename(file)), file);
    writeFileSync(join(folder, tag, 'notes.md'), `# ${title}\n\n${notes}`);
  },
});

/**
 * Leaves a file alone that is already there with the same bytes.
 * @param {string} to
 * @param {string} from
 */
function write(to, from) {
  if (existsSync(to) && readFileSync(to).equals(new Uint8Array(readFileSync(from)))) return;
  copyFileSync(from, to);
}

/** @param {string[]} args */
function succeeds(args) {
  try {
    execFileSync('gh', args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
