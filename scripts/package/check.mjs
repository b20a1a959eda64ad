// Checks a package: it holds what .vscodeignore names, nothing else, and is not too large.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { root } from '../paths.mjs';

/** In bytes. */
const largest = { full: 1_600_000, offline: 1_300_000 };

const [common = '', fullOnly = ''] = readFileSync(join(root, '.vscodeignore'), 'utf8').split(
  '# Only the full flavor has these.',
);
const linesOf = (/** @type {string} */ part) =>
  part.split('\n').flatMap(line => (line.startsWith('!') ? line.slice(1) : []));

/**
 * vsce writes some names small, and ends the license's in `.txt`.
 * @param {string} line
 */
const patternOf = line => {
  const parts = { '.': '\\.', '**/': '(?:.*/)?', '*': '[^/]*' };
  const pattern = line.replace(/\.|\*\*\/|\*/g, part => parts[/** @type {keyof typeof parts} */ (part)]);
  return new RegExp(`^${pattern.replace(/^LICENSE$/, 'LICENSE(?:\\.txt)?')}$`, 'i');
};

/** @param {string} path inside the extension's folder */
export const isListed = path => linesOf(common + fullOnly).some(line => patternOf(line).test(path));

/**
 * @param {string} file
 * @returns {Map<string, Uint8Array>} contents by path
 */
export const readPackage = file => new Map(Object.entries(unzipSync(new Uint8Array(readFileSync(file)))));

/**
 * @param {import('../manifest.mjs').Flavor} flavor
 * @param {string} file
 * @returns {Map<string, number>} sizes by path inside the extension's folder
 * @throws {Error} if the package holds what it should not, lacks what it needs, or is too large
 */
export function checkPackage(flavor, file) {
  const inside = [...readPackage(file)].filter(([path]) => path.startsWith('extension/'));
  const contents = new Map(inside.map(([path, { length }]) => /** @type {const} */ ([path.slice(10), length])));
  const names = [...contents.keys()];
  const wanted = linesOf(flavor === 'full' ? common + fullOnly : common);
  const strange = names.filter(name => !wanted.some(line => patternOf(line).test(name)));
  if (strange.length > 0) throw new Error(`The ${flavor} package holds what it should not: ${strange.join(', ')}`);
  const missing = wanted.filter(line => !names.some(name => patternOf(line).test(name)));
  if (missing.length > 0) throw new Error(`The ${flavor} package lacks ${missing.join(', ')}`);
  const { length } = readFileSync(file);
  if (length > largest[flavor])
    throw new Error(`The ${flavor} package has ${length} bytes, more than ${largest[flavor]}.`);
  return contents;
}
