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

/** Operations on all data. Importing and restoring are edits that can be undone. */
export interface WholeData {
  /** Newest first. */
  backups(): readonly BackupFile[];
  backUpNow(): Promise<BackupFile>;
  previewBackup(path: string): Promise<readonly BackupDifference[]>;
  /** Takes the data back to a copy, after copying what there is now. */
  restoreBackup(path: string): Promise<void>;
  /** Adds the content of a database file. Rejects with `invalid`, or with `unsupported` if its version is newer. */
  importDatabase(path: string): Promise<{
    readonly accounts: number;
    readonly lists: number;
    readonly tasks: number;
    readonly skipped: number;
  }>;
  /** Restores the edits after damage; returns their number, 0 if there are none. */
  salvage(): Promise<number>;
  /** Changes nothing. */
  checkIntegrity(): Promise<IntegrityFindings>;
}
