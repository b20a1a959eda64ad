/**
 * What the tombstone of a task that was moved holds in `unknownProperties`, to be told from one that was deleted. A
 * tombstone is never sent, so the line stays here.
 */
export const movedAway = JSON.stringify(['X-DUELINE-MOVED:1']);

/**
 * The address that a task keeps which is made anew after the server has deleted it: with no ETag to it, sync looks there
 * and in the other lists first, where another device may have moved it. None in a list that has been made anew as well.
 */
export const addressAnew = (href: string | null, listHref: string | null): string | null =>
  href !== null && listHref !== null && href.startsWith(listHref) ? href : null;
