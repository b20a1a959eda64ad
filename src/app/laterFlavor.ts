// What only the full flavor has, later than a start.
export * from '../sync/later';
export { registerSync as registerFlavor } from './registerSync';
