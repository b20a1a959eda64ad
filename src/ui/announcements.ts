import { Emitter } from '../core/events';
import type { Id } from '../core/model';

/** What was just done, in words, for listeners that can offer to undo it. */
export const announcements = new Emitter<string>();

/** Tasks that a person has just added by a line of quick add. */
export const added = new Emitter<readonly Id[]>();
