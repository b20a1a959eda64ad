import { coreMessage } from '../../core/kernel/messages';
import type { Range } from '../../core/kernel/range';
import { type Directives, readDirective } from './directives';
import { type Token, tokenize } from './lexer';
import { readOperators } from './lowerCase';
import { QueryError } from './queryError';
import type { Node, Query, Term } from './syntax';
import { fieldTerms, sigilTerm, textTerm } from './terms';
import { directives, has } from './vocabulary';

const deepest = 40;
const maxTerms = 200;

/**
 * Reads a query of the filter language (EBNF in docs): `field:value`, `#tag`, `@list`, `!priority`, text, AND (blank),
 * OR, NOT (`or` and `not` between conditions), parentheses, and the directives `sort:`, `group:`, `limit:`, `show:` anywhere.
 * Throws {@link QueryError} (`query`) with the range that is wrong.
 *
 * @example
 * parseQuery('due:week #work sort:priority').sort // [{ field: 'priority', descending: false }]
 */
export function parseQuery(text: string): Query {
  const found: Directives = { show: [] };
  const conditions: Token[] = [];
  for (const token of tokenize(text)) {
    if (token.type === 'field' && has(directives, token.name.toLowerCase())) {
      const before = conditions[conditions.length - 1];
      if (before?.type === 'not') throw new QueryError(coreMessage('directiveNegated', token.name), token.range);
      readDirective(token, found);
    } else {
      conditions.push(token);
    }
  }
  const { tokens, found: lowerCase } = readOperators(conditions);
  const root = tokens.length === 0 ? undefined : new Parser(tokens, text.length).parse();
  return {
    text,
    ...(root ? { root } : {}),
    ...(lowerCase.length > 0 ? { lowerCase: lowerCase.map(({ range }) => range) } : {}),
    ...found,
  };
}

class Parser {
  #at = 0;
  #depth = 0;
  #terms = 0;

  constructor(
    readonly tokens: readonly Token[],
    readonly end: number,
  ) {}

  parse(): Node {
    const node = this.#or();
    const rest = this.#peek();
    if (rest) throw new QueryError(coreMessage('missingOpeningParenthesis'), rest.range);
    return node;
  }

  #peek(): Token | undefined {
    return this.tokens[this.#at];
  }

  #or(): Node {
    const nodes = [this.#and()];
    while (this.#peek()?.type === 'or') {
      this.#at++;
      nodes.push(this.#and());
    }
    return joined('or', nodes);
  }

  #and(): Node {
    const nodes = [this.#not()];
    for (;;) {
      const next = this.#peek()?.type;
      if (next === undefined || next === 'or' || next === 'close') return joined('and', nodes);
      if (next === 'and') this.#at++;
      nodes.push(this.#not());
    }
  }

  #not(): Node {
    const token = this.#peek();
    if (token?.type !== 'not') return this.#primary();
    this.#at++;
    this.#enter(token.range);
    const node = this.#not();
    this.#depth--;
    return { kind: 'not', node, range: [token.range[0], node.range[1]] };
  }

  #primary(): Node {
    const token = this.tokens[this.#at++];
    if (!token) throw new QueryError(coreMessage('incompleteQuery'), [Math.max(0, this.end - 1), this.end]);
    switch (token.type) {
      case 'open': {
        this.#enter(token.range);
        if (this.#peek()?.type === 'close')
          throw new QueryError(coreMessage('emptyParentheses'), [token.range[0], this.#peek()!.range[1]]);
        const node = this.#or();
        const close = this.tokens[this.#at++];
        if (close?.type !== 'close') throw new QueryError(coreMessage('missingClosingParenthesis'), token.range);
        this.#depth--;
        return node;
      }
      case 'field':
        return this.#count(fieldTerms(token));
      case 'sigil':
        return this.#count(sigilTerm(token));
      case 'text':
        return this.#count(textTerm(token));
      case 'close':
        throw new QueryError(coreMessage('missingCondition'), token.range);
      default:
        throw new QueryError(coreMessage('missingOperand', token.type.toUpperCase()), token.range);
    }
  }

  #enter(range: Range): void {
    if (++this.#depth > deepest) throw new QueryError(coreMessage('queryTooDeep', deepest), range);
  }

  #count(terms: readonly Term[]): Node {
    this.#terms += terms.length;
    if (this.#terms > maxTerms) throw new QueryError(coreMessage('tooManyConditions', maxTerms), terms[0]!.range);
    return joined('or', terms);
  }
}

function joined(kind: 'and' | 'or', nodes: readonly Node[]): Node {
  if (nodes.length === 1) return nodes[0]!;
  return { kind, nodes, range: [nodes[0]!.range[0], nodes[nodes.length - 1]!.range[1]] };
}
