// The part of the full flavor that a start does not need.
export * from '../sync/later';
export { registerSync as registerFlavor } from './registerSync';
