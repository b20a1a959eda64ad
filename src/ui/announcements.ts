import { Emitter } from '../core/events';

/** What was just done, in words: whoever can offer to undo it listens. */
export const announcements = new Emitter<string>();
