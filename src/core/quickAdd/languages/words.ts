import type { Range } from '../../kernel/range';
/** One word of the input, between two spaces, without the punctuation around it. */
export interface Word {
  readonly from: number;
  readonly to: number;
  readonly raw: string;
  /** Lower case, without accents, Arabic letters unified, digits ASCII. */
  readonly norm: string;
  /** Punctuation is between this word and the next. */
  readonly gap: boolean;
  /** That punctuation. */
  readonly tail: string;
  /** Rejected by the user: no phrase may use it. */
  readonly blocked: boolean;
}

/** `(“` before a word. */
const opening = /^[("'«„“‘¿¡[]+/;
/** `,` or `)”` after a word. */
const closing = /[,;:!?…)"'»”“’\]،؛؟.]+$/;
const plainAscii = /^[\x00-\x7f]*$/;

/** Nobody plans in longer words; longer ones (URLs, junk) are never looked up. */
const maxWordLength = 40;

/** Unifies spellings that differ in case, accents, Arabic hamza or digits. */
export function normalizeWord(text: string): string {
  if (plainAscii.test(text)) return text.toLowerCase();
  const folded = text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\u064b-\u065f\u0670\u0640\u200e\u200f]/g, '');
  if (plainAscii.test(folded)) return folded;
  return folded
    .replace(/[أإآٱ]/g, 'ا')
    .replace(/ى/g, 'ي')
    .replace(/ة/g, 'ه')
    .replace(/[\u0660-\u0669]/g, digit => String(digit.charCodeAt(0) - 0x660))
    .replace(/[\u06f0-\u06f9]/g, digit => String(digit.charCodeAt(0) - 0x6f0))
    .replace(/ß/g, 'ss')
    .replace(/[’‘]/g, "'");
}

/**
 * Returns a function that checks if a word overlaps with one of the ranges; call it with the words in the order of the
 * text.
 */
function overlaps(ranges: readonly Range[]): (from: number, to: number) => boolean {
  const sorted = [...ranges].sort(([a], [b]) => a - b);
  let at = 0;
  let reach = -1;
  return (from, to) => {
    for (; at < sorted.length && sorted[at]![0] < to; at++) reach = Math.max(reach, sorted[at]![1]);
    return reach > from;
  };
}

export function splitWords(text: string, rejected: readonly Range[]): Word[] {
  const words: Word[] = [];
  const isRejected = overlaps(rejected);
  for (const match of text.matchAll(/\S+/g)) {
    const chunk = match[0];
    const start = match.index;
    const sigil = /^[#@!^*/~]/.test(chunk);
    const lead = sigil ? 0 : (opening.exec(chunk)?.[0].length ?? 0);
    const tail = chunk.length > maxWordLength * 4 ? 0 : (closing.exec(chunk)?.[0].length ?? 0);
    const bare = lead + tail < chunk.length;
    const from = bare ? start + lead : start;
    const to = bare ? start + chunk.length - tail : start + chunk.length;
    const raw = text.slice(from, to);
    words.push({
      from,
      to,
      raw,
      norm: raw.length > maxWordLength ? '' : normalizeWord(raw),
      gap: bare && tail > 0,
      tail: text.slice(to, start + chunk.length),
      blocked: isRejected(from, to),
    });
  }
  return words;
}
