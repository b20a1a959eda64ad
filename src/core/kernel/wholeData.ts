import type { Message } from './message';
import type { EpochMs, Id } from './model';

/** A copy of the whole database, a plain SQLite file. */
export interface BackupFile {
  readonly path: string;
  readonly at: EpochMs;
  /** `beforeRestore`: what there was before a copy was restored, or edits were salvaged. */
  readonly kind: 'automatic' | 'manual' | 'beforeRestore';
}

/** A row that restoring would change, with a name that the user knows it by. */
export interface BackupDifference {
  readonly table: 'accounts' | 'task_lists' | 'tasks' | 'task_alarms';
  readonly id: Id;
  readonly name: string;
  readonly change: 'added' | 'removed' | 'changed';
}

interface IntegrityFindings {
  readonly ok: boolean;
  readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly details: readonly Message[] }[];
}

/** Operations on the data as a whole. Importing and restoring are edits that undo takes back. */
export interface WholeData {
  /** Newest first. */
  backups(): readonly BackupFile[];
  backUpNow(): Promise<BackupFile>;
  previewBackup(path: string): Promise<readonly BackupDifference[]>;
  /** Takes the data back to a copy, after copying what there is now. */
  restoreBackup(path: string): Promise<void>;
  /** Adds what is in a database file. Rejects with `invalid`, or `unsupported` for one of a newer version. */
  importDatabase(path: string): Promise<{
    readonly accounts: number;
    readonly lists: number;
    readonly tasks: number;
    readonly skipped: number;
  }>;
  /** Restores the edits behind damage; returns how many, 0 if there are none. */
  salvage(): Promise<number>;
  /** Changes nothing. */
  checkIntegrity(): Promise<IntegrityFindings>;
}
