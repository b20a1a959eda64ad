/** The offline flavor's stand-in for serverSettings.ts. */
import type * as full from './serverSettings';

export const serverSettings: typeof full.serverSettings = () => ({});
