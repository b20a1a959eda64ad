// Makes the .vsix of both flavors, and says what is in them:
// `npm run package -- [--flavor full|offline] [--recipe] [--out folder]`; `--recipe` makes the flavor that the
// downstream recipe names for this version.
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Flavor } from './manifest';
import { makePackage, siteOf, writeSums } from './package/make';
import { root } from './paths';
import { recipeEntry } from './release/version';

const { values } = parseArgs({
  options: { flavor: { type: 'string' }, recipe: { type: 'boolean' }, out: { type: 'string' } },
});
const folder = values.out ? resolve(values.out) : join(root, 'packages');
const flavor = values.recipe ? recipeEntry().flavor : values.flavor;
const flavors = (flavor ? [flavor] : ['full', 'offline']) as Flavor[];

const kilobytes = (bytes: number) => (bytes / 1024).toFixed(1);

const made: string[] = [];
for (const flavor of flavors) {
  const { file, bill, size, contents } = await makePackage(flavor, folder);
  made.push(file, bill);
  console.log(`${file}: ${kilobytes(size)} KB in ${contents.size} files`);
  for (const [name, bytes] of contents) console.log(`${kilobytes(bytes).padStart(9)} KB  ${name}`);
}
console.log(writeSums(made));
if (!siteOf())
  console.log('Links of the README stay relative: GITHUB_SERVER_URL and GITHUB_REPOSITORY do not name the repository.');
