/** Patterns, read when a query has one: most have none, and the package that tries them is large. */
export const later = () => require('./regex') as typeof import('./regex');
