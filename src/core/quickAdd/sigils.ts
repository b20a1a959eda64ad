import { estimateText, readEstimate } from '../fields/estimate';
import type { Range } from '../kernel/range';
import { normalizeWord, type Word } from './languages/words';

/** A part that a sign introduces: no grammar of time is needed to read it. */
export interface SigilMatch {
  readonly kind: 'tag' | 'priority' | 'list' | 'note' | 'url' | 'after' | 'template' | 'estimate';
  readonly value: string;
  readonly range: Range;
  /** Index of the first word after it. */
  readonly next: number;
}

export interface SigilOptions {
  readonly lists?: readonly string[];
  readonly templates?: readonly string[];
  readonly syntax?: 'default' | 'todoist';
}

/** RFC 5545 priorities of the words that quick add writes after `!`. */
const priorities: ReadonlyMap<string, number> = new Map(
  (
    [
      [1, 'high hoch alta alto haute haut عالي عالية مرتفعة hi urgent'],
      [5, 'medium mittel media medio moyenne moyen متوسط متوسطة med normal'],
      [9, 'low niedrig baixa baixo basse bas faible منخفض منخفضة lo'],
      [0, 'none keine nenhuma aucune بدون'],
    ] as const
  ).flatMap(([priority, names]) => names.split(' ').map(name => [normalizeWord(name), priority] as const)),
);

/** The priority that `!` and the word mean. */
export const priorityNamed = (word: string): number | undefined => priorities.get(normalizeWord(word));

/** A quoted name may hold this much; beyond it the quote is only a quote. */
const maxNameLength = 200;

export function sigilAt(
  text: string,
  words: readonly Word[],
  at: number,
  options: SigilOptions,
): SigilMatch | undefined {
  const word = words[at]!;
  const { raw, from, to } = word;
  switch (raw[0]) {
    case '#':
      return options.syntax === 'todoist' ? listAt(text, words, at, options) : tagAt(text, words, at);
    case '@':
      return options.syntax === 'todoist' ? tagAt(text, words, at) : listAt(text, words, at, options);
    case '!': {
      const value = /^![0-9]$/.test(word.norm) ? Number(raw[1]) : priorities.get(word.norm.slice(1));
      return value === undefined
        ? undefined
        : { kind: 'priority', value: String(value), range: [from, to], next: at + 1 };
    }
    case '/':
      if (!raw.startsWith('//')) return undefined;
      return {
        kind: 'note',
        value: text.slice(from + 2).trim(),
        range: [from, text.trimEnd().length],
        next: words.length,
      };
    case '~': {
      const minutes = estimateWord(word.norm);
      return minutes === undefined
        ? undefined
        : { kind: 'estimate', value: estimateText(minutes), range: [from, to], next: at + 1 };
    }
    case ':':
      return templateAt(text, words, at, options.templates ?? []);
    case 'p':
    case 'P': {
      const level = options.syntax === 'todoist' ? /^p([1-4])$/.exec(word.norm) : null;
      const value = level && ['1', '5', '9', '0'][Number(level[1]) - 1];
      return value ? { kind: 'priority', value, range: [from, to], next: at + 1 } : undefined;
    }
    case 'a':
    case 'A':
      return afterAt(text, words, at) ?? urlAt(text, word, at);
    default:
      return urlAt(text, word, at);
  }
}

/** The minutes of `~1h30`; undefined for any other word. “~90” may be about ninety of anything. */
export const estimateWord = (norm: string): number | undefined =>
  /^~.*[hm]/.test(norm) ? readEstimate(norm.slice(1)) : undefined;

const afterSign = 'after:';

/** `after:dl-k3f9`, `after:"Fix race"`: a task that this one depends on. The caller checks that it exists. */
function afterAt(text: string, words: readonly Word[], at: number): SigilMatch | undefined {
  const { raw, from, to } = words[at]!;
  if (!raw.toLowerCase().startsWith(afterSign)) return undefined;
  const quoted = quotedName(text, words, at, afterSign.length);
  if (quoted) return { kind: 'after', ...quoted };
  const value = raw.slice(afterSign.length);
  return value === '' || value.length > maxNameLength
    ? undefined
    : { kind: 'after', value, range: [from, to], next: at + 1 };
}

/** `:Release`, `:"New member"`: what no template is called is text. */
function templateAt(
  text: string,
  words: readonly Word[],
  at: number,
  templates: readonly string[],
): SigilMatch | undefined {
  const quoted = quotedName(text, words, at);
  const isKnown = templates.some(name => name.toLowerCase() === quoted?.value.toLowerCase());
  if (quoted && isKnown) return { kind: 'template', ...quoted };
  const known = knownName(text, words, at, templates);
  return known && { kind: 'template', ...known };
}

/** `#123` is the number of an issue, not a tag. */
function tagAt(text: string, words: readonly Word[], at: number): SigilMatch | undefined {
  const quoted = quotedName(text, words, at);
  if (quoted) return { kind: 'tag', ...quoted };
  const { raw, from, to } = words[at]!;
  const value = raw.slice(1);
  if (!/[\p{L}\p{Extended_Pictographic}]/u.test(value.slice(0, maxNameLength)) || /^[#@]/.test(value)) return undefined;
  return value.length > maxNameLength ? undefined : { kind: 'tag', value, range: [from, to], next: at + 1 };
}

function listAt(text: string, words: readonly Word[], at: number, options: SigilOptions): SigilMatch | undefined {
  const quoted = quotedName(text, words, at);
  if (quoted) return { kind: 'list', ...quoted };
  const { raw, from, to } = words[at]!;
  const known = knownName(text, words, at, options.lists ?? []);
  if (known) return { kind: 'list', ...known };
  const value = raw.slice(1);
  if (value === '' || value.length > maxNameLength || /^[#@]/.test(value)) return undefined;
  return { kind: 'list', value, range: [from, to], next: at + 1 };
}

/** The longest name that the text after the sign begins with, at a word's end. */
function knownName(
  text: string,
  words: readonly Word[],
  at: number,
  known: readonly string[],
): Omit<SigilMatch, 'kind'> | undefined {
  const start = words[at]!.from + 1;
  const here = text.slice(start, start + maxNameLength).toLowerCase();
  const names = known.filter(name => name !== '' && here.startsWith(name.toLowerCase()));
  for (const name of names.sort((a, b) => b.length - a.length)) {
    const to = start + name.length;
    if (/^[\p{L}\p{N}_]/u.test(text.slice(to, to + 2))) continue;
    return { value: name, range: [words[at]!.from, to], next: wordFrom(words, at, to) };
  }
  return undefined;
}

function quotedName(text: string, words: readonly Word[], at: number, sign = 1): Omit<SigilMatch, 'kind'> | undefined {
  const { from } = words[at]!;
  const open = from + sign;
  const close = { '"': '"', '“': '”', '«': '»', '„': '“' }[text[open] ?? ''];
  if (!close) return undefined;
  const inside = text.slice(open + 1, open + 1 + maxNameLength);
  const end = inside.indexOf(close);
  const value = inside.slice(0, Math.max(end, 0)).trim();
  if (value === '') return undefined;
  const to = open + 1 + end + 1;
  return { value, range: [from, to], next: wordFrom(words, at, to) };
}

function wordFrom(words: readonly Word[], at: number, offset: number): number {
  let next = at + 1;
  while (next < words.length && words[next]!.from < offset) next++;
  return next;
}

function urlAt(text: string, word: Word, at: number): SigilMatch | undefined {
  if (!/^[a-z][a-z0-9+.-]{1,20}:\/\/[^\s\x00-\x1f]/i.test(word.raw)) return undefined;
  // A closing bracket belongs to the address if the opening one does.
  const to = word.raw.includes('(') && text[word.to] === ')' ? word.to + 1 : word.to;
  const value = text.slice(word.from, to);
  if (/[\x00-\x1f]/.test(value) || value.length > 2048) return undefined;
  return { kind: 'url', value, range: [word.from, to], next: at + 1 };
}
