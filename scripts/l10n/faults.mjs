// What is wrong with a locale's words: missing, left over, untranslated, or with placeholders of their own.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { usedWords } from '../manifest.mjs';
import { manifest, root } from '../paths.mjs';
import { messageWords, wordsOf } from './extract.mjs';
import { maySoundTheSame } from './same.mjs';

/**
 * Locale files by the tags that VS Code uses, with the BCP 47 tags that Intl knows. English is in the code; British English
 * has what it spells in another way, and no more.
 */
export const translations = { de: 'de-DE', 'pt-br': 'pt-BR', fr: 'fr-FR', ar: 'ar', 'en-gb': 'en-GB' };

/**
 * @typedef {keyof typeof translations} Locale
 * @typedef {Record<string, string>} Words
 * @typedef {{english: string, mayDropCount: boolean}} Wanted `mayDropCount`: a form for none, one or two may say it in words
 */

/** @param {string} locale */
export const bundleFile = locale => `l10n/bundle.l10n.${locale}.json`;

/** @param {string} locale */
const manifestFile = locale => `package.nls.${locale}.json`;

/**
 * @param {string} path
 * @returns {Words}
 */
export const readWords = path =>
  existsSync(join(root, path)) ? JSON.parse(readFileSync(join(root, path), 'utf8')) : {};

/**
 * @param {Locale} locale
 * @returns {string[]}
 */
export function bundleFaults(locale) {
  const words = wordsOf();
  const bundle = readWords(bundleFile(locale));
  /** @type {Map<string, Wanted>} */
  const wanted = new Map();
  const forms = new Intl.PluralRules(translations[locale]).resolvedOptions().pluralCategories;
  for (const [english, roles] of words) {
    wanted.set(english, { english, mayDropCount: roles.has('one') && !roles.has('many') });
    if (!roles.has('many')) continue;
    for (const form of forms) {
      const key = `${english}|${form}`;
      const mayDropCount = ['zero', 'one', 'two'].includes(form);
      if (neededForms(locale).includes(form) || bundle[key] !== undefined) wanted.set(key, { english, mayDropCount });
    }
  }
  return faultsOf(bundle, wanted, locale);
}

/**
 * @param {Locale} locale
 * @returns {string[]}
 */
export function manifestFaults(locale) {
  const source = readWords('package.nls.json');
  const wanted = [...usedWords(manifest())].map(key => [key, { english: source[key] ?? '', mayDropCount: false }]);
  return faultsOf(readWords(manifestFile(locale)), new Map(/** @type {[string, Wanted][]} */ (wanted)), locale);
}

/**
 * What is wrong with the message tables: a code of two tables, or one that nobody says.
 * @returns {string[]}
 */
export function messageFaults() {
  const words = messageWords();
  const said = new Set(
    sourceFiles().flatMap(file =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/\b\w+Message\(\s*'(\w+)'/g)].map(call => call[1]),
    ),
  );
  return words.flatMap(({ code, file }) => [
    ...(said.has(code) ? [] : [`never said: ${code} (${file})`]),
    ...(words.some(other => other.code === code && other.file !== file) ? [`in two tables: ${code} (${file})`] : []),
  ]);
}

const sourceFiles = () =>
  readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts'))
    .map(name => `src/${name.replaceAll('\\', '/')}`);

/**
 * Forms beside one and other that every count of a language needs. French and Portuguese have one for millions, which
 * sounds as the other does.
 * @param {Locale} locale
 */
const neededForms = locale => (locale === 'ar' ? ['zero', 'two', 'few', 'many'] : []);

/**
 * @param {Words} bundle
 * @param {Map<string, Wanted>} wanted by key
 * @param {Locale} locale
 */
function faultsOf(bundle, wanted, locale) {
  const faults = Object.keys(bundle).flatMap(key => (wanted.has(key) ? [] : `unused: ${key}`));
  for (const [key, { english, mayDropCount }] of wanted) {
    const text = bundle[key];
    if (text === undefined && locale === 'en-gb') continue;
    if (!text) faults.push(`missing: ${key}`);
    else if (text === english && (locale === 'en-gb' || !maySoundTheSame(locale, english)))
      faults.push(`untranslated: ${key}`);
    else if (!samePlaces(english, text, mayDropCount)) faults.push(`placeholders: ${key} → ${text}`);
  }
  return faults;
}

/**
 * Arguments, icons and links to commands are the same in every language.
 * @param {string} english
 * @param {string} text
 * @param {boolean} mayDropCount
 */
function samePlaces(english, text, mayDropCount) {
  const places = (/** @type {string} */ message) =>
    new Set(message.match(/\{\d+\}|\$\([\w-]+\)|\(command:[^)]*\)|`[^`]+`/g) ?? []);
  const [theirs, ours] = [places(english), places(text)];
  const lost = [...theirs].filter(place => !ours.has(place) && !(mayDropCount && place === '{0}'));
  return lost.length === 0 && [...ours].every(place => theirs.has(place));
}
