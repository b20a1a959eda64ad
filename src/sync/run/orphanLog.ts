import type { Id, Task } from '../../core/model';
import { groupBy } from '../remote/groupBy';
import type { Orphan } from '../resources/applyRemovals';
import type { AccountRun } from './runContext';

/**
 * Notes tasks whose resources went away under them, each with its list. To be done before the rows are changed that
 * tell of it: a run that is cut off in between leaves the decision to the next one.
 */
export async function recordOrphans({ store, memory, clock }: AccountRun, missed: readonly Orphan[]): Promise<void> {
  for (const [listId, ofList] of groupBy(missed, ({ id }) => store.task(id)?.listId)) {
    if (listId === undefined) continue;
    const at = clock.now();
    await memory.updateList(listId, ({ uprooted = {} }) => {
      const since = memory.lastRow(listId);
      const notes = ofList.map(({ id, base = uprooted[id]?.base }) => [
        id,
        { at, since, ...uprooted[id], ...(base !== undefined && { base }) },
      ]);
      return { uprooted: { ...uprooted, ...Object.fromEntries(notes) } };
    });
  }
}

export async function forgetOrphan({ store, memory }: AccountRun, id: Id): Promise<void> {
  for (const list of store.lists())
    if (memory.list(list.id).uprooted?.[id])
      await memory.updateList(list.id, ({ uprooted: { [id]: _, ...uprooted } = {} }) => ({ uprooted }));
}

/** A row of another list with a higher id came there after the task's own list had the task last. */
export const appearedSince = ({ memory }: AccountRun, { id, listId }: Task): Id =>
  memory.list(listId).uprooted?.[id]?.since ?? memory.lastRow(listId) ?? Number.MAX_SAFE_INTEGER;

/** Begins a run; what it gives is to be told which lists were read in it. */
export async function beginReading({ store, memory }: AccountRun): Promise<(read: readonly Id[]) => Promise<void>> {
  const lastRow = () => store.select<{ id: Id }>('SELECT coalesce(max(id), 0) AS id FROM tasks')[0]!.id;
  const atFirst = lastRow();
  const known = store.lists().map(({ id }) => id);
  // The ids of rows that went last may be given out again.
  const tooHigh = known.filter(id => (memory.lastRow(id) ?? 0) > atFirst);
  await memory.putLastRow(tooHigh, atFirst);
  return async read => {
    const wasRead = (id: Id) => memory.lastRow(id) !== undefined;
    // What came with the first look at a list may have been there for long.
    const isFirstLook = read.some(id => known.includes(id) && !wasRead(id));
    if (isFirstLook) await memory.putLastRow([...new Set([...known.filter(wasRead), ...read])], lastRow());
    else await memory.putLastRow(read, atFirst);
  };
}
