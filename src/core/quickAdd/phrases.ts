import type { Lexicon, Meaning, Unit } from './languages/vocabulary';
import type { Word } from './languages/words';

type Kind = Meaning['k'];
type Of<K extends Kind> = Extract<Meaning, { k: K }>;

/** A meaning, and the index of the word after it. */
export interface PhraseMatch<M> {
  readonly value: M;
  readonly next: number;
}

/** `1st`, `22nd`, `3.`: ordinals that English lines may have. */
const englishOrdinal = /^(\d{1,3})(?:st|nd|rd|th|er|e|\.)$/;
/** `1st`, `1er`, `2ª`, `3.`: ordinals of every language. */
const ordinal = /^(\d{1,3})(?:st|nd|rd|th|er|eme|e|o|a|ª|º|\.)$/;

const joining: readonly Kind[] = ['until', 'rangeTo'];
const repeating: readonly Kind[] = ['every', 'rule', 'weekdays', 'afterDone', 'outOf', 'ofMonth'];

/** Reads words by meaning. Positions are word indexes; nothing is consumed, so every grammar can read ahead freely. */
export class Phrases {
  readonly #cache: (readonly PhraseMatch<Meaning>[] | undefined)[] = [];

  #counts: Map<string, number> | undefined;
  #lastJoin: number | undefined;
  #lastRepeat: number | undefined;

  constructor(
    readonly words: readonly Word[],
    readonly lexicon: Lexicon,
  ) {}

  /** The meanings of the words from `at` on, longest phrases first. */
  meanings(at: number): readonly PhraseMatch<Meaning>[] {
    if (at >= this.words.length) return [];
    this.#cache[at] ??= this.#lookUp(at);
    return this.#cache[at];
  }

  #lookUp(at: number): readonly PhraseMatch<Meaning>[] {
    const first = this.words[at]!;
    const longest = this.lexicon.longest.get(first.norm);
    if (longest === undefined || first.blocked) return [];
    const found: PhraseMatch<Meaning>[] = [];
    let key = '';
    for (let length = 1; length <= longest && at + length <= this.words.length; length++) {
      const word = this.words[at + length - 1]!;
      if (word.blocked) break;
      key = length === 1 ? word.norm : `${key} ${word.norm}`;
      for (const value of this.lexicon.meanings.get(key) ?? []) found.unshift({ value, next: at + length });
      if (word.gap) break;
    }
    return found;
  }

  /** How often the line has a word. */
  count(norm: string): number {
    if (!this.#counts) {
      this.#counts = new Map();
      for (const word of this.words) this.#counts.set(word.norm, (this.#counts.get(word.norm) ?? 0) + 1);
    }
    return this.#counts.get(norm) ?? 0;
  }

  /** False for most words: a phrase about time never begins with a word without a meaning and without a digit. */
  canBegin(at: number): boolean {
    const first = this.words[at]?.norm.charCodeAt(0) ?? 0;
    return (first >= 48 && first <= 57) || this.meanings(at).length > 0;
  }

  /** False for most lines: no word or dash from `at` on joins two days or two times. */
  canJoin(at: number): boolean {
    this.#lastJoin ??= this.#last(this.#last(['between']) < 0 ? joining : [...joining, 'and'], /[-–—]/);
    return at <= this.#lastJoin;
  }

  /** False for most lines: every repetition has one of these words. */
  canRepeat(at: number): boolean {
    this.#lastRepeat ??= this.#last(repeating);
    return at <= this.#lastRepeat;
  }

  #last(kinds: readonly Kind[], pattern?: RegExp): number {
    const isOne = (word: Word, index: number) => pattern?.test(word.norm) || this.skip(index, ...kinds) > index;
    return this.words.findLastIndex(isOne);
  }

  find<K extends Kind>(at: number, kind: K): PhraseMatch<Of<K>> | undefined {
    for (const found of this.meanings(at)) if (found.value.k === kind) return found as PhraseMatch<Of<K>>;
    return undefined;
  }

  /** The index after a marker, or `at` itself if it is not there. */
  skip(at: number, ...kinds: readonly Kind[]): number {
    for (const found of this.meanings(at)) if (kinds.includes(found.value.k)) return found.next;
    return at;
  }

  has(at: number, kind: Kind): boolean {
    return this.find(at, kind) !== undefined;
  }

  /** A word that a pattern matches whole. */
  match(at: number, pattern: RegExp): RegExpExecArray | undefined {
    const word = this.words[at];
    return word && !word.blocked && word.norm !== '' ? (pattern.exec(word.norm) ?? undefined) : undefined;
  }

  /** Punctuation (or the line's end) separates the word before `at` from it. */
  isCut(at: number): boolean {
    return at >= this.words.length || (at > 0 && this.words[at - 1]!.gap);
  }

  /** Digits or a number word. */
  number(at: number): PhraseMatch<number> | undefined {
    const digits = this.match(at, /^\d{1,4}$/);
    if (digits) return { value: Number(digits[0]), next: at + 1 };
    const word = this.find(at, 'number');
    return word && { value: word.value.n, next: word.next };
  }

  /** "first", "3rd", "2." … and -1 for "last". */
  ordinal(at: number): PhraseMatch<number> | undefined {
    // In English "3a" may be a time.
    const digits = this.match(at, this.lexicon.shortHalves ? englishOrdinal : ordinal);
    if (digits) return { value: Number(digits[1]), next: at + 1 };
    const dotted = this.words[at]?.tail.startsWith('.') ? this.match(at, /^\d{1,3}$/) : undefined;
    if (dotted) return { value: Number(dotted[0]), next: at + 1 };
    const word = this.find(at, 'ordinal');
    return word && { value: word.value.n, next: word.next };
  }

  /** "3 days", "a week", "90min", and Arabic's duals. */
  amount(at: number): PhraseMatch<{ n: number; unit: Unit }> | undefined {
    const counted = this.find(at, 'unit');
    if (counted && counted.value.n > 1) return { value: counted.value, next: counted.next };
    const joined = this.match(at, /^(\d{1,4})([a-z]{1,8})$/);
    // "In 3D" is not a date.
    if (joined && !(joined[2]!.length === 1 && /\p{Lu}$/u.test(this.words[at]!.raw))) {
      const unit = this.lexicon.meanings.get(joined[2]!)?.find(meaning => meaning.k === 'unit');
      if (unit?.k === 'unit') return { value: { n: Number(joined[1]) * unit.n, unit: unit.unit }, next: at + 1 };
    }
    const number = this.number(at);
    if (!number) return undefined;
    const unit = this.find(number.next, 'unit');
    return unit && { value: { n: number.value * unit.value.n, unit: unit.value.unit }, next: unit.next };
  }
}
