import { MessageError } from '../../errors';
import { coreMessage } from '../../messages';

/**
 * Patterns without the backtracking that makes some of them explode: all ways through the pattern are followed at
 * once, so that a text costs its length times the pattern's, whatever the pattern. The characters themselves are still
 * judged by the engine's own regular expressions.
 */

type Test = (char: string) => boolean;
type Assertion = '^' | '$' | 'b' | 'B';

type Step =
  | { readonly kind: 'char'; readonly test: Test }
  | { readonly kind: 'assert'; readonly what: Assertion }
  | { readonly kind: 'split'; a: number; b: number }
  | { readonly kind: 'jump'; to: number }
  | { readonly kind: 'found' };

const maxSteps = 1000;

/** What stands for one character: a class, an escape, or the character itself. */
const unitAtom =
  /^(?:\[(?:[^\]\\]|\\.)*\]|\\(?:u\{[^}]*\}|u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2}|c[A-Za-z]|[pP]\{[^}]*\}|.)|.)/s;
const pointAtom = new RegExp(unitAtom.source, 'su');

/** Thrown for what this way of matching cannot do; the message ends a sentence. */
export class PatternLimit extends MessageError {}

type Part =
  | { readonly kind: 'char'; readonly test: Test }
  | { readonly kind: 'assert'; readonly what: Assertion }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Part[] }
  | { readonly kind: 'repeat'; readonly part: Part; readonly least: number; readonly most: number };

export interface LinearPattern {
  test(text: string): boolean;
  /** What the engine's own matching may cost at worst on a text of this length; roughly, and rather too much. */
  backtracking(length: number): number;
}

/** `source` must be a pattern that the engine accepts with `flags` (of i and u). */
export function linearPattern(source: string, flags: string): LinearPattern {
  const parser = new PatternParser(source, flags);
  const tree = parser.choice();
  const steps: Step[] = [];
  emit(tree, steps);
  steps.push({ kind: 'found' });
  const split = flags.includes('u') ? (text: string) => [...text] : (text: string) => text.split('');
  const { endless, others } = choicesIn(tree);
  return {
    test: text => run(steps, split(text)),
    backtracking: length => (length + 1) ** (endless + 1) * 2 ** others,
  };
}

class PatternParser {
  #at = 0;
  readonly #tests = new Map<string, Test>();

  constructor(
    readonly source: string,
    readonly flags: string,
  ) {}

  choice(): Part {
    const parts = [this.#sequence()];
    while (this.source[this.#at] === '|') {
      this.#at++;
      parts.push(this.#sequence());
    }
    return parts.length === 1 ? parts[0]! : { kind: 'choice', parts };
  }

  #sequence(): Part {
    const parts: Part[] = [];
    for (;;) {
      const char = this.source[this.#at];
      if (char === undefined || char === '|' || char === ')') return { kind: 'sequence', parts };
      parts.push(this.#repeated(this.#piece()));
    }
  }

  #repeated(part: Part): Part {
    const match = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/.exec(this.source.slice(this.#at));
    if (!match) return part;
    this.#at += match[0].length;
    const [, sign, least, comma, most] = match;
    if (sign)
      return { kind: 'repeat', part, least: sign === '+' ? 1 : 0, most: sign === '?' ? 1 : Number.POSITIVE_INFINITY };
    const top = comma === '' ? Number(least) : most === '' ? Number.POSITIVE_INFINITY : Number(most);
    return { kind: 'repeat', part, least: Number(least), most: top };
  }

  #piece(): Part {
    const rest = this.source.slice(this.#at);
    if (/^\(\?<?[=!]/.test(rest)) throw new PatternLimit(coreMessage('patternLookaround'));
    const group = /^\((?:\?(?::|<[^>]*>))?/.exec(rest);
    if (group) {
      this.#at += group[0].length;
      if (this.source[this.#at] === '?') throw new PatternLimit(coreMessage('patternInlineFlags'));
      const inner = this.choice();
      this.#at++;
      return inner;
    }
    if (/^\\(?:[1-9]|k)/.test(rest)) throw new PatternLimit(coreMessage('patternBackreference'));
    const assertion = /^(?:([\^$])|\\([bB]))/.exec(rest);
    if (assertion) {
      this.#at += assertion[0].length;
      return { kind: 'assert', what: (assertion[1] ?? assertion[2]) as Assertion };
    }
    const text = (this.flags.includes('u') ? pointAtom : unitAtom).exec(rest)![0];
    this.#at += text.length;
    return { kind: 'char', test: this.#test(text) };
  }

  #test(atom: string): Test {
    let test = this.#tests.get(atom);
    if (!test) {
      const regex = new RegExp(`^(?:${atom})$`, this.flags);
      const known = new Map<string, boolean>();
      test = char => {
        let matches = known.get(char);
        if (matches === undefined) {
          matches = regex.test(char);
          known.set(char, matches);
        }
        return matches;
      };
      this.#tests.set(atom, test);
    }
    return test;
  }
}

function emit(part: Part, steps: Step[]): void {
  if (steps.length > maxSteps) throw new PatternLimit(coreMessage('patternTooLarge'));
  switch (part.kind) {
    case 'char':
    case 'assert':
      steps.push(part);
      return;
    case 'sequence':
      for (const each of part.parts) emit(each, steps);
      return;
    case 'choice': {
      const exits: { to: number }[] = [];
      for (const [index, each] of part.parts.entries()) {
        const isLast = index === part.parts.length - 1;
        const split = { kind: 'split' as const, a: steps.length + 1, b: 0 };
        if (!isLast) steps.push(split);
        emit(each, steps);
        if (isLast) break;
        const exit = { kind: 'jump' as const, to: 0 };
        steps.push(exit);
        exits.push(exit);
        split.b = steps.length;
      }
      for (const exit of exits) exit.to = steps.length;
      return;
    }
    case 'repeat': {
      for (let count = 0; count < part.least; count++) {
        const before = steps.length;
        emit(part.part, steps);
        // Nothing, however often, is nothing: `(){999999999}` is not to be counted out.
        if (steps.length === before) break;
      }
      if (part.most === Number.POSITIVE_INFINITY) {
        const split = { kind: 'split' as const, a: steps.length + 1, b: 0 };
        const start = steps.length;
        steps.push(split);
        emit(part.part, steps);
        steps.push({ kind: 'jump', to: start });
        split.b = steps.length;
        return;
      }
      const exits: { b: number }[] = [];
      for (let count = part.least; count < part.most; count++) {
        const split = { kind: 'split' as const, a: steps.length + 1, b: 0 };
        steps.push(split);
        exits.push(split);
        emit(part.part, steps);
      }
      for (const exit of exits) exit.b = steps.length;
    }
  }
}

const isWord = (char: string | undefined) => char !== undefined && /^\w$/.test(char);

function run(steps: readonly Step[], chars: readonly string[]): boolean {
  const seen = new Int32Array(steps.length).fill(-1);
  let now: number[] = [];
  /** Follows everything that takes no character; true where the pattern is through. */
  const reach = (from: number, at: number, into: number[]): boolean => {
    const open = [from];
    while (open.length > 0) {
      const index = open.pop()!;
      if (seen[index] === at) continue;
      seen[index] = at;
      const step = steps[index]!;
      if (step.kind === 'found') return true;
      if (step.kind === 'char') into.push(index);
      else if (step.kind === 'jump') open.push(step.to);
      else if (step.kind === 'split') open.push(step.b, step.a);
      else if (holds(step.what, chars, at)) open.push(index + 1);
    }
    return false;
  };
  for (let at = 0; ; at++) {
    if (reach(0, at, now)) return true;
    const char = chars[at];
    if (char === undefined) return false;
    const next: number[] = [];
    for (const index of now) {
      const step = steps[index]!;
      if (step.kind === 'char' && step.test(char) && reach(index + 1, at + 1, next)) return true;
    }
    now = next;
  }
}

function holds(what: Assertion, chars: readonly string[], at: number): boolean {
  if (what === '^') return at === 0;
  if (what === '$') return at === chars.length;
  return (isWord(chars[at - 1]) !== isWord(chars[at])) === (what === 'b');
}

interface Choices {
  /** Endless repetitions. */
  readonly endless: number;
  /** Other places where the engine may have to go back and try the other way. */
  readonly others: number;
}

function choicesIn(part: Part): Choices {
  if (part.kind === 'sequence' || part.kind === 'choice') {
    const all = part.parts.map(choicesIn);
    const own = part.kind === 'choice' ? part.parts.length - 1 : 0;
    return {
      endless: all.reduce((sum, each) => sum + each.endless, 0),
      others: all.reduce((sum, each) => sum + each.others, own),
    };
  }
  if (part.kind !== 'repeat') return { endless: 0, others: 0 };
  const { endless, others } = choicesIn(part.part);
  if (part.most === Number.POSITIVE_INFINITY)
    return endless + others > 0 ? { endless: Number.POSITIVE_INFINITY, others } : { endless: 1, others: 0 };
  return { endless: endless * part.most, others: others * part.most + part.most - part.least };
}
