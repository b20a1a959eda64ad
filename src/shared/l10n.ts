/**
 * The texts that the user reads. English is in the code and is the key; a bundle of the display language, or of the one
 * in the setting, replaces it. Pages use this file too, with the bundle that the host sends them.
 */

export type Bundle = Readonly<Record<string, string>>;

type Argument = string | number;

let bundle: Bundle = {};
let locale = 'en-US';
let language = locale;
let plurals = new Intl.PluralRules(locale);
let numbers: Intl.NumberFormat | undefined;
let isAgainst = false;

/**
 * Sets the texts, the locale of dates and numbers, and the language of the texts (BCP 47) if it differs. `runsAgainst`:
 * the texts run from right to left, but the surface that shows them, the editor, from left to right.
 */
export function useWords(words: Bundle | undefined, tag: string, wordsTag = tag, runsAgainst = false): void {
  isAgainst = runsAgainst;
  bundle = words ?? {};
  locale = supported(tag);
  numbers = undefined;
  language = supported(wordsTag);
  plurals = new Intl.PluralRules(language);
}

export const currentLocale = () => locale;
/** The language of the words, which a page is read aloud in; it may differ from the locale of dates and numbers. */
export const currentLanguage = () => language;
export const currentBundle = () => bundle;

/** The bundle’s words for a message, if it has any. */
export const wordsFor = (message: string): string | undefined => bundle[message];

/**
 * Translates a message. `{0}`, `{1}` … in it stand for the arguments; numbers are written as the locale does.
 *
 * @example
 * t('{0}: {1} of {2}', 'Work', 3, 1200) // 'Work: 3 of 1,200' in American English
 */
export function t(message: string, ...args: Argument[]): string {
  return inIsolates(fill(wordsFor(message) ?? message, args));
}

/** Translates a text from a table, in which `scripts/l10n` finds it. */
export const translate = (words: string): string => t(words);

/** Keeps a sentence in its own direction: otherwise its last stop, and neighboring words, would be on the wrong side. */
export const inIsolates = (sentence: string) => (isAgainst && sentence !== '' ? `\u2067${sentence}\u2069` : sentence);

/**
 * Translates a message with a count. English has two forms; a bundle may add others of its language under `<many>|few`
 * and the like (CLDR categories). `{0}` is the count, in the locale's digits.
 *
 * @example
 * tn(2, '{0} task', '{0} tasks') // '2 tasks'
 */
export function tn(count: number, one: string, many: string, ...args: Argument[]): string {
  const form = plurals.select(count);
  const own = form === 'one' ? one : many;
  const message = wordsFor(`${many}|${form}`) ?? wordsFor(own) ?? own;
  return inIsolates(fill(message, [count, ...args]));
}

/**
 * Joins texts with the comma of the language.
 *
 * @example
 * listed(['Pay rent', 'overdue']) // 'Pay rent, overdue'; in Arabic with '،'
 */
export const listed = (parts: readonly string[]) => inIsolates(parts.join(fill(wordsFor(pair) ?? pair, ['', ''])));

const pair = '{0}, {1}';

/**
 * Keeps the user's text from changing the direction of the words around it. Every title and name in a message must pass
 * through this.
 *
 * @example
 * t('Completed {0}', isolate(titleOf(task))) // 'Completed \u2068Pay rent\u2069'
 */
export const isolate = (text: string) => `\u2068${withoutIcons(plain(text))}\u2069`;

/** For a row of a tree: VS Code finds rows by how they begin, so nothing is put before a text that needs no isolate. */
export const rowLabel = (text: string) => (rightToLeft.test(text) ? isolate(text) : withoutIcons(plain(text)));

/** Hebrew, Arabic and the other scripts that are written from right to left: "עברית". */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** The editor draws an icon for `$(name)`: an invisible mark keeps it as words. */
export const withoutIcons = (text: string) => text.replace(/\$\(/g, '$\u2060(');

/**
 * One line without the marks that could escape an isolate.
 *
 * @example
 * plain('Pay\n  rent\u202e') // 'Pay rent'
 */
export const plain = (text: string) =>
  text
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/\s+/g, ' ')
    .trim();

/**
 * For the editor's messages, which turn `[words](command:…)` into a link that would run any command with any arguments.
 * An invisible joiner between the brackets prevents this.
 */
export const unlinked = (text: string) => text.replace(/\](?=\()/g, ']\u2060');

/**
 * The same for a line of a Markdown document, in which `<command:…>` is a link too, and `[words]: command:…` on a line
 * of its own.
 */
export const unlinkedLine = (text: string) =>
  unlinked(text.replace(/[\r\n\u2028\u2029]+/g, ' ')).replace(/<(?=\w+:)/g, '<\u2060');

const maxTitleLength = 300;
const maxNameLength = 80;

/**
 * One line of bounded length: other programs may write a whole file into a title.
 *
 * @example
 * brief('Pay the rent', 7) // 'Pay the…'
 */
export function brief(text: string, most = maxTitleLength): string {
  const line = plain(text.slice(0, most * 4));
  if (line.length <= most && text.length <= most * 4) return line;
  // A cut through a surrogate pair would leave half a character.
  return `${line.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** A list's or tag's name, cut so that many of them fit into a line. */
export const briefName = (text: string) => brief(text, maxNameLength);

/**
 * True if anything of a text can be seen: zero-width and other invisible characters alone cannot (U+115F–U+3164:
 * fillers).
 */
export const isVisible = (text: string) => /[^\p{C}\p{Z}\p{M}\u115f\u1160\u2800\u3164]/u.test(text);

const fill = (message: string, args: readonly Argument[]) =>
  message.replace(/\{(\d+)\}/g, (placeholder, at) => {
    const value = args[Number(at)] ?? placeholder;
    return typeof value === 'number' ? numeral(value) : value;
  });

/**
 * A number in the locale's digits.
 *
 * @example
 * numeral(1200) // '1,200' in American English, '1.200' in German
 */
export function numeral(value: number): string {
  numbers ??= new Intl.NumberFormat(locale);
  return numbers.format(value);
}
/**
 * A number of further ones with its sign, on the side on which the locale has it.
 *
 * @example
 * addition(2) // '+2'
 */
export const addition = (count: number) => count.toLocaleString(locale, { signDisplay: 'always' });
/** 40 as the locale writes 40 %. */
export const percent = (value: number) => (value / 100).toLocaleString(locale, { style: 'percent' });

function supported(tag: string): string {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf([tag])[0] ?? 'en-US';
  } catch {
    return 'en-US';
  }
}
