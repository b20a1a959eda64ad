// The modules that rows of tasks need, in one script, which is read once lists are shown: some doors of rooms lead here.
export * from '../engine/rows/rows';
export * from '../views/tree/filtersTree';
export * from '../views/tree/rows';
