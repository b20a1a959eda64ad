/** Patterns, loaded when a query has one: most have none, and the package that tests them is large. */
export const later = () => require('./regex') as typeof import('./regex');
