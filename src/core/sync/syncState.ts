import type { Group } from '../ical/contentGroups';
import type { Disposable, Event } from '../kernel/events';
import type { LogLevel } from '../kernel/log';
import type { Message } from '../kernel/message';
import type { EpochMs, Id } from '../kernel/model';

/** The result of an account's last run. */
export interface AccountState {
  readonly accountId: Id;
  /** When a run last went through completely. */
  readonly lastSyncAt: EpochMs | null;
  readonly error: Message | null;
  /** The kind of `error`. `waiting`: it passes by itself; `action`: only the user can fix it. */
  readonly problem: 'none' | 'waiting' | 'failing' | 'action';
  /** The input that the user can enter or confirm to fix it. */
  readonly remedy: 'password' | 'certificate' | null;
  /** The server asked to be left alone until then. */
  readonly retryAt: EpochMs | null;
  /** When it is tried again by itself after a failure. */
  readonly nextTry: EpochMs | null;
}

/** Something that the server does not know yet. */
export interface PendingChange {
  readonly kind: 'create' | 'change' | 'move' | 'delete' | 'newList' | 'listChange';
  readonly listId: Id;
  /** Null if the list itself waits. */
  readonly taskId: Id | null;
  readonly title: string;
  /** Why the server refused it as it is. */
  readonly error: Message | null;
}

/**
 * The parts of a task whose edit a merge can drop: not the lines that no column models, since they are never edited
 * here.
 */
export type LostGroup = Exclude<Group, 'unknown'> | 'occurrence';

/** One property group of an edit that the server's version replaced. */
export interface LostField {
  /** `occurrence`: a whole override, or its removal. */
  readonly field: LostGroup;
  readonly mine: Readonly<Record<string, unknown>> | null;
  readonly server: Readonly<Record<string, unknown>> | null;
  /** The two in one: of tags, reminders and notes. */
  readonly both?: Readonly<Record<string, unknown>>;
  /** For an occurrence with values of its own: its date in the series. */
  readonly occurrence?: EpochMs;
}

/** A user's edit that a merge did not keep, stored until someone decides. */
export interface SyncConflict {
  readonly id: string;
  readonly taskId: Id;
  readonly listId: Id;
  readonly title: string;
  readonly at: EpochMs;
  /**
   * `keptDeleted`: deleted here, edited elsewhere, so it came back. `duplicate`: a task that is in two lists since it was
   * moved; `mine` is the copy in `listId`, `server` the other one. `merged`: a copy that went when one was chosen. `copy`: a second file of the
   * task in a folder, which `mine` is the text of.
   */
  readonly reason: 'edited' | 'keptDeleted' | 'recreated' | 'readOnly' | 'duplicate' | 'merged' | 'copy';
  /** The names of the two files of a `copy`. */
  readonly files?: { readonly mine: string; readonly server: string };
  /** For a `duplicate`: the second copy. */
  readonly other?: { readonly taskId: Id; readonly listId: Id };
  readonly lost: readonly LostField[];
  /** iCalendar texts (RFC 5545): the task here, and the task on the server. */
  readonly mine: string;
  readonly server: string;
}

export type Resolution = 'mine' | 'server' | 'both';
/** One for each field of `lost`, in its order. */
export type FieldResolutions = readonly Resolution[];

/** A certificate as it was shown by a server that is not trusted yet. */
export interface ServerCertificate {
  /** SHA-256, colon-separated upper-case hex. */
  readonly fingerprint: string;
  readonly subject: string;
  readonly issuer: string;
  readonly validTo: string;
  /** The reason why it is not trusted, as the TLS library names it; null if it is. */
  readonly problem: string | null;
}

/** A sign-in that continues in the browser (Nextcloud's login flow v2). */
export interface BrowserLogin {
  readonly url: string;
  /** Resolves once the user has agreed there; rejects `cancelled`, or `timeout` after twenty minutes. */
  wait(signal?: AbortSignal): Promise<{ serverUrl: string; username: string; password: string }>;
}

export interface SyncLogLine {
  readonly level: LogLevel;
  readonly text: string;
}

/** The state of sync and the decisions about it. Texts hold tasks; log lines never do. */
export interface SyncStatus {
  accountState(id: Id): AccountState;
  /** Changes that wait to be sent: new lists first, then by list. */
  pendingChanges(): readonly PendingChange[];
  /** The resource as the server is believed to have it (empty: not yet), and as it will be sent (empty: deleted). */
  pendingText(taskId: Id): Promise<{ readonly before: string; readonly after: string }>;
  conflicts(): readonly SyncConflict[];
  /**
   * Resolves a conflict by one edit of the user, undoable; it is gone afterwards. `both` keeps a second task; of a
   * field, both values. Throws `notFound`, `readOnly`.
   */
  resolveConflict(id: string, how: Resolution | FieldResolutions): Promise<void>;
  /** The list of a second file that goes with the next sync, by a decision that may have edited no task. */
  readonly onDidDecide: Event<Id>;
  /**
   * Requests the copy of the server; if it cannot be reached, returns the last known one. Throws `notFound` if the
   * server has none.
   */
  serverCopy(taskId: Id): Promise<{ readonly text: string; readonly isCurrent: boolean }>;
  conflicted(): ReadonlySet<Id>;
  /** Tasks that the server refused, with its reason. */
  rowErrors(): ReadonlyMap<Id, Message>;
  /** Lists that the server suddenly reports empty: nothing of them is pulled until someone decides. */
  emptiedLists(): readonly Id[];
  decideEmptied(listId: Id, how: 'deleteHere' | 'askAgain'): Promise<void>;
  /** Stores the password only if the server accepts it or cannot be reached; otherwise throws `auth`. */
  setPassword(accountId: Id, password: string): Promise<void>;
  renameAccount(accountId: Id, displayName: string): Promise<void>;
  /** The certificate that a host shows now (https only). */
  certificateOf(url: string): Promise<ServerCertificate>;
  /** The address to ask for the certificate of an account's server. */
  addressOf(accountId: Id): string | undefined;
  trustCertificate(accountId: Id, fingerprint: string): Promise<void>;
  /** Undefined if the server offers none. */
  browserLogin(serverUrl: string, trusted?: readonly string[]): Promise<BrowserLogin | undefined>;
  /** Reports a list whose folder another program changed, within a second; undefined if it may be any. */
  watchFolders(onChange: (listId: Id | undefined) => void): Disposable;
  readonly isPaused: boolean;
  setPaused(paused: boolean): Promise<void>;
  /** Conflicts, refusals, account states or the pause changed, in any window. */
  readonly onDidChangeState: Event<void>;
  readonly onDidLog: Event<SyncLogLine>;
}
