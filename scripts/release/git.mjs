import { execFileSync } from 'node:child_process';

/**
 * @param {string} folder of the repository
 * @param {...string} args
 * @returns {string} what git said, trimmed
 * @throws {Error} with git's own words
 */
export function git(folder, ...args) {
  return execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
}

/**
 * @param {string} folder
 * @param {string} tag
 * @returns {{here: string | undefined, origin: boolean}} the commit that the tag names here, and whether origin has it
 */
export function whereIsTag(folder, tag) {
  const here = git(folder, 'tag', '--list', tag) === '' ? undefined : git(folder, 'rev-list', '-n', '1', tag);
  const remotes = git(folder, 'remote').split('\n');
  const origin = remotes.includes('origin') && git(folder, 'ls-remote', '--tags', 'origin', `refs/tags/${tag}`) !== '';
  return { here, origin };
}
