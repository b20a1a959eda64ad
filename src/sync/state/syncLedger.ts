import { type Disposable, Emitter } from '../../core/kernel/events';
import { asMessage } from '../../core/kernel/message';
import type { EpochMs, Id } from '../../core/kernel/model';
import type { Sidecar } from '../../store/types';
import { isMovedOn } from '../merge/advancedSeries';
import { hashText } from '../merge/taskHash';
import type { Etag, Href } from '../remote/remote';
import type { AccountRecord, Base, ConflictRecord, ListRecord, MoveRecord, RowError } from './ledgerTypes';

const observedMaps: ReadonlySet<string> = new Set(['syncAccounts', 'rowErrors', 'conflicts', 'moved', 'syncState']);

/** Remembered as sent to a href that was to be deleted. */
export const deletion = '';

/** Versions before 1.2 kept the English sentence alone. */
const withMessage = (error: RowError): RowError => ({ ...error, message: asMessage(error.message) });

/** The names that versions before 1.2 used. */
interface OldListRecord extends ListRecord {
  readonly uprooted?: ListRecord['orphans'];
  readonly noReports?: number;
  readonly left?: ListRecord['detached'];
  readonly wasDeleted?: boolean;
}

/** In today's names: an orphan, or a list's old address, that was noted before an update is still known after it. */
function listRecord(stored: OldListRecord = {}): ListRecord {
  const { uprooted, noReports, left, wasDeleted, ...now } = stored;
  return {
    ...(uprooted && { orphans: uprooted }),
    ...(noReports !== undefined && { reportsFailedAt: noReports }),
    ...(left && { detached: left }),
    ...(wasDeleted !== undefined && { deletedOnServer: wasDeleted }),
    ...now,
    ...(uprooted && now.orphans && { orphans: { ...uprooted, ...now.orphans } }),
  };
}

function accountRecord({ refused, ...now }: AccountRecord & { readonly refused?: string } = {}): AccountRecord {
  return refused === undefined ? now : { refusedCredentials: refused, ...now };
}

type Change = readonly [key: string, value: unknown];

/**
 * Everything that sync stores in addition to the four tables. Reads are synchronous; writes are durable when they
 * resolve.
 */
export class SyncLedger {
  readonly #changes = new Emitter<void>();
  /**
   * Fires if something that the user may see of sync changed, in any window: accounts, lists, refusals, conflicts, the
   * pause.
   */
  readonly onDidChange = this.#changes.event;
  readonly #listening: Disposable;
  /** The keys of bases that are the sent text; undefined until they are looked up, which reads every text. */
  #sentBases: readonly string[] | undefined;

  /** Lists whose change reports are asked for without texts, since one with them failed. Not kept on the disk. */
  readonly plainReports = new Set<Id>();

  constructor(private readonly sidecar: Sidecar) {
    this.#listening = sidecar.onDidChange(({ map }) => {
      if (map === 'bases') this.#sentBases = undefined;
      if (observedMaps.has(map)) this.#changes.fire();
    });
  }

  dispose(): void {
    this.#listening.dispose();
    this.#changes.dispose();
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

  /** Resources whose base is the sent text and that were not read again since. */
  sentBases(accountId: Id): ReadonlySet<Href> {
    const prefix = key(accountId, '');
    // Inside the text of a base every quote has a backslash before it.
    this.#sentBases ??= this.sidecar.keysHaving('bases', '"isSent":true');
    return new Set(this.#sentBases.filter(name => name.startsWith(prefix)).map(name => name.slice(prefix.length)));
  }

  putBases(accountId: Id, bases: readonly (readonly [href: Href, base: Base | undefined])[]): Promise<void> {
    const changes = bases.map(([href, base]): Change => {
      const name = key(accountId, href);
      return [name, base && withMovesOn(base, this.sidecar.get<Base>('bases', name))];
    });
    return this.#put('bases', changes);
  }

  /** The text that was sent to this href and got no clear answer; `deletion` if it was to be deleted. */
  sent(accountId: Id, href: Href): string | undefined {
    return this.sidecar.get<string>('sent', key(accountId, href));
  }

  /** All texts without a clear answer, by address: usually there are few, and one read serves many lookups. */
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

  /** The row that was sent there. */
  sentRow(accountId: Id, href: Href): Id | undefined {
    return this.sidecar.get<Id>('sentRows', key(accountId, href));
  }

  async putSent(
    accountId: Id,
    sent: readonly (readonly [href: Href, text: string | undefined, row?: Id])[],
  ): Promise<void> {
    const known = this.allSent(accountId);
    const changed = sent.filter(([href, text]) => text !== undefined || known.has(href));
    if (changed.length === 0) return;
    await this.sidecar.edit(writer => {
      for (const [href, text, row] of changed) {
        const name = key(accountId, href);
        writer.set('sent', name, text);
        if (writer.get('sentRows', name) !== row) writer.set('sentRows', name, row);
      }
    });
  }

  forgetSent(accountId: Id, hrefs: readonly Href[]): Promise<void> {
    const nothing = hrefs.map(href => [href, undefined] as const);
    return this.putSent(accountId, nothing);
  }

  account(id: Id): AccountRecord {
    return accountRecord(this.sidecar.get('syncAccounts', String(id)));
  }

  async updateAccount(id: Id, patch: Partial<AccountRecord>): Promise<void> {
    const before = this.account(id);
    const after = { ...before, ...patch };
    if (!isSame(before, after)) await this.#put('syncAccounts', [[String(id), after]]);
  }

  list(id: Id): ListRecord {
    return listRecord(this.sidecar.get('syncLists', String(id)));
  }

  /** `patchOf` may be asked again: several tasks of a list are sent at once, and each notes what became of it. */
  async updateList(id: Id, patchOf: Partial<ListRecord> | ((now: ListRecord) => Partial<ListRecord>)): Promise<void> {
    const patch = (now: ListRecord) => (typeof patchOf === 'function' ? patchOf(now) : patchOf);
    const before = this.list(id);
    const changes = patch(before);
    if (isSame(before, { ...before, ...changes })) return;
    await this.sidecar.edit(writer => {
      const now = listRecord(writer.get('syncLists', String(id)));
      writer.set('syncLists', String(id), { ...now, ...patch(now) });
    });
    // The user sees nothing else of it.
    if ('isPaused' in changes || 'skipped' in changes) this.#changes.fire();
  }

  /** The address at which a list of the account was to be made, if that got no clear answer. */
  creatingAt(accountId: Id, listId: Id): Href | undefined {
    const { creating } = this.list(listId);
    return creating?.accountId === accountId ? creating.href : undefined;
  }

  rowError(id: Id): RowError | undefined {
    const error = this.sidecar.get<RowError>('rowErrors', String(id));
    return error && withMessage(error);
  }

  rowErrors(): readonly (readonly [id: Id, error: RowError])[] {
    return this.sidecar.entries<RowError>('rowErrors').map(([id, error]) => [Number(id), withMessage(error)] as const);
  }

  async setRowErrors(errors: readonly (readonly [id: Id, error: RowError | undefined])[]): Promise<void> {
    const changed = errors.filter(([id, error]) => !isSame(this.rowError(id), error));
    const changes = changed.map(([id, error]): Change => [String(id), error]);
    await this.#put('rowErrors', changes);
  }

  /** The last row of all when the list was last read: what has a higher id came later. */
  lastRow(listId: Id): Id | undefined {
    return this.sidecar.get<Id>('lastRows', String(listId));
  }

  putLastRow(listIds: readonly Id[], id: Id): Promise<void> {
    const changed = listIds.filter(listId => this.lastRow(listId) !== id);
    const changes = changed.map((listId): Change => [String(listId), id]);
    return this.#put('lastRows', changes);
  }

  /** By UID. */
  moved(): readonly (readonly [uid: string, moved: MoveRecord])[] {
    return this.sidecar.entries<MoveRecord>('moved');
  }

  putMoved(changes: readonly (readonly [uid: string, moved: MoveRecord | undefined])[]): Promise<void> {
    return this.#put('moved', changes);
  }

  /** Watches a UID: it is offered as a duplicate if two lists have it. */
  watch(uid: string, at: EpochMs): Promise<void> {
    return this.putMoved([[uid, { ...this.sidecar.get<MoveRecord>('moved', uid), at }]]);
  }

  conflicts(): readonly (readonly [key: string, record: ConflictRecord])[] {
    return this.sidecar.entries<ConflictRecord>('conflicts');
  }

  conflict(id: string): ConflictRecord | undefined {
    return this.sidecar.get<ConflictRecord>('conflicts', id);
  }

  /** A conflict that an interrupted run has already stored is not stored again. */
  addConflicts(records: readonly ConflictRecord[]): Promise<void> {
    const kept = records.length > 0 ? new Set(this.conflicts().map(([, record]) => sameConflict(record))) : new Set();
    const fresh = records.filter(record => !kept.has(sameConflict(record)));
    return this.#put(
      'conflicts',
      fresh.map(record => [conflictKey(record), record] as const),
    );
  }

  /**
   * Updates the conflicts about the copies in a list, and returns those that are new. `unread`: copies that cannot be
   * read now, whose conflicts stay.
   */
  async putCopies(
    listId: Id,
    records: readonly ConflictRecord[],
    unread: ReadonlySet<Href>,
  ): Promise<readonly ConflictRecord[]> {
    const known = new Map<string, readonly [key: string, at: number]>();
    const changes: Change[] = [];
    const there = new Set(records.map(copyKey));
    for (const [name, record] of this.conflicts()) {
      if (!record.copy || record.listId !== listId || unread.has(record.copy.href)) continue;
      if (there.has(copyKey(record))) known.set(copyKey(record), [name, record.at]);
      else changes.push([name, undefined]);
    }
    for (const record of records) {
      const [name, at] = known.get(copyKey(record)) ?? [conflictKey(record), record.at];
      const now = { ...record, at };
      if (!isSame(this.conflict(name), now)) changes.push([name, now]);
    }
    await this.#put('conflicts', changes);
    return records.filter(record => !known.has(copyKey(record)));
  }

  /** True if a second file of a task waits for the user's decision. */
  hasUndecidedCopy = (listId: Id, uid: string): boolean =>
    this.conflicts().some(([, record]) => record.copy && record.listId === listId && record.uid === uid);

  removeConflict(id: string): Promise<void> {
    return this.#put('conflicts', [[id, undefined]]);
  }

  /** The entries of the files of an account's folder. */
  files<T>(accountId: Id): readonly (readonly [href: Href, entry: T])[] {
    return this.sidecar.entries<T>(filesOf(accountId));
  }

  file<T>(accountId: Id, href: Href): T | undefined {
    return this.sidecar.get<T>(filesOf(accountId), href);
  }

  putFiles(accountId: Id, changes: readonly (readonly [href: Href, entry: unknown])[]): Promise<void> {
    return this.#put(filesOf(accountId), changes);
  }

  /** Forgets the conflicts about second files of lists that are no longer synced: the files stay in their folder. */
  forgetCopies(listIds: readonly Id[]): Promise<void> {
    const isCopy = ({ copy, listId }: ConflictRecord) => copy && listIds.includes(listId);
    const names = this.conflicts().flatMap(([name, record]) => (isCopy(record) ? name : []));
    return this.#forget('conflicts', names);
  }

  /** Everything about an account and its lists, but not the conflicts: those are the user's text. */
  async forget(accountId: Id, listIds: readonly Id[]): Promise<void> {
    const prefix = key(accountId, '');
    for (const map of ['bases', 'sent', 'sentRows']) {
      const names = this.sidecar.entries(map).flatMap(([name]) => (name.startsWith(prefix) ? name : []));
      await this.#forget(map, names);
    }
    const files = this.files(accountId).map(([href]) => href);
    await this.#forget(filesOf(accountId), files);
    await this.forgetCopies(listIds);
    await this.#forget('syncAccounts', [accountId]);
    for (const map of ['syncLists', 'lastRows']) await this.#forget(map, listIds);
  }

  #forget(map: string, names: readonly (string | Id)[]): Promise<void> {
    const changes = names.map((name): Change => [String(name), undefined]);
    return this.#put(map, changes);
  }

  async #put(map: string, changes: readonly Change[]): Promise<void> {
    if (changes.length > 0) await this.sidecar.put(map, changes);
  }
}

/** How its programs complete a series stays known while its text changes. */
const withMovesOn = (base: Base, before: Base | undefined): Base =>
  before && (before.movesOn || (!base.isSent && isMovedOn(before.text, base.text))) ? { ...base, movesOn: true } : base;

const sameConflict = ({ taskId, reason, lost, theirs }: ConflictRecord): string =>
  JSON.stringify([taskId, reason, lost, theirs]);
const conflictKey = ({ taskId, at, mine, copy }: ConflictRecord): string =>
  `${taskId}-${at}-${hashText(mine + (copy?.href ?? ''))}`;
const copyKey = ({ copy }: ConflictRecord): string => `${copy?.href} ${copy?.etag}`;
const filesOf = (accountId: Id): string => `files:${accountId}`;
const key = (accountId: Id, href: Href): string => `${accountId}:${href}`;
const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
