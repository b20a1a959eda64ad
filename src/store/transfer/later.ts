// The parts of the tools for all data that a start does not need.
export { revert } from '../undo/revert';
export { rowSteps } from '../undo/undoSteps';
export { differences, stepsTo } from './differences';
export { newerFileText, readForeignFile, readImportFile } from './importDatabase';
export { importRows } from './importRows';
export { checkIntegrity } from './integrity';
export { readSalvage, withSalvage } from './salvage';
