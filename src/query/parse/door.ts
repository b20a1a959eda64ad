/** The package of patterns, loaded when a query has one: most have none, and it builds large tables. */
export const patterns = () => require('re2js') as typeof import('re2js');
