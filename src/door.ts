/** In the extension all doors are this one: see `doors` in `scripts/build/plugins.cjs`. */
export const later = () => require('./later.cjs');
