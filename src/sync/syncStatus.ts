import { randomUUID } from 'node:crypto';
import { DuelineError } from '../core/kernel/errors';
import { type Disposable, Emitter } from '../core/kernel/events';
import type { Message } from '../core/kernel/message';
import type { Account, Id } from '../core/kernel/model';
import { isFolderAccount } from '../core/sync/folderAccount';
import { accountMessage } from '../core/sync/messages';
import type {
  AccountState,
  BrowserLogin,
  FieldResolutions,
  PendingChange,
  Resolution,
  ServerCertificate,
  SyncConflict,
  SyncLogLine,
  SyncStatus,
} from '../core/sync/syncState';
import type { TaskStore } from '../store/taskStore';
import type { Connections } from './accounts/connections';
import { later } from './door';
import { isRemote } from './remote/remote';
import { stateOf, tryAgain } from './state/backoffState';
import type { SyncLedger } from './state/syncLedger';

interface SyncStatusOptions {
  readonly store: TaskStore;
  readonly now: () => number;
  readonly connections: () => Connections;
  readonly signal: AbortSignal;
  readonly ledger: () => Promise<SyncLedger>;
  /** The ledger, if it is open already. */
  readonly openedLedger: () => SyncLedger | undefined;
  /** After whatever runs now. */
  readonly runExclusive: <T>(work: () => Promise<T>) => Promise<T>;
}

/** The state of sync that the user sees, and the decisions that the user takes about it. */
export class SyncStatusService implements SyncStatus {
  readonly #changes = new Emitter<void>();
  readonly #decisions = new Emitter<Id>();
  readonly #lines = new Emitter<SyncLogLine>();
  readonly onDidChangeState = this.#changes.event;
  readonly onDidDecide = this.#decisions.event;
  readonly onDidLog = this.#lines.event;

  constructor(private readonly parts: SyncStatusOptions) {}

  #conflicts: readonly SyncConflict[] | undefined;
  #conflicted: ReadonlySet<Id> | undefined;
  #errors: readonly (readonly [Id, Message])[] | undefined;

  changed(): void {
    this.#conflicts = undefined;
    this.#conflicted = undefined;
    this.#errors = undefined;
    this.#changes.fire();
  }

  logged(line: SyncLogLine): void {
    this.#lines.fire(line);
  }

  dispose(): void {
    this.#changes.dispose();
    this.#decisions.dispose();
    this.#lines.dispose();
  }

  accountState(id: Id): AccountState {
    const account = this.#account(id);
    return stateOf(account, this.parts.openedLedger()?.account(id) ?? {});
  }

  pendingChanges(): readonly PendingChange[] {
    return later().pendingChanges(this.parts.store, this.parts.openedLedger());
  }

  async pendingText(taskId: Id): Promise<{ before: string; after: string }> {
    return later().pendingText(this.parts.store, await this.parts.ledger(), taskId, this.parts.now());
  }

  conflicts(): readonly SyncConflict[] {
    const { store } = this.parts;
    this.#conflicts ??= (this.parts.openedLedger()?.conflicts() ?? [])
      .map(([id, record]) => later().toConflict(id, record))
      .sort((a, b) => b.at - a.at);
    const kept = this.#conflicts.map(one => ({ ...one, title: store.task(one.taskId)?.title ?? one.title }));
    return [...kept, ...this.#duplicates()];
  }

  #duplicates() {
    const ledger = this.parts.openedLedger();
    return ledger ? later().duplicatesOf(this.parts.store, ledger) : [];
  }

  async resolveConflict(id: string, how: Resolution | FieldResolutions): Promise<void> {
    const { store, now } = this.parts;
    const ledger = await this.parts.ledger();
    const duplicate = this.#duplicates().find(one => one.id === id);
    if (duplicate && typeof how === 'string') return later().settleDuplicate({ store, ledger }, duplicate, how, now());
    const record = ledger.conflict(id);
    if (!record) throw new DuelineError('notFound', later().syncMessage('conflictResolved'));
    if (typeof how === 'string' ? how !== 'server' : how.some(one => one !== 'server')) {
      const uidOfCopy = record.copy && later().uidOfCopy(record.uid, record.mine);
      const newUid = uidOfCopy && store.tasksOfUid(uidOfCopy).length === 0 ? uidOfCopy : randomUUID();
      const decision = { how, now: now(), newUid };
      const title = store.task(record.taskId)?.title ?? undefined;
      await store.edit({ origin: 'user', label: { key: 'resolve', count: 1, title } }, tx =>
        later().resolveConflict(tx, record, decision),
      );
    }
    await later().noteDecided(ledger, record, now());
    await ledger.removeConflict(id);
    if (record.copy) this.#decisions.fire(record.listId);
  }

  async serverCopy(taskId: Id): Promise<{ text: string; isCurrent: boolean }> {
    const { store, connections, signal } = this.parts;
    const task = store.task(taskId);
    const list = task && store.list(task.listId);
    const none = () => new DuelineError('notFound', later().syncMessage('taskNotOnServer'));
    if (!task || !list || task.href === null || list.href === null || list.accountId === null) throw none();
    const { href } = task;
    const account = this.#account(list.accountId);
    const base = (await this.parts.ledger()).anyBase(account.id, href);
    return this.parts.runExclusive(async () => {
      try {
        const { remote } = await connections().open(account, signal);
        const [item] = (await remote.collection({ href: list.href! }).fetch([href])).items;
        if (!item) throw new DuelineError('notFound', later().syncMessage('taskDeletedOnServer'));
        return { text: item.text, isCurrent: true };
      } catch (error) {
        if (base && isRemote(error)) return { text: base.text, isCurrent: false };
        throw later().toDuelineError(error);
      }
    });
  }

  conflicted(): ReadonlySet<Id> {
    this.#conflicted ??= new Set((this.parts.openedLedger()?.conflicts() ?? []).map(([, { taskId }]) => taskId));
    return this.#conflicted;
  }

  rowErrors(): ReadonlyMap<Id, Message> {
    const { store } = this.parts;
    const ledger = this.parts.openedLedger();
    if (!ledger) return new Map();
    this.#errors ??= [
      ...store.lists().flatMap(({ id }) => later().hiddenResources(store, id, ledger.list(id))),
      ...ledger.rowErrors().map(([id, { message }]) => [id, message] as const),
    ];
    return new Map(this.#errors.filter(([id]) => store.task(id)));
  }

  emptiedLists(): readonly Id[] {
    const ledger = this.parts.openedLedger();
    if (!ledger) return [];
    return this.parts.store
      .lists()
      .filter(({ id, accountId }) => accountId !== null && ledger.list(id).isPaused)
      .map(({ id }) => id);
  }

  async decideEmptied(listId: Id, how: 'deleteHere' | 'askAgain'): Promise<void> {
    const ledger = await this.parts.ledger();
    await ledger.updateList(listId, { isPaused: undefined, mayEmpty: how === 'deleteHere' || undefined });
    // An unchanged list would not be read at all.
    await this.parts.store.edit({ origin: 'sync' }, tx => later().requestFullListing(tx, listId));
  }

  async setPassword(accountId: Id, password: string): Promise<void> {
    const account = this.#account(accountId);
    const { connections, signal } = this.parts;
    await this.parts.runExclusive(async () => {
      try {
        await (await connections().open(account, signal, password)).remote.lists();
      } catch (error) {
        if (isRemote(error, 'auth') || !isRemote(error)) throw later().toDuelineError(error);
      }
      await connections().keepPassword(account, password);
    });
  }

  async renameAccount(accountId: Id, displayName: string): Promise<void> {
    this.#account(accountId);
    const name = displayName.replace(/\s+/g, ' ').trim();
    if (name === '') throw new DuelineError('invalid', later().syncMessage('accountNameRequired'));
    await this.parts.store.edit({ origin: 'sync' }, tx => tx.updateAccount(accountId, { displayName: name }));
  }

  async certificateOf(url: string): Promise<ServerCertificate> {
    try {
      return await later().certificateOf(url, target => this.parts.connections().tunnel(target));
    } catch (error) {
      throw later().toDuelineError(error);
    }
  }

  addressOf(accountId: Id): string | undefined {
    const { homeSetUrl, principalUrl } = this.#account(accountId);
    const list = this.parts.store.lists().find(one => one.accountId === accountId && one.href !== null);
    return homeSetUrl ?? principalUrl ?? list?.href ?? undefined;
  }

  async trustCertificate(accountId: Id, fingerprint: string): Promise<void> {
    this.#account(accountId);
    const ledger = await this.parts.ledger();
    const trusted = [...new Set([...(ledger.account(accountId).trusted ?? []), fingerprint])];
    await ledger.updateAccount(accountId, { ...tryAgain, trusted });
  }

  async browserLogin(serverUrl: string, trusted: readonly string[] = []): Promise<BrowserLogin | undefined> {
    const login = await later().browserLogin(serverUrl, this.parts.connections().fetchTrusting(trusted));
    return (
      login && {
        url: login.url,
        wait: signal =>
          login.wait(signal).catch(error => {
            throw later().toDuelineError(error);
          }),
      }
    );
  }

  watchFolders(onChange: (listId: Id | undefined) => void): Disposable {
    const { store } = this.parts;
    const watch = new (later().FolderWatch)(onChange);
    const update = () => {
      const roots = store.accounts().filter(isFolderAccount);
      const ids = new Set(roots.map(({ id }) => id));
      const folders = new Map<string, Id | undefined>(roots.map(({ homeSetUrl }) => [homeSetUrl!, undefined]));
      // A change of an account's own folder, even if that is a list itself, may be a new list.
      for (const { id, href, accountId, isSynced } of store.lists())
        if (href !== null && isSynced && ids.has(accountId ?? 0) && !folders.has(href)) folders.set(href, id);
      watch.watch(folders);
    };
    update();
    const listening = store.onDidChange(({ lists, accounts }) => lists.length + accounts.length > 0 && update());
    return {
      dispose() {
        listening.dispose();
        watch.dispose();
      },
    };
  }

  get isPaused(): boolean {
    return this.parts.openedLedger()?.isPaused ?? false;
  }

  async setPaused(paused: boolean): Promise<void> {
    await (await this.parts.ledger()).setPaused(paused);
  }

  #account(id: Id): Account {
    const account = this.parts.store.account(id);
    if (!account) throw new DuelineError('notFound', accountMessage('accountGone'));
    return account;
  }
}
