// The parts of the store that a start does not need: edits, undo, and the tools for all data.
export { RowWriter } from './sql/rowWriter';
export { listBackups } from './transfer/backups';
export { DataTools } from './transfer/dataTools';
export { importWaiting } from './transfer/importFolder';
export { writeUserFile } from './transfer/userFile';
export { refuseBuiltOn } from './undo/builtOn';
export { revert } from './undo/revert';
export { isRedated, rowSteps } from './undo/undoSteps';
