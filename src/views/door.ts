/** Dragging: the trees show their rows without it, and it is read when a row is dragged. */
export const later = () => require('./tree/dragAndDrop') as typeof import('./tree/dragAndDrop');
