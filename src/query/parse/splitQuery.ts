import { tokenize } from './lexer';
import { parseQuery } from './parser';
import { directives, has } from './vocabulary';

type DirectiveName = keyof typeof directives;

/** A query in two parts: its conditions, and the way to show the results. Both as written. */
interface SplitQuery {
  readonly conditions: string;
  /** The directives with their names, `sort:due`; several of the same name are joined with spaces. */
  readonly directives: Partial<Record<DirectiveName, string>>;
}

/**
 * Throws `query` if the query cannot be parsed: without its directives it might become another one that can.
 *
 * @example
 * splitQuery('#work sort:priority') // { conditions: '#work', directives: { sort: 'sort:priority' } }
 */
export function splitQuery(query: string): SplitQuery {
  parseQuery(query);
  const found: Partial<Record<DirectiveName, string>> = {};
  let conditions = '';
  let at = 0;
  for (const token of tokenize(query)) {
    const name = token.type === 'field' ? token.name.toLowerCase() : '';
    if (!has(directives, name)) continue;
    const [from, to] = token.range;
    found[name] = [found[name], query.slice(from, to)].filter(Boolean).join(' ');
    conditions += `${query.slice(at, from)} `;
    at = to;
  }
  return { conditions: (conditions + query.slice(at)).trim(), directives: found };
}

/** The query with these directives, which override its own; `sort` without its name. Throws `query`. */
export function withDirectives(query: string, own: Partial<Record<DirectiveName, string>>): string {
  const { conditions, directives } = splitQuery(query);
  const named = Object.entries(own).map(([name, value]) => [name, `${name}:${value}`]);
  return [conditions, ...Object.values({ ...directives, ...Object.fromEntries(named) })]
    .filter(part => part !== '')
    .join(' ');
}

/**
 * The order that a query names, without `sort:`. Undefined also if the query cannot be read: running it reports that.
 */
export function sortIn(query: string): string | undefined {
  try {
    return splitQuery(query).directives.sort?.slice('sort:'.length);
  } catch {
    return undefined;
  }
}
