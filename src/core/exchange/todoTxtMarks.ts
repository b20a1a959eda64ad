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

/**
 * Contexts and projects are tags, but for the project that names the list itself. Unknown marks stay text, and so does
 * one before another of its kind: the marks of a task come after its title, which may have such words.
 */
export function marksOf(text: string, { listName }: { readonly listName?: string }): ListMarks {
  const own = listName?.trim().replace(/\s+/g, '_').toLowerCase();
  const words: string[] = [];
  const tags: string[] = [];
  const values = new Map<string, string>();
  for (const word of text.split(/\s+/).toReversed()) {
    const mark = /^[+@](\S+)$/.exec(word);
    if (mark) {
      if (!(word[0] === '+' && mark[1]!.toLowerCase() === own)) tags.unshift(mark[1]!);
      continue;
    }
    const pair = /^([a-z]+):(\S+)$/.exec(word);
    if (pair && !values.has(pair[1]!) && isMark(pair[1]!, pair[2]!)) values.set(pair[1]!, pair[2]!);
    else if (word !== '') words.unshift(word);
  }
  return { title: words.join(' '), tags, values };
}
