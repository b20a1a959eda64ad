// Checks a package: it holds what .vscodeignore names, nothing else, and is not too large.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import type { Flavor } from '../manifest';
import { root } from '../paths';

/** In bytes. */
const largest = { full: 1_600_000, offline: 1_300_000 };

const list = readFileSync(join(root, '.vscodeignore'), 'utf8');
const [common = '', fullOnly = ''] = list.split('# Only the full flavor has these.');
const linesOf = (part: string) => part.split('\n').flatMap(line => (line.startsWith('!') ? line.slice(1) : []));

/** vsce writes some names small, and ends the license's in `.txt`. */
const patternOf = (line: string) => {
  const parts = { '.': '\\.', '**/': '(?:.*/)?', '*': '[^/]*' };
  const pattern = line.replace(/\.|\*\*\/|\*/g, part => parts[part as keyof typeof parts]);
  return new RegExp(`^${pattern.replace(/^LICENSE$/, 'LICENSE(?:\\.txt)?')}$`, 'i');
};

/** True of paths inside the extension's folder that some flavor's package has. */
export const isListed = (path: string) => linesOf(common + fullOnly).some(line => patternOf(line).test(path));

/** Contents by path. */
export const readPackage = (file: string): Map<string, Uint8Array> =>
  new Map(Object.entries(unzipSync(new Uint8Array(readFileSync(file)))));

/**
 * Sizes by path inside the extension's folder. Throws if the package contains what it should not, lacks what it needs, or is
 * too large.
 */
export function checkPackage(flavor: Flavor, file: string): Map<string, number> {
  const inside = [...readPackage(file)].filter(([path]) => path.startsWith('extension/'));
  const contents = new Map(inside.map(([path, { length }]) => [path.slice(10), length] as const));
  const names = [...contents.keys()];
  const expected = linesOf(flavor === 'full' ? common + fullOnly : common);
  const strange = names.filter(name => !expected.some(line => patternOf(line).test(name)));
  if (strange.length > 0) throw new Error(`The ${flavor} package contains what it should not: ${strange.join(', ')}`);
  const missing = expected.filter(line => !names.some(name => patternOf(line).test(name)));
  if (missing.length > 0) throw new Error(`The ${flavor} package lacks ${missing.join(', ')}`);
  const { length } = readFileSync(file);
  if (length > largest[flavor])
    throw new Error(`The ${flavor} package has ${length} bytes, more than ${largest[flavor]}.`);
  return contents;
}
