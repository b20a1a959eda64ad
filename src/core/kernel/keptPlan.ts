import type { Id } from './model';

/** The task that gets a plan's steps: an existing one, or a new one with the branch that it is worked on in. */
export type PlanTarget =
  | { readonly parentId: Id }
  | {
      readonly parentId?: undefined;
      readonly listId: Id;
      readonly title: string;
      readonly branch?: { readonly repo: string; readonly name: string };
    };

/** The task of a plan that was kept, and its new steps. */
export interface KeptPlan {
  readonly task: Id;
  readonly added: readonly Id[];
  readonly completed: number;
}
