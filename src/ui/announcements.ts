import { Emitter } from '../core/events';

/** What was just done, in words, for listeners that can offer to undo it. */
export const announcements = new Emitter<string>();
