import type { Id } from '../core/model';
import { groupBy } from './group';
import type { AccountRun } from './run';

/** A task whose resource is gone, though it is to live on here, with the text that both sides had last agreed on. */
export interface Uprooted {
  /** Of the master row, or of a lone override. */
  readonly id: Id;
  readonly base: string | undefined;
}

/**
 * Notes tasks whose resources went away under them, each with its list. To be done before the rows are changed that
 * tell of it: a run that is cut off in between leaves the decision to the next one.
 */
export async function noteMissed({ store, memory, clock }: AccountRun, missed: readonly Uprooted[]): Promise<void> {
  for (const [listId, ofList] of groupBy(missed, ({ id }) => store.task(id)?.listId)) {
    if (listId === undefined) continue;
    const at = clock.now();
    await memory.updateList(listId, ({ uprooted = {} }) => {
      const notes = ofList.map(({ id, base = uprooted[id]?.base }) => [
        id,
        { at: uprooted[id]?.at ?? at, ...(base !== undefined && { base }) },
      ]);
      return { uprooted: { ...uprooted, ...Object.fromEntries(notes) } };
    });
  }
}

export async function forgetMissed({ store, memory }: AccountRun, id: Id): Promise<void> {
  for (const list of store.lists())
    if (memory.list(list.id).uprooted?.[id])
      await memory.updateList(list.id, ({ uprooted: { [id]: _, ...uprooted } = {} }) => ({ uprooted }));
}
