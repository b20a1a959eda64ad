import type { DuelineEngine } from '../api';
import type { Id } from '../core/kernel/model';
import type { Rescheduled } from './applyToSeries';

/**
 * The message about a change. A command returns it: the status bar shows it, and so does the page that called the
 * command.
 *
 * @example
 * { text: t('Renamed {0}', isolate(title)), step } // with Undo
 */
export interface Announcement {
  readonly text: string;
  /** The id of the step of undo that it was; absent if there is nothing to undo. */
  readonly step?: string;
  /** Dates that one occurrence of a series got, and that more of them could have. */
  readonly rescheduled?: Rescheduled;
  /** Tasks that the user has added by a line of quick add. */
  readonly added?: readonly Id[];
  /** The list that was created or moved. */
  readonly listId?: Id;
}

type Words = string | Omit<Announcement, 'step'>;

/** Announces in the status bar a change that was made without a command, for example by dragging. */
export type Announce = (done: Announcement) => void;

/**
 * Does the work and returns its announcement, with Undo for exactly this step. `words` is called afterwards.
 *
 * @example
 * commands.on('dueline.rename', () =>
 *   perform(engine, () => engine.updateTask(id, { title }), () => t('Renamed {0}', isolate(title))),
 * )
 */
export async function perform<T>(
  engine: Pick<DuelineEngine, 'stepOf'>,
  work: () => Promise<T>,
  words: (result: T) => Words,
): Promise<Announcement> {
  const { result, step } = await engine.stepOf(work);
  return announcementOf(words(result), step);
}

/**
 * Creates or moves a list. Undo is offered only for a list on this computer: the next sync creates the list in its account,
 * and then the step can no longer be undone.
 */
export async function performOnList(
  engine: Pick<DuelineEngine, 'stepOf' | 'lists'>,
  work: () => Promise<Id>,
  text: string,
): Promise<Announcement> {
  const { result: listId, step } = await engine.stepOf(work);
  const isLocal = engine.lists().some(({ id, accountId }) => id === listId && accountId === null);
  return announcementOf({ text, listId }, isLocal ? step : undefined);
}

/** The announcement of something that is done already. */
export const announcementOf = (words: Words, step: string | undefined): Announcement => ({
  ...(typeof words === 'string' ? { text: words } : words),
  ...(step === undefined ? {} : { step }),
});

/** True if a command did something: only then does it return an announcement. */
export const isAnnouncement = (returned: unknown): returned is Announcement =>
  typeof returned === 'object' && returned !== null && 'text' in returned && typeof returned.text === 'string';
