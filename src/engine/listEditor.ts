import type { ListPatch } from '../api';
import { DuelineError } from '../core/kernel/errors';
import type { Id } from '../core/kernel/model';
import type { Writer } from '../store/types';
import { existingAccount } from './existingAccount';
import { engineMessage } from './messages';
import { isTracked } from './taskRow';
import { checkInteger } from './validate';

/** Signed ARGB of the colors that new lists take in turn: distinct in light and dark themes. */
const palette = [0x3b82f6, 0x16a34a, 0xd97706, 0xdb2777, 0x7c3aed, 0x0891b2, 0xdc2626, 0x65a30d].map(
  rgb => 0xff000000 | rgb | 0,
);

export function createList(tx: Writer, input: { name: string; color?: number; accountId?: Id | null }): Id {
  const name = checkedName(input.name);
  checkInteger('color', input.color, -0x80000000, 0x7fffffff);
  const accountId = input.accountId ?? null;
  if (accountId !== null) existingAccount(tx, accountId);
  const lists = tx.lists();
  return tx.insertList({
    name,
    color: input.color ?? palette[lists.length % palette.length]!,
    accountId,
    sortOrder: Math.max(-1, ...lists.map(list => list.sortOrder)) + 1,
    isDirty: accountId !== null,
  });
}

export function updateList(tx: Writer, id: Id, input: ListPatch): void {
  const list = existingList(tx, id);
  const patch: ListPatch = {};
  if (input.name !== undefined) patch.name = checkedName(input.name);
  for (const field of ['color', 'sortOrder'] as const) {
    checkInteger(field, input[field], -0x80000000, 0x7fffffff);
    if (input[field] !== undefined) patch[field] = input[field];
  }
  for (const field of ['isVisible', 'isSynced'] as const) if (input[field] !== undefined) patch[field] = input[field];

  const shared =
    (patch.name !== undefined && patch.name !== list.name) || (patch.color !== undefined && patch.color !== list.color);
  if (shared && list.isReadOnly) throw new DuelineError('readOnly', engineMessage('listNotYours', list.name));
  tx.updateList(id, shared && isTracked(list) ? { ...patch, isDirty: true } : patch);
}

export function existingList(tx: Pick<Writer, 'list'>, id: Id) {
  const list = tx.list(id);
  if (!list) throw new DuelineError('notFound', engineMessage('listGone'));
  return list;
}

/** A list to write into from the first minute on; two first windows make one, since the step asks inside its edit. */
export function ensureInbox(tx: Writer, name: string): void {
  if (tx.lists().length === 0) createList(tx, { name });
}

function checkedName(name: unknown): string {
  const text = typeof name === 'string' ? name.replace(/\s+/g, ' ').trim().toWellFormed() : '';
  if (text === '') throw new DuelineError('invalid', engineMessage('listNameRequired'));
  return text;
}
