/** The offline flavor's stand-in for contributions/serverIds.ts: none of its ids are there. */
import type * as full from './serverIds';

export const serverCommands = {} as typeof full.serverCommands;
export const serverSettings = [] as unknown as typeof full.serverSettings;
export const serverContextKeys = {} as typeof full.serverContextKeys;
