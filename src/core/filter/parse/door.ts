/** Patterns, read when a query has one. */
export const later = () => require('./regex') as typeof import('./regex');
