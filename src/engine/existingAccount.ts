import { DuelineError } from '../core/kernel/errors';
import type { Account, Id } from '../core/kernel/model';
import { accountMessage } from '../core/sync/messages';

export function existingAccount(rows: { account(id: Id): Account | undefined }, id: Id): Account {
  const found = rows.account(id);
  if (!found) throw new DuelineError('notFound', accountMessage('accountGone'));
  return found;
}
