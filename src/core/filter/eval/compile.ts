import { parseQuery } from '../parse/parser';
import type { Query, SortKey } from '../parse/syntax';
import type { BoundQuery, BoundTerm } from './bind';
import { bindQuery } from './bind';
import type { QueryContext, TaskSource } from './context';
import { allOf, always, anyOf, inSet, isExact, not, type Sql, sql } from './sql';
import { boundsOf, changedSeries, ownRow, plainRow } from './sqlTerms';

/** A query as conditions over the table `tasks` (alias `t`). */
export interface CompiledQuery {
  readonly bound: BoundQuery;
  /** Every row that may match. */
  readonly all: Sql;
  /** The same in two parts: rows with the dates that a person sees, and those whose dates the code works out. */
  readonly plain: Sql;
  readonly computed: Sql;
  /** What SQL could not say about plain rows; undefined where it said everything. Other rows need the whole condition. */
  readonly residual: BoundTerm | undefined;
  /** ORDER BY of the plain rows, where SQL's order is the query's. */
  readonly order: string | undefined;
}

/** Reads a query and turns it into SQL, as far as SQL can say it. Throws `query`. */
export const compileQuery = (
  text: string | Query,
  source: Pick<TaskSource, 'lists' | 'accounts'>,
  context: QueryContext,
): CompiledQuery => compileBound(bindQuery(typeof text === 'string' ? parseQuery(text) : text, source, context));

export function compileBound(bound: BoundQuery): CompiledQuery {
  const parts = bound.root.kind === 'and' ? bound.root.nodes : [bound.root];
  const plainBounds = parts.map(part => boundsOf(part, bound, true));
  const rest = parts.filter((_, index) => !isExact(plainBounds[index]!));
  const plainCondition = allOf(plainBounds.map(bounds => bounds.upper));
  const computedCondition = anyOf([allOf(parts.map(part => boundsOf(part, bound, false).upper)), sql(changedSeries)]);
  const isPlain = sql(plainRow);
  const scope = [
    ...(bound.scope ? [inSet('t.list_id', bound.scope)] : []),
    bound.deleted ? always : sql('t.is_deleted = 0'),
  ];
  const plain = allOf([...scope, isPlain, plainCondition, sql(ownRow)]);
  const computed = allOf([...scope, not(isPlain), computedCondition, sql(ownRow)]);
  const either = anyOf([allOf([isPlain, plainCondition]), allOf([not(isPlain), computedCondition])]);
  return {
    bound,
    all: allOf([...scope, either, sql(ownRow)]),
    plain,
    computed,
    residual: rest.length === 0 ? undefined : rest.length === 1 ? rest[0] : { kind: 'and', nodes: rest },
    order: rest.length === 0 && bound.query.sort ? orderBy(bound.query.sort) : undefined,
  };
}

const sortColumns: Readonly<Record<string, string>> = {
  created: 't.created_at',
  modified: 't.last_modified',
  done: 't.completed_at',
  priority: 'NULLIF(t.priority, 0)',
  manual: 't.sort_order',
};

/** Undefined where SQL would order otherwise: titles fold case, dates live in several codings. */
function orderBy(keys: readonly SortKey[]): string | undefined {
  if (!keys.every(key => key.field in sortColumns)) return undefined;
  const parts = keys.map(({ field, descending }) => `${sortColumns[field]} ${descending ? 'DESC' : 'ASC'} NULLS LAST`);
  return [...parts, 't.sort_order', 't.id'].join(', ');
}
