/**
 * What the tombstone of a task that was moved holds in `unknownProperties`, to be told from one that was deleted. A
 * tombstone is never sent, so the line stays here.
 */
export const movedAway = JSON.stringify(['X-DUELINE-MOVED:1']);
