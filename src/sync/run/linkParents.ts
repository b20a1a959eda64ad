import { isNamedBy } from '../resources/applyRemovals';
import { ParentLinks } from '../resources/parentLinks';
import { rememberApplied, textsOf } from './applyBatches';
import type { AccountRun, ListContext } from './runContext';

/** Links children to parents that arrived after them, and breaks circles of parents. */
export async function linkParents({ store, ledger, listId }: ListContext): Promise<void> {
  const { waiting } = ledger.list(listId);
  if (!waiting) return;
  const planned = new ParentLinks(store, listId, waiting);
  if (!planned.hasChanges) return;
  // Written before links are removed: a task without a parent that waits for none would lose the line in its text, too.
  await ledger.updateList(listId, { waiting: { ...waiting, ...planned.waiting } });
  const done = await store.edit({ origin: 'sync' }, tx => {
    const linking = new ParentLinks(tx, listId, waiting);
    for (const [id, parentId] of linking.parents) tx.updateTask(id, { parentId });
    return linking;
  });
  await ledger.updateList(listId, { waiting: done.waiting });
}

/**
 * Unlinks children from parents in other lists: this run, or an interrupted one, moved only one of the two. If a child's
 * text still names the parent, the child waits for it, as on every other device.
 */
export async function unlinkParents(run: AccountRun): Promise<void> {
  const { store } = run;
  const apart = `t.parent_id IS NOT NULL AND t.list_id IN (SELECT id FROM task_lists WHERE account_id IS NOT NULL)
    AND t.list_id <> (SELECT list_id FROM tasks p WHERE p.id = t.parent_id)`;
  const rows = store.selectTasks(apart);
  if (rows.length === 0) return;
  for (const row of rows) {
    const { listId, uid } = row;
    const parent = store.task(row.parentId!)!;
    if (isNamedBy(row, parent, textsOf(run, listId)))
      await rememberApplied({ ...run, listId }, { waiting: new Map([[uid, parent.uid]]) });
  }
  await store.edit({ origin: 'sync' }, tx => {
    for (const { id, parentId } of rows)
      if (tx.selectTasks(`t.id = ? AND ${apart}`, [id])[0]?.parentId === parentId)
        tx.updateTask(id, { parentId: null });
  });
}
