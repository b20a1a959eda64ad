import type { Message } from '../../core/kernel/message';
import type { Id } from '../../core/kernel/model';
import type { Href, RemoteAccount, RemoteItem } from '../remote/remote';
import type { ConflictRecord, Skipped } from '../state/ledgerTypes';
import type { RowIndex } from './rowIndex';

/** The result of applying a batch, collected again each time the work runs. */
export interface ApplyResult {
  pulled: number;
  readonly conflicts: ConflictRecord[];
  readonly skipped: Map<Href, Skipped | undefined>;
  /** Tasks that could not be stored, and why. */
  readonly faults: Map<Id, Message>;
  /** Resources that are too large to be read. */
  readonly oversized: Set<Href>;
  /** Resources that nothing here stands for any more, though we made them: to be deleted on the server. */
  readonly leftovers: RemoteItem[];
  /** Resources whose rows depend on what came to other addresses: to be applied together, last. */
  readonly deferred: RemoteItem[];
  /** By child UID. */
  readonly waiting: Map<string, string | undefined>;
  /** Decisions for the sync log, with the texts of their rules. */
  readonly decided: (readonly [uid: string, log: string])[];
  /** Rows that were written, so that earlier reads of them are outdated. */
  readonly written: Set<Id>;
}

export const newApplyResult = (): ApplyResult => ({
  pulled: 0,
  conflicts: [],
  skipped: new Map(),
  faults: new Map(),
  oversized: new Set(),
  leftovers: [],
  deferred: [],
  waiting: new Map(),
  decided: [],
  written: new Set(),
});

export interface ApplyContext {
  readonly listId: Id;
  readonly now: number;
  /** The text that a row's ETag stands for, as far as it is remembered. */
  readonly baseOf: (href: Href | null, etag: string | null) => string | undefined;
  /** The text that was sent to a href without a clear answer. */
  readonly sentTo: (href: Href) => string | undefined;
  /** The row that was sent there. */
  readonly sentRow: (href: Href) => Id | undefined;
  /** Resources that the same answer calls gone: a UID found there may have moved here. */
  readonly gone: ReadonlySet<Href>;
  /** The same as {@link RemoteAccount.mayChangeUids}. */
  readonly mayChangeUids: boolean;
  /** Set while the pull is not complete, so that a UID that seems to have two addresses may have left one of them. */
  readonly isPartial?: boolean;
  /** The addresses and UIDs that may have rows at all; undefined if that is not known beforehand. */
  readonly held?: RowIndex;
  /** By UID: parents that a text names and that were never linked. */
  readonly waiting: Readonly<Record<string, string>> | undefined;
}
