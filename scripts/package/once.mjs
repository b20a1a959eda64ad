// Packages for tests: made once in a run, for all files and windows that install them. The runner makes them before the first of
// these.
import { existsSync, readdirSync, rmSync } from 'node:fs';
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
  if (!existsSync(folder)) await makePackage(flavor, folder);
  return folder;
}

/**
 * @param {import('./make.mjs').Flavor} flavor
 * @returns {Promise<string>} the package
 */
export async function packageOnce(flavor) {
  const folder = await packageFolder(flavor);
  return join(folder, readdirSync(folder).find(name => name.endsWith('.vsix')) ?? '');
}
