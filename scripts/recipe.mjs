// The downstream recipe: metadata/dueline.yml, in F-Droid's form.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { root } from './paths.mjs';

/**
 * @typedef {import('./manifest.mjs').Flavor} Flavor
 * @typedef {{versionName: string, versionCode: number, commit: string, flavor: Flavor}} Entry
 * @typedef {{entries: Entry[], current: {versionName: string, versionCode: number}}} Recipe
 */

/**
 * @param {string} [text]
 * @returns {Recipe}
 * @throws {Error} where an entry lacks something, or names a flavor that there is not
 */
export function readRecipe(text = readFileSync(join(root, 'metadata/dueline.yml'), 'utf8')) {
  const recipe = /** @type {any} */ (load(text));
  const entries = (recipe?.Builds ?? []).map(readEntry);
  if (entries.length === 0) throw new Error('The recipe has no entry under Builds.');
  return {
    entries,
    current: { versionName: String(recipe.CurrentVersion), versionCode: recipe.CurrentVersionCode },
  };
}

/**
 * @param {any} entry
 * @returns {Entry}
 */
function readEntry({ versionName, versionCode, commit, gradle }) {
  const name = String(versionName);
  // F-Droid writes one flavor as a list or plainly.
  const flavors = [gradle ?? []].flat().map(String);
  const [flavor] = flavors;
  if (flavors.length !== 1 || (flavor !== 'full' && flavor !== 'offline'))
    throw new Error(`The recipe's entry for ${name} needs "gradle: full" or "gradle: offline".`);
  if (!Number.isInteger(versionCode)) throw new Error(`The recipe's entry for ${name} needs a whole versionCode.`);
  if (typeof commit !== 'string') throw new Error(`The recipe's entry for ${name} needs a commit.`);
  return { versionName: name, versionCode, commit, flavor };
}
