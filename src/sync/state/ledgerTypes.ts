import type { Message } from '../../core/kernel/message';
import type { Id } from '../../core/kernel/model';
import type { Lost } from '../merge/threeWayMerge';
import type { AuthScheme, Etag, Href, RemoteErrorKind, RemoteMember } from '../remote/remote';

/** The server's text of a resource as last read or sent; counts only while its ETag is still the row's. */
export interface Base {
  readonly etag: Etag | null;
  readonly text: string;
  /** Set if the text is the sent one, which the server may store differently. */
  readonly isSent?: boolean;
  /** Set once another program has completed the series by moving it on. */
  readonly movesOn?: boolean;
}

/** Why an account's last run did not go through. */
export type SyncFailure = RemoteErrorKind | 'lists';

/** The state that sync remembers of an account beside its row. Forgetting it costs requests and a login, never a task. */
export interface AccountRecord {
  readonly scheme?: AuthScheme;
  /**
   * Every list has a change tag, so changes are noticed without a sync token. The name is that of the stored record.
   */
  readonly toldByTags?: boolean;
  /** Every home, if there are several. */
  readonly homes?: readonly string[];
  /** A random key for the secret storage, new with each stored password. */
  readonly token?: string;
  /** The folder that the user chose on this computer: the row's address may come from a backup of another one. */
  readonly folder?: string;
  /** SHA-256 fingerprints of certificates that the user trusts for this account. */
  readonly trusted?: readonly string[];
  /** Nothing is sent before this, and nothing automatic before `nextTry`. */
  readonly retryAt?: number;
  readonly nextTry?: number;
  readonly failures?: number;
  /** The kind of error of the last run. The name is that of the stored record. */
  readonly trouble?: SyncFailure;
  /** The account's error, with which views word it. */
  readonly error?: Message;
  /** Set after a 401, with the token of then: no further try until a password is entered. */
  readonly refusedCredentials?: string;
}

export interface ListRecord {
  /** The list is not pulled until the user decides: the server says that it is empty. */
  readonly isPaused?: boolean;
  /** The user has agreed that the list may become empty. */
  readonly mayEmpty?: boolean;
  readonly error?: string;
  /** When the server, which offers change reports, last failed one. */
  readonly reportsFailedAt?: number;
  /** By UID: parents that were named and are not there yet. */
  readonly waiting?: Readonly<Record<string, string>>;
  /**
   * By href: resources without a row (events, unreadable, second of one UID), not fetched again until they change, and
   * those that have more in them than their row; the newest last.
   */
  readonly skipped?: Readonly<Record<Href, Skipped>>;
  /** By id: tasks whose resources went away under them, while other accounts may have them and were not asked yet. */
  readonly orphans?: Readonly<Record<Id, OrphanRecord>>;
  /** Set if the list vanished from its server: what it was there, should it come back. */
  readonly detached?: DetachedList;
  /** The address at which the list was to be made, noted before the request: if its answer is lost, a list there is this one. */
  readonly creating?: { readonly accountId: Id; readonly href: Href };
  /** The last address of a folder that was renamed. */
  readonly formerHref?: Href;
  /**
   * The user's deletion of the list, on the server and then here: noted before the request, until both are done or it
   * is refused. `hash` of its content.
   */
  readonly deleting?: { readonly href: Href; readonly hash: string };
  /** By href: copies that the user has decided about, as they were then, and whose files are still there. */
  readonly decidedCopies?: Readonly<Record<Href, { readonly etag: Etag; readonly uid: string }>>;
  /** Deleted there from here. If the user brings it back, it is recreated; its tasks may be in other lists by then. */
  readonly deletedOnServer?: boolean;
}

export interface OrphanRecord {
  readonly at: number;
  /** When another list was first asked for the task, and did not answer. */
  readonly unansweredAt?: number;
  /** The last row of all when the task's list had it last. */
  readonly since?: Id;
  readonly base?: string;
  readonly isBaseUnsure?: boolean;
  readonly isUnsent?: boolean;
}

export interface DetachedList {
  readonly accountId: Id;
  readonly href: Href;
  readonly name: string;
  readonly color: number;
  readonly rows: readonly DetachedRow[];
}

interface DetachedRow {
  readonly id: Id;
  readonly uid: string;
  readonly recurrenceId: number | null;
  readonly href: Href | null;
  readonly etag: Etag | null;
  readonly isDirty: boolean;
  readonly isDeleted: boolean;
  /** The row that its task is now, if it had moved on. */
  readonly movedTo?: Id;
  /** The hash of the row's content. */
  readonly hash: string;
}

export interface Skipped {
  readonly etag: Etag;
  /** Set if another resource of the list has this UID: its turn comes when that one is gone. */
  readonly behind?: string;
  /** Set if it has a row, and the text has more in it than that task. */
  readonly hasOthers?: true;
}

/** Why a task did not reach the server. Not tried again until it is edited, unless `attempts` counts on. */
export interface RowError {
  readonly hash: string;
  readonly message: Message;
  readonly attempts: number;
  readonly isFinal: boolean;
}

/** The user's version, which a merge replaced; kept until the conflict is resolved. */
export interface ConflictRecord {
  readonly taskId: Id;
  readonly listId: Id;
  readonly uid: string;
  readonly at: number;
  /** The second file of the task that says `mine`: it stays until the user has decided. Older records do not name the first. */
  readonly copy?: RemoteMember & { readonly original?: Href };
  readonly reason: 'edited' | 'keptDeleted' | 'recreated' | 'readOnly' | 'merged' | 'copy';
  /** The replaced values, field by field; empty if `reason` is enough. */
  readonly lost: readonly Lost[];
  /** iCalendar text with the replaced values. */
  readonly mine: string;
  readonly theirs: string;
}

/** A task that was moved or missed here, or whose UID other computers create, too. */
export interface MoveRecord {
  readonly at: number;
  /** Two lists that have it at the same time, and since when. */
  readonly pair?: { readonly lists: readonly Id[]; readonly since: number; readonly isOffered: boolean };
  /** Pairs of lists that both keep it, as the user decided. */
  readonly kept?: readonly (readonly Id[])[];
}
