import type { Id } from './model';

/**
 * The text in `unknownProperties` that distinguishes the tombstone of a moved task from that of a deleted one: it names
 * the row that the task is now. A tombstone is never sent, so the line stays here.
 */
export const moveTombstone = (id: Id): string => JSON.stringify([`X-DUELINE-MOVED-TO:${id}`]);

/** The beginning of that text, and of the one that version 1.1 wrote, which names no row. */
export const movedAwayStart = '["X-DUELINE-MOVED';

export const isMovedAway = (unknownProperties: unknown): boolean =>
  typeof unknownProperties === 'string' && unknownProperties.startsWith(movedAwayStart);

/** The row that a tombstone names. */
export function movedRow(unknownProperties: string | null): Id | undefined {
  const id = unknownProperties?.match(/^\["X-DUELINE-MOVED-TO:(\d+)"\]$/)?.[1];
  return id === undefined ? undefined : Number(id);
}

/**
 * The address that a task keeps if it is recreated after the server has deleted it: without an ETag, sync checks this
 * address and the other lists first, where another device may have moved it. None in a list that has been recreated as
 * well.
 */
export const keepHrefIfSameCollection = (href: string | null, listHref: string | null): string | null =>
  href !== null && listHref !== null && href.startsWith(listHref) ? href : null;
