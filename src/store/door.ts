/** The way to what no start needs: it is read when the program gets there. */
export const later = () => require('./later') as typeof import('./later');
