import { readResource } from '../../core/ical/readResource';
import type { Account, Id, Task, TaskList } from '../../core/kernel/model';
import type { Reader, Writer } from '../../store/types';
import { decideOrphan, logOfOrphan, type Orphan, type OrphanFacts, type OrphanState } from '../decide/decideOrphan';
import { type Href, isRemote, stopsAccount } from '../remote/remote';
import { orphanedChildren, orphanRowFacts } from '../resources/applyRemovals';
import { deleteRow, resourceRows } from '../resources/localResource';
import { oldCopiesOf, revertMove } from '../resources/taskMoves';
import { rememberApplied, storeItems, textsOf } from './applyBatches';
import { noteDecision } from './decisionLog';
import { listsOf } from './listSync';
import { adoptMovedTask, moveTargetOf, requestTexts } from './mergeDuplicate';
import { forgetOrphan, isWithinGracePeriod, noteOf, orphansOf, recordOrphans, unsent } from './orphanLog';
import { type AccountRun, checkCancelled, type ListRun, type PulledLists, type ResolvedOrphans } from './runContext';

/**
 * Requests the orphans that earlier runs noted in a list: a task that lost its ETag may still exist. A list that the
 * user restored counts as any other once all of its tasks are sent.
 */
export async function requestOrphans(run: ListRun): Promise<void> {
  const { store, ledger, listId } = run;
  const hrefs = orphansOf(run, listId).flatMap(({ id }) => {
    const task = store.task(id);
    return task && task.href !== null && task.etag === null ? task.href : [];
  });
  if (hrefs.length > 0) await storeItems(run, (await run.collection.fetch(hrefs)).items);
  if (ledger.list(listId).deletedOnServer && store.selectTasks(unsent, [listId]).length === 0)
    await ledger.updateList(listId, { deletedOnServer: undefined });
}

/** Decides about the tasks whose resources are gone, once it is known what other lists have. */
export async function resolveOrphans(run: AccountRun, { lists, isRead }: PulledLists): Promise<ResolvedOrphans> {
  const resolved = new Map<Id, OrphanState>();
  for (const orphan of lists.flatMap(({ listId }) => orphansOf(run, listId)))
    resolved.set(orphan.id, await resolveOrphan(run, orphan, resolved, isRead));
  return resolved;
}

/**
 * Gathers the facts about an orphan, and carries out what {@link decideOrphan} returns. `before`: the decisions of this
 * run so far.
 */
export async function resolveOrphan(
  run: AccountRun,
  orphan: Orphan,
  before: ResolvedOrphans,
  isRead: PulledLists['isRead'] = () => true,
): Promise<OrphanState> {
  const { store } = run;
  const { id, base } = orphan;
  const task = store.task(id);
  const list = task && store.list(task.listId);
  const moveTarget = task && task.etag === null ? moveTargetOf(run, task) : undefined;
  const facts: OrphanFacts = {
    ...rowFacts(run, orphan),
    isListRead: list?.accountId == null || isRead(list.id),
    moveTarget: moveTarget?.kind ?? 'none',
    // The user brought a task back that has no base: other accounts are asked at once.
    mayArrive: task !== undefined && base !== undefined && !before.has(id) && isWaitedFor(run, task),
    elsewhere: 'unasked',
  };
  let decided = facts;
  if (decideOrphan(facts) === 'adopted' && !(await adoptMovedTask(run, orphan, moveTarget!.there!)))
    decided = { ...facts, moveTarget: 'unready' };
  let state = decideOrphan(decided);
  if (task) noteDecision(run.tally.decisions, task.listId, logOfOrphan(decided), task.uid);
  if (state === 'waiting' && facts.isListRead) await requestTexts(run, moveTarget?.copies ?? []);
  if (state === 'ask') state = await resolveAsked(run, orphan, facts, before);
  if (state !== 'waiting') await forgetOrphan(run, id);
  return state;
}

const rowFacts = ({ store, ledger }: AccountRun, orphan: Orphan, reader: Reader = store) =>
  orphanRowFacts(reader, orphan, ledger.list(reader.task(orphan.id)?.listId ?? 0).waiting);

/**
 * The most restored tasks (a backup may hold thousands) that are requested; for others, the local facts must suffice.
 */
const maxCheckedOrphans = 20;

/** Decides with the other lists, and by the current rows, since these may be edited at any time. */
async function resolveAsked(
  run: AccountRun,
  orphan: Orphan,
  before: OrphanFacts,
  resolved: ResolvedOrphans,
): Promise<OrphanState> {
  const { store, ledger, account, tally } = run;
  const { id, base } = orphan;
  const task = store.task(id)!;
  const isOneOfMany = (base === undefined || before.row === 'new') && resolved.size >= maxCheckedOrphans;
  const elsewhere = isOneOfMany ? ('tooMany' as const) : await askElsewhere(run, orphan, task, !resolved.has(id));
  const facts = { ...before, elsewhere };
  const now = { ...facts, ...rowFacts(run, orphan) };
  const planned = decideOrphan(now);
  noteDecision(tally.decisions, task.listId, logOfOrphan(now), task.uid);
  if (planned === 'deleted') {
    const children = orphanedChildren(store, task, textsOf(run, task.listId));
    await rememberApplied({ ...run, listId: task.listId }, { waiting: new Map(children) });
    await run.discard([store.task(id) ?? task]);
  }
  const applyPlan = (tx: Writer) => {
    const now = decideOrphan({ ...facts, ...rowFacts(run, orphan, tx) });
    // Only tasks that are already in the trash may be removed.
    if (now === 'deleted' && planned !== 'deleted') return 'waiting';
    if (now === 'returned') revertMove(tx, tx.task(id)!);
    if (now === 'deleted') for (const row of resourceRows(tx, id)) deleteRow(tx, row);
    return now;
  };
  const isEdit = planned === 'deleted' || planned === 'returned';
  const state = isEdit ? await store.edit({ origin: 'sync' }, applyPlan) : planned;
  if (state === 'deleted') {
    tally.deletedLocally++;
    await ledger.putBases(account.id, [[task.href!, undefined]]);
  }
  // Without a text that both sides had, the user brought it back, and knows.
  const isNotable = state === 'recreated' && base !== undefined && task.href !== null;
  if (isNotable && resolved.get(id) !== 'recreated') run.notice('recreated', task.listId, 1);
  return state;
}

const othersOf = ({ store, account }: AccountRun): readonly Account[] =>
  store.accounts().filter(({ id }) => id !== account.id && listsOf(store, id).some(({ isSynced }) => isSynced));

/** True for a day, if another account has not synced since the task was missed, and so would not have shown it. */
function isWaitedFor(run: AccountRun, task: Task): boolean {
  const at = noteOf(run, task)?.at ?? Number.MAX_SAFE_INTEGER;
  const isBehind = ({ lastSyncAt }: Account) => lastSyncAt === null || lastSyncAt <= at;
  return isWithinGracePeriod(run, task) && othersOf(run).some(isBehind);
}

/** The number of lists that are asked together; the first that may have the task decides. */
const atOnce = 4;

/** `unanswered`: a list did not answer, or a folder has a file that cannot be read. */
type ListsAnswer = 'nowhere' | 'maybe' | 'unanswered';

/** For a day from the first time that there was no answer. */
async function waitsForAnswer(run: AccountRun, orphan: Orphan, task: Task): Promise<boolean> {
  if (noteOf(run, task)?.unansweredAt === undefined) await recordOrphans(run, [orphan], run.clock.now());
  return isWithinGracePeriod(run, task, noteOf(run, task)?.unansweredAt);
}

/**
 * Asks if the server has the task in another list after all: that list was pulled before the task came to it, or could
 * not be pulled. A decision without the answer would double the task.
 */
async function askElsewhere(
  run: AccountRun,
  orphan: Orphan,
  task: Task,
  isFirst: boolean,
): Promise<'nowhere' | 'maybe'> {
  const own = await askLists(run, task);
  if (own === 'maybe') return own;
  let isAnswered = own === 'nowhere';
  let isReached = true;
  for (const other of isFirst ? othersOf(run) : [])
    try {
      const answer = await askLists({ ...run, account: other, remote: await run.reach(other) }, task);
      if (answer === 'maybe') return answer;
      if (answer === 'unanswered') isAnswered = false;
    } catch (error) {
      if (!isRemote(error) || isRemote(error, 'cancelled')) throw error;
      isReached = false;
    }
  if (isAnswered && !isReached && !noteOf(run, task)) await recordOrphans(run, [orphan]);
  // An account is waited for since the task was missed, a list since it did not answer.
  const isWaiting = isAnswered
    ? !isReached && isWithinGracePeriod(run, task)
    : isFirst && (await waitsForAnswer(run, orphan, task));
  return isWaiting ? 'maybe' : 'nowhere';
}

/** Asks every list of the account that the task has not left itself. */
async function askLists(run: AccountRun, task: Task): Promise<ListsAnswer> {
  const left = new Set(oldCopiesOf(run.store, task).map(({ listId }) => listId));
  const lists = listsOf(run.store, run.account.id).filter(
    ({ id, href, isSynced, isReadOnly }) =>
      id !== task.listId && href !== null && isSynced && !isReadOnly && !left.has(id),
  );
  let isAnswered = true;
  for (let at = 0; at < lists.length; at += atOnce) {
    checkCancelled(run.signal);
    const requests = lists.slice(at, at + atOnce).map(list => askList(run, list, task.uid));
    const answers = await Promise.allSettled(requests);
    for (const answer of answers) if (answer.status === 'rejected') throw answer.reason;
    const results = answers.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []));
    if (results.includes('maybe')) return 'maybe';
    if (results.includes('unanswered')) isAnswered = false;
  }
  return isAnswered ? 'nowhere' : 'unanswered';
}

async function askList(run: AccountRun, list: TaskList, uid: string): Promise<ListsAnswer> {
  try {
    return (await hasUnseen(run, list, uid)) ? 'maybe' : 'nowhere';
  } catch (error) {
    if (!isRemote(error) || stopsAccount(error)) throw error;
    return isRemote(error, 'rejected', 'readOnly', 'unsupported', 'tooLarge', 'redirect') ? 'nowhere' : 'unanswered';
  }
}

/** True if the list has a resource of the UID that was not there when the list was read. */
async function hasUnseen({ remote, store, ledger }: AccountRun, list: TaskList, uid: string): Promise<boolean> {
  const collection = remote.collection({ href: list.href! });
  const { skipped = {} } = ledger.list(list.id);
  const isUnseen = (href: Href) =>
    !skipped[href] && store.selectTasks('t.list_id = ? AND t.href = ?', [list.id, href]).length === 0;
  const found = (await collection.findUid(uid)).filter(({ href }) => isUnseen(href));
  if (found.length === 0) return false;
  const { items, gone, withheld = [] } = await collection.fetch(found.map(({ href }) => href));
  // Named a moment ago, and not there, or not to be had: it may be either.
  return gone.length + withheld.length > 0 || items.some(({ text, href }) => readResource(text, { href }).uid === uid);
}
