// The parts of undo that a start does not need.
export { refuseBuiltOn } from './builtOn';
export { revert } from './revert';
export { isRedated, rowSteps } from './undoSteps';
