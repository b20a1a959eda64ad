import { DuelineError } from '../core/kernel/errors';
import type * as full from './existingAccount';
import { engineMessage } from './messages';

/** The offline flavor's stand-in for existingAccount.ts. */
export const existingAccount: typeof full.existingAccount = () => {
  throw new DuelineError('notFound', engineMessage('offlineFlavor'));
};
