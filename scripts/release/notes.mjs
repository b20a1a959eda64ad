// The text of a release: the notes in English, the same in the other languages below, and how to check the files.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../paths.mjs';
import { locales, notesFile, notesFor } from './version.mjs';

/** @param {string} version */
export function releaseNotes(version) {
  const [source = 'en-US', ...others] = locales;
  const name = (/** @type {string} */ locale) =>
    new Intl.DisplayNames([locale], { type: 'language' }).of(locale) ?? locale;
  const folded = others.map(locale => {
    const direction = locale === 'ar' ? ' dir="rtl"' : '';
    return `<details lang="${locale}"${direction}><summary>${name(locale)}</summary>\n\n${read(version, locale)}\n\n</details>`;
  });
  const check =
    'Check the files with `sha256sum --check SHA256SUMS`; the bills of materials are the `.cdx.json` files.';
  return `${read(version, source)}\n\n${folded.join('\n\n')}\n\n${check}\n`;
}

/**
 * @param {string} version
 * @param {string} locale
 */
function read(version, locale) {
  const text = readFileSync(join(root, notesFile(version, locale)), 'utf8');
  return notesFor('full', text).trim();
}
