import type { Id } from '../../core/kernel/model';
import { type DecisionRule, ruleFor } from './rules';

/** A task whose resource is gone, though it is to live on here, with the text that both sides had last agreed on. */
export interface Orphan {
  /** The master row, or a lone override. */
  readonly id: Id;
  readonly base: string | undefined;
  /** True if the base was sent without an answer: both sides had it only if a server has just that. */
  readonly isBaseUnsure?: boolean;
  /** True if it was edited, or moved back to its list, and that was not sent when it was missed. */
  readonly isUnsent?: boolean;
}

/** The fates of an orphan. */
export const orphanStates = {
  none: 'nothing: its row is gone, or has its resource again',
  waiting: 'nothing in this run: it may be in a list that was not seen as it is now',
  adopted: 'it goes to the list that someone moved it to, with what was edited here',
  returned: 'it goes back to its old copy: it is gone from where it was moved',
  recreated: 'it is created there again',
  deleted: 'it is moved to the trash',
} as const;

export type OrphanState = keyof typeof orphanStates;

type OtherListsState = 'nowhere' | 'maybe' | 'tooMany';

export interface OrphanFacts {
  /** `new`: it has no address on the server (any more). `missing`: nothing is at its address. */
  readonly row: 'gone' | 'confirmed' | 'new' | 'missing';
  /** True if the list that it is in was read in this run. */
  readonly isListRead: boolean;
  /** A copy that came to another list after the task's own list had the task last; `unready`: it cannot take edits yet. */
  readonly moveTarget: 'none' | 'ready' | 'unready';
  /** True if another account was not synced since it was missed, and may yet show it: for a day, and before anything is decided. */
  readonly mayArrive: boolean;
  /**
   * The answer of other lists about its UID, `maybe` for a day if one does not answer; `tooMany`: there are too many such
   * tasks to ask for each.
   */
  readonly elsewhere: 'unasked' | OtherListsState;
  readonly hasOldCopy: boolean;
  readonly isUnsent: boolean;
  /** True if the edits here are more than a deletion may take along. */
  readonly isWorthReviving: boolean;
}

/** The first row that fits counts. */
export const orphanRules: readonly DecisionRule<OrphanFacts, OrphanState | 'ask'>[] = [
  { when: { row: 'gone' }, action: 'none' },
  { when: { isListRead: false }, action: 'waiting', log: 'gone there, waits until its list can be read' },
  { when: { row: 'confirmed' }, action: 'none' },
  {
    when: { moveTarget: 'ready' },
    action: 'adopted',
    log: 'edited here, moved to another list there, merged in that list',
  },
  {
    when: { moveTarget: 'unready' },
    action: 'waiting',
    log: 'edited here, moved to another list there, waits for that list',
  },
  {
    when: { row: 'missing', mayArrive: true },
    action: 'waiting',
    log: 'gone there, waits for the sync of the other accounts',
  },
  { when: { elsewhere: 'unasked' }, action: 'ask' },
  { when: { elsewhere: 'maybe' }, action: 'waiting', log: 'gone there, waits since another list may have it' },
  { when: { row: 'new' }, action: 'recreated', log: 'brought back here, created there again' },
  // Its copy in the new list may have been deleted as a duplicate. If it was moved back after that was seen, it is to stay.
  {
    when: { hasOldCopy: true, isUnsent: true },
    action: 'recreated',
    log: 'gone there, moved here again, created there again',
  },
  {
    when: { hasOldCopy: true },
    action: 'returned',
    log: 'gone there from its new list, back in the old one, which still has it',
  },
  { when: { isWorthReviving: true }, action: 'recreated', log: 'edited here, deleted there, created there again' },
  {
    when: { elsewhere: 'tooMany' },
    action: 'recreated',
    log: 'brought back here with many others, created there again',
  },
  { when: {}, action: 'deleted', log: 'deleted there, nothing of value edited here, moved to the trash' },
];

/** Decides about an orphan; `ask` if the decision needs the other lists. It is deleted only if there is no doubt. */
export function decideOrphan(facts: OrphanFacts & { readonly elsewhere: OtherListsState }): OrphanState;
export function decideOrphan(facts: OrphanFacts): OrphanState | 'ask';
export function decideOrphan(facts: OrphanFacts): OrphanState | 'ask' {
  return ruleFor(orphanRules, facts).action;
}

/** The text of that decision in the sync log. */
export const logOfOrphan = (facts: OrphanFacts): string | undefined => ruleFor(orphanRules, facts).log;
