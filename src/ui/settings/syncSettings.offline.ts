/** The offline flavor's stand-in for serverSettings.ts. */
import type * as full from './syncSettings';

export const serverSettings: typeof full.serverSettings = () => ({});

export const syncsPaths: typeof full.syncsPaths = () => false;
