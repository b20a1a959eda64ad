let read: unknown;

/**
 * In the extension all doors are this one: see `doors` in `esbuild.js`. The script is kept, because
 * `require` takes microseconds each time, and some rooms ask for every line.
 */
export const later = () => (read ??= require('./later.cjs'));
