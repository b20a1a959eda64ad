import { type Disposable, Emitter } from '../core/events';
import type { Id } from '../core/model';
import type { Sidecar } from '../store/types';
import type { AuthScheme } from './auth';
import { hashText } from './content';
import type { Lost } from './merge';
import type { Moved } from './moved';
import type { Etag, Href, RemoteErrorKind } from './remote';
import { TagsSeen } from './tagsSeen';

/** The server's text of a resource as last read or sent; counts only while its ETag is still the row's. */
interface Base {
  readonly etag: Etag | null;
  readonly text: string;
  /** Set where the text is what was sent: the server may keep it in other words. */
  readonly isSent?: boolean;
}

/** Why an account's last run did not go through. */
export type Trouble = RemoteErrorKind | 'lists';

/** What is remembered of an account beside its row. Forgetting it costs requests, never a task. */
export interface AccountMemory {
  readonly scheme?: AuthScheme;
  /** Every list has a change tag, and a token need not be asked for to see whether one changed. */
  readonly toldByTags?: boolean;
  /** Every home, where there are several. */
  readonly homes?: readonly string[];
  readonly approved?: readonly string[];
  /** The origin that the stored password was given for: a row that names another, by a file taken in, gets it not. */
  readonly home?: string;
  /** SHA-256 fingerprints of certificates that a person trusts for this account. */
  readonly trusted?: readonly string[];
  /** Nothing is sent before this, and nothing automatic before `nextTry`. */
  readonly retryAt?: number;
  readonly nextTry?: number;
  readonly failures?: number;
  /** What the last run failed of. */
  readonly trouble?: Trouble;
  /** Set after a 401, with the credentials' hash: no further try until they change. */
  readonly refused?: string;
}

interface ListMemory {
  /** The list stopped being pulled until a person decides: the server says that it is empty. */
  readonly isPaused?: boolean;
  /** A person said that it may become empty. */
  readonly mayEmpty?: boolean;
  readonly error?: string;
  /** When the server, which offers change reports, last failed one. */
  readonly noReports?: number;
  /** By UID: parents that were named and are not there yet. */
  readonly waiting?: Readonly<Record<string, string>>;
  /** By href: resources that give no row (events, unreadable, second of one UID), not fetched again until they change. */
  readonly skipped?: Readonly<Record<Href, Skipped>>;
  /** By id: tasks whose resources went away under them, while other accounts may have them and were not looked at yet. */
  readonly uprooted?: Readonly<Record<Id, { readonly at: number; readonly base?: string }>>;
  /** Of a list that vanished from its server: what it was there, should it come back. */
  readonly left?: LeftPlace;
  /** Deleted there from here. Brought back by a person, it is made anew; its tasks may be in other lists by then. */
  readonly wasDeleted?: boolean;
}

export interface LeftPlace {
  readonly accountId: Id;
  readonly href: Href;
  readonly name: string;
  readonly color: number;
  readonly rows: readonly LeftRow[];
}

interface LeftRow {
  readonly id: Id;
  readonly uid: string;
  readonly recurrenceId: number | null;
  readonly href: Href | null;
  readonly etag: Etag | null;
  readonly isDirty: boolean;
  readonly isDeleted: boolean;
  /** Deleted since it moved on. */
  readonly isMoved?: boolean;
  /** Of its content. */
  readonly hash: string;
}

export interface Skipped {
  readonly etag: Etag;
  /** Absent where it is simply no task. */
  readonly message?: string;
  /** Set where another resource of the list has this UID: its turn comes when that one is gone. */
  readonly behind?: string;
}

/** Why a task did not reach the server. Not tried again until it is edited, unless `attempts` counts on. */
export interface RowError {
  readonly hash: string;
  readonly message: string;
  readonly attempts: number;
  readonly isFinal: boolean;
}

/** Something of a person's that gave way in a merge; kept until it is dealt with. */
export interface ConflictRecord {
  readonly taskId: Id;
  readonly listId: Id;
  readonly uid: string;
  readonly at: number;
  readonly reason: 'edited' | 'keptDeleted' | 'recreated' | 'readOnly';
  /** What gave way, field by field; empty where `reason` says it all. */
  readonly lost: readonly Lost[];
  /** iCalendar text with the values that gave way. */
  readonly mine: string;
  readonly theirs: string;
}

const shown: ReadonlySet<string> = new Set(['syncAccounts', 'rowErrors', 'conflicts', 'syncState']);

/** Remembered as sent to a href that was to be deleted. */
export const deletion = '';

type Change = readonly [key: string, value: unknown];

/** What sync keeps beside the contract's tables. Reads are at once, writes durable when they resolve. */
export class SyncMemory {
  readonly #mapChanges = new Emitter<void>();
  /** What a person may see of sync changed, in any window: accounts, lists, refusals, conflicts, the pause. */
  readonly onDidChange = this.#mapChanges.event;
  readonly #listening: Disposable;

  readonly tagsSeen = new TagsSeen();

  constructor(private readonly sidecar: Sidecar) {
    this.#listening = sidecar.onDidChange(({ map }) => {
      if (shown.has(map)) this.#mapChanges.fire();
    });
  }

  dispose(): void {
    this.#listening.dispose();
    this.#mapChanges.dispose();
  }

  get isPaused(): boolean {
    return this.sidecar.get<boolean>('syncState', 'paused') ?? false;
  }

  setPaused(paused: boolean): Promise<void> {
    return this.#put('syncState', [['paused', paused || undefined]]);
  }

  base(accountId: Id, href: Href | null, etag: Etag | null): Base | undefined {
    if (href === null) return undefined;
    const base = this.sidecar.get<Base>('bases', key(accountId, href));
    return base?.etag === etag ? base : undefined;
  }

  /** Whatever is remembered, current or not. */
  anyBase(accountId: Id, href: Href): Base | undefined {
    return this.sidecar.get<Base>('bases', key(accountId, href));
  }

  /** Resources whose base is what was sent, and not read again since. */
  sentBases(accountId: Id): ReadonlySet<Href> {
    const prefix = key(accountId, '');
    // Inside the text of a base every quote has a backslash before it.
    const keys = this.sidecar.keysHaving('bases', '"isSent":true');
    return new Set(keys.filter(name => name.startsWith(prefix)).map(name => name.slice(prefix.length)));
  }

  putBases(accountId: Id, bases: readonly (readonly [href: Href, base: Base | undefined])[]): Promise<void> {
    return this.#put(
      'bases',
      bases.map(([href, base]) => [key(accountId, href), base] as const),
    );
  }

  /** What was sent to this href and got no clear answer; `deletion` where it was to go. */
  sent(accountId: Id, href: Href): string | undefined {
    return this.sidecar.get<string>('sent', key(accountId, href));
  }

  /** The same of every address: few, as a rule, and asked for once where there are many to look up. */
  allSent(accountId: Id): ReadonlyMap<Href, string> {
    const prefix = key(accountId, '');
    return new Map(
      this.sidecar
        .entries<string>('sent')
        .flatMap(([name, text]) => (name.startsWith(prefix) ? [[name.slice(prefix.length), text] as const] : [])),
    );
  }

  /** Addresses whose deletion was asked for and never confirmed. */
  deletionsOf(accountId: Id): readonly Href[] {
    return [...this.allSent(accountId)].flatMap(([href, text]) => (text === deletion ? [href] : []));
  }

  putSent(accountId: Id, sent: readonly (readonly [href: Href, text: string | undefined])[]): Promise<void> {
    const known = this.allSent(accountId);
    return this.#put(
      'sent',
      sent
        .filter(([href, text]) => text !== undefined || known.has(href))
        .map(([href, text]) => [key(accountId, href), text] as const),
    );
  }

  account(id: Id): AccountMemory {
    return this.sidecar.get<AccountMemory>('syncAccounts', String(id)) ?? {};
  }

  async updateAccount(id: Id, patch: Partial<AccountMemory>): Promise<void> {
    const before = this.account(id);
    const after = { ...before, ...patch };
    if (!isSame(before, after)) await this.#put('syncAccounts', [[String(id), after]]);
  }

  list(id: Id): ListMemory {
    return this.sidecar.get<ListMemory>('syncLists', String(id)) ?? {};
  }

  /** `patchOf` may be asked again: several tasks of a list are sent at once, and each notes what became of it. */
  async updateList(id: Id, patchOf: Partial<ListMemory> | ((now: ListMemory) => Partial<ListMemory>)): Promise<void> {
    const after = (now: ListMemory) => ({ ...now, ...(typeof patchOf === 'function' ? patchOf(now) : patchOf) });
    const before = this.list(id);
    if (isSame(before, after(before))) return;
    await this.sidecar.edit(writer => {
      writer.set('syncLists', String(id), after(writer.get<ListMemory>('syncLists', String(id)) ?? {}));
    });
    if (before.isPaused !== this.list(id).isPaused) this.#mapChanges.fire();
  }

  rowError(id: Id): RowError | undefined {
    return this.sidecar.get<RowError>('rowErrors', String(id));
  }

  rowErrors(): readonly (readonly [id: Id, error: RowError])[] {
    return this.sidecar.entries<RowError>('rowErrors').map(([id, error]) => [Number(id), error] as const);
  }

  async setRowErrors(errors: readonly (readonly [id: Id, error: RowError | undefined])[]): Promise<void> {
    const changed = errors.filter(([id, error]) => !isSame(this.rowError(id), error));
    await this.#put(
      'rowErrors',
      changed.map(([id, error]) => [String(id), error] as const),
    );
  }

  /** By UID. */
  moved(): readonly (readonly [uid: string, moved: Moved])[] {
    return this.sidecar.entries<Moved>('moved');
  }

  putMoved(changes: readonly (readonly [uid: string, moved: Moved | undefined])[]): Promise<void> {
    return this.#put('moved', changes);
  }

  conflicts(): readonly (readonly [key: string, record: ConflictRecord])[] {
    return this.sidecar.entries<ConflictRecord>('conflicts');
  }

  conflict(id: string): ConflictRecord | undefined {
    return this.sidecar.get<ConflictRecord>('conflicts', id);
  }

  addConflicts(records: readonly ConflictRecord[]): Promise<void> {
    return this.#put(
      'conflicts',
      records.map(record => [`${record.taskId}-${record.at}-${hashText(record.mine)}`, record] as const),
    );
  }

  removeConflict(id: string): Promise<void> {
    return this.#put('conflicts', [[id, undefined]]);
  }

  /** Everything about an account and its lists, but not the conflicts: those are a person's text. */
  async forget(accountId: Id, listIds: readonly Id[]): Promise<void> {
    const prefix = key(accountId, '');
    for (const map of ['bases', 'sent']) {
      const keys = this.sidecar.entries(map).filter(([name]) => name.startsWith(prefix));
      await this.#put(
        map,
        keys.map(([name]) => [name, undefined] as const),
      );
    }
    await this.#put('syncAccounts', [[String(accountId), undefined]]);
    await this.#put(
      'syncLists',
      listIds.map(id => [String(id), undefined] as const),
    );
  }

  async #put(map: string, changes: readonly Change[]): Promise<void> {
    if (changes.length > 0) await this.sidecar.put(map, changes);
  }
}

const key = (accountId: Id, href: Href): string => `${accountId}:${href}`;
const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
