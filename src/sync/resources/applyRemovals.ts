import { changedGroups, type Group } from '../../core/ical/contentGroups';
import { readResource } from '../../core/ical/readResource';
import type { Id, Task } from '../../core/model';
import type { Reader, Writer } from '../../store/types';
import { groupBy } from '../remote/groupBy';
import type { Href } from '../remote/remote';
import { deletion } from '../state/syncLedger';
import type { ApplyContext } from './applyResult';
import { headOf, type LocalResource, resourceOf, rowsOf, toResourceRow } from './localResource';
import { oldCopiesOf } from './taskMoves';

/** A task whose resource is gone, though it is to live on here, with the text that both sides had last agreed on. */
export interface Orphan {
  /** Of the master row, or of a lone override. */
  readonly id: Id;
  readonly base: string | undefined;
}

interface Removed {
  deleted: number;
  /** Edited here, gone there: to be made anew, moved along or let go, once it is known whether they were moved there. */
  readonly uprooted: Orphan[];
  /** Deleted by us, and taken back before the answer came. */
  readonly recreated: Id[];
}

/** What a deletion elsewhere may take along: ticking a task off, or moving it in its list, is not worth its revival. */
const minor: ReadonlySet<Group> = new Set(['completion', 'sortOrder']);

/** What {@link applyRemovals} would do to each resource. */
export const planRemovals = (reader: Reader, hrefs: readonly Href[], context: ApplyContext): readonly RemovalPlan[] =>
  resourcesAt(reader, hrefs, context).map(group => fateOf(reader, group, context));

/** Takes in that resources are gone from the server. */
export function applyRemovals(tx: Writer, hrefs: readonly Href[], context: ApplyContext): Removed {
  const removed: Removed = { deleted: 0, uprooted: [], recreated: [] };
  for (const group of resourcesAt(tx, hrefs, context)) {
    const { kind, uprooted } = fateOf(tx, group, context);
    removed.uprooted.push(...uprooted);
    if (kind === 'recreated') {
      for (const row of group) tx.updateTask(row.id, { href: null, etag: null, isDirty: true });
      removed.recreated.push(group[0]!.id);
    } else if (kind === 'missed') {
      // Without an ETag the push looks first and then creates.
      for (const row of group) tx.updateTask(row.id, { etag: null, ...(!group.some(isEdited) && { isDirty: true }) });
    } else {
      for (const row of group) if (tx.task(row.id)) tx.deleteTask(row.id);
      removed.deleted++;
    }
  }
  return removed;
}

const resourcesAt = (
  reader: Reader,
  hrefs: readonly Href[],
  { listId }: ApplyContext,
): readonly (readonly Task[])[] => {
  const rows = reader.selectTasks(`t.list_id = ? AND t.href IN (${hrefs.map(() => '?').join(',')})`, [
    listId,
    ...hrefs,
  ]);
  return [...groupBy(rows, row => row.href).values()];
};

interface RemovalPlan {
  /** The master row, or an occurrence's where that is alone. */
  readonly head: Task;
  readonly kind: 'recreated' | 'missed' | 'deleted';
  readonly uprooted: readonly Orphan[];
  /** By UID: children that still name a parent which goes, and may come back. */
  readonly waiting: readonly (readonly [child: string, parent: string])[];
}

/** What becomes of the rows of one resource that is gone. */
function fateOf(reader: Reader, group: readonly Task[], context: ApplyContext): RemovalPlan {
  const local = resourceOf(group);
  const head = headOf(local);
  const base = context.baseOf(head.href, head.etag);
  const uprooted = [{ id: head.id, base }];
  // Taken back after its deletion was sent: somebody else may have moved it before.
  if (context.sentTo(head.href!) === deletion && !head.isDeleted)
    return { head, kind: 'recreated', uprooted, waiting: [] };
  if (!head.isDeleted && (group.some(isEdited) || oldCopiesOf(reader, head).length > 0))
    return { head, kind: 'missed', uprooted, waiting: [] };
  return {
    head,
    kind: 'deleted',
    uprooted: [],
    waiting: local.master ? leftBehind(reader, local.master, context) : [],
  };
}

/**
 * By UID, the children whose texts go on naming a parent that goes: they wait for it to come back, as on every other
 * device. So do those that lost it here, by its deletion say, and were not sent since.
 */
export const leftBehind = (
  reader: Reader,
  parent: Task,
  context: Pick<ApplyContext, 'listId' | 'baseOf'>,
): readonly (readonly [child: string, parent: string])[] =>
  reader
    .selectTasks(
      't.list_id = ? AND t.is_deleted = 0 AND (t.parent_id = ? OR t.parent_id IS NULL AND t.master_id IS NULL AND t.is_dirty)',
      [parent.listId, parent.id],
    )
    .filter(child => isNamedBy(child, parent, context))
    .map(child => [child.uid, parent.uid] as const);

/** Whether the child's text names the parent; where it was put there and not sent yet, it does not. */
export function isNamedBy(child: Task, parent: Task, context: Pick<ApplyContext, 'listId' | 'baseOf'>): boolean {
  if (child.href === null || child.listId !== context.listId) return false;
  const text = child.isDirty ? context.baseOf(child.href, child.etag) : undefined;
  return text === undefined || readResource(text, { uid: child.uid }).master?.parentUid === parent.uid;
}

const isEdited = ({ isDirty, isDeleted }: Task) => isDirty && !isDeleted;

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
