/** The way to the modules that no start needs: they are loaded on first use. */
export const later = () => require('./later') as typeof import('./later');
