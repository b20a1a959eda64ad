import { Emitter } from '../core/events';
import type { Id } from '../core/model';
import type { Redated } from './redated';

export interface Announcement {
  readonly text: string;
  /** Dates that one occurrence of a series got, and that more of them could have. */
  readonly redated?: Redated | undefined;
}

/** What was just done, in words, for listeners that can offer to undo it. */
export const announcements = new Emitter<Announcement>();

/** Tasks that a person has just added by a line of quick add. */
export const added = new Emitter<readonly Id[]>();
