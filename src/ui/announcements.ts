import type { DuelineEngine } from '../api';
import { Emitter } from '../core/kernel/events';
import type { Id } from '../core/kernel/model';
import type { Redated } from './redated';

/** An action in words, once it is done. A command returns it to the page that called it. */
export interface Announcement {
  readonly text: string;
  /** The id of the step of undo that it was; absent if there is nothing to undo. */
  readonly step?: string;
  /** Dates that one occurrence of a series got, and that more of them could have. */
  readonly redated?: Redated;
}

/** Actions as they are done, for the status bar. */
export const announcements = new Emitter<Announcement>();

/** Tasks that a person has just added by a line of quick add. */
export const added = new Emitter<readonly Id[]>();

/** Does the work and announces it, with Undo for this very step. The words are asked for when it is done. */
export async function announce<T>(
  engine: Pick<DuelineEngine, 'stepOf'>,
  work: () => Promise<T>,
  words: (result: T) => string | Omit<Announcement, 'step'>,
): Promise<Announcement> {
  const { result, step } = await engine.stepOf(work);
  return announced(words(result), step);
}

/**
 * Creates or moves a list and announces it. Undo is offered only for a list on this computer: the next sync creates the
 * list in its account, and then the step can no longer be undone.
 */
export async function announceList(
  engine: Pick<DuelineEngine, 'stepOf' | 'lists'>,
  work: () => Promise<Id>,
  text: string,
): Promise<Announcement> {
  const { result: listId, step } = await engine.stepOf(work);
  const isLocal = engine.lists().some(({ id, accountId }) => id === listId && accountId === null);
  return announced(text, isLocal ? step : undefined);
}

/** Announces what was done already. */
export function announced(words: string | Omit<Announcement, 'step'>, step: string | undefined): Announcement {
  const said = typeof words === 'string' ? { text: words } : words;
  const announcement = step === undefined ? said : { ...said, step };
  announcements.fire(announcement);
  return announcement;
}

/** Tells by what a command returned whether it did anything. */
export const isAnnouncement = (returned: unknown): returned is Announcement =>
  typeof returned === 'object' && returned !== null && 'text' in returned && typeof returned.text === 'string';
