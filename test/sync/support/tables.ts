import assert from 'node:assert/strict';
import { type DecisionRule, ruleFor } from '../../../src/sync/decide/rules';

/** Every value of every fact. */
export type Values<F> = { readonly [K in keyof F]: readonly F[K][] };

type Some<F> = { readonly [K in keyof F]?: F[K] | readonly F[K][] };

/** A row of a table, with one or several values of each fact; a missing fact may have any value. */
interface Row<F, D> {
  readonly it: string;
  /** At least one of these must hold, too. */
  readonly given?: readonly Some<F>[];
  readonly facts: Some<F>;
  readonly is: D;
}

/** Every combination of the facts. */
export const combinations = <F extends object>(values: Values<F>): F[] =>
  (Object.keys(values) as (keyof F)[]).reduce<F[]>(
    (all, fact) => all.flatMap(facts => values[fact].map(value => ({ ...facts, [fact]: value }))),
    [{} as F],
  );

/** The values of a fact; the compiler asks for each of them. */
export const valuesOf = <V extends string>(values: Record<V, 0>): V[] => Object.keys(values) as V[];

/** The rows of a table that are not the first match of any combination. */
export function unusedRows<F extends object, A extends string>(
  rules: readonly DecisionRule<F, A>[],
  values: Values<F>,
): readonly DecisionRule<F, A>[] {
  const used = new Set(combinations(values).map(facts => ruleFor(rules, facts)));
  return rules.filter(rule => !used.has(rule));
}

/** The values in a row of a table for which another row always matches first. */
export function unusedValues<F extends object, A extends string>(
  rules: readonly DecisionRule<F, A>[],
  values: Values<F>,
): readonly string[] {
  const all = combinations(values).map(facts => ({ facts, rule: ruleFor(rules, facts) }));
  return rules.flatMap((rule, at) =>
    (Object.keys(rule.when) as (keyof F)[]).flatMap(fact => {
      const used = new Set(all.filter(one => one.rule === rule).map(({ facts }) => facts[fact]));
      const named = [rule.when[fact]].flat() as F[keyof F][];
      return named.filter(value => !used.has(value)).map(value => `row ${at + 1}: ${String(value)}`);
    }),
  );
}

const has = <F extends object>(facts: F, some: Some<F>): boolean =>
  (Object.keys(some) as (keyof F)[]).every(fact => ([some[fact]].flat() as unknown[]).includes(facts[fact]));

const fits = <F extends object>({ given = [{}], facts }: Row<F, unknown>, all: F): boolean =>
  has(all, facts) && given.some(some => has(all, some));

/** Checks that each combination is in exactly one row and gets its decision. */
export function holds<F extends object, D>(
  rows: readonly Row<F, D>[],
  values: Values<F>,
  decide: (facts: F) => D,
): void {
  const all = combinations(values);
  for (const row of rows)
    it(row.it, () => {
      const own = all.filter(facts => fits(row, facts));
      assert.ok(own.length > 0);
      for (const facts of own) assert.deepEqual({ ...facts, is: decide(facts) }, { ...facts, is: row.is });
    });

  it('covers every combination of facts', () => {
    for (const facts of all) {
      const titles = rows.filter(row => fits(row, facts)).map(row => row.it);
      assert.equal(titles.length, 1, JSON.stringify({ facts, titles }));
    }
  });
}
