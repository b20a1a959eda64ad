// The bundles of words as they are shipped: a flavor's own words and no others.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadSource } from '../loadSource.mjs';
import { root } from '../paths.mjs';
import { wordsOf } from './extract.mjs';

const { shortKey, wordBreak } = /** @type {typeof import('../../src/shared/l10n')} */ (
  loadSource('src/shared/l10n.ts')
);

/**
 * @param {readonly string[]} files sources that went into the flavor's bundles
 * @returns {Record<string, Record<string, string>>} those that differ from English, which is in the code; words by the bundle's file name
 */
export function bundlesFor(files) {
  const folder = join(root, 'l10n');
  if (!existsSync(folder)) return {};
  const spoken = wordsOf(files);
  const names = readdirSync(folder).filter(name => name.startsWith('bundle.'));
  return Object.fromEntries(
    names.sort().map(name => {
      /** @type {Record<string, string>} */
      const all = JSON.parse(readFileSync(join(folder, name), 'utf8'));
      const own = Object.entries(all).filter(([key, text]) => text !== key && spoken.has(withoutForm(key)));
      return [name, Object.fromEntries(own)];
    }),
  );
}

/**
 * The same as one file of a package: the keys are there once, and a language's words in their order, since English
 * as the key of five bundles is a tenth of a package. A language of a few words keeps its messages. Together they compress
 * better than as a file each.
 * @param {Record<string, Record<string, string>>} bundles
 * @returns {import('../../src/shared/l10n').PackedBundles}
 * @throws {Error} where two messages have the same key
 */
export function packedBundles(bundles) {
  const messages = [...new Set(Object.values(bundles).flatMap(words => Object.keys(words)))];
  const keys = new Map(messages.map(message => [shortKey(message), message]));
  const lost = messages.filter(message => keys.get(shortKey(message)) !== message);
  if (lost.length > 0) throw new Error(`Messages with the key of another one, so change shortKey: ${lost.join(', ')}`);
  const inOrder = (/** @type {Record<string, string>} */ words) =>
    messages.map(message => words[message] ?? '').join(wordBreak);
  const isFull = (/** @type {Record<string, string>} */ words) => Object.keys(words).length > messages.length / 2;
  const packed = Object.entries(bundles).map(([name, words]) => [name, isFull(words) ? inOrder(words) : words]);
  return { keys: [...keys.keys()].join(''), bundles: Object.fromEntries(packed) };
}

/** @param {string} key `text|few` and the like stand for the text */
const withoutForm = key => key.replace(/\|(zero|one|two|few|many)$/, '');
