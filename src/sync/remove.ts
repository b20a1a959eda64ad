import { changedGroups, type Group } from '../core/ical/content';
import { readResource } from '../core/ical/readResource';
import type { Id, Task } from '../core/model';
import { movedAway } from '../core/tombstone';
import type { Reader, Writer } from '../store/types';
import type { ApplyContext } from './applied';
import { groupBy } from './group';
import { deletion } from './memory';
import { hasOldCopy, movedTo } from './moves';
import type { Href } from './remote';
import { headOf, type LocalResource, resourceOf, rowsOf, toResourceRow } from './rows';

/** A task whose resource is gone, though it is to live on here, with the text that both sides had last agreed on. */
interface Uprooted {
  /** Of the master row, or of a lone override. */
  readonly id: Id;
  readonly base: string | undefined;
}

interface Removed {
  deleted: number;
  /** Edited here, gone there: to be made anew, moved along or let go, once it is known whether they were moved there. */
  readonly uprooted: Uprooted[];
  /** Deleted by us, and taken back before the answer came. */
  readonly recreated: Id[];
  /** By child UID: parents that may come back, in which case their children still name them. */
  readonly waiting: Map<string, string>;
}

/** What a deletion elsewhere may take along: ticking a task off, or moving it in its list, is not worth its revival. */
const minor: ReadonlySet<Group> = new Set(['completion', 'sortOrder']);

/** Takes in that resources are gone from the server. */
export function applyRemovals(tx: Writer, hrefs: readonly Href[], context: ApplyContext): Removed {
  const removed: Removed = { deleted: 0, uprooted: [], recreated: [], waiting: new Map() };
  const rows = tx.selectTasks(`t.list_id = ? AND t.href IN (${hrefs.map(() => '?').join(',')})`, [
    context.listId,
    ...hrefs,
  ]);
  for (const group of groupBy(rows, row => row.href).values()) {
    const local = resourceOf(group);
    if (context.sentTo(group[0]!.href!) === deletion && !headOf(local).isDeleted) {
      for (const row of group) tx.updateTask(row.id, { href: null, etag: null, isDirty: true });
      removed.recreated.push(group[0]!.id);
      // Somebody else may have moved it before it was deleted.
      removed.uprooted.push({ id: headOf(local).id, base: baseOf(local, context) });
    } else if (!headOf(local).isDeleted && (group.some(isEdited) || hasOldCopy(tx, headOf(local)))) {
      removed.uprooted.push({ id: headOf(local).id, base: baseOf(local, context) });
      // Without an ETag the push looks first and then creates.
      for (const row of group) tx.updateTask(row.id, { etag: null, ...(!group.some(isEdited) && { isDirty: true }) });
    } else {
      if (local.master) {
        const base = baseOf(local, context);
        removed.uprooted.push(...movedOn(tx, local.master).map(id => ({ id, base })));
        for (const child of tx.selectTasks('t.parent_id = ? AND t.is_deleted = 0', [local.master.id]))
          if (isNamedBy(child, local.master, context)) removed.waiting.set(child.uid, local.master.uid);
      }
      for (const row of group) if (tx.task(row.id)) tx.deleteTask(row.id);
      removed.deleted++;
    }
  }
  return removed;
}

/** Whether the child's text names the parent; where it was put there and not sent yet, it does not. */
export function isNamedBy(child: Task, parent: Task, context: Pick<ApplyContext, 'listId' | 'baseOf'>): boolean {
  if (child.href === null || child.listId !== context.listId) return false;
  const text = child.isDirty ? context.baseOf(child.href, child.etag) : undefined;
  return text === undefined || readResource(text, { uid: child.uid }).master?.parentUid === parent.uid;
}

const isEdited = ({ isDirty, isDeleted }: Task) => isDirty && !isDeleted;

const baseOf = (local: LocalResource, context: ApplyContext) => context.baseOf(headOf(local).href, headOf(local).etag);

/** What a tombstone's task became whose resource is gone already: somebody else may have moved it, too, and elsewhere. */
export const movedOn = (reader: Reader, tombstone: Task): Id[] =>
  tombstone.unknownProperties === movedAway
    ? (movedTo(reader, tombstone) ?? []).filter(({ masterId }) => masterId === null).map(({ id }) => id)
    : [];

/** Whether what was edited here since `text` is worth making a task anew that is gone there. */
export function isWorthReviving(
  reader: Reader,
  local: LocalResource,
  text: string | undefined,
  waiting: ApplyContext['waiting'],
): boolean {
  if (local.master?.isDeleted) return false;
  const dirty = rowsOf(local).filter(({ isDirty, isDeleted }) => isDirty && !isDeleted);
  if (dirty.length === 0) return false;
  if (text === undefined) return true;
  const { uid, href } = headOf(local);
  const base = readResource(text, { uid, href: href ?? undefined });
  return dirty.some(task => {
    const before =
      task.recurrenceId === null
        ? base.master
        : base.overrides.find(({ fields }) => fields.recurrenceId === task.recurrenceId);
    // A new override is a completed occurrence, as a rule, and means nothing without its series.
    if (!before) return task.recurrenceId === null;
    return changedGroups(before, toResourceRow(reader, task, before.parentUid, waiting)).some(
      group => !minor.has(group),
    );
  });
}
