import type { Applied, ApplyContext } from './applied';
import { applyItems } from './apply';
import type { ConflictRecord } from './memory';
import type { Etag, Href, RemoteItem } from './remote';
import { isRemote, stopsAccount } from './remote';
import { applyRemovals } from './remove';
import { checkCancelled, type ListRun } from './run';

/** How many go into one durable step: few enough for the editor not to notice, many enough for the disk. */
const rowsAtOnce = 200;

/** Stores what comes in, step by step: the texts of one step are made durable while the rows of the next go in. */
export class Batches {
  #remembered: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly run: ListRun,
    private readonly gone: ReadonlySet<Href> = new Set(),
  ) {}

  /** Resolves once all rows are durable. `begins` is told how many are, before each step. */
  async store(items: readonly RemoteItem[], begins: (done: number) => void = () => {}): Promise<void> {
    for (let at = 0; at < items.length; at += rowsAtOnce) {
      checkCancelled(this.run.signal);
      begins(at);
      const step = items.slice(at, at + rowsAtOnce);
      const applied = await takeRows(this.run, step, this.gone);
      await this.#remembered;
      if (!applied) return;
      this.#remembered = remember(this.run, step, applied);
      // Awaited with the next step, or at the end.
      this.#remembered.catch(() => undefined);
    }
  }

  /** Does the work, and waits for what is still under way, however it ends. */
  async finally(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } finally {
      await this.#remembered;
    }
  }
}

/** Stores a batch: rows first, then the texts they stand for. */
export async function storeItems(run: ListRun, items: readonly RemoteItem[]): Promise<Applied | undefined> {
  const applied = await takeRows(run, items, new Set());
  if (applied) await remember(run, items, applied);
  return applied;
}

async function takeRows(
  run: ListRun,
  items: readonly RemoteItem[],
  gone: ReadonlySet<Href>,
): Promise<Applied | undefined> {
  if (items.length === 0) return undefined;
  return run.store.edit({ origin: 'sync' }, tx =>
    tx.list(run.listId) ? applyItems(tx, items, applyContext(run, gone)) : undefined,
  );
}

async function remember(run: ListRun, items: readonly RemoteItem[], applied: Applied): Promise<void> {
  const { memory, account, tally } = run;
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

function applyContext(run: ListRun, gone: ReadonlySet<Href>): ApplyContext {
  const sent = run.memory.allSent(run.account.id);
  return {
    listId: run.listId,
    now: run.clock.now(),
    baseOf: (href, etag) => run.memory.base(run.account.id, href, etag)?.text,
    sentTo: href => sent.get(href),
    gone,
    waiting: run.memory.list(run.listId).waiting,
  };
}

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
