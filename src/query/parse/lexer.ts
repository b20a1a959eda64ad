import type { Message } from '../../core/kernel/message';
import { coreMessage } from '../../core/kernel/messages';
import type { Range } from '../../core/kernel/range';
import { QueryError } from './queryError';
import type { Comparison } from './syntax';

/** A word, string or pattern as it is written in the query. */
export interface RawAtom {
  readonly text: string;
  readonly quoted: boolean;
  /** Set for `/…/`: the flags after it. */
  readonly flags?: string;
  readonly range: Range;
}

export interface RawValue {
  readonly compare?: Comparison;
  readonly atom: RawAtom;
  readonly range: Range;
}

export type Token =
  | { readonly type: 'open' | 'close' | 'or' | 'and' | 'not'; readonly range: Range }
  | {
      readonly type: 'field';
      readonly name: string;
      readonly nameRange: Range;
      readonly values: readonly RawValue[];
      readonly range: Range;
    }
  | { readonly type: 'sigil'; readonly sigil: '#' | '@' | '!'; readonly atom: RawAtom; readonly range: Range }
  | { readonly type: 'text'; readonly atom: RawAtom; readonly range: Range };

/** Also the invisible marks that come along when text is copied from a right-to-left page. */
const isBlank = (char: string) => /[\s\u200e\u200f\u2066-\u2069]/.test(char);
const isWordChar = (char: string | undefined) => char !== undefined && /[\p{L}\p{N}]/u.test(char);
/** The field at the front of a condition: `due:` of `due:today`. */
const fieldName = /^([\p{L}_][\p{L}\p{N}_-]*):/u;
const maxQueryLength = 4000;

export function tokenize(text: string): Token[] {
  if (text.length > maxQueryLength)
    throw new QueryError(coreMessage('queryTooLong', maxQueryLength), [maxQueryLength, text.length]);
  return new Lexer(text).tokens();
}

class Lexer {
  #at = 0;

  constructor(readonly text: string) {}

  tokens(): Token[] {
    const found: Token[] = [];
    for (;;) {
      while (this.#at < this.text.length && (isBlank(this.text[this.#at]!) || this.text[this.#at] === ',')) this.#at++;
      if (this.#at >= this.text.length) return found;
      found.push(this.#next());
    }
  }

  #next(): Token {
    const from = this.#at;
    const char = this.text[from]!;
    if (char === '(' || char === ')') return this.#mark(char === '(' ? 'open' : 'close', 1);
    if (char === '|') return this.#mark('or', 1);
    if (char === '&' && !isWordChar(this.text[from + 1])) return this.#mark('and', 1);
    if (char === '-' && from + 1 < this.text.length && !isBlank(this.text[from + 1]!)) return this.#mark('not', 1);
    const keyword = /^(OR|AND|NOT)(?![^\s()])/.exec(this.text.slice(from, from + 4));
    if (keyword) return this.#mark(keyword[1]!.toLowerCase() as 'or' | 'and' | 'not', keyword[1]!.length);
    if ((char === '#' || char === '@' || char === '!') && this.#at + 1 < this.text.length) {
      this.#at++;
      const atom = this.#atom(
        char === '!' ? coreMessage('aPriority') : char === '#' ? coreMessage('aTag') : coreMessage('aList'),
      );
      return { type: 'sigil', sigil: char, atom, range: [from, this.#at] };
    }
    const field = fieldName.exec(this.text.slice(from, from + 60));
    if (field) return this.#field(field[1]!);
    const atom = this.#atom(coreMessage('aWord'));
    return { type: 'text', atom, range: atom.range };
  }

  #mark(type: 'open' | 'close' | 'or' | 'and' | 'not', length: number): Token {
    const from = this.#at;
    this.#at += length;
    return { type, range: [from, this.#at] };
  }

  #field(name: string): Token {
    const from = this.#at;
    this.#at += name.length + 1;
    const values: RawValue[] = [];
    do {
      if (values.length > 0) this.#at++;
      values.push(this.#value(name));
    } while (this.text[this.#at] === ',');
    return { type: 'field', name, nameRange: [from, from + name.length], values, range: [from, this.#at] };
  }

  #value(name: string): RawValue {
    const from = this.#at;
    const compare = /^(<=|>=|<|>|=)/.exec(this.text.slice(from, from + 2))?.[1] as Comparison | undefined;
    this.#at += compare?.length ?? 0;
    const atom = this.#atom(coreMessage('aValue', name));
    return { ...(compare ? { compare } : {}), atom, range: [from, this.#at] };
  }

  #atom(message: Message): RawAtom {
    const char = this.text[this.#at];
    if (char === '"') return this.#string();
    if (char === '/') return this.#pattern();
    const from = this.#at;
    while (this.#at < this.text.length && !this.#endsWord(from)) this.#at++;
    if (this.#at === from)
      throw new QueryError(coreMessage('expectedHere', message), [
        Math.max(0, from - 1),
        Math.min(from + 1, this.text.length),
      ]);
    return { text: this.text.slice(from, this.#at), quoted: false, range: [from, this.#at] };
  }

  /** `&` is inside a word if letters are on both sides, as in R&D. */
  #endsWord(from: number): boolean {
    const char = this.text[this.#at]!;
    if (char === '&')
      return !(this.#at > from && isWordChar(this.text[this.#at - 1]) && isWordChar(this.text[this.#at + 1]));
    return char === ',' || char === '(' || char === ')' || char === '"' || char === '|' || isBlank(char);
  }

  #string(): RawAtom {
    const from = this.#at;
    let text = '';
    for (let at = from + 1; at < this.text.length; at++) {
      const char = this.text[at]!;
      if (char === '"') {
        this.#at = at + 1;
        return { text, quoted: true, range: [from, this.#at] };
      }
      const next = this.text[at + 1];
      if (char === '\\' && (next === '"' || next === '\\')) {
        text += next;
        at++;
      } else {
        text += char;
      }
    }
    throw new QueryError(coreMessage('missingQuote'), [from, this.text.length]);
  }

  #pattern(): RawAtom {
    const from = this.#at;
    let inClass = false;
    for (let at = from + 1; at < this.text.length; at++) {
      const char = this.text[at]!;
      if (char === '\\') at++;
      else if (char === '[') inClass = true;
      else if (char === ']') inClass = false;
      else if (char === '/' && !inClass) {
        const flags = /^[A-Za-z]*/.exec(this.text.slice(at + 1))![0];
        this.#at = at + 1 + flags.length;
        return { text: this.text.slice(from + 1, at), quoted: false, flags, range: [from, this.#at] };
      }
    }
    throw new QueryError(coreMessage('missingSlash'), [from, this.text.length]);
  }
}

/** A name as it must be written in a query. */
export function quote(name: string): string {
  const isPlain = name !== '' && !/[\s,()"|&*]|^[/<>=-]|\.\.|^(none|any)$/i.test(name);
  return isPlain ? name : `"${name.replace(/["\\]/g, '\\$&')}"`;
}
