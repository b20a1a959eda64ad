import { DuelineError } from '../core/errors';
import type * as full from './existingAccount';

/** The offline flavor's stand-in for existingAccount.ts. */
export const existingAccount: typeof full.existingAccount = () => {
  throw new DuelineError('notFound', 'In Dueline Offline, all lists are on this computer.');
};
