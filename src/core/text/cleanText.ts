/** Scripts that write with joiners: a joiner after one of their signs changes the shape of the word. */
const joiningScripts = [
  ...['Arab', 'Syrc', 'Nkoo', 'Mong', 'Deva', 'Beng', 'Guru', 'Gujr', 'Orya'],
  ...['Taml', 'Telu', 'Knda', 'Mlym', 'Sinh', 'Khmr', 'Mymr', 'Tibt', 'Cakm'],
].map(script => `\\p{scx=${script}}`);

/** Invisible characters, each with the context in which people see a difference. */
const needed = [
  // The flag of Scotland: a black flag, and "gbsct" in tags.
  '\\u{1f3f4}[\\u{e0030}-\\u{e0039}\\u{e0061}-\\u{e007a}]{2,6}\\u{e007f}',
  // The joiner in "farmer": an adult, the joiner and a tractor.
  '\\u200d(?<=\\p{Extended_Pictographic}[\\ufe0f\\u{1f3fb}-\\u{1f3ff}]?\\u200d)(?=\\p{Extended_Pictographic})',
  `[\\u200c\\u200d](?<=[${joiningScripts.join('')}][\\u200c\\u200d])`,
  // The selectors in a red heart, a keycap, a Mongolian letter and a variant of a Chinese sign.
  '[\\ufe0e\\ufe0f](?<=\\p{Extended_Pictographic}[\\ufe0e\\ufe0f])',
  '\\ufe0f(?<=[\\d#*]\\ufe0f)(?=\\u20e3)',
  '[\\u180b-\\u180f](?<=[\\u1820-\\u18aa][\\u180b-\\u180f])',
  '[\\u{e0100}-\\u{e01ef}](?<=\\p{sc=Han}[\\u{e0100}-\\u{e01ef}])',
].join('|');

/**
 * Control characters, which a terminal obeys, marks that turn the direction of what follows, and signs that people do not
 * see but a language model reads: they can spell hidden words.
 */
const invisible = '[\\p{Cc}\\p{Default_Ignorable_Code_Point}\\u2028-\\u202e\\u2066-\\u2069\\u2800\\ufff9-\\ufffb]';

/** "pay\u200b rent": the zero-width space goes; the joiner of "👩\u200d💻" is kept. */
const invisibleUnlessNeeded = new RegExp(`(${needed})|${invisible}`, 'gu');
/** The joiner too, which JSON then spells `\u200d`; only the line end stays. */
const everyInvisible = new RegExp(`(?!\\n)${invisible}`, 'gu');

const isPlain = /^[\x20-\x7e]*$/;

/**
 * Text of a task, a list or an error on one line.
 *
 * @example
 * sanitize('Pay\u202e rent\u0007\nnow') // 'Pay rent now'
 */
export const sanitize = (text: string): string =>
  isPlain.test(text)
    ? text
    : text
        .replace(/(?!\ufeff)[\s\u0085]/g, ' ')
        .replace(invisibleUnlessNeeded, (_sign, kept: string | undefined) => kept ?? '');

/** Sanitizes each line of a text. */
export const cleanedLines = (text: string): string =>
  text
    .split(/\r\n?|\n/)
    .map(sanitize)
    .join('\n');

const escapeOf = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** JSON that says the same in characters that are safe to show. */
export const safeJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(everyInvisible, sign => sign.split('').map(escapeOf).join(''));
