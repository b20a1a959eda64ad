let read: unknown;

/**
 * In the extension all doors are this one: see `doors` in `scripts/build/plugins.cjs`. The script is kept, because
 * `require` takes microseconds each time, and some rooms ask for every line.
 */
export const later = () => (read ??= require('./later.cjs'));
