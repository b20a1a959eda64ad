// The parts of the store that a start does not need: undo, and the tools for all data.
export { readSalvage, withSalvage } from './recovery/salvage';
export { differences, stepsTo } from './transfer/differences';
export { newerFileText, readForeignFile, readImportFile } from './transfer/importDatabase';
export { importRows } from './transfer/importRows';
export { checkIntegrity } from './transfer/integrity';
export { refuseBuiltOn } from './undo/builtOn';
export { revert } from './undo/revert';
export { isRedated, rowSteps } from './undo/undoSteps';
