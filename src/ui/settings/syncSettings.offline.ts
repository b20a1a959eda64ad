/** The offline flavor's stand-in for syncSettings.ts. */
import type * as full from './syncSettings';

export const serverSettings: typeof full.serverSettings = () => ({});

export const syncsPaths: typeof full.syncsPaths = () => false;
