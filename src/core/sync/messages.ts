import { messageTable } from '../kernel/message';

/** Messages about accounts that both engine and sync use. The offline flavor has neither. */
export const accountMessage = messageTable({
  accountGone: 'This account no longer exists.',
});
