import { changedGroups, type Group } from '../../core/ical/contentGroups';
import { readResource } from '../../core/ical/readResource';
import { groupBy } from '../../core/kernel/groupBy';
import type { Task } from '../../core/kernel/model';
import type { Reader, Writer } from '../../store/types';
import type { Orphan, OrphanFacts } from '../decide/decideOrphan';
import { decideTask, type TaskFacts } from '../decide/decideTask';
import { unforeseen } from '../decide/rules';
import type { Href } from '../remote/remote';
import { deletion } from '../state/syncLedger';
import type { ApplyContext } from './applyResult';
import {
  deleteRow,
  headOf,
  type LocalResource,
  resourceOf,
  resourceRows,
  rowsOf,
  toResourceRow,
} from './localResource';
import { oldCopiesOf, stateOfTombstone } from './taskMoves';

/** A deletion elsewhere wins over these edits: ticking a task off, or moving it in its list, is not worth its revival. */
const groupsNotRevivedFor: ReadonlySet<Group> = new Set(['completion', 'sortOrder']);

interface RemovalPlan {
  readonly rule: ReturnType<typeof decideTask>;
  readonly rows: readonly Task[];
  /** The master row, or an occurrence's if that is alone. */
  readonly head: Task;
  readonly orphans: readonly Orphan[];
  /** By UID: children that still name a removed parent, which may come back. */
  readonly waiting: readonly (readonly [child: string, parent: string])[];
}

/** The effect that {@link applyRemovals} would have on each resource. */
export function planRemovals(reader: Reader, hrefs: readonly Href[], context: ApplyContext): readonly RemovalPlan[] {
  // One parameter for all of them: SQLite takes 32,766 at most.
  const isGone = 't.list_id = ? AND t.href IN (SELECT value FROM json_each(?))';
  const rows = reader.selectTasks(isGone, [context.listId, JSON.stringify(hrefs)]);
  // A task that was brought back to its address may have found another one there.
  const gone = groupBy(rows, ({ uid, href }) => `${uid} ${href}`);
  return [...gone.values()].map(rows => planRemoval(reader, rows, context));
}

/** Applies that resources are gone from the server. */
export function applyRemovals(tx: Writer, hrefs: readonly Href[], context: ApplyContext): readonly RemovalPlan[] {
  const plans = planRemovals(tx, hrefs, context);
  for (const { rule, rows } of plans) {
    const isUnedited = !rows.some(isEdited);
    for (const row of rows)
      switch (rule.action) {
        case 'recreate':
          tx.updateTask(row.id, { href: null, etag: null, isDirty: true });
          break;
        case 'search':
          // Without an ETag the push reads first and then creates.
          tx.updateTask(row.id, { etag: null, ...(isUnedited && { isDirty: true }) });
          break;
        case 'trash':
        case 'forget':
          deleteRow(tx, row);
          break;
        default:
          unforeseen(rule.action);
      }
  }
  return plans;
}

function planRemoval(reader: Reader, rows: readonly Task[], context: ApplyContext): RemovalPlan {
  const local = resourceOf(rows);
  const head = headOf(local);
  const rule = decideTask({
    local: stateOf(reader, rows, head),
    base: context.sentTo(head.href!) === deletion ? 'deletionSent' : 'known',
    remote: 'gone',
  });
  const isGone = rule.action === 'trash' || rule.action === 'forget';
  const orphan = { id: head.id, base: context.baseOf(head.href, head.etag), isUnsent: rows.some(isEdited) };
  const waiting = isGone && local.master ? orphanedChildren(reader, local.master, context) : [];
  return { rule, rows, head, orphans: isGone ? [] : [orphan], waiting };
}

/** Removing an occurrence here is not an edit that would bring its task back. */
function stateOf(reader: Reader, rows: readonly Task[], head: Task): TaskFacts['local'] {
  if (head.isDeleted) return stateOfTombstone(reader, head);
  if (rows.some(isEdited)) return 'edited';
  return oldCopiesOf(reader, head).length > 0 ? 'arrived' : 'clean';
}

/**
 * By UID, the children of a removed parent: they wait for it to come back, sent or not, as on every other device. So do
 * those that lost it here, for example by its deletion, if their texts still name it.
 */
export const orphanedChildren = (
  reader: Reader,
  parent: Task,
  context: Pick<ApplyContext, 'listId' | 'baseOf'>,
): readonly (readonly [child: string, parent: string])[] =>
  reader
    .selectTasks(
      't.list_id = ? AND t.is_deleted = 0 AND (t.parent_id = ? OR t.parent_id IS NULL AND t.master_id IS NULL AND t.is_dirty)',
      [parent.listId, parent.id],
    )
    .filter(child => (child.isDirty && child.parentId === parent.id) || isNamedBy(child, parent, context))
    .map(child => [child.uid, parent.uid] as const);

/** True if the child's text names the parent; if the child was put there and not sent yet, it does not. */
export function isNamedBy(child: Task, parent: Task, context: Pick<ApplyContext, 'listId' | 'baseOf'>): boolean {
  if (child.href === null || child.listId !== context.listId) return false;
  const text = context.baseOf(child.href, child.etag);
  if (text === undefined) return !child.isDirty && child.parentId === parent.id;
  return readResource(text, { uid: child.uid }).master?.parentUid === parent.uid;
}

const isEdited = ({ isDirty, isDeleted }: Task) => isDirty && !isDeleted;

/** The facts about an orphan that its rows show; `waiting` as in {@link toResourceRow}. */
export function orphanRowFacts(
  reader: Reader,
  { id, base, isUnsent = false }: Orphan,
  waiting: ApplyContext['waiting'],
): Pick<OrphanFacts, 'row' | 'hasOldCopy' | 'isUnsent' | 'isWorthReviving'> {
  const task = reader.task(id);
  const row = !task ? 'gone' : task.etag !== null ? 'confirmed' : task.href === null ? 'new' : 'missing';
  if (!task || row !== 'missing') return { row, hasOldCopy: false, isUnsent, isWorthReviving: false };
  return {
    row,
    hasOldCopy: oldCopiesOf(reader, task).length > 0,
    isUnsent,
    isWorthReviving: isWorthReviving(reader, resourceOf(resourceRows(reader, id)), base, waiting),
  };
}

/** True if the edits made here since `text` are worth recreating a task that is gone there. */
function isWorthReviving(
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
      group => !groupsNotRevivedFor.has(group),
    );
  });
}
