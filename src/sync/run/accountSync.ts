import { messageOf } from '../../core/kernel/errors';
import type { Message } from '../../core/kernel/message';
import { coreMessage } from '../../core/kernel/messages';
import type { Account, Id } from '../../core/kernel/model';
import type { AccountReport, SyncNotice, SyncProgress } from '../../core/sync/syncReport';
import type { Connection, Connections } from '../accounts/connections';
import { toDuelineError } from '../accounts/toDuelineError';
import { syncMessage } from '../messages';
import { isRemote, RemoteError } from '../remote/remote';
import { backoffAfter, errorOf } from '../state/backoffState';
import type { AccountRecord } from '../state/ledgerTypes';
import { decisionLines } from './decisionLog';
import { runAccount } from './runAccount';
import { type AccountRun, newTally, type Tally } from './runContext';

export interface AccountSyncParts
  extends Pick<AccountRun, 'store' | 'ledger' | 'clock' | 'log' | 'discard' | 'discardCopy' | 'setApart'> {
  readonly connections: Connections;
  /** In [0, 1). */
  readonly random: () => number;
}

interface AccountSyncOptions {
  /** Only these lists; all if absent. */
  readonly only?: ReadonlySet<Id>;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: SyncProgress) => void;
}

/** One account's run, its end written down and reported. Throws `cancelled` alone; any other failure is in the report. */
export async function syncAccount(
  parts: AccountSyncParts,
  account: Account,
  options: AccountSyncOptions,
): Promise<AccountReport> {
  const { store, log } = parts;
  const tally = newTally();
  let connection: Connection | undefined;
  let error: Message | null = null;
  let failure: unknown;
  const started = performance.now();
  try {
    connection = await parts.connections.open(account, options.signal);
    await run(parts, account, connection, options, tally);
    const [failed] = tally.listErrors;
    if (failed) error = coreMessage('labeled', store.list(failed[0])?.name ?? '', failed[1]);
    else error = connection.remote.problems?.[0] ?? null;
  } catch (caught) {
    failure = caught;
    const known = toDuelineError(failure);
    if (known.kind === 'cancelled') throw known;
    error = messageOf(isRemote(failure) ? failure : known);
  }
  const isComplete = failure === undefined && tally.listErrors.size === 0;
  await noteOutcome(parts, account, { error, failure, isComplete });
  const requests = connection?.remote.requests ?? 0;
  const { listErrors, rowErrors, notices, decisions, ...counts } = tally;
  log(error === null ? 'info' : 'warn', logLine(account.id, tally, requests, error, performance.now() - started));
  for (const { kind, listId, count } of notices)
    if (noticeWords[kind]) log('info', `List ${listId}: ${noticeWords[kind]}${count > 1 ? ` (${count})` : ''}`);
  for (const line of decisionLines(decisions)) log('info', line);
  return {
    accountId: account.id,
    ...reported(error),
    requests,
    ...counts,
    rowErrors: [...rowErrors].map(([taskId, reason]) => ({ taskId, message: reason.text, reason })),
    notices,
  };
}

/** For the log, which holds no names. The other kinds are about tasks that the lines about decisions name. */
const noticeWords: Partial<Record<SyncNotice['kind'], string>> = {
  conflict: 'an edit met another one; both are kept for a decision',
  detached: 'gone from the server; kept here',
  reattached: 'on the server again; taken back into the account',
  refusedProperty: 'the server keeps its own name or color',
  tooLarge: 'a task is too large, and stays as it is there',
};

/** The report on an account whose server asked to be left alone: nothing was sent. */
export function notSynced(account: Account, record: AccountRecord): AccountReport {
  const { listErrors, rowErrors, notices, decisions, ...counts } = newTally();
  const error = errorOf(account, record) ?? syncMessage('serverBusy');
  return { accountId: account.id, ...reported(error), requests: 0, ...counts, rowErrors: [], notices };
}

const reported = (error: Message | null) => ({ error: error?.text ?? null, reason: error });

async function run(
  parts: AccountSyncParts,
  account: Account,
  connection: Connection,
  { only, signal, onProgress }: AccountSyncOptions,
  tally: Tally,
): Promise<void> {
  const { store, ledger } = parts;
  const accountRun: AccountRun = {
    ...parts,
    remote: connection.remote,
    reach: async other => (await parts.connections.open(other, signal)).remote,
    account,
    signal,
    progress: progress => onProgress?.(progress),
    tally,
    notice: (kind, listId, count) =>
      tally.notices.push({ kind, listId, listName: store.list(listId)?.name ?? '', count }),
  };
  try {
    await runAccount(accountRun, only);
  } catch (error) {
    const homes = isRemote(error, 'gone') ? await connection.rediscover() : undefined;
    if (!homes) throw error;
    await store.edit({ origin: 'sync' }, tx => tx.updateAccount(account.id, { homeSetUrl: homes[0]! }));
    await ledger.updateAccount(account.id, { homes });
    throw new RemoteError('server', syncMessage('listsMoved'));
  }
  await connection.finish();
}

interface Outcome {
  readonly error: Message | null;
  readonly failure: unknown;
  /** Everything went through, be it that single files or folders were left out: there is nothing to wait for. */
  readonly isComplete: boolean;
}

async function noteOutcome(
  { store, ledger, connections, clock, random }: AccountSyncParts,
  account: Account,
  { error, failure, isComplete }: Outcome,
): Promise<void> {
  const now = clock.now();
  const outcome = backoffAfter(ledger.account(account.id), failure, !isComplete && failure === undefined, {
    now,
    random: random(),
    credentials: isRemote(failure, 'auth') ? await connections.markOfCredentials(account) : undefined,
  });
  await ledger.updateAccount(account.id, { ...outcome, error: error ?? undefined });
  await store.edit({ origin: 'sync' }, tx => {
    if (!tx.account(account.id)) return;
    tx.updateAccount(account.id, { ...(isComplete && { lastSyncAt: now }), lastSyncError: error?.text ?? null });
  });
}

/** The log line of a run, with numbers and host names alone. */
function logLine(id: Id, tally: Tally, requests: number, error: Message | null, ms: number): string {
  const { pulled, pushed, deletedLocally, deletedRemotely, conflicts, rowErrors } = tally;
  const counts = [
    `${requests} requests`,
    `${pulled} received`,
    `${pushed} sent`,
    ...(deletedLocally + deletedRemotely > 0 ? [`${deletedLocally} deleted here, ${deletedRemotely} there`] : []),
    ...(conflicts > 0 ? [`${conflicts} conflicts`] : []),
    ...(rowErrors.size > 0 ? [`${rowErrors.size} refused`] : []),
  ];
  const failed = error === null ? '' : `; failed: ${withoutQuotes(([...tally.listErrors.values()][0] ?? error).text)}`;
  return `Account ${id}: ${counts.join(', ')} in ${Math.round(ms)} ms${failed}`;
}

/** A server may quote a task in its message. */
const withoutQuotes = (text: string) => text.replace(/ Server message: .*$/s, '');
