import { MessageError } from '../../core/kernel/errors';
import type { Message } from '../../core/kernel/message';
/** How a server wants the credentials (RFC 7235). */
export type AuthScheme = 'basic' | 'digest' | 'bearer';

/**
 * The port to a server that keeps tasks: what sync needs of it, without a word of HTTP. `CaldavAccount` and
 * `FolderAccount` implement it; tests have one in memory. Hrefs are compared as they are: an implementation of the port
 * normalises them.
 */

/** The address of a list or a task: `/dav/home/tasks/` on a server, `file:///home/ana/Tasks/errands/` in a folder. */
export type Href = string;
/** The ETag with its quotes, as in the server's property. */
export type Etag = string;

/** One task list as its server describes it. */
export interface RemoteList {
  readonly href: Href;
  readonly name: string;
  /** Signed 32-bit ARGB; null if the server sends none that can be read. */
  readonly color: number | null;
  readonly order: number | null;
  readonly owner: string | null;
  readonly isReadOnly: boolean;
  /**
   * Changes whenever a member changes; null if the server has no such tag, or one that is still too coarse to be
   * trusted.
   */
  readonly ctag: string | null;
  /**
   * To compare with and to start from: some servers lose changes after a token that no REPORT returned. Null, too, in
   * the request for all lists if the ctags are enough; `list` always asks.
   */
  readonly syncToken: string | null;
  /** Set if the list changed so recently that its tags would stay the same with another change. */
  readonly isChanging?: boolean;
  /** False if the list also keeps events, so that its members must be asked for by kind. */
  readonly isTasksOnly: boolean;
  /** True if `changes` is worth trying. */
  readonly canReportChanges: boolean;
}

/** A property is left out if the server cannot store or return it. */
export interface NewRemoteList {
  readonly name: string;
  readonly color: number;
}

export type ListProperty = keyof NewRemoteList;

export interface RemoteMember {
  readonly href: Href;
  readonly etag: Etag;
}

export interface RemoteItem extends RemoteMember {
  readonly text: string;
}

export interface RemoteBatch {
  readonly items: readonly RemoteItem[];
  readonly gone: readonly Href[];
  /** Resources that the server has and does not return, with its reason. */
  readonly withheld?: readonly { readonly href: Href; readonly message: Message }[];
}

export interface RemoteListing {
  readonly members: readonly RemoteMember[];
  /** False if the server left something out or was in doubt: then absence proves nothing. */
  readonly isComplete: boolean;
  /** Nothing whatever is where tasks were: deleted, or not there yet. The user decides, however few they are. */
  readonly isEmptyFolder?: boolean;
}

/**
 * A second resource with a task's UID, which is not a member: two programs wrote the task at the same time, or someone
 * copied it.
 */
export interface RemoteCopy extends RemoteMember {
  readonly uid: string;
  /** Undefined if it cannot be read now. */
  readonly text: string | undefined;
  /** The task's own resource, and its text. */
  readonly originalHref: Href;
  readonly original: string | undefined;
}

export interface RemoteChanges {
  readonly changed: readonly RemoteMember[];
  /** The members that came with their texts. */
  readonly items?: readonly RemoteItem[];
  readonly gone: readonly Href[];
  /** The token for the next request; null if the server sent none. */
  readonly token: string | null;
  /** The server stopped early: ask again with `token`. */
  readonly more: boolean;
  /** The server repeats known changes, deletions included, so that is not a sign of a listing instead of a report. */
  readonly repeats?: boolean;
}

/**
 * One list of an account: its resources with their ETags, texts and changes. Nothing here is specific to HTTP or to a disk.
 *
 * Invariant: a write names the version that it replaces, and fails with `conflict` if that is not the current one.
 */
export interface RemoteCollection {
  /** Those that the last listing found; undefined if there was none, or the kind of server has no copies. */
  readonly copies?: readonly RemoteCopy[] | undefined;
  /** The reason why the last listing may have missed a resource, which may be a copy of any task. */
  readonly failure?: Message | undefined;
  /**
   * Lists every task resource, as far as the server distinguishes kinds. `expectSome`: an empty answer is asked for
   * twice.
   */
  listing(expectSome: boolean): Promise<RemoteListing>;
  /**
   * Reports what changed since `token`; null asks for everything that is there. `withTexts`: the texts may come in the
   * same answer. Throws `badToken` if the token is refused.
   */
  changes(token: string | null, withTexts?: boolean): Promise<RemoteChanges>;
  fetch(hrefs: readonly Href[]): Promise<RemoteBatch>;
  /** The listing with the texts that the server returns in the same answer. */
  everyItem(): Promise<RemoteListing & { readonly items: readonly RemoteItem[] }>;
  /** Returns the new ETag, or null if the server sent none that can be relied on. Throws `conflict`, `uidTaken`, … */
  put(href: Href, text: string, expect: Etag | 'absent'): Promise<Etag | null>;
  remove(href: Href, expect: Etag): Promise<void>;
  /** Resources that may have a task of this UID: servers find it inside longer ones, too (RFC 4791 9.7.5). */
  findUid(uid: string): Promise<readonly RemoteMember[]>;
  /** An address for a new resource of this name, which has only letters, digits, dot, dash and underscore. */
  member(name: string): Href;
  /** True if the last listing found something else at the address: a second file of a task, or a link to one. */
  isTaken?(href: Href): boolean;
}

/**
 * The port to an account's lists, over CalDAV or a folder. Failures of a server or disk are {@link RemoteError}s.
 */
export interface RemoteAccount {
  /** Requests sent so far, redirects and repeated logins included. */
  readonly requests: number;
  /** Single files and folders that were left out so far, each with its reason, while all else went on. */
  readonly problems?: readonly Message[];
  /** Set if a server may change the UID of a task, as some do. Elsewhere, a text with another UID is another task. */
  readonly mayChangeUids?: boolean;
  /** Every task list. Complete, or it throws. One request for each home. */
  lists(): Promise<readonly RemoteList[]>;
  /** Asks for one list directly: undefined if the server says that it is not there. */
  list(href: Href): Promise<RemoteList | undefined>;
  collection(list: Pick<RemoteList, 'href'>): RemoteCollection;
  /**
   * Makes a list and returns its address. `note` keeps each address before anything is made there: if the answer is lost,
   * the list is known by it. `at`: an address that was noted before and got no clear answer.
   */
  createList(input: NewRemoteList, note: (href: Href) => Promise<void>, at?: Href): Promise<Href>;
  /** Returns the properties that the server refused to change; the rest is changed. */
  updateList(href: Href, input: NewRemoteList): Promise<readonly ListProperty[]>;
  /**
   * Deletes the list. `known` has the ETags of what the user has seen in it, by address: it refuses if it has tasks that
   * differ, since nothing else shows them to the user. `skipped`: resources with something that is not shown. If it
   * throws, nothing has changed, unless it is `unsure`.
   */
  deleteList(href: Href, known: ReadonlyMap<Href, Etag | null>, skipped: ReadonlySet<Href>): Promise<void>;
}

export type RemoteErrorKind =
  /** The account's run cannot continue. */
  | 'auth'
  | 'tls'
  | 'offline'
  | 'timeout'
  | 'cancelled'
  | 'busy'
  | 'proxy'
  /** About one resource or one list. */
  | 'redirect'
  | 'conflict'
  | 'gone'
  | 'uidTaken'
  | 'badToken'
  | 'readOnly'
  | 'rejected'
  | 'noParent'
  | 'unsupported'
  | 'tooLarge'
  | 'locked'
  | 'server'
  | 'protocol';

export interface RemoteErrorDetails {
  readonly cause?: unknown;
  /** The message without a promise about the next sync, for a single action of the user that no sync follows. */
  readonly plain?: Message;
  /** HTTP status, only to be shown. */
  readonly status?: number;
  /** The server's own text, if it sent a readable one. */
  readonly serverMessage?: string;
  /** For `busy`: how long the server wants to be left alone. */
  readonly retryAfterMs?: number;
  /** True if the server may have carried out the request although its answer was not clear. */
  readonly unsure?: boolean;
  /** For `tls`: SHA-256 of the certificate, colon-separated hex, if it is known. */
  readonly fingerprint?: string;
  /** For `redirect`: the origin that would have to be approved. */
  readonly origin?: string;
}

/**
 * `message` is one sentence or two for the user: what happened, and what to do about it.
 *
 * @example
 * throw new RemoteError('conflict', syncMessage('taskChanged'), { status: 412 });
 */
export class RemoteError extends MessageError {
  override readonly name = 'RemoteError';

  constructor(
    readonly kind: RemoteErrorKind,
    message: Message | string,
    readonly details: RemoteErrorDetails = {},
  ) {
    super(message, details);
  }
}

const accountWide = new Set<RemoteErrorKind>(['auth', 'tls', 'offline', 'cancelled', 'busy', 'proxy']);

/**
 * True if everything else that would be asked of this account would fail the same way. A list that lies or leads
 * elsewhere (`redirect`) fails alone; if the request for all lists leads elsewhere, nothing else is asked.
 */
export const stopsAccount = (error: unknown): boolean => error instanceof RemoteError && accountWide.has(error.kind);

/**
 * Narrows an error to a {@link RemoteError}, of one of the kinds if any are given.
 *
 * @example
 * if (isRemote(error, 'conflict', 'gone')) await readAgain(href);
 */
export const isRemote = (error: unknown, ...kinds: RemoteErrorKind[]): error is RemoteError =>
  error instanceof RemoteError && (kinds.length === 0 || kinds.includes(error.kind));
