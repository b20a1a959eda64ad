import { messageTable } from '../kernel/message';

/** What engine and sync both say of accounts. The offline flavor has neither of the files that say it. */
export const accountMessage = messageTable({
  accountGone: 'This account no longer exists.',
});
