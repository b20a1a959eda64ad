import type { Flavor } from './flavor';

export const flavor: Flavor = { name: 'offline', createSyncing: undefined, createClaims: undefined };
