import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../paths';
import { wordsOf } from './extract';
import { readWords, type Words } from './faults';

/**
 * The bundles of words as they are shipped, by their files' names: a flavor's own words and no others.
 * `files`: sources that went into its scripts
 */
export function bundlesFor(files: readonly string[]): Record<string, Words> {
  const spoken = wordsOf(files);
  const names = readdirSync(join(root, 'l10n')).filter(name => name.startsWith('bundle.'));
  return Object.fromEntries(
    names.sort().map(name => {
      const own = Object.entries(readWords(`l10n/${name}`)).filter(([key]) => spoken.has(withoutForm(key)));
      return [name, Object.fromEntries(own)];
    }),
  );
}

/** The text that `text|few` and the like stand for. */
const withoutForm = (key: string) => key.replace(/\|(zero|one|two|few|many)$/, '');
