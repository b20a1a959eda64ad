import type { Id } from '../../core/kernel/model';

/** A task whose resource is gone, though it is to live on here, with the text that both sides had last agreed on. */
export interface Orphan {
  /** Of the master row, or of a lone override. */
  readonly id: Id;
  readonly base: string | undefined;
  /** True if it was edited, or moved back to its list, and that was not sent when it was missed. */
  readonly isUnsent?: boolean;
}

/** What becomes of an orphan. */
export type OrphanState =
  /** Its row is gone from here, or has its resource again: nothing is to be decided. */
  | 'none'
  /** It may be in a list that was not seen as it is now: it stays as it is, and a later run decides. */
  | 'waiting'
  /** Someone moved it to another list: it goes there, with what was edited here. */
  | 'adopted'
  /** It is gone from where it was moved, and back where its old copy is. */
  | 'returned'
  /** The push makes it again. */
  | 'recreated'
  /** It goes here, too. */
  | 'deleted';

type OtherListsState = 'nowhere' | 'maybe' | 'unreachable' | 'tooMany';

export interface OrphanFacts {
  /** `new`: it has no address on the server (any more). `missing`: nothing is at its address. */
  readonly row: 'gone' | 'confirmed' | 'new' | 'missing';
  /** Whether the list that it is in was read in this run. */
  readonly isListRead: boolean;
  /** A copy that came to another list after the task's own list had the task last; `unready`: it cannot take edits yet. */
  readonly newPlace: 'none' | 'ready' | 'unready';
  /** Whether a text is known that both sides had. A task without one was brought back by a person. */
  readonly hasBase: boolean;
  /** Whether this run has decided about it before. */
  readonly isDecided: boolean;
  /** Whether all other accounts were synced since it was missed. */
  readonly areOthersSynced: boolean;
  /** True if it was missed so lately that an account which does not answer is waited for. */
  readonly isPatient: boolean;
  /** What other lists say of its UID; `tooMany`: there are too many such tasks to ask for each. */
  readonly elsewhere: 'unasked' | OtherListsState;
  readonly hasOldCopy: boolean;
  readonly isUnsent: boolean;
  /** Whether what was edited here is more than a deletion may take along. */
  readonly isWorthReviving: boolean;
}

/** Decides about an orphan; `ask`: only with what other lists say. It is deleted where nothing leaves a doubt. */
export function decideOrphan(facts: OrphanFacts & { readonly elsewhere: OtherListsState }): OrphanState;
export function decideOrphan(facts: OrphanFacts): OrphanState | 'ask';
export function decideOrphan(facts: OrphanFacts): OrphanState | 'ask' {
  const { row, newPlace, elsewhere, isPatient } = facts;
  if (row === 'gone') return 'none';
  if (!facts.isListRead) return 'waiting';
  if (row === 'confirmed') return 'none';
  if (newPlace !== 'none') return newPlace === 'ready' ? 'adopted' : 'waiting';
  // Nobody sees a reason to wait for other accounts with what a person brought back: they are asked at once.
  const isBroughtBack = row === 'new' || !facts.hasBase;
  if (!isBroughtBack && !facts.isDecided && !facts.areOthersSynced && isPatient) return 'waiting';
  if (elsewhere === 'unasked') return 'ask';
  if (elsewhere === 'maybe' || (elsewhere === 'unreachable' && isPatient)) return 'waiting';
  if (row === 'new') return 'recreated';
  // Its copy at the new place may have been deleted as a duplicate. If it was moved back after that was seen, it is to stay.
  if (facts.hasOldCopy) return facts.isUnsent ? 'recreated' : 'returned';
  return facts.isWorthReviving || elsewhere === 'tooMany' ? 'recreated' : 'deleted';
}

export interface RemovalFacts {
  readonly isDeletedHere: boolean;
  /** Whether its deletion was sent from here, and its answer never came. */
  readonly isDeletionSent: boolean;
  readonly isEdited: boolean;
  /** Whether it was moved here and its old list still has it. */
  readonly hasOldCopy: boolean;
}

/** Decides about the rows of a resource that is gone. Of what is not deleted it is to be known whether it was moved. */
export function decideRemoval(facts: RemovalFacts): 'deleted' | 'takenBack' | 'orphan' {
  if (facts.isDeletedHere) return 'deleted';
  if (facts.isDeletionSent) return 'takenBack';
  return facts.isEdited || facts.hasOldCopy ? 'orphan' : 'deleted';
}
