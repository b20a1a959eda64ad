import { isClosed } from '../fields/status';
import type { Task } from '../kernel/model';
import { dayMs } from '../time/units';
import { doneInKde } from './kdeProgress';
import { appliesToFollowing, datesAfter } from './thisAndFollowing';

/** One occurrence, its values coded as the series' own are: civil if `timezone` is null, else instants. */
export interface Instance {
  /** DTSTART of this occurrence by the rule; DUE if the series has no DTSTART. */
  readonly recurrenceId: number;
  readonly dtstart: number | null;
  /** DUE, or DTSTART plus DURATION. */
  readonly due: number | null;
}

/** An occurrence with its current dates. If it has an override, start and due are that row's, coded as that row is. */
export interface OpenInstance extends Instance {
  readonly override?: Task;
  /** The earlier override that holds for this one too; start and due are coded as the series' own. */
  readonly following?: Task;
}

/**
 * Overrides by what they name; tombstones do not count. `recurrenceId` of an override is coded as the series is,
 * whatever the override's own zone.
 */
export class OverrideIndex {
  readonly #byId = new Map<number, Task>();
  readonly #isDone: ((id: number) => boolean) | undefined;
  /** The overrides that apply to following occurrences, the latest first. */
  readonly #ranges: (readonly [id: number, override: Task])[] = [];

  constructor(
    private readonly master: Task,
    overrides: readonly Task[],
  ) {
    this.#isDone = doneInKde(master);
    for (const override of overrides) {
      const id = override.recurrenceId;
      if (override.isDeleted || id === null) continue;
      const unit = master.isAllDay ? dayMs : 1000;
      const known = Math.floor(id / unit) * unit;
      this.#byId.set(known, override);
      if (appliesToFollowing(override)) this.#ranges.push([known, override]);
    }
    this.#ranges.sort(([a], [b]) => b - a);
  }

  /** True if an occurrence has no override and is open. */
  isPlain(id: number): boolean {
    return !this.#byId.has(id) && !this.#isDone?.(id);
  }

  /** The override that holds for an occurrence which has none of its own. */
  followingAt(id: number): Task | undefined {
    return this.#ranges.find(([begin]) => begin < id)?.[1];
  }

  /** An occurrence without an override of its own, as an earlier one that holds on has it. */
  withFollowing(instance: Instance): OpenInstance {
    const following = this.followingAt(instance.recurrenceId);
    if (!following) return instance;
    return { ...instance, ...datesAfter(following, this.master, instance.recurrenceId), following };
  }

  /** The longest distance by which an override moves the occurrences after it. */
  get reach(): number {
    const far = this.#ranges.flatMap(([id, { dtstart, due }]) =>
      [dtstart, due].map(value => (value === null ? 0 : Math.abs(value - id) + dayMs)),
    );
    return far.reduce((a, b) => Math.max(a, b), 0);
  }

  of(id: number): Task | undefined {
    return this.#byId.get(id);
  }

  /** Recurrence ids of open overrides, ascending. */
  openIds(): number[] {
    const ids = [...this.#byId].filter(([, override]) => !isClosed(override)).map(([id]) => id);
    return ids.sort((a, b) => a - b);
  }
}
