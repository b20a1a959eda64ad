/**
 * Lengths in milliseconds. A day is a civil one, of 24 hours: a day of a zone can have another length.
 *
 * @example
 * const [noon, tomorrow] = [midnight + 12 * hourMs, midnight + dayMs];
 */
export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
