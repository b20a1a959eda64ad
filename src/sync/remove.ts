import { changedGroups, type Group } from '../core/ical/content';
import { readResource } from '../core/ical/readResource';
import type { Id } from '../core/model';
import type { Writer } from '../store/types';
import type { ApplyContext } from './applied';
import { groupBy } from './group';
import { deletion } from './memory';
import type { Href } from './remote';
import { headOf, type LocalResource, resourceOf, rowsOf, toResourceRow } from './rows';

export interface Removed {
  readonly deleted: number;
  /** Edited here, gone there: to be made anew. */
  readonly recreated: readonly Id[];
}

/** What a deletion elsewhere may take along: ticking a task off, or moving it in its list, is not worth its revival. */
const minor: ReadonlySet<Group> = new Set(['completion', 'sortOrder']);

/** Takes in that resources are gone from the server. */
export function applyRemovals(tx: Writer, hrefs: readonly Href[], context: ApplyContext): Removed {
  let deleted = 0;
  const recreated: Id[] = [];
  const rows = tx.selectTasks(`t.list_id = ? AND t.href IN (${hrefs.map(() => '?').join(',')})`, [
    context.listId,
    ...hrefs,
  ]);
  for (const group of groupBy(rows, row => row.href).values()) {
    const local = resourceOf(group);
    if (context.sentTo(group[0]!.href!) === deletion && !headOf(local).isDeleted) {
      // Deleted by us, and taken back before the answer came.
      for (const row of group) tx.updateTask(row.id, { href: null, etag: null, isDirty: true });
      recreated.push(group[0]!.id);
    } else if (isWorthReviving(tx, local, context)) {
      // Without an ETag the push looks first and then creates.
      for (const row of group) tx.updateTask(row.id, { etag: null });
      recreated.push(group[0]!.id);
    } else {
      for (const row of group) if (tx.task(row.id)) tx.deleteTask(row.id);
      deleted++;
    }
  }
  return { deleted, recreated };
}

function isWorthReviving(tx: Writer, local: LocalResource, context: ApplyContext): boolean {
  if (local.master?.isDeleted) return false;
  const dirty = rowsOf(local).filter(({ isDirty, isDeleted }) => isDirty && !isDeleted);
  if (dirty.length === 0) return false;
  const head = rowsOf(local)[0]!;
  const text = context.baseOf(head.href, head.etag);
  if (text === undefined) return true;
  const base = readResource(text, { uid: head.uid, href: head.href ?? undefined });
  return dirty.some(task => {
    const before =
      task.recurrenceId === null
        ? base.master
        : base.overrides.find(({ fields }) => fields.recurrenceId === task.recurrenceId);
    // A new override is a completed occurrence, as a rule, and means nothing without its series.
    if (!before) return task.recurrenceId === null;
    return changedGroups(before, toResourceRow(tx, task, before.parentUid, context.waiting)).some(
      group => !minor.has(group),
    );
  });
}
