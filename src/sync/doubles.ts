import type { Id, Task } from '../core/model';
import { movedAway } from '../core/tombstone';
import { groupBy } from './group';
import { isSameTask, joinTwin } from './joining';
import type { Moved } from './remembered';
import type { AccountRun } from './run';
import { textsOf } from './storing';

/**
 * The net below all moves. Two devices that move one task at the same time, and are cut off in the middle, can leave it
 * in two lists with nothing on its way any more that would tell. Whoever moved or missed it once knows that it is one
 * task: where it goes on standing in two lists, the two become one, in the place that was written last.
 */

/** So long a task that was moved or missed here is watched. */
const watched = 30 * 24 * 3_600_000;

/** So long two places have to stand as they are: another device may be between the halves of its move. */
const patience = 10 * 60_000;

/** Notes the tasks that are between two places, before anything is sent that ends it. */
export async function watchMoved({ store, memory, clock, uprooted }: AccountRun): Promise<void> {
  const leaving = store.select<{ uid: string }>(
    `SELECT DISTINCT o.uid FROM task_lists l CROSS JOIN tasks o ON o.list_id = l.id AND o.is_deleted = 1
     WHERE l.account_id IS NOT NULL AND o.unknown_properties = ?`,
    [movedAway],
  );
  const missed = [...uprooted.keys()].flatMap(id => store.task(id)?.uid ?? []);
  const at = clock.now();
  const known = new Map(memory.moved());
  const changes = new Map<string, Moved | undefined>();
  for (const uid of [...leaving.map(row => row.uid), ...missed]) if (!known.has(uid)) changes.set(uid, { at });
  for (const [uid, moved] of known) if (at - moved.at > watched) changes.set(uid, undefined);
  await memory.putMoved([...changes]);
}

/** Makes one of tasks that stand in two lists, once nothing is on its way and every list concerned was seen as it is. */
export async function joinDoubles(run: AccountRun, isSeen: (list: Id) => boolean): Promise<void> {
  const { memory, clock } = run;
  const now = clock.now();
  const moved = memory.moved();
  const doubles = doublesAmong(
    run,
    moved.map(([uid]) => uid),
  );
  for (const [uid, { at, double }] of moved) {
    const places = doubles.get(uid);
    const stands = places?.map(([{ listId, etag }]) => `${listId} ${etag}`).join('\n');
    if (!places || !stands || double?.stands !== stands) {
      if (stands || double) await memory.putMoved([[uid, stands ? { at, double: { stands, since: now } } : { at }]]);
      continue;
    }
    const isCertain = places.every(place => isSettled(run, place) && isAsSeen(run, place, isSeen, double.since));
    if (!isCertain || now - double.since < patience) continue;
    const [kept, given] = places;
    const text = textOf(run, kept![0]);
    if (text !== undefined && isSameTask(given![0], textOf(run, given![0]), text))
      await joinTwin(run, given![0].id, undefined);
  }
}

/** The rows of a task in one list, its master first. */
type Place = readonly [Task, ...Task[]];

/** By UID, where there are several places in lists of accounts, tombstones included; the one to stay comes first. */
function doublesAmong({ store }: AccountRun, uids: readonly string[]): ReadonlyMap<string, readonly Place[]> {
  if (uids.length === 0) return new Map();
  const rows = store.selectTasks(
    `t.list_id IN (SELECT id FROM task_lists WHERE account_id IS NOT NULL)
     AND t.uid IN (SELECT value FROM json_each(?))`,
    [JSON.stringify(uids)],
    'ORDER BY t.recurrence_id IS NOT NULL',
  );
  const places = [...groupBy(rows, ({ uid }) => uid)].map(([uid, ofUid]) => {
    const byList = [...groupBy(ofUid, ({ listId }) => listId).values()] as unknown as Place[];
    return [uid, byList.sort(lastWrittenFirst)] as const;
  });
  return new Map(places.filter(([, { length }]) => length > 1));
}

/** The same on every device, since it depends on what the servers have alone. */
const lastWrittenFirst = ([a]: Place, [b]: Place): number =>
  (b.lastModified ?? 0) - (a.lastModified ?? 0) || (String(a.href) < String(b.href) ? -1 : 1);

function isSettled({ store }: AccountRun, place: Place): boolean {
  const [{ listId, etag, recurrenceId }] = place;
  const list = store.list(listId);
  const isAtServer = (row: Task) => row.href !== null && row.etag === etag && !row.isDirty && !row.isDeleted;
  return recurrenceId === null && etag !== null && !!list?.isSynced && !list.isReadOnly && place.every(isAtServer);
}

function isAsSeen(
  { store, account }: AccountRun,
  [{ listId }]: Place,
  isSeen: (list: Id) => boolean,
  since: number,
): boolean {
  const accountId = store.list(listId)?.accountId;
  if (accountId === account.id) return isSeen(listId);
  return accountId != null && (store.account(accountId)?.lastSyncAt ?? 0) > since;
}

const textOf = (run: AccountRun, { listId, href, etag }: Task): string | undefined =>
  textsOf(run, listId).baseOf(href, etag);
