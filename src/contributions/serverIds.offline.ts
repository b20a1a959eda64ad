/** The offline flavor's stand-in for contributions/serverIds.ts: none of its ids are there. */
import type * as full from './serverIds';

export const serverContextKeys = {} as typeof full.serverContextKeys;
