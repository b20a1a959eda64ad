// Packages for tests: made once in a run, for all files and windows that install them, also side by side.
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../paths.mjs';
import { makePackage } from './make.mjs';

const kept = join(root, 'out/packages');

/** At the start of a run, since the packages that are there may be of another build. */
export const forgetPackages = () => rmSync(kept, { recursive: true, force: true });

/**
 * @param {import('./make.mjs').Flavor} flavor
 * @returns {Promise<string>} a folder with the package and its bill of materials
 */
export async function packageFolder(flavor) {
  const folder = join(kept, flavor);
  if (packageIn(folder)) return folder;
  mkdirSync(kept, { recursive: true });
  const made = mkdtempSync(join(kept, 'making-'));
  await makePackage(flavor, made);
  try {
    renameSync(made, folder);
  } catch (error) {
    if (!packageIn(folder)) throw error; // else another process was quicker
    rmSync(made, { recursive: true });
  }
  return folder;
}

/**
 * @param {import('./make.mjs').Flavor} flavor
 * @returns {Promise<string>} the package
 */
export async function packageOnce(flavor) {
  return /** @type {string} */ (packageIn(await packageFolder(flavor)));
}

/** @param {string} folder */
function packageIn(folder) {
  try {
    const name = readdirSync(folder).find(file => file.endsWith('.vsix'));
    return name && join(folder, name);
  } catch {
    return undefined;
  }
}
