import { parseQuery } from '../parse/parser';
import type { Query } from '../parse/syntax';
import type { BoundQuery, BoundTerm } from './bind';
import { bindQuery } from './bind';
import type { QueryContext, TaskSource } from './context';
import { type SqlOrder, sqlOrder } from './firstRows';
import { readSort } from './sortKeys';
import { allOf, always, anyOf, inSet, isExact, not, type Sql, sql } from './sql';
import { boundsOf, changedSeries, ownRow, plainRow } from './sqlTerms';

/** A query as conditions over the table `tasks` (alias `t`). */
export interface CompiledQuery {
  readonly bound: BoundQuery;
  /** Every row that may match. */
  readonly all: Sql;
  /**
   * The rest of the condition on plain rows that SQL cannot express; undefined if it expresses all of it. Other rows
   * need the whole condition.
   */
  readonly residual: BoundTerm | undefined;
  /** The order of plain rows in SQL, if it says all about them and none of them is hidden. */
  readonly order: SqlOrder | undefined;
}

/** Parses a query and turns it into SQL, as far as SQL can express it. Throws `query`. */
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
  const computedCondition = allOf(parts.map(part => boundsOf(part, bound, false).upper));
  const isPlain = sql(plainRow);
  const scope = [
    ...(bound.scope ? [inSet('t.list_id', bound.scope)] : []),
    bound.deleted ? always : sql('t.is_deleted = 0'),
  ];
  const isComputed = not(isPlain);
  const changed = allOf([isComputed, sql(changedSeries)]);
  // A condition that asks for no dates is the same for both: SQLite would read each row twice.
  const either = isSame(plainCondition, computedCondition)
    ? anyOf([plainCondition, changed])
    : anyOf([allOf([isPlain, plainCondition]), allOf([isComputed, computedCondition]), changed]);
  return {
    bound,
    all: allOf([...scope, either, sql(ownRow)]),
    residual: rest.length === 0 ? undefined : rest.length === 1 ? rest[0] : { kind: 'and', nodes: rest },
    order: rest.length === 0 && !bound.context.isVisible ? orderOf(bound) : undefined,
  };
}

const isSame = (one: Sql, other: Sql) =>
  one.text === other.text && one.params.every((param, at) => param === other.params[at]);

const orderOf = ({ query, context, lists }: BoundQuery) =>
  sqlOrder(query.sort ?? readSort(context.settings.sortDefault), lists, context.settings.dayStartHour);
