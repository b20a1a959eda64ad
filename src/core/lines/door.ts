/** Pages take types from this folder, and know no `require`. */
declare function require(path: './icalLines'): typeof import('./icalLines');

/** ical.js, read when a line is not plain. */
export const later = () => require('./icalLines');
