// Finds missing, unused and untranslated texts, and other placeholders, in the translations, and selects what is shipped.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { usedWords } from '../manifest';
import { filesBelow, manifest, root } from '../paths';
import { messageWords, wordsOf } from './extract';

/**
 * Locale files by the tags that VS Code uses, with the BCP 47 tags that Intl knows. English is in the code; the file of
 * British English only has the texts that it spells differently.
 */
export const translations = { de: 'de-DE', 'pt-br': 'pt-BR', fr: 'fr-FR', ar: 'ar', 'en-gb': 'en-GB' };

type Locale = keyof typeof translations;
type Words = Record<string, string>;

interface Source {
  readonly english: string;
  /** A plural form for none, one or two may write the number as a word. */
  readonly mayDropCount: boolean;
}

export const bundleFile = (locale: string) => `l10n/bundle.l10n.${locale}.json`;

const manifestFile = (locale: string) => `package.nls.${locale}.json`;

export const readWords = (path: string): Words =>
  existsSync(join(root, path)) ? JSON.parse(readFileSync(join(root, path), 'utf8')) : {};

export function bundleFaults(locale: Locale): string[] {
  const words = wordsOf();
  const bundle = readWords(bundleFile(locale));
  const sources = new Map<string, Source>();
  const forms = new Intl.PluralRules(translations[locale]).resolvedOptions().pluralCategories;
  for (const [english, roles] of words) {
    sources.set(english, { english, mayDropCount: roles.has('one') && !roles.has('many') });
    if (!roles.has('many')) continue;
    for (const form of forms) {
      const key = `${english}|${form}`;
      const mayDropCount = ['zero', 'one', 'two'].includes(form);
      if (neededForms(locale).includes(form) || bundle[key] !== undefined) sources.set(key, { english, mayDropCount });
    }
  }
  return faultsOf(bundle, sources, locale);
}

export function manifestFaults(locale: Locale): string[] {
  const source = readWords('package.nls.json');
  const keys = [...usedWords(manifest())];
  const sources = new Map(keys.map(key => [key, { english: source[key] ?? '', mayDropCount: false }]));
  return faultsOf(readWords(manifestFile(locale)), sources, locale);
}

/** The faults of the message tables: a code that is in two tables, or that no code uses. */
export function messageFaults(): string[] {
  const words = messageWords();
  const used = new Set(
    filesBelow('src', '.ts').flatMap(file =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/\b\w+Message\(\s*'(\w+)'/g)].map(call => call[1]),
    ),
  );
  return words.flatMap(({ code, file }) => [
    ...(used.has(code) ? [] : [`never used: ${code} (${file})`]),
    ...(words.some(other => other.code === code && other.file !== file) ? [`in two tables: ${code} (${file})`] : []),
  ]);
}

/**
 * The plural forms that a language needs besides `one` and `other`. French and Portuguese also have a form for millions,
 * which is the same as `other`.
 */
const neededForms = (locale: Locale) => (locale === 'ar' ? ['zero', 'two', 'few', 'many'] : []);

function faultsOf(bundle: Words, sources: ReadonlyMap<string, Source>, locale: Locale): string[] {
  const faults = Object.keys(bundle).flatMap(key => (sources.has(key) ? [] : `unused: ${key}`));
  for (const [key, { english, mayDropCount }] of sources) {
    const text = bundle[key];
    if (text === undefined && locale === 'en-gb') continue;
    if (!text) faults.push(`missing: ${key}`);
    else if (text === english && (locale === 'en-gb' || !maySoundTheSame(locale, english)))
      faults.push(`untranslated: ${key}`);
    else if (!haveSamePlaceholders(english, text, mayDropCount)) faults.push(`placeholders: ${key} → ${text}`);
  }
  return faults;
}

/** Texts without anything to translate: signs, digits, names of formats and keys. */
const names = /^(?:[\W\d_]|Dueline|CalDAV|Markdown|URL|UID|RRULE|todo\.txt|Shift|Ctrl [AZ]|F10|AM|PM)*$/i;

const minutes = ['{0} minute', '{0} minutes'];
/** Symbols of units. */
const units = ['{0} h', '{0} h {1} min', '{0} min'];
/** Texts that are the same in English, each of them checked. Any other English text in a bundle was forgotten. */
const borrowed: Record<string, string[]> = {
  de: ['Board', 'Code', 'Cyan', 'Details', 'Filter', 'Journal', 'Name', 'Orange', 'Server', 'Status', 'Tag', 'Tags'],
  'pt-br': ['Backups', 'Enter', 'Status', 'Total: {0}', 'link', ...units],
  fr: ['Code', 'Date', 'Cyan', 'Dates', 'Journal', 'Notes', 'Orange', 'Violet', 'dates', 'notes', ...minutes, ...units],
  ar: ['Enter'],
};

const maySoundTheSame = (locale: string, english: string) =>
  names.test(english.replace(/\{\d\}/g, '')) || Boolean(borrowed[locale]?.includes(english));

/** True if both texts have the same arguments, icons and links to commands. */
function haveSamePlaceholders(english: string, text: string, mayDropCount: boolean) {
  const placeholders = (message: string) =>
    new Set(message.match(/\{\d+\}|\$\([\w-]+\)|\(command:[^)]*\)|`[^`]+`/g) ?? []);
  const [theirs, ours] = [placeholders(english), placeholders(text)];
  const lost = [...theirs].filter(placeholder => !ours.has(placeholder) && !(mayDropCount && placeholder === '{0}'));
  return lost.length === 0 && [...ours].every(placeholder => theirs.has(placeholder));
}

/** The bundles as shipped, by file name, with only the texts that a flavor uses; `files` are the sources of its scripts. */
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
