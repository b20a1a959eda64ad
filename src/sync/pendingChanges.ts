import { readResource } from '../core/ical/readResource';
import { writeResource } from '../core/ical/writeResource';
import type { Id, Task } from '../core/kernel/model';
import type { PendingChange } from '../core/sync/syncState';
import type { Reader } from '../store/types';
import { currentLocalChange, headOf, type LocalChange, localChangesOf } from './resources/localResource';
import { movedTo, oldCopiesOf } from './resources/taskMoves';
import { toRows } from './run/upload';
import type { SyncLedger } from './state/syncLedger';

/**
 * The changes that are not sent yet: those of each list, then those of its tasks in the order in which they would be
 * sent.
 */
export function pendingChanges(reader: Reader, ledger: SyncLedger | undefined): readonly PendingChange[] {
  return reader
    .lists()
    .filter(list => list.accountId !== null)
    .flatMap(list => {
      const { puts, deletions } = localChangesOf(reader, list.id);
      const kind = list.href === null ? 'newList' : 'listChange';
      const own: PendingChange = { kind, listId: list.id, taskId: null, title: list.name, error: null };
      const tasks = [...puts, ...deletions].flatMap(one => pendingTask(reader, ledger, list.id, one) ?? []);
      return list.isDirty || list.href === null ? [own, ...tasks] : tasks;
    });
}

function pendingTask(
  reader: Reader,
  ledger: SyncLedger | undefined,
  listId: Id,
  { resource, isDeletion }: LocalChange,
): PendingChange | undefined {
  const head = headOf(resource);
  const isNew = ({ listId, href }: Task) => href === null && reader.list(listId)?.accountId != null;
  // The other half of a move is shown with its new list.
  if (isDeletion && movedTo(reader, head).some(isNew)) return undefined;
  const isMove = head.href === null && oldCopiesOf(reader, head).length > 0;
  return {
    kind: isDeletion ? 'delete' : isMove ? 'move' : head.href === null ? 'create' : 'change',
    listId,
    taskId: head.id,
    title: head.title ?? '',
    error: ledger?.rowError(head.id)?.message ?? null,
  };
}

/** The resource as the server is believed to have it, and as it would be sent now. */
export function pendingText(
  reader: Reader,
  ledger: SyncLedger,
  taskId: Id,
  now: number,
): { before: string; after: string } {
  const change = currentLocalChange(reader, taskId);
  const head = change ? headOf(change.resource) : reader.task(taskId);
  const accountId = head && reader.list(head.listId)?.accountId;
  const base = head?.href && accountId != null ? ledger.anyBase(accountId, head.href) : undefined;
  const before = base?.text ?? '';
  if (!change || !head) return { before, after: before };
  if (change.isDeletion) return { before, after: '' };
  const parsed = base && readResource(base.text, { uid: head.uid, href: head.href ?? undefined });
  const rows = toRows(reader, change.resource, parsed, ledger.list(head.listId).waiting);
  return { before, after: writeResource(rows, base?.text, now) };
}
