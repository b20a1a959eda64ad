/** Pages import types from this folder, and have no `require`. */
declare function require(path: './icalLines'): typeof import('./icalLines');

let read: typeof import('./icalLines') | undefined;

/** ical.js, loaded for the first line that is not plain. It is kept, since an export needs it several times for each task. */
export const later = () => (read ??= require('./icalLines'));
