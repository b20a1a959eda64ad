import { parseIsoDate } from './dateText';

/** A line's text with its marks taken out. */
export interface ListMarks {
  readonly title: string;
  readonly tags: readonly string[];
  readonly values: ReadonlyMap<string, string>;
}

/** A map, since an object would also have keys such as `constructor`. */
const shapes: ReadonlyMap<string, RegExp> = new Map([
  ['time', /^\d{1,2}:\d{2}$/],
  ['ttime', /^\d{1,2}:\d{2}$/],
  ['rec', /^\+?[1-9]\d{0,2}[dbwmy]$/],
  ['rrule', /^FREQ=[A-Z]+/i],
  ['pri', /^[A-Z]$/],
  ['status', /^(in-process|cancelled)$/],
  ['progress', /^\d{1,2}$/],
  ['uid', /^\S+$/],
  ['parent', /^\S+$/],
]);

const isMark = (key: string, value: string) =>
  key === 'due' || key === 't' ? parseIsoDate(value)?.kind === 'day' : (shapes.get(key)?.test(value) ?? false);

const tag = /^[+@](\S+)$/;
const pair = /^([a-z]+):(\S+)$/;

/** A word that is a mark, or a sign at the beginning of a line: done, a priority or a date. */
function hasMeaning(word: string, isFirst: boolean): boolean {
  const [, key, value] = pair.exec(word) ?? [];
  return tag.test(word) || (key !== undefined && isMark(key, value!)) || (isFirst && startSign.test(word));
}

const startSign = /^(?:x|\([A-Z]\)|\d{4}-\d{2}-\d{2})$/;

/** A title whose words are none but words: `@home` becomes `\@home`, as in Markdown. */
export const withoutMarks = (title: string): string =>
  title
    .split(' ')
    .map((word, index) => (hasMeaning(word.replace(/^\\+/, ''), index === 0) ? `\\${word}` : word))
    .join(' ');

/**
 * Contexts and projects are tags, but for the project that names the list itself. Unknown marks stay text, and so does
 * one before another of its kind: the marks of a task come after its title.
 */
export function marksOf(text: string, { listName }: { readonly listName?: string }): ListMarks {
  const own = listName?.trim().replace(/\s+/g, '_').toLowerCase();
  const words: string[] = [];
  const tags: string[] = [];
  const values = new Map<string, string>();
  const all = text.split(/\s+/).filter(word => word !== '');
  for (const [index, word] of [...all.entries()].toReversed()) {
    const mark = tag.exec(word);
    if (mark) {
      if (!(word[0] === '+' && mark[1]!.toLowerCase() === own)) tags.push(mark[1]!);
      continue;
    }
    const [, key, value] = pair.exec(word) ?? [];
    if (key !== undefined && !values.has(key) && isMark(key, value!)) values.set(key, value!);
    else words.push(/^\\+/.test(word) && hasMeaning(word.replace(/^\\+/, ''), index === 0) ? word.slice(1) : word);
  }
  return { title: words.toReversed().join(' '), tags: tags.toReversed(), values };
}
