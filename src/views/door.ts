/** What the trees do not need before they show their rows, read when a row is dragged. */
export const later = () => require('./tree/dragAndDrop') as typeof import('./tree/dragAndDrop');
