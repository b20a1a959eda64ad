import { setImmediate } from 'node:timers/promises';
import { endingWith, isDuelineError } from '../../core/kernel/errors';
import type { Id } from '../../core/kernel/model';
import type { Writer } from '../../store/types';
import type { Href, RemoteItem } from '../remote/remote';
import { isRemote, stopsAccount } from '../remote/remote';
import { applyItems, type ChangesOfHands, changesOfHands } from '../resources/applyItems';
import { applyRemovals, planRemovals } from '../resources/applyRemovals';
import { type ApplyContext, type ApplyResult, newApplyResult } from '../resources/applyResult';
import { checkRemovable } from '../resources/checkAlone';
import { RowIndex } from '../resources/rowIndex';
import { merged, mergeSkipped } from '../resources/skipped';
import type { ConflictRecord } from '../state/ledgerTypes';
import { noteDecision } from './decisionLog';
import { recordOrphans } from './orphanLog';
import { type AccountRun, checkCancelled, type ListContext, type ListRun, type PullRun } from './runContext';

/** The number of rows in one durable step: few enough for the editor not to notice, many enough for the disk. */
const rowsAtOnce = 400;
/** The number of letters in one step, for texts that are longer than usual. */
const lettersAtOnce = 2 ** 20;

function endOfStep(items: readonly RemoteItem[], from: number): number {
  let letters = 0;
  let at = from;
  do letters += items[at++]!.text.length;
  while (at < items.length && at - from < rowsAtOnce && letters + items[at]!.text.length <= lettersAtOnce);
  return at;
}

/**
 * Stores incoming resources in steps. While the disk makes the rows of one step durable, the texts of the step before
 * are written, so that neither waits for the other.
 */
export class BatchApplier {
  readonly #pendingItems: RowIndex;
  /** Resources that can only be stored once all are here. */
  readonly deferred: RemoteItem[] = [];
  #waiting: (() => Promise<void>) | undefined;
  #remembered: Promise<void> = Promise.resolve();

  constructor(
    private readonly run: PullRun,
    private readonly gone: ReadonlySet<Href> = new Set(),
  ) {
    this.#pendingItems = new RowIndex(run.store, run.listId);
  }

  /**
   * Resolves once all rows are durable. `begins` is called with the number of durable ones before each step; `gone`
   * came in the same answer.
   */
  async store(
    items: readonly RemoteItem[],
    begins: (done: number) => void = () => {},
    gone: readonly Href[] = [],
  ): Promise<void> {
    for (let at = 0, next = 0; at < items.length; at = next) {
      checkCancelled(this.run.signal);
      begins(at);
      next = endOfStep(items, at);
      const step = items.slice(at, next);
      const goneHere = gone.length > 0 ? new Set([...this.gone, ...gone]) : this.gone;
      const taking = applyRows(this.run, step, {
        ...applyContext(this.run, goneHere, this.#pendingItems),
        isPartial: true,
      });
      taking.catch(() => undefined);
      // By then the rows are on their way to the disk.
      await setImmediate();
      await this.#rememberWaiting();
      const applied = await taking;
      this.deferred.push(...(applied?.deferred ?? []));
      if (applied)
        this.#waiting = async () => {
          for (const href of await remember(this.run, step, applied)) this.run.incomplete.add(href);
        };
    }
  }

  /** Does the work, and sees to it that everything stored is remembered, however it ends. */
  finally(work: () => Promise<void>): Promise<void> {
    return endingWith(work, () => {
      this.#pendingItems.dispose();
      return this.settle();
    });
  }

  /** Resolves when everything stored is remembered, too. */
  async settle(): Promise<void> {
    await this.#rememberWaiting();
    await this.#remembered;
  }

  /** Resolves when the step before the one that begins here is done. */
  async #rememberWaiting(): Promise<void> {
    await this.#remembered;
    const remember = this.#waiting;
    this.#waiting = undefined;
    if (!remember) return;
    this.#remembered = remember();
    // Awaited at the next step, or at the end.
    this.#remembered.catch(() => undefined);
  }
}

/**
 * Stores single resources: rows first, then the texts they stand for. Returns resources that should be gone from the
 * server and are not, and those that only a pull can decide.
 */
export async function storeItems(run: ListRun, items: readonly RemoteItem[]): Promise<readonly Href[]> {
  const applied = await applyRows(run, items, { ...applyContext(run, new Set()), isPartial: true });
  if (!applied) return [];
  return [...(await remember(run, items, applied)), ...applied.deferred.map(({ href }) => href)];
}

/** Stores the items that a pull has deferred, or `items` of these, once they are settled. */
export async function storeTogether(
  run: ListRun,
  deferred: readonly RemoteItem[],
  gone: ReadonlySet<Href>,
  items: readonly RemoteItem[],
): Promise<readonly Href[]> {
  const changes = changesOfHands(run.store, run.listId, deferred);
  const applied = await applyRows(run, items, applyContext(run, gone), changes);
  return applied ? remember(run, items, applied) : [];
}

async function applyRows(
  run: ListRun,
  items: readonly RemoteItem[],
  context: ApplyContext,
  changes?: ChangesOfHands,
): Promise<ApplyResult | undefined> {
  if (items.length === 0) return undefined;
  try {
    const work = (tx: Writer) => (tx.list(run.listId) ? applyItems(tx, items, context, changes) : undefined);
    return await (hasOwn(run) ? applyKeeping(run, work) : run.store.edit({ origin: 'sync' }, work));
  } catch (error) {
    // A resource that claims the address of another one's row must not keep the others out.
    if (!isDuelineError(error, 'duplicate')) throw error;
    return items.length > 1 ? oneByOne(run, items, context, changes) : asSkipped(items[0]!);
  }
}

/** True if the list has unsent changes, which an incoming change could replace. */
const hasOwn = ({ store, listId }: ListContext): boolean => store.select(ownRows, [listId, listId]).length > 0;

/** Two questions with an index each: one with OR would read the whole list. */
const ownRows = `SELECT 1 FROM tasks WHERE is_dirty = 1 AND +list_id = ? UNION ALL
  SELECT 1 FROM tasks WHERE list_id = ? AND is_deleted = 1 LIMIT 1`;

/**
 * Does `work`, and stores the versions that lose in it beforehand: a run that is cut off in between would lose them. So
 * the work is done twice, and the first time rolled back.
 */
export async function applyKeeping(
  { store, ledger }: ListContext,
  work: (tx: Writer) => ApplyResult | undefined,
): Promise<ApplyResult | undefined> {
  const stop = new Error();
  let foreseen: ApplyResult | undefined;
  const rehearse = (tx: Writer) => {
    foreseen = work(tx);
    throw stop;
  };
  await store.edit({ origin: 'sync' }, rehearse).catch(error => {
    if (error !== stop) throw error;
  });
  await ledger.addConflicts(foreseen?.conflicts ?? []);
  return store.edit({ origin: 'sync' }, work);
}

async function oneByOne(
  run: ListRun,
  items: readonly RemoteItem[],
  context: ApplyContext,
  changes: ChangesOfHands | undefined,
): Promise<ApplyResult | undefined> {
  const all = newApplyResult();
  for (const item of items) {
    const applied = await applyRows(run, [item], context, changes);
    if (!applied) return undefined;
    all.pulled += applied.pulled;
    all.conflicts.push(...applied.conflicts);
    all.leftovers.push(...applied.leftovers);
    all.decided.push(...applied.decided);
    all.deferred.push(...applied.deferred);
    for (const [href, skipped] of applied.skipped) all.skipped.set(href, skipped);
    for (const [id, fault] of applied.faults) all.faults.set(id, fault);
    for (const href of applied.oversized) all.oversized.add(href);
    for (const [uid, parent] of applied.waiting) all.waiting.set(uid, parent);
  }
  return all;
}

const asSkipped = ({ href, etag }: RemoteItem): ApplyResult => ({
  ...newApplyResult(),
  skipped: new Map([[href, { etag }]]),
});

/** Returns the leftovers that could not be removed. */
async function remember(run: ListRun, all: readonly RemoteItem[], applied: ApplyResult): Promise<readonly Href[]> {
  const { ledger, account } = run;
  const later = new Set(applied.deferred);
  const items = all.filter(item => !later.has(item));
  // The texts come last: with them, a parent that they name and that nobody waits for would count as taken away here.
  await settleApplied(run, applied);
  await ledger.putBases(
    account.id,
    items.map(({ href, etag, text }) => {
      const hasRow = applied.skipped.get(href)?.hasOthers ?? !applied.skipped.get(href);
      const isTaken = hasRow && !applied.leftovers.some(leftover => leftover.href === href);
      return [href, isTaken ? { etag, text } : undefined] as const;
    }),
  );
  const remaining: Href[] = [];
  for (const item of applied.leftovers) if (!(await removeLeftover(run, item))) remaining.push(item.href);
  // These are recognized by the text that was sent.
  const settled = items.map(({ href }) => href).filter(href => !remaining.includes(href));
  await ledger.forgetSent(account.id, settled);
  return remaining;
}

/** Notes what taking in resources came to. */
export async function settleApplied(run: ListContext, applied: ApplyResult): Promise<void> {
  await rememberApplied(run, applied);
  run.tally.pulled += applied.pulled;
  for (const [uid, log] of applied.decided) noteDecision(run.tally.decisions, run.listId, log, uid);
  for (const [id, message] of applied.faults) run.tally.rowErrors.set(id, message);
  if (applied.oversized.size > 0) run.notice('tooLarge', run.listId, applied.oversized.size);
  await keepConflicts(run, applied.conflicts);
}

/**
 * Made by us for a task that was deleted before the server's answer came. A 404 proves nothing: the next run checks
 * again.
 */
async function removeLeftover(run: ListRun, { href, etag, text }: RemoteItem): Promise<boolean> {
  try {
    checkRemovable(text, { href });
    await run.collection.remove(href, etag);
    run.tally.deletedRemotely++;
    return true;
  } catch (error) {
    if (!isRemote(error) || stopsAccount(error)) throw error;
    run.log('warn', `A leftover resource of list ${run.listId} stays on the server: ${error.kind}`);
    return false;
  }
}

export async function removeResources(run: ListRun, hrefs: readonly Href[]): Promise<void> {
  const { store, ledger, account, tally, listId } = run;
  const context = applyContext(run, new Set());
  const foreseen = planRemovals(store, hrefs, context);
  await recordOrphans(
    run,
    foreseen.flatMap(({ orphans }) => orphans),
  );
  await rememberApplied(run, { waiting: new Map(foreseen.flatMap(({ waiting }) => waiting)) });
  await run.discard(foreseen.flatMap(({ rule, head }) => (rule.action === 'trash' ? head : [])));
  const removed = await store.edit({ origin: 'sync' }, tx => applyRemovals(tx, hrefs, context));
  const orphans = removed.flatMap(one => one.orphans);
  // Edited since that was foreseen.
  await recordOrphans(run, orphans);
  const basesByHref = new Map(
    orphans.flatMap(({ id, base }) => (base === undefined ? [] : [[store.task(id)?.href, base]])),
  );
  await ledger.forgetSent(account.id, hrefs);
  await ledger.putBases(
    account.id,
    hrefs.map(href => {
      const text = basesByHref.get(href);
      return [href, text === undefined ? undefined : { etag: null, text }] as const;
    }),
  );
  await rememberApplied(run, { skipped: new Map(hrefs.map(href => [href, undefined])) });
  for (const { rule, head } of removed) noteDecision(tally.decisions, listId, rule.log, head.uid);
  tally.deletedLocally += removed.filter(({ rule }) => rule.action === 'trash' || rule.action === 'forget').length;
  const recreated = removed.filter(({ rule }) => rule.action === 'recreate').length;
  if (recreated > 0) run.notice('recreated', listId, recreated);
}

export function applyContext(run: ListContext, gone: ReadonlySet<Href>, held?: RowIndex): ApplyContext {
  const sent = run.ledger.allSent(run.account.id);
  return {
    ...textsOf(run, run.listId),
    now: run.clock.now(),
    sentTo: href => sent.get(href),
    sentRow: href => run.ledger.sentRow(run.account.id, href),
    gone,
    mayChangeUids: run.remote.mayChangeUids ?? false,
    held,
    waiting: run.ledger.list(run.listId).waiting,
  };
}

/** The remembered texts of a list, which may be another account's. */
export function textsOf({ store, ledger, account }: AccountRun, listId: Id): Pick<ApplyContext, 'listId' | 'baseOf'> {
  const accountId = store.list(listId)?.accountId ?? account.id;
  return { listId, baseOf: (href, etag) => ledger.base(accountId, href, etag)?.text };
}

export async function rememberApplied(
  { ledger, listId }: ListContext,
  applied: Partial<Pick<ApplyResult, 'skipped' | 'waiting'>>,
): Promise<void> {
  await ledger.updateList(listId, now => {
    const skipped = applied.skipped && mergeSkipped(now.skipped, applied.skipped);
    const waiting = applied.waiting && merged(now.waiting, applied.waiting);
    return { ...(skipped && { skipped }), ...(waiting && { waiting }) };
  });
}

export async function keepConflicts(run: ListContext, conflicts: readonly ConflictRecord[]): Promise<void> {
  if (conflicts.length === 0) return;
  await run.ledger.addConflicts(conflicts);
  run.tally.conflicts += conflicts.length;
  for (const kind of ['edited', 'keptDeleted', 'readOnly'] as const) {
    const count = conflicts.filter(({ reason }) => reason === kind).length;
    if (count > 0) run.notice(kind === 'edited' ? 'conflict' : kind, run.listId, count);
  }
}
