let readRows: unknown;
let readLater: unknown;

/**
 * In the extension all doors are this one: see `doors` in `esbuild.js`. The scripts are kept, because
 * `require` takes microseconds each time, and some rooms ask for every line.
 */
export const rows = () => (readRows ??= require('./rows.cjs'));

export const later = () => (readLater ??= require('./later.cjs'));

export const patterns = () => require('./re2js.cjs');
