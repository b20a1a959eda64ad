import { join } from 'node:path';
import { DuelineError } from '../../core/kernel/errors';
import type { Disposable } from '../../core/kernel/events';
import type { Log } from '../../core/kernel/log';
import { defaultSettings } from '../../core/kernel/settings';
import type { BackupFile } from '../../core/kernel/wholeData';
import type { Clock } from '../../core/time/clock';
import { hourMs } from '../../core/time/units';
import { later } from '../door';
import { type Files, reasonOf } from '../journal/files';
import { storeMessage } from '../messages';
import type { Replica } from '../replica/replica';
import { schemaVersion } from '../sql/schema';
import type { EditLabel } from '../types';
import { type BackupRules, isBackupDue, listBackups, rotate, writeBackup } from './backups';
import type { DifferentRow } from './differences';
import type { ForeignRows } from './importDatabase';
import type { DatabaseImportReport } from './importRows';
import type { IntegrityReport } from './integrity';

interface DataToolsOptions {
  readonly replica: Replica;
  readonly files: Files;
  /** The folder above the store's own. */
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** Operations on the data as a whole. Importing and restoring are edits that undo can revert. */
export class DataTools {
  #backupRules: BackupRules = { isDaily: defaultSettings.backupDaily, keptDays: defaultSettings.backupDaysKept };

  constructor(private readonly options: DataToolsOptions) {}

  tuneBackups(rules: BackupRules): void {
    this.#backupRules = rules;
  }

  /** The folder that holds everything. */
  get folder(): string {
    return this.options.folder;
  }

  /** The database as it is, as one SQLite file. */
  bytes(): Uint8Array {
    return this.options.replica.database.export();
  }

  /** Adds what is in a database file of schema 1 or 2. Rejects with `invalid`, or `unsupported` for a newer schema. */
  async importDatabase(path: string): Promise<DatabaseImportReport> {
    const foreignRows = known(await later().readImportFile(this.options.files, path));
    return this.#edit({ key: 'importDatabase', count: foreignRows.rows.get('tasks')!.length }, () =>
      later().importRows(this.options.replica.database, foreignRows),
    );
  }

  /** Newest first. */
  backups(): readonly BackupFile[] {
    return listBackups(this.options.files, this.options.folder);
  }

  async backUpNow(kind: BackupFile['kind'] = 'manual'): Promise<BackupFile> {
    const { replica, files, folder, clock } = this.options;
    await replica.refresh();
    const backup = await writeBackup(files, folder, this.bytes(), { at: clock.now(), kind }).catch(error => {
      const message = storeMessage('backupNotWritten', join(folder, 'backups'), reasonOf(error));
      throw new DuelineError('storage', message, { cause: error });
    });
    await rotate(files, this.backups(), { now: clock.now(), keptDays: this.#backupRules.keptDays });
    return backup;
  }

  /** Once a day; nothing if there is nothing to keep, or if the user wants no copies. */
  async backUpIfDue(): Promise<BackupFile | undefined> {
    if (!this.#backupRules.isDaily) return undefined;
    const { replica, clock } = this.options;
    const isEmpty = replica.database.value('SELECT 1 FROM tasks LIMIT 1') === undefined;
    if (isEmpty || replica.readOnlyReason !== undefined || !isBackupDue(this.backups(), clock.now())) return undefined;
    return this.backUpNow('automatic');
  }

  /** Checks soon after the start, and every hour, if a backup is due. */
  keepBackingUp(): Disposable {
    const { log } = this.options;
    const look = () => void this.backUpIfDue().catch(error => log('warn', `The daily backup failed: ${error}`));
    const timers = [setTimeout(look, 60_000).unref(), setInterval(look, hourMs).unref()];
    return { dispose: () => timers.forEach(timer => void clearTimeout(timer)) };
  }

  /** The changes that `restoreBackup` would make, row by row. */
  async previewBackup(path: string): Promise<readonly DifferentRow[]> {
    const foreignRows = await this.#readBackup(path);
    await this.options.replica.refresh();
    return later().differences(this.options.replica.database, foreignRows);
  }

  /** Takes the data back to a copy, after copying what there is now. */
  async restoreBackup(path: string): Promise<void> {
    const { replica, clock } = this.options;
    const foreignRows = await this.#readBackup(path);
    await this.backUpNow('beforeRestore');
    await this.#edit({ key: 'restoreBackup', count: foreignRows.rows.get('tasks')!.length }, () => {
      const steps = later().stepsTo(replica.database, foreignRows);
      later().revert(replica.database, replica.columns, steps, { now: clock.now() });
    });
  }

  /**
   * Restores the edits behind the damage in damaged journals, as one edit that undo can revert. Returns how many edits
   * were read; 0 if there is nothing to salvage.
   */
  async salvage(): Promise<number> {
    const { replica, files, folder, clock, log } = this.options;
    const found = await later().readSalvage(files, join(folder, 'store'));
    if (found.edits === 0) return 0;
    await this.backUpNow('beforeRestore');
    await this.#edit({ key: 'salvage', count: found.edits }, () => {
      const steps = later().stepsTo(replica.database, later().withSalvage(replica.database, found));
      later().revert(replica.database, replica.columns, steps, { now: clock.now() });
    });
    for (const path of found.sources) {
      await files.rename(path, `${path}.salvaged`).catch(error => log('warn', `${path}: ${error}`));
    }
    return found.edits;
  }

  async checkIntegrity(): Promise<IntegrityReport> {
    const { replica, files, folder } = this.options;
    await replica.refresh();
    return later().checkIntegrity(files, folder, replica.database);
  }

  /** A copy of all that was here, however large. */
  async #readBackup(path: string): Promise<ForeignRows> {
    return known(await later().readForeignFile(this.options.files, path));
  }

  async #edit<T>(label: EditLabel, work: () => T): Promise<T> {
    const { replica } = this.options;
    const { result } = await replica.commit(work, proposal => ({
      origin: 'user',
      h: { label, rows: later().rowSteps(replica.database, replica.columns, proposal) },
    }));
    return result;
  }
}

/** @throws DuelineError `unsupported` */
function known(found: ForeignRows): ForeignRows {
  if (found.schema <= schemaVersion) return found;
  throw new DuelineError('unsupported', later().newerFileText(found.schema));
}
