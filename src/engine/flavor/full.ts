import { createCaldavSync } from '../../sync/caldavSync';
import type { Flavor } from './flavor';

export const flavor: Flavor = { name: 'full', createSyncing: createCaldavSync };
