// What a start does not need of the tools for all data.
export { revert } from '../undo/revert';
export { rowSteps } from '../undo/undoSteps';
export { differences, stepsTo } from './differences';
export { newerFileText, readForeignFile, readImportFile } from './importDatabase';
export { importRows } from './importRows';
export { checkIntegrity } from './integrity';
export { readSalvage, withSalvage } from './salvage';
