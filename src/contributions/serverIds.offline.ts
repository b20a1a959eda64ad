/** Replaces contributions/serverIds.ts in the offline flavor, which has none of these ids. */
import type * as full from './serverIds';

export const serverContextKeys = {} as typeof full.serverContextKeys;
