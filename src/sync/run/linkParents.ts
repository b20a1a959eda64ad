import { ParentLinks } from '../resources/parentLinks';
import type { ListPlace } from './runContext';

/** Links children whose parent came later than they did, and breaks circles of parents. */
export async function linkParents({ store, memory, listId }: ListPlace): Promise<void> {
  const { waiting } = memory.list(listId);
  if (!waiting) return;
  const planned = new ParentLinks(store, listId, waiting);
  if (!planned.isNews) return;
  // Before a link goes: a task without one that waits for no parent would lose the line in its text, too.
  await memory.updateList(listId, { waiting: { ...waiting, ...planned.waiting } });
  const done = await store.edit({ origin: 'sync' }, tx => {
    const linking = new ParentLinks(tx, listId, waiting);
    for (const [id, parentId] of linking.parents) tx.updateTask(id, { parentId });
    return linking;
  });
  await memory.updateList(listId, { waiting: done.waiting });
}
