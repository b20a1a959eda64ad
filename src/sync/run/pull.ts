import type { Task, TaskList } from '../../core/kernel/model';
import { syncMessage } from '../messages';
import type { Href, RemoteChanges, RemoteItem, RemoteList, RemoteListing } from '../remote/remote';
import { isRemote, RemoteError } from '../remote/remote';
import { isMissing } from '../resources/applyItems';
import { type KnownResources, planPull } from '../resources/pullPlan';
import { confirmDeletions, downloadResources, noTags, removeUnnamed } from './download';
import { addressesOf, askIfEmptied, EmptiedError, losesMost, removeOrAsk, wouldEmptyMost } from './emptiedLists';
import type { PullRun } from './runContext';

/** Whether the server's description of a list says that something in it is new. */
export function hasChanged(list: TaskList, remote: PullRun['remoteList']): boolean {
  if (remote.isChanging) return true;
  if (remote.ctag !== null) return remote.ctag !== list.ctag;
  if (remote.syncToken !== null) return remote.syncToken !== list.syncToken;
  return true;
}

/** Brings one list's rows up to what the server has. Committed batches stay when it stops on the way. */
export async function pullList(run: PullRun): Promise<void> {
  const list = run.store.list(run.listId);
  if (!list) return;
  const tags = await new Pull(run).run(list.syncToken);
  await fetchUnblocked(run);
  await run.store.edit({ origin: 'sync' }, tx => {
    if (!tx.list(run.listId)) return;
    // Where something could not be had, the list counts as changed until it can.
    tx.updateList(run.listId, run.incomplete.size === 0 ? tags : noTags);
  });
  await run.memory.updateList(run.listId, { mayEmpty: undefined });
}

type Tags = Pick<RemoteList, 'syncToken' | 'ctag'>;

/** A resource that was behind another of its UID comes in once that one is gone, or was seen to be another task by now. */
async function fetchUnblocked(run: PullRun): Promise<void> {
  const { store, memory, listId } = run;
  const { skipped = {} } = memory.list(listId);
  const isThere = (row: Task) => (skipped[row.href ?? '']?.behind ?? row.uid) === row.uid && !isMissing(row);
  const freed = Object.entries(skipped).flatMap(([href, { behind }]) =>
    behind !== undefined && !store.selectTasks('t.list_id = ? AND t.uid = ?', [listId, behind]).some(isThere)
      ? href
      : [],
  );
  if (freed.length > 0) await downloadResources(run, freed);
}

/** Failures of a change report after which the whole listing is the better question. */
const asksForListing = (error: unknown) =>
  !(error instanceof EmptiedError) &&
  isRemote(error, 'badToken', 'rejected', 'unsupported', 'tooLarge', 'protocol', 'server', 'conflict', 'gone');

const maxPages = 10_000;
/** So long a list whose change report failed is listed instead. */
const reportRetryMs = 24 * 3_600_000;

class Pull {
  constructor(private readonly run_: PullRun) {}

  /** Returns what to compare with, and where to go on from next time. */
  async run(token: string | null): Promise<Tags> {
    const { ctag } = this.run_.remoteList;
    return { syncToken: await this.#read(token), ctag };
  }

  async #read(token: string | null): Promise<string | null> {
    if (token !== null) {
      try {
        return await this.#changes(token);
      } catch (error) {
        if (!asksForListing(error)) throw error;
        this.run_.log('info', `The change report of list ${this.run_.listId} was refused; listing it whole.`);
      }
    }
    const start = await this.#startingToken();
    await this.#listing();
    return start === null ? null : this.#changesSinceListing(start);
  }

  /** A token that is older than the listing to come; null if the server has none, or its reports fail. */
  async #startingToken(): Promise<string | null> {
    const { remote, remoteList } = this.run_;
    if (!remoteList.canReportChanges || this.#failsReports()) return null;
    if (remoteList.syncToken !== null) return remoteList.syncToken;
    try {
      // The look at all lists does not ask for tokens if change tags tell enough.
      return (await remote.list(remoteList.href))?.syncToken ?? null;
    } catch (error) {
      if (!asksForListing(error)) throw error;
      return null;
    }
  }

  /** What changed since the listing began. The token of this report is the one to go on from. */
  async #changesSinceListing(start: string): Promise<string | null> {
    const { memory, listId, clock } = this.run_;
    try {
      return await this.#changes(start, true);
    } catch (error) {
      if (!asksForListing(error)) throw error;
      await memory.updateList(listId, { reportsFailedAt: clock.now() });
      return null;
    }
  }

  /** One lost answer is no rule: a list whose reports failed is asked for one again some time later. */
  #failsReports(): boolean {
    const { memory, listId, clock } = this.run_;
    const { reportsFailedAt } = memory.list(listId);
    return reportsFailedAt !== undefined && Math.abs(clock.now() - reportsFailedAt) < reportRetryMs;
  }

  /** sync-collection from a token, page by page; a page's token counts only once its tasks are stored. */
  async #changes(token: string, isFirst = false): Promise<string | null> {
    const { store, listId, incomplete: gaps } = this.run_;
    let at = token;
    let isSuspicious = false;
    const named = new Set<Href>();
    for (let page = 0; page < maxPages; page++) {
      const { changed, items = [], gone, token: next, more, repeats = false } = await this.#report(at);
      const isEmpty = changed.length + gone.length === 0;
      for (const href of [...changed.map(member => member.href), ...gone]) named.add(href);
      if (!isEmpty) {
        const plan = planPull({ changed, gone, isEverything: false }, this.#known());
        const isMost = wouldEmptyMost(this.run_, plan.gone);
        isSuspicious ||= isMost || (plan.isSuspicious && !isFirst && !repeats);
        await this.#take(plan.fetch, isMost ? [] : plan.gone, items);
      }
      if (!more) {
        // DAViCal and SOGo answer an unknown token with everything, as if it were an increment and without deletions.
        if (isSuspicious) await this.#listing();
        // RFC 6578 3.2: an answer has a token. One without is treated as none.
        else if (next === null && !isFirst) throw new RemoteError('protocol', syncMessage('tokenMissing'));
        else if (!isFirst) await removeUnnamed(this.run_, named);
        return next;
      }
      if (next === null || next === at || isEmpty) break;
      at = next;
      // What could not be had of this page is named in no later one.
      if (!isFirst && !isSuspicious && gaps.size === 0)
        await store.edit({ origin: 'sync' }, tx => tx.updateList(listId, { syncToken: at }));
    }
    throw new RemoteError('badToken', syncMessage('tokenStuck'));
  }

  /**
   * A change report with the texts, so that they need not be fetched; without, changed events would be, too. If one failed,
   * later ones are asked for without: a server may allow none there, and what is too much at once comes in batches.
   */
  async #report(token: string): Promise<RemoteChanges> {
    const { collection, memory, listId } = this.run_;
    if (memory.plainReports.has(listId)) return collection.changes(token);
    try {
      return await collection.changes(token, true);
    } catch (error) {
      if (isRemote(error, 'badToken')) throw error;
      memory.plainReports.add(listId);
      if (!asksForListing(error) && !isRemote(error, 'timeout')) throw error;
      return collection.changes(token);
    }
  }

  /** What a listing lacks is asked for directly before anything is deleted: lists lag, and answers get cut. */
  async #listing(): Promise<void> {
    const { store, memory, listId, remoteList, incomplete, progress } = this.run_;
    const { skipped } = memory.list(listId);
    const isHeld =
      store.select('SELECT 1 FROM tasks WHERE list_id = ? AND href IS NOT NULL LIMIT 1', [listId]).length > 0;
    if (!isHeld) progress({ label: store.list(listId)?.name ?? remoteList.name, done: 0, total: 0 });
    const { members, items, isComplete, isBare } = await this.#members(isHeld, !isHeld && skipped === undefined);
    if (isComplete && members.length === 0) {
      const here = [...addressesOf(store, listId).etags.keys()];
      await askIfEmptied(this.run_, () => losesMost(this.run_, here, { held: here.length, isBare }));
    }
    if (!isComplete) incomplete.add(remoteList.href);
    const { fetch, missing } = planPull({ changed: members, gone: [], isEverything: isComplete }, this.#known());
    await this.#take(fetch, await confirmDeletions(this.run_, missing), items);
  }

  /** With the texts, if all of them are wanted: servers return them far faster than in batches. */
  async #members(expectSome: boolean, withTexts: boolean): Promise<RemoteListing> {
    const { collection } = this.run_;
    if (!withTexts) return collection.listing(expectSome);
    try {
      const found = await collection.listing(expectSome, true);
      if (found.isComplete && found.members.length > 0) return found;
    } catch (error) {
      if (!asksForListing(error) && !isRemote(error, 'timeout')) throw error;
    }
    // It was too much in one answer, or the answer left something open.
    return collection.listing(expectSome);
  }

  #known(): KnownResources {
    const { store, memory, listId, account } = this.run_;
    const { etags, pending } = addressesOf(store, listId);
    return {
      etags,
      pending,
      isTextless: href => !memory.base(account.id, href, etags.get(href) ?? null),
      skipped: memory.list(listId).skipped ?? {},
      sent: memory.sentBases(account.id),
    };
  }

  /** What came goes first: a resource under a new name takes over the rows of the one that is gone. */
  async #take(hrefs: readonly Href[], gone: readonly Href[], items: readonly RemoteItem[] = []): Promise<void> {
    if (hrefs.length > 0) await downloadResources(this.run_, hrefs, new Set(gone), items);
    await removeOrAsk(this.run_, gone);
  }
}
