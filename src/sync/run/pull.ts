import type { Task, TaskList } from '../../core/kernel/model';
import { syncMessage } from '../messages';
import type { Href, RemoteChanges, RemoteItem, RemoteList, RemoteListing, RemoteMember } from '../remote/remote';
import { isRemote, RemoteError } from '../remote/remote';
import { isMissing } from '../resources/applyItems';
import { type KnownResources, planPull, type ReportedChanges } from '../resources/pullPlan';
import { BatchApplier } from './applyBatches';
import { confirmDeletions, downloadResources, noTags, removeUnnamed, storeDeferred } from './download';
import { addressesOf, askIfEmptied, EmptiedError, losesMost, removeOrAsk, wouldEmptyMost } from './emptiedLists';
import type { PullRun } from './runContext';

/** True if the server's description of a list shows that something in it is new. */
export function hasChanged(list: TaskList, remote: PullRun['remoteList']): boolean {
  if (remote.isChanging) return true;
  if (remote.ctag !== null) return remote.ctag !== list.ctag;
  if (remote.syncToken !== null) return remote.syncToken !== list.syncToken;
  return true;
}

/** Updates one list's rows from the server. Batches that were committed stay if the pull is interrupted. */
export async function pullList(run: PullRun): Promise<void> {
  const list = run.store.list(run.listId);
  if (!list) return;
  const tags = await new Pull(run).run(list.syncToken);
  await fetchUnblocked(run);
  await run.store.edit({ origin: 'sync' }, tx => {
    if (!tx.list(run.listId)) return;
    // If something could not be had, the list counts as changed until it can.
    tx.updateList(run.listId, run.incomplete.size === 0 ? tags : noTags);
  });
  await run.ledger.updateList(run.listId, { mayEmpty: undefined });
}

type Tags = Pick<RemoteList, 'syncToken' | 'ctag'>;

/**
 * A resource that was hidden by another one with its UID is stored once that one is gone, or has turned out to be
 * another task.
 */
async function fetchUnblocked(run: PullRun): Promise<void> {
  const { store, ledger, listId } = run;
  const { skipped = {} } = ledger.list(listId);
  const isThere = (row: Task) => (skipped[row.href ?? '']?.behind ?? row.uid) === row.uid && !isMissing(row);
  const freed = Object.entries(skipped).flatMap(([href, { behind }]) =>
    behind !== undefined && !store.tasksAt(listId, behind).some(isThere) ? { href, uid: behind } : [],
  );
  // The trash shows no task whose UID is in the list.
  const settling: (() => Promise<void>)[] = [];
  for (const { uid } of freed)
    if (store.tasksAt(listId, uid).length === 0) settling.push(await run.setApart(listId, uid));
  if (freed.length > 0)
    await downloadResources(
      run,
      freed.map(({ href }) => href),
    );
  for (const settle of settling) await settle();
}

/** Failures of a change report after which the whole listing is the better question. */
const asksForListing = (error: unknown) =>
  !(error instanceof EmptiedError) &&
  isRemote(error, 'badToken', 'rejected', 'unsupported', 'tooLarge', 'protocol', 'server', 'conflict', 'gone');

const maxPages = 10_000;
/** How long to use full listings after a change report failed. */
const reportRetryMs = 24 * 3_600_000;

/** The items of one answer, on their way into the store. */
interface PendingApply {
  readonly stored: Promise<void>;
  readonly count: number;
  /** The listing that the answer contained; undefined if it leaves something open. */
  readonly listing: RemoteListing | undefined;
}

const noPendingApply: PendingApply = { stored: Promise.resolve(), count: 0, listing: undefined };

class Pull {
  /**
   * Null if the list has changed since the tag: without that change it may have the tag again, and the next run would not
   * see that the change is gone.
   */
  #ctag: string | null;

  constructor(private readonly run_: PullRun) {
    this.#ctag = run_.remoteList.ctag;
  }

  /** Returns the tags to compare with, and the token to continue from, next time. */
  async run(token: string | null): Promise<Tags> {
    return { syncToken: await this.#read(token), ctag: this.#ctag };
  }

  async #read(token: string | null): Promise<string | null> {
    const { remoteList, listId } = this.run_;
    if (token !== null) {
      try {
        return await this.#changes(token);
      } catch (error) {
        if (!asksForListing(error)) throw error;
        this.run_.log('info', `The change report of list ${listId} was refused; listing it whole.`);
      }
    }
    const mayReport = remoteList.canReportChanges && !this.#failsReports();
    const started = await this.#start();
    if (mayReport && remoteList.isTasksOnly && !started.listing) {
      try {
        return await this.#everything(started.stored);
      } catch (error) {
        if (!asksForListing(error)) throw error;
      }
    }
    if (mayReport) return this.#listingAndToken(started);
    await this.#listing(started);
    return null;
  }

  /** The listing, and then what changed since it began: the next pull continues from the token of that report. */
  async #listingAndToken(started: PendingApply): Promise<string | null> {
    const { ledger, listId, clock } = this.run_;
    const token = await this.#startingToken(started.listing !== undefined);
    // The server works on the report while the tasks that are listed are stored; before a listing, it would come too early.
    const report = token !== null && started.listing ? this.#report(token) : undefined;
    report?.catch(() => undefined);
    await this.#listing(started);
    if (token === null) return null;
    try {
      return await this.#changes(token, true, report);
    } catch (error) {
      if (!asksForListing(error)) throw error;
      this.#ctag = null; // nobody knows what has changed since
      await ledger.updateList(listId, { reportsFailedAt: clock.now() });
      return null;
    }
  }

  /** One lost answer proves nothing: a list whose reports failed is asked for one again some time later. */
  #failsReports(): boolean {
    const { ledger, listId, clock } = this.run_;
    const { reportsFailedAt } = ledger.list(listId);
    return reportsFailedAt !== undefined && Math.abs(clock.now() - reportsFailedAt) < reportRetryMs;
  }

  /**
   * The token that a report on the time since the listing starts from; null if the server returns none in time. One that is
   * asked for after the listing counts if the list has not changed since before.
   */
  async #startingToken(isListed: boolean): Promise<string | null> {
    const { remote, remoteList } = this.run_;
    if (remoteList.syncToken !== null) return remoteList.syncToken;
    try {
      const now = await remote.list(remoteList.href);
      const isSame = now !== undefined && now.ctag !== null && now.ctag === remoteList.ctag;
      return now && (isSame || !isListed) ? now.syncToken : null;
    } catch (error) {
      if (!asksForListing(error) && !isRemote(error, 'timeout')) throw error;
      return null;
    }
  }

  /** sync-collection from a token, page by page; a page's token counts only once its tasks are stored. */
  async #changes(token: string, isFirst = false, begun?: Promise<RemoteChanges>): Promise<string | null> {
    const { store, listId, incomplete: gaps } = this.run_;
    let at = token;
    let isSuspicious = false;
    const named = new Set<Href>();
    for (let page = 0; page < maxPages; page++) {
      const report = await (page === 0 && begun ? begun : this.#report(at));
      const { changed, items = [], gone, token: next, more, repeats = false } = report;
      const isEmpty = changed.length + gone.length === 0;
      for (const href of [...changed.map(member => member.href), ...gone]) named.add(href);
      if (!isEmpty) {
        if (isFirst) this.#ctag = null;
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
      // If part of this page could not be had, no later page names it again.
      if (!isFirst && !isSuspicious && gaps.size === 0)
        await store.edit({ origin: 'sync' }, tx => tx.updateList(listId, { syncToken: at }));
    }
    throw new RemoteError('badToken', syncMessage('tokenStuck'));
  }

  /**
   * A change report with the texts, so that they need not be fetched; without, changed events would be, too. After one
   * failed, the next reports are asked for without texts: a server may refuse them there, and a report that is too
   * large comes in batches.
   */
  async #report(token: string): Promise<RemoteChanges> {
    const { collection, ledger, listId } = this.run_;
    if (ledger.plainReports.has(listId)) return collection.changes(token);
    try {
      return await collection.changes(token, true);
    } catch (error) {
      if (isRemote(error, 'badToken')) throw error;
      ledger.plainReports.add(listId);
      if (!asksForListing(error) && !isRemote(error, 'timeout')) throw error;
      return collection.changes(token);
    }
  }

  /**
   * A new list is requested in one answer, which servers return far faster than as many single tasks. While one part is
   * stored, the server already works on the next. An empty or incomplete answer is checked by a listing; if the answer
   * would be too large, everything is fetched that way.
   */
  async #start(): Promise<PendingApply> {
    const { collection, ledger, listId } = this.run_;
    const isFirst = this.#heldCount() === 0 && ledger.list(listId).skipped === undefined;
    if (!isFirst) return noPendingApply;
    this.run_.progress({ label: this.#label, done: 0, total: 0 });
    try {
      const { items, members, isComplete } = await collection.everyItem();
      const stored = this.#store(items);
      stored.catch(() => undefined);
      const isListing = isComplete && members.length > 0;
      return { stored, count: items.length, listing: isListing ? { members, isComplete } : undefined };
    } catch (error) {
      if (!asksForListing(error) && !isRemote(error, 'timeout')) throw error;
      return noPendingApply;
    }
  }

  get #label(): string {
    const { store, listId, remoteList } = this.run_;
    return store.list(listId)?.name ?? remoteList.name;
  }

  async #store(items: readonly RemoteItem[]): Promise<void> {
    const { run_: run } = this;
    const label = this.#label;
    const batches = new BatchApplier(run);
    await batches.finally(() => batches.store(items, done => run.progress({ label, done, total: items.length })));
    await storeDeferred(run, batches.deferred, new Set());
  }

  /** sync-collection from the beginning: a listing whose token can be relied on. */
  async #everything(stored: Promise<void>): Promise<string | null> {
    const { collection } = this.run_;
    const all = new Map<Href, RemoteMember>();
    let token: string | null = null;
    for (let page = 0; page < maxPages; page++) {
      const { changed, gone, token: next, more } = await collection.changes(token);
      for (const href of gone) all.delete(href);
      for (const member of changed) all.set(member.href, member);
      if (!more) {
        await stored;
        if (next === null) break;
        // An empty answer does not prove an empty list; the listing asks in two ways.
        if (all.size === 0 && this.#heldCount() > 0) await this.#listing();
        else await this.#reconcile({ changed: [...all.values()], gone: [], isEverything: true });
        return next;
      }
      if (next === null || next === token || changed.length + gone.length === 0) break;
      token = next;
    }
    throw new RemoteError('badToken', syncMessage('tokenStuck'));
  }

  async #listing({ stored, count, listing }: PendingApply = noPendingApply): Promise<void> {
    const { collection, store, listId } = this.run_;
    const held = Math.max(count, this.#heldCount());
    const { members, isComplete, isEmptyFolder }: RemoteListing = listing ?? (await collection.listing(held > 0));
    await stored;
    if (isComplete && members.length === 0) {
      const here = [...addressesOf(store, listId).etags.keys()];
      await askIfEmptied(this.run_, () => losesMost(this.run_, here, { held: here.length, isEmptyFolder }));
    }
    if (!isComplete) this.run_.incomplete.add(this.run_.remoteList.href);
    // If every text came with the listing, nothing is left to fetch, and nothing else was here.
    const isTaken = listing !== undefined && count === members.length;
    if (!isTaken) await this.#reconcile({ changed: members, gone: [], isEverything: isComplete });
  }

  /** Resources that a listing lacks are asked for directly before anything is deleted: lists lag, and answers get cut. */
  async #reconcile(reported: ReportedChanges): Promise<void> {
    const { fetch, missing } = planPull(reported, this.#known());
    await this.#take(fetch, await confirmDeletions(this.run_, missing));
  }

  /** Resources that have rows here. */
  #heldCount(): number {
    const { store, listId } = this.run_;
    const sql = 'SELECT count(DISTINCT href) AS count FROM tasks WHERE list_id = ?';
    return store.select<{ count: number }>(sql, [listId])[0]!.count;
  }

  #known(): KnownResources {
    const { store, ledger, listId, account } = this.run_;
    const { etags, pending } = addressesOf(store, listId);
    return {
      etags,
      pending,
      isTextless: href => !ledger.base(account.id, href, etags.get(href) ?? null),
      skipped: ledger.list(listId).skipped ?? {},
      sent: ledger.sentBases(account.id),
    };
  }

  /** Applies new resources first: a renamed resource takes over the rows of the one that is gone. */
  async #take(hrefs: readonly Href[], gone: readonly Href[], items: readonly RemoteItem[] = []): Promise<void> {
    if (hrefs.length > 0) await downloadResources(this.run_, hrefs, new Set(gone), items);
    await removeOrAsk(this.run_, gone);
  }
}
