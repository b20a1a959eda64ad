import type { Message } from '../../core/kernel/message';
import type { Id, Task } from '../../core/kernel/model';
import type { Reader } from '../../store/types';
import { syncMessage } from '../messages';
import type { Href } from '../remote/remote';
import type { ListRecord, Skipped } from '../state/ledgerTypes';
import { headsAmong } from './localResource';

/** A calendar may have ten thousand events. A forgotten one is only fetched again when the server names it next. */
export const maxSkipped = 500;

/** With `changes`, the newest last and no more than {@link maxSkipped}; undefined if nothing changes. */
export function mergeSkipped(
  before: Readonly<Record<Href, Skipped>> | undefined,
  changes: ReadonlyMap<Href, Skipped | undefined>,
): Readonly<Record<Href, Skipped>> | undefined {
  const after = merged(before, changes);
  const entries = Object.entries(after ?? {});
  if (entries.length <= maxSkipped) return after;
  // Resources that wait for another one to go are forgotten last, since the server will not name them then; so are
  // those that the user is shown.
  const isReported = ([, { behind, hasOthers }]: (typeof entries)[number]) => Number(hasOthers ?? behind !== undefined);
  return Object.fromEntries(entries.sort((a, b) => isReported(a) - isReported(b)).slice(-maxSkipped));
}

/** The tasks with additional resources that are not shown, with a message about each. */
export function hiddenResources(
  reader: Reader,
  listId: Id,
  { skipped = {} }: ListRecord,
): readonly (readonly [Id, Message])[] {
  return Object.entries(skipped).flatMap(([href, { behind, hasOthers }]) => {
    const isReported = hasOthers || behind !== undefined;
    const [where, value] = behind === undefined ? ['href', href] : ['uid', behind];
    const rows: readonly Task[] = isReported
      ? reader.selectTasks(`t.list_id = ? AND t.${where} = ?`, [listId, value])
      : [];
    const message = syncMessage(hasOthers ? 'fileHasOthers' : 'sameUid');
    return headsAmong(rows).map(({ id }) => [id, message] as const);
  });
}

/** Undefined if nothing changes, which is the rule. */
export function merged<T>(
  before: Readonly<Record<string, T>> = {},
  changes: ReadonlyMap<string, T | undefined>,
): Record<string, T> | undefined {
  const after = new Map(Object.entries(before));
  let isChanged = false;
  for (const [key, value] of changes) {
    if (value === undefined && !after.has(key)) continue;
    isChanged = true;
    after.delete(key);
    if (value !== undefined) after.set(key, value);
  }
  return isChanged ? Object.fromEntries(after) : undefined;
}
