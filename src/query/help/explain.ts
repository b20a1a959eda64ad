import type { Range } from '../../core/kernel/range';
import { type BoundQuery, bindQuery } from '../eval/bind';
import { compileBound } from '../eval/compile';
import type { QueryContext, TaskSource } from '../eval/context';
import { matchingLines } from '../eval/run';
import { readSort } from '../eval/sortKeys';
import { parseQuery } from '../parse/parser';
import type { Node, Query, SortKey } from '../parse/syntax';
import { describeTerm, inEnglish, type Translate } from './describe';

/** One line of an explanation; what belongs to a line is one deeper below it. */
interface ExplainedLine {
  readonly depth: number;
  readonly words: string;
  /** The part of the query that it explains; absent for an addition. */
  readonly range?: Range;
  /** How many tasks this condition alone lets through. */
  readonly count?: number;
}

/** A query in words. */
export interface Explanation {
  readonly lines: readonly ExplainedLine[];
  /** Conditions and order that apply although the query does not name them. */
  readonly added: readonly string[];
  /** Tasks that the whole query finds, its limit aside. */
  readonly count: number;
}

interface ExplainOptions {
  /** Puts a message in the user's language, as `vscode.l10n.t` does. */
  readonly translate?: Translate;
  /** Shows a civil day; `YYYY-MM-DD` by default. */
  readonly day?: (day: string) => string;
}

/**
 * The meaning of a query in words: its tree, the dates it stands for now, additions, and the count of each condition.
 * Throws `query` as `parseQuery` does.
 */
export function explainQuery(
  text: string | Query,
  source: TaskSource,
  context: QueryContext,
  { translate = inEnglish, day = value => value }: ExplainOptions = {},
): Explanation {
  const query = typeof text === 'string' ? parseQuery(text) : text;
  const bound = bindQuery(query, source, context);
  const lines: ExplainedLine[] = [];
  const count = (node: Node | undefined) => countOf({ ...query, ...(node ? { root: node } : {}) }, source, context);
  const walk = (node: Node, depth: number): void => {
    const common = { depth, range: node.range, count: count(node) };
    switch (node.kind) {
      case 'and':
      case 'or':
        lines.push({ ...common, words: node.kind === 'and' ? translate('All of these:') : translate('Any of these:') });
        for (const part of node.nodes) walk(part, depth + 1);
        return;
      case 'not':
        if (node.node.kind === 'and' || node.node.kind === 'or' || node.node.kind === 'not') {
          lines.push({ ...common, words: translate('Not:') });
          walk(node.node, depth + 1);
        } else {
          lines.push({
            ...common,
            words: translate('Not: {0}', describeTerm(node.node, bound, source, translate, day)),
          });
        }
        return;
      default:
        lines.push({ ...common, words: describeTerm(node, bound, source, translate, day) });
    }
  };
  if (query.root) walk(query.root, 0);
  else lines.push({ depth: 0, words: translate('Every task') });
  return { lines, added: added(bound, source, translate), count: count(query.root) };
}

function countOf(query: Query, source: TaskSource, context: QueryContext): number {
  const bound = bindQuery(query, source, context);
  const compiled = compileBound(bound);
  return matchingLines(source.selectTasks(compiled.all.text, compiled.all.params), compiled, source).length;
}

function added(
  { query, addedOpen, scope, deleted, context }: BoundQuery,
  source: TaskSource,
  translate: Translate,
): string[] {
  const found: string[] = [];
  if (addedOpen)
    found.push(translate('Only open tasks, because the query does not mention completed or canceled ones.'));
  if (!deleted) found.push(translate('Tasks in the trash are excluded.'));
  if (context.lists) found.push(translate('Limited to the lists selected for this view.'));
  else if (scope && source.lists().some(list => !scope.has(list.id)))
    found.push(translate('Hidden lists are excluded.'));
  if (query.show.includes('occurrences'))
    found.push(translate('Repeating tasks show all occurrences in the next {0} days.', context.settings.horizonDays));
  else found.push(translate('Repeating tasks show their next open occurrence.'));
  if (query.show.includes('subtasks')) found.push(translate('Subtasks of matching tasks are included.'));
  const keys = query.sort ?? readSort(context.settings.sortDefault);
  found.push(translate('Sorted by {0}.', keys.map(key => sortWords(key, translate)).join(', ')));
  if (query.group && query.group !== 'none') found.push(translate('Grouped by {0}.', translate(query.group)));
  if (query.limit !== undefined) found.push(translate('Limited to {0}.', query.limit));
  return found;
}

const sortWords = ({ field, descending }: SortKey, translate: Translate) =>
  descending ? translate('{0} (descending)', translate(field)) : translate(field);
