import type { TaskList } from '../core/model';
import { type Applied, type ApplyContext, applyItems } from './apply';
import { linkWaiting } from './link';
import type { ConflictRecord } from './memory';
import { isSuspiciouslyEmpty, type Known, planPull, type Reported } from './plan';
import type { Etag, Href, RemoteItem, RemoteMember } from './remote';
import { isRemote, RemoteError, stopsAccount } from './remote';
import { applyRemovals } from './remove';
import { checkCancelled, type ListRun } from './run';

/** Whether the server's description of a list says that something in it is new. */
export function hasChanged(list: TaskList, remote: ListRun['remoteList']): boolean {
  if (remote.ctag !== null) return remote.ctag !== list.ctag;
  if (remote.syncToken !== null) return remote.syncToken !== list.syncToken;
  return true;
}

/** Brings one list's rows up to what the server has. Committed batches stay when it stops on the way. */
export async function pullList(run: ListRun): Promise<void> {
  const list = run.store.list(run.listId);
  if (!list) return;
  const token = await new Pull(run).run(list.syncToken);
  await takeFreed(run);
  const left = run.memory.list(run.listId).waiting ?? {};
  await run.store.edit({ origin: 'sync' }, tx => {
    if (!tx.list(run.listId)) return;
    tx.updateList(run.listId, { syncToken: token, ctag: run.remoteList.ctag });
  });
  if (Object.keys(left).length > 0) {
    const waiting = await run.store.edit({ origin: 'sync' }, tx => linkWaiting(tx, run.listId, left));
    await run.memory.updateList(run.listId, { waiting });
  }
}

/** A resource that stood behind another of its UID comes in once that one is gone. */
async function takeFreed(run: ListRun): Promise<void> {
  const { store, memory, listId } = run;
  const freed = Object.entries(memory.list(listId).skipped ?? {}).flatMap(([href, { behind }]) =>
    behind !== undefined && !store.selectTasks('t.list_id = ? AND t.uid = ?', [listId, behind]).length ? [href] : [],
  );
  if (freed.length > 0) await takeResources(run, freed);
}

/** Failures of a change report after which the whole listing is the better question. */
const asksForListing = (error: unknown) =>
  isRemote(error, 'badToken', 'rejected', 'unsupported', 'tooLarge', 'protocol', 'server', 'conflict', 'gone');

const mostPages = 10_000;

class Pull {
  constructor(private readonly run_: ListRun) {}

  /** Gives the token to go on from next time. */
  async run(token: string | null): Promise<string | null> {
    const { remoteList, memory, listId } = this.run_;
    if (token !== null) {
      try {
        return await this.#changes(token);
      } catch (error) {
        if (!asksForListing(error)) throw error;
        this.run_.log('info', `The change report of list ${listId} was refused; listing it whole.`);
      }
    }
    const started = await this.#start();
    const mayReport = remoteList.canReportChanges && !memory.list(listId).noReports;
    if (mayReport && remoteList.isTasksOnly) {
      try {
        return await this.#everything(started.stored);
      } catch (error) {
        if (!asksForListing(error)) throw error;
      }
    }
    await started.stored;
    await this.#listing();
    // The property's token is only a place to start from: what is stored is what a report gives.
    if (!mayReport || remoteList.syncToken === null) return null;
    try {
      return await this.#changes(remoteList.syncToken, true);
    } catch (error) {
      if (!asksForListing(error)) throw error;
      await memory.updateList(listId, { noReports: true });
      return null;
    }
  }

  /** sync-collection from a token, page by page; a page's token counts only once its tasks are stored. */
  async #changes(token: string, isFirst = false): Promise<string | null> {
    const { collection, store, listId } = this.run_;
    let at = token;
    let isSuspicious = false;
    for (let page = 0; page < mostPages; page++) {
      const { changed, gone, token: next, more } = await collection.changes(at);
      const plan = planPull({ changed, gone, isEverything: false }, this.#known());
      isSuspicious ||= plan.isSuspicious;
      await this.#take(plan.fetch, plan.gone);
      if (!more) {
        // DAViCal and SOGo answer an unknown token with everything and no deletions, as if it were an increment.
        if (isSuspicious && !isFirst) await this.#listing();
        return next;
      }
      if (next === null || next === at) throw new RemoteError('badToken', 'The server’s pages lead nowhere.');
      at = next;
      if (!isFirst) await store.edit({ origin: 'sync' }, tx => tx.updateList(listId, { syncToken: at }));
    }
    throw new RemoteError('badToken', 'The server’s pages have no end.');
  }

  /** sync-collection from the beginning: a listing whose token can be relied on. */
  /**
   * A list of which nothing is here yet comes in one answer, which servers give far faster than as many single tasks.
   * Storing it goes on while the server makes its listing, which then finds what is missing; where the one answer is
   * too much, everything is.
   */
  async #start(): Promise<{ stored: Promise<void> }> {
    const { collection, memory, listId } = this.run_;
    const isFirst = this.#known().etags.size === 0 && memory.list(listId).skipped === undefined;
    if (!isFirst || !collection.everyItem) return { stored: Promise.resolve() };
    let items: readonly RemoteItem[];
    try {
      items = await collection.everyItem();
    } catch (error) {
      if (!asksForListing(error) && !isRemote(error, 'timeout')) throw error;
      return { stored: Promise.resolve() };
    }
    const stored = this.#store(items);
    // Awaited once the listing is there; a failure before that must not count as unhandled.
    stored.catch(() => undefined);
    return { stored };
  }

  async #store(items: readonly RemoteItem[]): Promise<void> {
    const { run_: run } = this;
    const label = run.store.list(run.listId)?.name ?? run.remoteList.name;
    for (let at = 0; at < items.length; at += largestBatch) {
      checkCancelled(run.signal);
      run.progress({ label, done: at, total: items.length });
      await storeItems(run, items.slice(at, at + largestBatch));
    }
  }

  async #everything(stored: Promise<void>): Promise<string | null> {
    const { collection } = this.run_;
    const all = new Map<Href, RemoteMember>();
    let token: string | null = null;
    for (let page = 0; page < mostPages; page++) {
      const { changed, gone, token: next, more } = await collection.changes(token);
      for (const href of gone) all.delete(href);
      for (const member of changed) all.set(member.href, member);
      if (!more) {
        await stored;
        // An empty answer here is no proof of an empty list; the listing asks in two ways.
        if (all.size === 0 && this.#known().etags.size > 0) await this.#listing();
        else await this.#reconcile({ changed: [...all.values()], gone: [], isEverything: true });
        return next;
      }
      if (next === null || next === token) break;
      token = next;
    }
    throw new RemoteError('badToken', 'The server’s pages lead nowhere.');
  }

  async #listing(): Promise<void> {
    const { collection, memory, listId } = this.run_;
    const held = this.#known().etags.size;
    const { members, isComplete } = await collection.listing(held > 0);
    if (isComplete && isSuspiciouslyEmpty(members.length, held) && !memory.list(listId).mayEmpty) {
      await memory.updateList(listId, { isPaused: true });
      throw new RemoteError(
        'protocol',
        'The server reports this list as empty. Nothing was deleted here; decide first.',
      );
    }
    await this.#reconcile({ changed: members, gone: [], isEverything: isComplete });
    if (memory.list(listId).mayEmpty) await memory.updateList(listId, { mayEmpty: false });
  }

  /** What a listing lacks is asked for directly before anything is deleted: lists lag, and answers get cut. */
  async #reconcile(reported: Reported): Promise<void> {
    const { fetch, missing } = planPull(reported, this.#known());
    await this.#take([...fetch, ...missing], []);
  }

  #known(): Known {
    const { store, memory, listId, account } = this.run_;
    const rows = store.select<{ href: Href; etag: Etag | null }>(
      'SELECT href, etag FROM tasks WHERE list_id = ? AND href IS NOT NULL',
      [listId],
    );
    return {
      etags: new Map(rows.map(({ href, etag }) => [href, etag])),
      skipped: memory.list(listId).skipped ?? {},
      isSent: href => memory.isSent(account.id, href),
    };
  }

  async #take(hrefs: readonly Href[], gone: readonly Href[]): Promise<void> {
    if (gone.length > 0) await removeResources(this.run_, gone);
    if (hrefs.length > 0) await takeResources(this.run_, hrefs, new Set(gone));
  }
}

const firstBatch = 50;
const largestBatch = 400;
/** A batch that took longer than this was large enough. */
const patience = 1_500;

/** Downloads and stores resources batch by batch, the next one on its way while one is stored. */
export async function takeResources(
  run: ListRun,
  hrefs: readonly Href[],
  gone: ReadonlySet<Href> = new Set(),
): Promise<void> {
  let size = firstBatch;
  let at = 0;
  let done = 0;
  const next = async () => {
    const batch = hrefs.slice(at, at + size);
    at += batch.length;
    const started = performance.now();
    const answer = await run.collection.fetch(batch);
    if (performance.now() - started < patience) size = Math.min(size * 2, largestBatch);
    return { ...answer, count: batch.length };
  };
  const label = run.store.list(run.listId)?.name ?? run.remoteList.name;
  let coming: ReturnType<typeof next> | undefined = next();
  while (coming) {
    run.progress({ label, done, total: hrefs.length });
    const batch: Awaited<ReturnType<typeof next>> = await coming;
    checkCancelled(run.signal);
    coming = at < hrefs.length ? next() : undefined;
    // Not awaited yet, and storing may fail first.
    coming?.catch(() => undefined);
    if (batch.gone.length > 0) await removeResources(run, batch.gone);
    await storeItems(run, batch.items, gone);
    for (const { href, message } of batch.withheld ?? []) noteWithheld(run, href, message);
    done += batch.count;
  }
  run.progress({ label, done, total: hrefs.length });
}

/** One resource that cannot be had must not keep the others from coming. */
function noteWithheld(run: ListRun, href: Href, message: string): void {
  run.log('warn', `One resource of list ${run.listId} could not be fetched.`);
  const [row] = run.store.selectTasks('t.list_id = ? AND t.href = ?', [run.listId, href]);
  if (row) run.tally.rowErrors.set(row.id, message);
}

/** Stores a batch: rows first, then the texts they stand for. */
export async function storeItems(
  run: ListRun,
  items: readonly RemoteItem[],
  gone: ReadonlySet<Href> = new Set(),
): Promise<Applied | undefined> {
  if (items.length === 0) return undefined;
  const { store, memory, account, tally, listId } = run;
  const applied = await store.edit({ origin: 'sync' }, tx =>
    tx.list(listId) ? applyItems(tx, items, applyContext(run, gone)) : undefined,
  );
  if (!applied) return undefined;
  await memory.putBases(
    account.id,
    items.map(({ href, etag, text }) => {
      const isKept = !applied.skipped.get(href) && !applied.orphans.some(orphan => orphan.href === href);
      return [href, isKept ? { etag, text } : undefined] as const;
    }),
  );
  for (const { href, etag } of applied.orphans) await removeOrphan(run, href, etag);
  await memory.putSent(
    account.id,
    items.map(({ href }) => [href, undefined] as const),
  );
  await rememberApplied(run, applied);
  tally.pulled += applied.pulled;
  for (const [id, message] of applied.faults) tally.rowErrors.set(id, message);
  await keepConflicts(run, applied.conflicts);
  return applied;
}

/** Made by us for a task that was deleted, or moved away, before the server's answer came. */
async function removeOrphan(run: ListRun, href: Href, etag: Etag): Promise<void> {
  try {
    await run.collection.remove(href, etag);
    run.tally.deletedRemotely++;
  } catch (error) {
    if (!isRemote(error) || stopsAccount(error)) throw error;
    run.log('warn', `A leftover resource of list ${run.listId} stays on the server: ${error.kind}`);
  }
}

export async function removeResources(run: ListRun, hrefs: readonly Href[]): Promise<void> {
  const { store, memory, account, tally, listId } = run;
  const { deleted, recreated } = await store.edit({ origin: 'sync' }, tx =>
    applyRemovals(tx, hrefs, applyContext(run, new Set())),
  );
  const kept = new Set(recreated.map(id => store.task(id)?.href));
  await memory.putSent(
    account.id,
    hrefs.map(href => [href, undefined] as const),
  );
  await memory.putBases(
    account.id,
    hrefs.map(href => {
      const base = kept.has(href) ? memory.anyBase(account.id, href) : undefined;
      return [href, base && { ...base, etag: null }] as const;
    }),
  );
  const { skipped } = memory.list(listId);
  if (skipped && hrefs.some(href => skipped[href])) {
    await memory.updateList(listId, {
      skipped: Object.fromEntries(Object.entries(skipped).filter(([href]) => !hrefs.includes(href))),
    });
  }
  tally.deletedLocally += deleted;
  if (recreated.length > 0) run.notice('recreated', listId, recreated.length);
}

export const applyContext = (run: ListRun, gone: ReadonlySet<Href>): ApplyContext => ({
  listId: run.listId,
  now: run.clock.now(),
  baseOf: (href, etag) => run.memory.base(run.account.id, href, etag)?.text,
  sentTo: href => run.memory.sent(run.account.id, href),
  gone,
  waiting: run.memory.list(run.listId).waiting,
});

async function rememberApplied(run: ListRun, applied: Applied): Promise<void> {
  const { memory, listId } = run;
  const before = memory.list(listId);
  const skipped = merged(before.skipped, applied.skipped);
  const waiting = merged(before.waiting, applied.waiting);
  if (skipped || waiting) await memory.updateList(listId, { ...(skipped && { skipped }), ...(waiting && { waiting }) });
}

/** Undefined where nothing changes, which is the rule. */
function merged<T>(
  before: Readonly<Record<string, T>> = {},
  changes: ReadonlyMap<string, T | undefined>,
): Record<string, T> | undefined {
  let after: Record<string, T> | undefined;
  for (const [key, value] of changes) {
    if (value === undefined && before[key] === undefined) continue;
    after ??= { ...before };
    if (value === undefined) delete after[key];
    else after[key] = value;
  }
  return after;
}

export async function keepConflicts(run: ListRun, conflicts: readonly ConflictRecord[]): Promise<void> {
  if (conflicts.length === 0) return;
  await run.memory.addConflicts(conflicts);
  run.tally.conflicts += conflicts.length;
  for (const kind of ['edited', 'keptDeleted', 'readOnly'] as const) {
    const count = conflicts.filter(({ reason }) => reason === kind).length;
    if (count > 0) run.notice(kind === 'edited' ? 'conflict' : kind, run.listId, count);
  }
}
