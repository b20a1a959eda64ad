/** The language of the texts for a user, and the name of their file. This file knows no editor. */

export const languages = ['en-US', 'en-GB', 'de-DE', 'pt-BR', 'fr-FR', 'ar'] as const;
export type DisplayLanguage = (typeof languages)[number];

/**
 * @param chosen the setting: a language of ours, or `auto`
 * @param editor the editor's language, as VS Code names it: `en`, `de`, `pt-br`
 * @param system the system's locale; it decides between the kinds of English, of which the editor has only one
 */
export function languageFor(chosen: string, editor: string, system: string): DisplayLanguage {
  const base = baseOf(editor);
  const kind = base === 'en' && baseOf(system) === 'en' ? exact(system) : undefined;
  return exact(chosen) ?? exact(editor) ?? kind ?? ofBase(base) ?? 'en-US';
}

/** The file of a language's words below l10n/; none for the language that is in the code. */
export const wordsFile = (language: DisplayLanguage): string | undefined =>
  language === 'en-US' ? undefined : `bundle.l10n.${fileNames[language]}.json`;

const fileNames: Record<Exclude<DisplayLanguage, 'en-US'>, string> = {
  'en-GB': 'en-gb',
  'de-DE': 'de',
  'pt-BR': 'pt-br',
  'fr-FR': 'fr',
  ar: 'ar',
};

/** The locale (BCP 47) that a setting names, `de_DE` too as other programs write it; undefined if it names none. */
export function localeOf(chosen: string): string | undefined {
  if (chosen.trim() === 'auto') return undefined;
  try {
    return Intl.getCanonicalLocales(chosen.trim().replaceAll('_', '-'))[0];
  } catch {
    return undefined;
  }
}

/** The direction of a language. */
export const directionOf = (language: string): 'ltr' | 'rtl' => (baseOf(language) === 'ar' ? 'rtl' : 'ltr');

/** `de` of `de-AT`. */
export const baseOf = (tag: string) => tag.split('-')[0]!.toLowerCase();
const exact = (tag: string) => languages.find(language => language.toLowerCase() === tag.toLowerCase());
const ofBase = (base: string) => languages.find(language => baseOf(language) === base);
