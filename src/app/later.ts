// Everything that a start does not need, in one script: the doors of all rooms lead here.
export { registerFailedStore } from '../commands/storeFailure';
export * from '../core/lines/icalLines';
export * from '../engine/later/later';
export * from '../store/later';
export * from '../views/tree/dragAndDrop';
export { askDataFolder, pickDataFolder } from './askDataFolder';
export * from './laterFlavor';
export { registerRest } from './registerRest';
