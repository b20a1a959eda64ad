import type { Message } from '../../core/kernel/message';
import type { Id } from '../../core/kernel/model';
import type { Writer } from '../../store/types';
import { withSlash } from '../remote/hrefs';
import type { Href, RemoteItem, RemoteList } from '../remote/remote';
import { planDeferred, replacedBy } from '../resources/applyItems';
import { settledOf } from '../resources/settled';
import { applyContext, BatchApplier, removeResources, storeItems, storeTogether } from './applyBatches';
import { cleanHrefs, removeOrAsk } from './emptiedLists';
import { checkCancelled, type ListRun, type PullRun } from './runContext';

/** The tags of an unknown list: every change counts, and the next report starts from the beginning. */
export const noTags: Pick<RemoteList, 'syncToken' | 'ctag'> = { syncToken: null, ctag: null };

const firstBatch = 50;
const largestBatch = 400;
/** A batch that took longer than this was large enough. */
const fastBatchMs = 1_500;

/** Downloads and stores resources batch by batch, the next one on its way while one is stored. `items` are here already. */
export async function downloadResources(
  run: PullRun,
  hrefs: readonly Href[],
  gone: ReadonlySet<Href> = new Set(),
  items: readonly RemoteItem[] = [],
): Promise<void> {
  const needed = new Set(hrefs);
  const here = items.filter(({ href }) => needed.delete(href));
  const missing = [...needed];
  let size = firstBatch;
  let at = 0;
  let done = 0;
  const next = async () => {
    const batch = missing.slice(at, at + size);
    at += batch.length;
    const started = performance.now();
    const answer = await run.collection.fetch(batch);
    if (performance.now() - started < fastBatchMs) size = Math.min(size * 2, largestBatch);
    return { ...answer, count: batch.length };
  };
  const label = run.store.list(run.listId)?.name ?? run.remoteList.name;
  const report = (stored = 0) => run.progress({ label, done: done + stored, total: hrefs.length });
  const batches = new BatchApplier(run, gone);
  await batches.finally(async () => {
    let coming = missing.length > 0 ? next() : undefined;
    coming?.catch(() => undefined);
    await batches.store(here, report);
    done += here.length;
    while (coming) {
      report();
      const batch: Awaited<ReturnType<typeof next>> = await coming;
      checkCancelled(run.signal);
      coming = at < missing.length ? next() : undefined;
      // Not awaited yet, and storing may fail first.
      coming?.catch(() => undefined);
      await batches.store(batch.items, report, batch.gone);
      if (batch.gone.length > 0) {
        // The server has just named them: one of its two answers is out of date, or wrong.
        for (const href of batch.gone) run.incomplete.add(href);
        await batches.settle();
        await removeOrAsk(run, batch.gone);
      }
      for (const { href, message } of batch.withheld ?? []) noteWithheld(run, href, message);
      done += batch.count;
    }
  });
  await storeDeferred(run, batches.deferred, gone);
  report();
}

/** Stores resources that changed hands among addresses, or have a UID of others, once all of them are here. */
export async function storeDeferred(
  run: PullRun,
  items: readonly RemoteItem[],
  gone: ReadonlySet<Href>,
): Promise<void> {
  if (items.length === 0) return;
  const context = applyContext(run, gone);
  const found = planDeferred(run.store, items, context);
  let ready = items;
  if (run.incomplete.size === 0) await removeOrAsk(run, replacedBy(found, context));
  else {
    // An unreadable resource may be the one that was at one of these addresses, so the next run lists again.
    const settled = settledOf(found.filter(({ isAddressFree }) => isAddressFree));
    for (const one of found) if (!settled.has(one)) run.moving.add(one.uid);
    ready = [...settled].map(({ item }) => item);
  }
  for (const href of await storeTogether(run, items, gone, ready)) run.incomplete.add(href);
}

/**
 * Requests resources that a report should have mentioned: stores those that still exist, and returns those that are
 * really gone.
 */
export async function confirmDeletions(run: PullRun, hrefs: readonly Href[]): Promise<readonly Href[]> {
  const confirmed: Href[] = [];
  for (let at = 0; at < hrefs.length; at += firstBatch) {
    checkCancelled(run.signal);
    const { items, gone, withheld = [] } = await run.collection.fetch(hrefs.slice(at, at + firstBatch));
    for (const href of await storeItems(run, items)) run.incomplete.add(href);
    for (const { href, message } of withheld) noteWithheld(run, href, message);
    confirmed.push(...gone);
  }
  return confirmed;
}

/** The clean resources that were sent to the list since its last pull: their base is still the sent text. */
export function sentSince(run: ListRun): readonly Href[] {
  const { ledger, account, remoteList } = run;
  const sent = [...ledger.sentBases(account.id)].filter(href => href.startsWith(withSlash(remoteList.href)));
  if (sent.length === 0) return sent;
  const clean = new Set(cleanHrefs(run));
  return sent.filter(href => clean.has(href));
}

/**
 * Removes resources that were made and deleted since the last change report: they were sent, and the report does not
 * name them. RFC 6578 3.5.2 wants such a resource named, and Xandikos leaves it out, so each is asked for directly.
 */
export async function removeUnnamed(run: PullRun, named: ReadonlySet<Href>): Promise<void> {
  const unnamed = sentSince(run).filter(href => !named.has(href));
  await removeOrAsk(run, await confirmDeletions(run, unnamed));
}

/**
 * Accepts the answer to a direct request that resources are gone. A gateway that has lost its server for a moment may
 * report this of existing resources, and no change report would ever name it again: the next run lists the whole.
 */
export async function acceptDeletions(run: ListRun, hrefs: readonly Href[]): Promise<void> {
  if (hrefs.length === 0) return;
  await run.store.edit({ origin: 'sync' }, tx => requestFullListing(tx, run.listId));
  await removeResources(run, hrefs);
}

/** Has the next run read the whole list. */
export function requestFullListing(tx: Writer, listId: Id): void {
  if (tx.list(listId)) tx.updateList(listId, noTags);
}

/** One resource that cannot be had must not keep the others from coming. */
function noteWithheld(run: PullRun, href: Href, message: Message): void {
  run.incomplete.add(href);
  run.log('warn', `One resource of list ${run.listId} could not be fetched.`);
  const [row] = run.store.selectTasks('t.list_id = ? AND t.href = ?', [run.listId, href]);
  if (row) run.tally.rowErrors.set(row.id, message);
}
