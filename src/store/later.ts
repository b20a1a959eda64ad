// The parts of the store that a start does not need: undo, and the tools for all data.
export { differences, stepsTo } from './transfer/differences';
export { newerFileText, readForeignFile, readImportFile } from './transfer/importDatabase';
export { importRows } from './transfer/importRows';
export { checkIntegrity } from './transfer/integrity';
export { readSalvage, withSalvage } from './transfer/salvage';
export { refuseBuiltOn } from './undo/builtOn';
export { revert } from './undo/revert';
export { isRedated, rowSteps } from './undo/undoSteps';
