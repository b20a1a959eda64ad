/** The offline flavor's stand-in for serverWords.ts: its filter language knows no server and no agent. */
import type * as full from './serverWords';

export const serverIsValues = {} as typeof full.serverIsValues;
export const listMeaning = 'In the list with this name';
export const serverNameFields = {} as typeof full.serverNameFields;
export const serverHasValues = {} as typeof full.serverHasValues;
export const syncValues = {} as typeof full.syncValues;
export const stateFields = {} as typeof full.stateFields;
export const serverFilters: typeof full.serverFilters = [];
