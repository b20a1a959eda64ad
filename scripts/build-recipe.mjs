// Builds what the downstream recipe says of this source's version: `node scripts/build-recipe.mjs [--out folder]`
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { makePackage } from './package/make.mjs';
import { root } from './paths.mjs';
import { readRecipe } from './recipe.mjs';
import { releaseOf } from './release/version.mjs';

const { values } = parseArgs({ options: { out: { type: 'string' } } });
try {
  const { version, versionCode } = releaseOf();
  const entry = readRecipe().entries.find(({ versionName }) => versionName === version);
  if (!entry) throw new Error(`The recipe has no entry for ${version}.`);
  if (entry.versionCode !== versionCode)
    throw new Error(`The recipe gives ${version} the code ${entry.versionCode}; this source has ${versionCode}.`);
  console.log(`${entry.versionName} (${entry.versionCode}) at ${entry.commit}, flavor ${entry.flavor}`);
  const { file, size, sha256 } = await makePackage(entry.flavor, resolve(values.out ?? join(root, 'packages')));
  console.log(`${file}: ${(size / 1024).toFixed(1)} KB\n${sha256}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
