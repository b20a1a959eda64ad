import type { DuelineEngine } from '../api';
import { type DuelineError, isDuelineError, messageOf } from '../core/kernel/errors';
import { foldCase } from '../query/eval/foldCase';
import type { QueryCompletion } from '../query/help/complete';
import { parseQuery } from '../query/parse/parser';
import { has, textFields } from '../query/parse/vocabulary';
import { isolate, t, unlinked } from '../shared/l10n';
import { localize } from './text/errorText';

/** A possible continuation of a query, which replaces the part that is typed already. */
export interface QuerySuggestion {
  readonly text: string;
  readonly detail: string;
  readonly kind: QueryCompletion['kind'];
  readonly from: number;
  readonly to: number;
}

interface QuerySuggestions {
  readonly items: readonly QuerySuggestion[];
  /** A name or a value is begun: Enter takes the first one, and does not run the query. */
  readonly preselectsFirst: boolean;
}

/** The possible continuations of a query at the caret. */
export function querySuggestions(
  engine: Pick<DuelineEngine, 'completeQuery'>,
  text: string,
  caret = text.length,
): QuerySuggestions {
  const found = engine.completeQuery(text, caret);
  const items = found.map(({ text, detail, kind, range: [from, to] }) => ({
    text,
    detail: inWords(detail),
    kind,
    from,
    to,
  }));
  const [first] = items;
  return { items, preselectsFirst: first !== undefined && isBegun(items, first, text) };
}

function isBegun(items: readonly QuerySuggestion[], first: QuerySuggestion, text: string): boolean {
  const typed = text.slice(first.from, first.to);
  const field = /([A-Za-z]+):[^\s:]*$/.exec(text.slice(0, first.to))?.[1]?.toLowerCase();
  // A word alone is searched for; a mark at its end can be a sentence's.
  if (['field', 'keyword', 'directive'].includes(first.kind) || typed === '!') return false;
  if (field !== undefined && has(textFields, field)) return false;
  const start = bare(typed);
  return bare(first.text).startsWith(start) && !items.some(item => bare(item.text) === start);
}

const bare = (text: string) => foldCase(text.replace(/^[#@!]|"/g, ''));

/** The words of the filter language are in the bundles by their tables; numbers of priorities need no translation. */
const inWords = (detail: string, translate: (message: string) => string = t) =>
  detail === '' || /^Priority \d/.test(detail) ? '' : translate(detail);

/** Inserts a suggestion into a query and returns the new caret. A value is followed by a blank, a field by its value. */
export function withSuggestion(
  query: string,
  { text, from, to }: Pick<QuerySuggestion, 'text' | 'from' | 'to'>,
): { readonly query: string; readonly caret: number } {
  const rest = query.slice(to);
  const gap = text.endsWith(':') || rest.startsWith(' ') ? '' : ' ';
  return { query: query.slice(0, from) + text + gap + rest, caret: from + text.length + gap.length };
}

/** The reason why a query cannot be read, and its part that is meant: a sign alone does not show which one that is. */
export function explainQuery(error: DuelineError, query: string): string {
  const part = error.range ? query.slice(...error.range) : '';
  const where = /[\p{L}\p{N}]/u.test(part) ? ` ${t('At: {0}', isolate(part))}` : '';
  return unlinked(localize(messageOf(error)) + where);
}

/** The hint that a word of the query is read as an operator; undefined if none is, or if the query cannot be read. */
export function operatorHint(query: string): string | undefined {
  try {
    const [range] = parseQuery(query).lowerCase ?? [];
    const word = range && query.slice(...range);
    return word && t('“{0}” is read as {1}. Put it in quotes to search for the word.', word, word.toUpperCase());
  } catch (error) {
    if (!isDuelineError(error)) throw error;
    return undefined;
  }
}
