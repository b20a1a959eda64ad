import type { DuelineEngine } from '../../api';
import type { Message } from '../../core/kernel/message';
import type { Account, EpochMs, Id, Task, TaskList } from '../../core/kernel/model';
import { isFolderAccount } from '../../core/sync/folderAccount';
import type { AccountState, SyncConflict } from '../../core/sync/syncState';
import { isolate, t, tn } from '../../shared/l10n';
import { awayLabel } from './dateText';
import { localize } from './errorText';

/** Texts about servers. The offline flavor is built with the file next to this one, which has none. */

/** A sync problem of one task: an edit that was replaced, or a refusal with the server's words. */
export interface SyncIssue {
  readonly kind: 'conflict' | 'refused';
  readonly message?: Message;
}

export const issueWord = ({ kind }: SyncIssue): string | undefined =>
  kind === 'conflict' ? t('conflict') : t('rejected');

export const waitingWord = (task: Pick<Task, 'isDirty'>): string | undefined =>
  task.isDirty ? t('not yet synced') : undefined;

export const waitingSentence = (task: Pick<Task, 'isDirty'>): string | undefined =>
  task.isDirty ? t('Waiting to sync') : undefined;

export const refusedWord = (): string => t('rejected by the server');

export const accountNoun = (): string => t('account');

export const accountLabel = (name: string, wording: string | undefined): string =>
  wording ? t('account {0}, {1}', name, wording) : t('account {0}', name);

/** Why an account is not up to date, and when it last was, in few words. */
export function accountWording(
  state: AccountState | undefined,
  isPaused: boolean,
  now: EpochMs,
  account?: Account,
): string | undefined {
  if (!state) return undefined;
  if (state.remedy === 'password') return t('sign in again');
  if (state.remedy === 'certificate') return t('certificate not trusted');
  if (state.problem === 'action') return t('needs attention');
  if (!isPaused && state.problem === 'failing') return t('last sync failed');
  if (!isPaused && state.problem === 'waiting')
    return account && isFolderAccount(account) ? t('waiting for the folder') : t('waiting for the server');
  const { lastSyncAt } = state;
  // A clock that was set back is no reason to name a time to come.
  const synced = lastSyncAt === null ? undefined : t('last synced {0}', awayLabel(Math.min(0, lastSyncAt - now)));
  return [isPaused ? t('paused') : undefined, synced].filter(Boolean).join(' · ') || undefined;
}

/** The flags that menus and buttons of an account's row depend on. */
export const accountFlags = (state: AccountState | undefined, isPaused: boolean): string =>
  ['account', state?.remedy ? 'refused' : state?.error ? 'failed' : undefined, isPaused && 'paused']
    .filter(Boolean)
    .join('.');

/** Names of accounts by their ids; with the username if two have the same name. */
export function accountNames({ accounts }: Pick<DuelineEngine, 'accounts'>): ReadonlyMap<Id, string> {
  const all = accounts();
  const isAlone = (name: string) => all.filter(({ displayName }) => displayName === name).length < 2;
  return new Map(
    all.map(({ id, displayName, username }) => [
      id,
      isAlone(displayName) || !username ? displayName : `${displayName} (${username})`,
    ]),
  );
}

/** Filters that find nothing without an account. */
export const accountFilters = () => [
  { id: 'conflicts', name: t('Conflicts'), query: 'is:conflicted show:done sort:-modified', icon: 'git-compare' },
];

/** The warning before a list of an account is deleted. */
export const deletedForAll = (account: Account): string =>
  isFolderAccount(account)
    ? t('Its task files in the folder {0} are also deleted. You can undo this.', isolate(account.displayName))
    : t(
        'The list is also deleted on the server of {0}, for everyone who shares it. Undo recreates it there, but only for you.',
        isolate(account.displayName),
      );

/** The user's way out if a server refuses to delete a list. */
export const stopSyncing = (list: TaskList) => ({
  title: t('Stop Syncing'),
  command: 'dueline.sync.toggleList',
  arguments: [list.id],
});

export const notSyncedWord = (list: Pick<TaskList, 'accountId' | 'isSynced'>): string | undefined =>
  list.accountId !== null && !list.isSynced ? t('not synced') : undefined;

/** A row that shows how many tasks of a list may be in another one as well. */
export function duplicatesNote({ syncing }: Pick<DuelineEngine, 'syncing'>, listId: Id) {
  const isHere = ({ other, listId: first }: SyncConflict) => first === listId || other?.listId === listId;
  const count = syncing?.conflicts().filter(one => one.reason === 'duplicate' && isHere(one)).length ?? 0;
  if (count === 0) return undefined;
  const text = tn(count, '{0} possible duplicate', '{0} possible duplicates');
  return { text, icon: 'files', command: 'dueline.sync.showConflicts' };
}

/** The warning before a file is linked to a task of an account. */
export const pathLeaves = (account: Account): string =>
  t('The task is synced, so the path will also be stored in {0}.', isolate(account.displayName));

type Accounts = Pick<DuelineEngine, 'accounts' | 'syncing'>;

/**
 * The command for an account that only the user can fix: it asks for the password or shows the certificate. For a redirect
 * or a proxy it tries again, and the message of the failure says what to do.
 */
export const remedyCommand = ({ syncing }: Accounts, { id }: Account) =>
  syncing?.accountState(id).remedy
    ? { command: 'dueline.account.reauthenticate', title: t('Sign In'), arguments: [id] }
    : { command: 'dueline.sync.now', title: t('Try Again'), arguments: [id] };

export const failingAccount = (engine: Accounts): Account | undefined =>
  engine.accounts().find(({ id }) => engine.syncing?.accountState(id).problem === 'action');

export const attentionSentence = (sentence: string, account: Account): string =>
  t('{0}. {1} needs attention', sentence, isolate(account.displayName));

/** Lines of a tooltip, each with its icon: the result of each account's last sync, its errors, and a pause. */
export function accountNotes(engine: Accounts): { icon: string; text: string }[] {
  const { syncing } = engine;
  const names = accountNames(engine);
  const failed = engine.accounts().flatMap(({ id }) => {
    const state = syncing?.accountState(id);
    if (!state?.error) return [];
    const icon = state.problem === 'action' ? 'warning' : 'cloud-download';
    return { icon, text: `${names.get(id)}: ${localize(state.error)}` };
  });
  return syncing?.isPaused ? [...failed, { icon: 'debug-pause', text: t('Sync is paused.') }] : failed;
}
