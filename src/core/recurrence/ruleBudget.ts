/**
 * The work that one view spends on the rules of its series. Each series has an allowance of its own, which ordinary
 * rules do not use up; more is taken from a budget that all share. So rules of seconds, or those that never come true,
 * hold up no view, however many they are, and no other task is left out for them. A unit is a step of a rule, about a
 * fifth of a microsecond.
 */

const ownUnits = 5000;
const sharedUnits = 500_000;

/** An occurrence that is shown costs more than a step over one. */
export const shownUnits = 10;

export class RuleBudget {
  #shared = sharedUnits;
  #isCut = false;

  /** Without units of their own, the series of a calendar from elsewhere cost no more together than the shared budget. */
  constructor(private readonly own = ownUnits) {}

  /** True if something was left out. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** For the next series. */
  allowance(): Allowance {
    return new Allowance(this.own, units => {
      this.#shared -= units;
      this.#isCut ||= this.#shared < 0;
      return this.#shared >= 0;
    });
  }
}

export class Allowance {
  #own: number;
  #isSpent = false;
  readonly #share: (units: number) => boolean;

  constructor(own: number, share: (units: number) => boolean) {
    this.#own = own;
    this.#share = share;
  }

  /** True if the series had to be left before its end. */
  get isSpent(): boolean {
    return this.#isSpent;
  }

  /** Spends some units; false if fewer are left. */
  spend(units: number): boolean {
    if (this.#own >= units) this.#own -= units;
    else this.#isSpent ||= !this.#share(units);
    return !this.#isSpent;
  }
}
