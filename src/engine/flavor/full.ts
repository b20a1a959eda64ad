import { createCaldavSync } from '../../sync/caldavSync';
import { createClaims } from './claims';
import type { Flavor } from './flavor';

export const flavor: Flavor = { name: 'full', createSyncing: createCaldavSync, createClaims };
