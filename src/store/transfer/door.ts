/** What no start needs, read when it is asked for. */
export const later = () => require('./later') as typeof import('./later');
