/**
 * Decision tables determine what sync does with a task or a list, by a few facts that each have a few values. They are
 * pure. Runs gather the facts and carry out the action; the tests go through every combination, and docs/design/sync.md
 * shows the tables.
 */

/** The facts of a rule, each with one value or several. A fact that it leaves out may have any value. */
type Condition<F> = { readonly [K in keyof F]?: F[K] | readonly F[K][] };

/** A row of a table. */
export interface DecisionRule<F, A extends string> {
  readonly when: Condition<F>;
  readonly action: A;
  /** Its text in the sync log, after the task or list; a rule without one is too common to be logged. */
  readonly log?: string;
}

/** The first rule that fits. A table has one for every combination of facts. */
export function ruleFor<F extends object, A extends string>(
  rules: readonly DecisionRule<F, A>[],
  facts: F,
): DecisionRule<F, A> {
  const rule = rules.find(({ when }) => fits(when, facts));
  if (!rule) throw new Error(`No rule for ${JSON.stringify(facts)}`);
  return rule;
}

function fits<F extends object>(when: Condition<F>, facts: F): boolean {
  for (const fact in when) {
    const expected = when[fact];
    if (Array.isArray(expected) ? !expected.includes(facts[fact]) : expected !== facts[fact]) return false;
  }
  return true;
}

/** Fails if a run cannot carry out an action: a fallback would do to a task what no table says. */
export function unforeseen(action: string): never {
  throw new Error(`Nothing here carries out ${action}`);
}
