// What a start does not need of undo.
export { refuseBuiltOn } from './builtOn';
export { revert } from './revert';
export { isRedated, rowSteps } from './undoSteps';
