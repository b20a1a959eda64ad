/** The way to the modules that rows of tasks need. Lists are shown before these are loaded. */
export const rows = () => require('./rows') as typeof import('./rows');
