// The bundles of words as they are shipped: a flavor's own words and no others.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../paths.mjs';
import { wordsOf } from './extract.mjs';

/**
 * @param {readonly string[]} files sources that went into the flavor's bundles
 * @returns {Record<string, Record<string, string>>} words by the bundle's file name
 */
export function bundlesFor(files) {
  const folder = join(root, 'l10n');
  const spoken = wordsOf(files);
  const names = readdirSync(folder).filter(name => name.startsWith('bundle.'));
  return Object.fromEntries(
    names.sort().map(name => {
      /** @type {Record<string, string>} */
      const all = JSON.parse(readFileSync(join(folder, name), 'utf8'));
      const own = Object.entries(all).filter(([key]) => spoken.has(withoutForm(key)));
      return [name, Object.fromEntries(own)];
    }),
  );
}

/** @param {string} key `text|few` and the like stand for the text */
const withoutForm = key => key.replace(/\|(zero|one|two|few|many)$/, '');
