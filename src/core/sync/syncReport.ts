import type { Message } from '../kernel/message';
import type { Id } from '../kernel/model';

/** A secret storage: the editor's, or that of a program without an editor. */
export interface Secrets {
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string): Promise<void>;
  delete(key: string): Promise<void>;
}

export interface NewAccount {
  /** Server, principal, home-set or calendar URL, or an email address. */
  serverUrl: string;
  username: string;
  password: string;
  displayName?: string;
  /** SHA-256 fingerprints of certificates to trust for this account although no trusted authority issued them. */
  trusted?: readonly string[];
}

export interface SyncProgress {
  label: string;
  done: number;
  total: number;
}

/** The cause of a run. `folderChange`: another program changed a folder. */
export type SyncTrigger = 'user' | 'schedule' | 'folderChange';

export interface SyncOptions {
  accountId?: Id;
  listId?: Id;
  /**
   * The cause. `schedule` leaves out accounts that must wait after a failure or need the user; so does `folderChange`, but for
   * folders. `user` leaves out those whose server asked to be left alone (Retry-After). Without it the caller is a
   * program that acts for the user: such an account is not asked either, and reported with its error.
   */
  trigger?: SyncTrigger;
  signal?: AbortSignal;
  onProgress?: (progress: SyncProgress) => void;
}

/** A notice that is not an error; the caller words it. */
export interface SyncNotice {
  readonly kind:
    | 'conflict'
    | 'keptDeleted'
    | 'recreated'
    | 'detached'
    | 'reattached'
    | 'readOnly'
    | 'refusedProperty'
    | 'tooLarge';
  readonly listId: Id;
  readonly listName: string;
  readonly count: number;
}

export interface AccountReport {
  readonly accountId: Id;
  readonly error: string | null;
  /** The error as a message, which views translate. */
  readonly reason: Message | null;
  readonly requests: number;
  readonly pulled: number;
  readonly pushed: number;
  readonly deletedLocally: number;
  readonly deletedRemotely: number;
  readonly conflicts: number;
  /** Tasks that the server refused, with its reason; the rest of the account went through. */
  readonly rowErrors: readonly { readonly taskId: Id; readonly message: string; readonly reason: Message }[];
  /** Decisions that sync made on its own. */
  readonly notices: readonly SyncNotice[];
}

export interface SyncReport {
  readonly accounts: readonly AccountReport[];
}
