import type { Range } from '../../core/kernel/range';
import type { Token } from './lexer';

const operators = new Set(['or', 'and', 'not'] as const);
type Operator = 'or' | 'and' | 'not';

/** An operator that was not written in capitals. */
interface LowerCaseOperator {
  readonly type: Operator;
  readonly range: Range;
}

/**
 * Words between conditions that say how these belong together. `or` and `and` between two conditions only find more than
 * the words would; `not` finds less, so between words, as in a title, it stays a word. In quotes all of them are words.
 */
export function readOperators(tokens: readonly Token[]): { tokens: Token[]; found: LowerCaseOperator[] } {
  const read: Token[] = [];
  const found: LowerCaseOperator[] = [];
  tokens.forEach((token, at) => {
    const operator = operatorOf(token);
    if (operator === undefined || !isBetween(operator, read[read.length - 1], tokens[at + 1])) {
      read.push(token);
      return;
    }
    const entry: LowerCaseOperator = { type: operator, range: token.range };
    read.push(entry);
    found.push(entry);
  });
  return { tokens: read, found };
}

function operatorOf(token: Token): Operator | undefined {
  if (token.type !== 'text' || token.atom.quoted || token.atom.flags !== undefined) return undefined;
  const word = token.atom.text.toLowerCase();
  return operators.has(word as Operator) ? (word as Operator) : undefined;
}

function isBetween(operator: Operator, before: Token | undefined, after: Token | undefined): boolean {
  const goesOn = after !== undefined && after.type !== 'or' && after.type !== 'and' && after.type !== 'close';
  if (!goesOn) return false;
  const isAfterOperator = before?.type === 'or' || before?.type === 'and';
  if (operator === 'not') return after.type !== 'text' || isAfterOperator || isCondition(before);
  return before !== undefined && !isAfterOperator && before.type !== 'not' && before.type !== 'open';
}

/** More than a word. */
const isCondition = (token: Token | undefined) =>
  token !== undefined && ['field', 'sigil', 'close'].includes(token.type);
