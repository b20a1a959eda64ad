import { join } from 'node:path';
import { DuelineError } from '../../core/kernel/errors';
import type { Log } from '../../core/kernel/log';
import type { BackupFile } from '../../core/kernel/wholeData';
import type { Clock } from '../../core/time/clock';
import { type Files, reasonOf } from '../journal/files';
import { storeMessage } from '../messages';
import { readSalvage, withSalvage } from '../recovery/salvage';
import type { Replica } from '../replica/replica';
import { columnNames } from '../sql/rowReader';
import { schemaVersion } from '../sql/schema';
import type { EditLabel } from '../types';
import { revert } from '../undo/revert';
import { rowSteps } from '../undo/undoSteps';
import { type BackupRules, isBackupDue, listBackups, rotate, writeBackup } from './backups';
import { type DifferentRow, differences, isOfOtherStore, stepsTo } from './differences';
import { type ForeignRows, newerFileText, readForeignFile, readImportFile } from './importDatabase';
import { type DatabaseImportReport, importRows } from './importRows';
import { checkIntegrity, type IntegrityReport } from './integrity';

interface DataToolsOptions {
  readonly replica: Replica;
  readonly files: Files;
  /** The folder above the store's own. */
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly rules: () => BackupRules;
}

/** Operations on the data as a whole. Importing and restoring are edits that undo can revert. */
export class DataTools {
  constructor(private readonly options: DataToolsOptions) {}

  /** The folder that holds everything. */
  get folder(): string {
    return this.options.folder;
  }

  /** The database as it is, as one SQLite file. */
  bytes(): Uint8Array {
    return this.options.replica.database.export();
  }

  /**
   * Adds the content of a database file of schema 1 or 2. Rejects with `invalid`, or `unsupported` for a newer schema.
   */
  async importDatabase(path: string): Promise<DatabaseImportReport> {
    const foreignRows = supported(await readImportFile(this.options.files, path));
    return this.#edit({ key: 'importDatabase', count: foreignRows.rows.get('tasks')!.length }, () =>
      importRows(this.options.replica.database, foreignRows),
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
    await rotate(files, this.backups(), { now: clock.now(), keptDays: this.options.rules().keptDays });
    return backup;
  }

  /** Writes a backup once a day, unless the store is empty or the user has turned backups off. */
  async backUpIfDue(): Promise<BackupFile | undefined> {
    if (!this.options.rules().isDaily) return undefined;
    const { replica, clock } = this.options;
    const isEmpty = replica.database.value('SELECT 1 FROM tasks LIMIT 1') === undefined;
    if (isEmpty || replica.readOnlyReason !== undefined || !isBackupDue(this.backups(), clock.now())) return undefined;
    return this.backUpNow('automatic');
  }

  /** The changes that `restoreBackup` would make, row by row. */
  async previewBackup(path: string): Promise<readonly DifferentRow[]> {
    const foreignRows = await this.#readBackup(path);
    const { replica } = this.options;
    await replica.refresh();
    const isOther = isOfOtherStore(replica.database, foreignRows);
    const target = isOther ? await this.#afterImport(foreignRows) : foreignRows;
    return differences(replica.database, target);
  }

  /** All rows as they would be after an import. */
  async #afterImport(foreignRows: ForeignRows): Promise<ForeignRows> {
    let rows = foreignRows.rows;
    const enough = new Error('read');
    const work = (): never => {
      const { database } = this.options.replica;
      importRows(database, foreignRows);
      rows = new Map(
        [...columnNames].map(([table, columns]) => [
          table,
          database.rows(`SELECT ${columns.join(', ')} FROM ${table}`),
        ]),
      );
      // Throwing rolls the edit back.
      throw enough;
    };
    await this.#edit({ key: 'restoreBackup', count: 0 }, work).catch(error => {
      if (error !== enough) throw error;
    });
    return { schema: schemaVersion, rows };
  }

  /** Restores a backup, after backing up the current data. A backup of another store is imported instead. */
  async restoreBackup(path: string): Promise<void> {
    const { replica, clock } = this.options;
    const foreignRows = await this.#readBackup(path);
    await this.backUpNow('beforeRestore');
    await this.#edit({ key: 'restoreBackup', count: foreignRows.rows.get('tasks')!.length }, () => {
      if (isOfOtherStore(replica.database, foreignRows)) {
        importRows(replica.database, foreignRows);
        return;
      }
      const steps = stepsTo(replica.database, foreignRows);
      revert(replica.database, replica.columns, steps, { now: clock.now() });
    });
  }

  /**
   * Restores the edits behind the damage in damaged journals, as one edit that undo can revert. Returns how many edits
   * were read; 0 if there is nothing to salvage.
   */
  async salvage(): Promise<number> {
    const { replica, files, folder, clock, log } = this.options;
    const found = await readSalvage(files, join(folder, 'store'));
    if (found.edits === 0) return 0;
    await this.backUpNow('beforeRestore');
    await this.#edit({ key: 'salvage', count: found.edits }, () => {
      const steps = stepsTo(replica.database, withSalvage(replica.database, found));
      revert(replica.database, replica.columns, steps, { now: clock.now() });
    });
    for (const path of found.sources) {
      await files.rename(path, `${path}.salvaged`).catch(error => log('warn', `${path}: ${error}`));
    }
    return found.edits;
  }

  async checkIntegrity(): Promise<IntegrityReport> {
    const { replica, files, folder } = this.options;
    await replica.refresh();
    return checkIntegrity(files, folder, replica.database);
  }

  /** Reads a backup of any size. */
  async #readBackup(path: string): Promise<ForeignRows> {
    return supported(await readForeignFile(this.options.files, path));
  }

  async #edit<T>(label: EditLabel, work: () => T): Promise<T> {
    const { replica } = this.options;
    const { result } = await replica.commit(work, proposal => ({
      origin: 'user',
      h: { label, rows: rowSteps(replica.database, replica.columns, proposal) },
    }));
    return result;
  }
}

/** @throws DuelineError `unsupported` */
function supported(found: ForeignRows): ForeignRows {
  if (found.schema <= schemaVersion) return found;
  throw new DuelineError('unsupported', newerFileText(found.schema));
}
