import { DuelineError } from '../core/errors';
import type * as full from './existingAccount';

/** The offline flavor's stand-in for existingAccount.ts. */
export const existingAccount: typeof full.existingAccount = () => {
  throw new DuelineError('notFound', 'In this flavor lists stand on this computer alone.');
};
