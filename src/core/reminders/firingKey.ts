import type { EpochMs } from '../kernel/model';

/** Names a firing in the ledger: the same in every window and after every pull, whatever ids the rows have. */
export const firingKey = (uid: string, fireAt: EpochMs): string => `${uid}/${fireAt}`;
