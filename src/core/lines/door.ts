/** Pages take types from this folder, and know no `require`. */
declare function require(path: './icalLines'): typeof import('./icalLines');

let read: typeof import('./icalLines') | undefined;

/** ical.js, read when a line is not plain. It is kept: an export asks for it several times a task. */
export const later = () => (read ??= require('./icalLines'));
