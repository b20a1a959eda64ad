// While tests move to other tiers: every title of a window test that was there is still there, in its file or in the one that
// a list in test/moved names. A line of a list is `old file, new file` for all titles of a file, or
// `old file, old title, new file, new title`, with tabs between. Goes with the last move.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';

const folder = join(root, 'test/moved');
const linesOf = (/** @type {string} */ name) =>
  readFileSync(join(folder, name), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map(line => line.split('\t'));

const lists = readdirSync(folder)
  .filter(name => name !== 'titles.tsv')
  .flatMap(linesOf);
const titles = titlesIn([
  ...new Set(
    [...linesOf('titles.tsv'), ...lists].flatMap(([file, ...rest]) => [file, rest[rest.length === 1 ? 0 : 1]]),
  ),
]);

/**
 * @param {readonly (string | undefined)[]} files as in `page/board`
 * @returns {ReadonlySet<string>} of `file: title`
 */
function titlesIn(files) {
  const paths = files.map(file => `out/test/${file}.test.js`).filter(path => existsSync(join(root, path)));
  const options = ['--no-config', '--require', './test/seed.cjs', '--require', './test/support/noEditor.cjs'];
  const args = ['node_modules/mocha/bin/mocha.js', ...options, '--dry-run', '--reporter', 'json', ...paths];
  const env = { ...process.env, DUELINE_UI_ALL: '1' };
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', env, maxBuffer: 1 << 28 });
  /** @type {{tests: {file: string, fullTitle: string}[]}} */
  const { tests } = JSON.parse(stdout.slice(stdout.indexOf('{\n')));
  const nameOf = (/** @type {string} */ path) => path.slice(join(root, 'out/test/').length, -'.test.js'.length);
  return new Set(tests.map(({ file, fullTitle }) => `${nameOf(file)}: ${fullTitle}`));
}

const missing = linesOf('titles.tsv').filter(([file = '', title = '']) => {
  if (titles.has(`${file}: ${title}`)) return false;
  return !lists.some(([oldFile, ...rest]) => {
    if (oldFile !== file) return false;
    const [to = '', newTitle = title] = rest.length === 1 ? rest : rest[0] === title ? rest.slice(1) : [];
    return titles.has(`${to}: ${newTitle}`);
  });
});
for (const [file, title] of missing) console.log(`${file}: ${title}`);
console.log(`${missing.length} titles are in no tier.`);
process.exit(missing.length === 0 ? 0 : 1);
