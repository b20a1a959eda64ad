import { type Message, plainMessage } from '../../core/kernel/message';
import type { Account, EpochMs } from '../../core/kernel/model';
import type { AccountState } from '../../core/sync/syncState';
import { backoffMs, maxWait } from '../remote/backoff';
import { isRemote } from '../remote/remote';
import type { AccountRecord, SyncFailure } from './ledgerTypes';

interface Circumstances {
  readonly now: EpochMs;
  /** In [0, 1). */
  readonly random: number;
  /** The mark of the credentials that were refused; undefined if there were none. */
  readonly credentials: string | undefined;
}

/** The state to remember after a run: a run that went through clears all earlier failures. */
export function backoffAfter(
  before: AccountRecord,
  failure: unknown,
  hasListErrors: boolean,
  { now, random, credentials }: Circumstances,
): Partial<AccountRecord> {
  const quiet = {
    failures: undefined,
    nextTry: undefined,
    retryAt: undefined,
    refusedCredentials: undefined,
    trouble: undefined,
  };
  if (failure === undefined && !hasListErrors) return quiet;
  const error = isRemote(failure) ? failure : undefined;
  const kind: SyncFailure = failure === undefined ? 'lists' : (error?.kind ?? 'server');
  const failures = (before.failures ?? 0) + 1;
  const wait = error?.details.retryAfterMs;
  const retryAt = wait === undefined ? undefined : now + wait;
  const nextTry = now + backoffMs(failures, error?.kind, random);
  return {
    ...quiet,
    failures,
    trouble: kind,
    retryAt,
    nextTry: Math.max(nextTry, retryAt ?? 0),
    ...(kind === 'auth' && { refusedCredentials: credentials ?? '' }),
  };
}

/** True if an automatic run should leave the account alone. */
export function mustWait(record: AccountRecord, now: EpochMs, credentials: string | undefined): boolean {
  return (
    record.refusedCredentials === (credentials ?? '') || isAhead(record.nextTry, now) || isRetryAfterSet(record, now)
  );
}

/** True if the server asked to be left alone (Retry-After): by everyone, also if the user asks for the run. */
export const isRetryAfterSet = ({ retryAt }: AccountRecord, now: EpochMs): boolean => isAhead(retryAt, now);

/** No wait is longer than an hour. One that seems longer was stored before the clock was set back. */
const isAhead = (time: EpochMs | undefined, now: EpochMs): boolean =>
  time !== undefined && time > now && time - now <= maxWait;

/** Ends an account's wait, because the user has changed what caused its failure. */
export const tryAgain = { refusedCredentials: undefined, nextTry: undefined, failures: undefined };

/** The error of the account's last run, with the stored message; in English if another program wrote it. */
export function errorOf({ lastSyncError }: Account, { error }: AccountRecord): Message | null {
  if (lastSyncError === null) return null;
  return error?.text === lastSyncError ? error : plainMessage(lastSyncError);
}

const transientErrors: ReadonlySet<SyncFailure> = new Set(['offline', 'timeout', 'busy']);

export function stateOf(account: Account, record: AccountRecord): AccountState {
  const { trouble, retryAt = null, nextTry = null } = record;
  const hasError = account.lastSyncError !== null;
  const remedy = trouble === 'auth' ? 'password' : trouble === 'tls' ? 'certificate' : null;
  return {
    accountId: account.id,
    lastSyncAt: account.lastSyncAt,
    error: errorOf(account, record),
    problem: !hasError
      ? 'none'
      : trouble === undefined || transientErrors.has(trouble)
        ? 'waiting'
        : remedy !== null || trouble === 'redirect' || trouble === 'proxy'
          ? 'action'
          : 'failing',
    remedy: hasError ? remedy : null,
    retryAt,
    nextTry,
  };
}
