/** The way to the tree of filters, which needs what rows of tasks do. */
export const rows = () => require('./tree/filtersTree') as typeof import('./tree/filtersTree');
