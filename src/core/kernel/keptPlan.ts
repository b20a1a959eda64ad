import type { Id } from './model';

/** The task that a plan is kept below: one that is there, or a new one, with the branch that it is worked on in. */
export type PlanPlace =
  | { readonly parentId: Id }
  | {
      readonly parentId?: undefined;
      readonly listId: Id;
      readonly title: string;
      readonly branch?: { readonly repo: string; readonly name: string };
    };

/** The task of a plan that was kept, and what was new in it. */
export interface KeptPlan {
  readonly task: Id;
  readonly added: readonly Id[];
  readonly completed: number;
}
