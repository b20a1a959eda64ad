import { createSyncing } from '../sync/syncing';
import type { Flavor } from './flavor';

export const flavor: Flavor = { name: 'full', createSyncing };
