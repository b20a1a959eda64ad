import { join } from 'node:path';
import { messageOf } from '../../core/kernel/errors';
import { type Message, plainMessage } from '../../core/kernel/message';
import { coreMessage } from '../../core/kernel/messages';
import type { Files } from '../journal/files';
import { storeMessage } from '../messages';
import { load } from '../snapshot/load';
import { listSnapshots, openSnapshot } from '../snapshot/snapshot';
import type { Database } from '../sql/database';
import { tasksSchema } from '../sql/databaseSchema';
import { columnNames } from '../sql/rowReader';
import { schemaVersion } from '../sql/schema';
import { schemaDifferences } from '../sql/schemaDescription';
import { listBackups } from './backups';
import { readForeignFile } from './importDatabase';

interface IntegrityCheck {
  readonly name: 'pages' | 'references' | 'tables' | 'uniqueness' | 'journal' | 'snapshots' | 'backups';
  readonly ok: boolean;
  /** The facts that were checked, or the errors that were found, one line each. */
  readonly details: readonly Message[];
}

export interface IntegrityReport {
  readonly ok: boolean;
  readonly checks: readonly IntegrityCheck[];
}

/** Checks everything that could be wrong with the data, in memory and on disk. Changes nothing. */
export async function checkIntegrity(files: Files, folder: string, database: Database): Promise<IntegrityReport> {
  const checks: IntegrityCheck[] = [
    verdict('pages', problemsOf(database.rows('PRAGMA integrity_check').flat(), 'ok'), storeMessage('pagesIntact')),
    verdict('references', database.rows('PRAGMA foreign_key_check').map(danglingText), storeMessage('referencesValid')),
    verdict(
      'tables',
      schemaDifferences(database, schemaVersion, { defaults: false }).map(plainMessage),
      storeMessage('tablesMatch'),
    ),
    verdict('uniqueness', duplicateUids(database), storeMessage('uidsUnique')),
    await journalCheck(files, join(folder, 'store'), database),
    await snapshotCheck(files, join(folder, 'store')),
    await backupCheck(files, folder),
  ];
  return { ok: checks.every(check => check.ok), checks };
}

const verdict = (name: IntegrityCheck['name'], problems: readonly Message[], fine: Message): IntegrityCheck => ({
  name,
  ok: problems.length === 0,
  details: problems.length === 0 ? [fine] : problems,
});

const problemsOf = (lines: readonly unknown[], fine: string) =>
  lines
    .map(String)
    .filter(line => line !== fine)
    .map(plainMessage);

const danglingText = ([table, row, parent]: readonly unknown[]) =>
  storeMessage('brokenReference', String(table), String(row), String(parent));

const duplicateUids = (database: Database): Message[] =>
  database
    .rows('SELECT list_id, uid, count(*) FROM tasks GROUP BY list_id, uid, recurrence_id HAVING count(*) > 1')
    .map(([list, uid, count]) => storeMessage('uidTaken', String(list), String(count), String(uid)));

/** Checks that a fresh start would read the same rows that are in memory. */
async function journalCheck(files: Files, folder: string, database: Database): Promise<IntegrityCheck> {
  try {
    const loaded = await load({ files, folder, databaseSchema: tasksSchema(), mode: 'read' });
    try {
      const isSame = digestOf(loaded.database) === digestOf(database);
      const problems = loaded.broken ? [messageOf(loaded.broken)] : isSame ? [] : [storeMessage('filesDiffer')];
      const bad = loaded.journal.badLines.length;
      const fine = bad > 0 ? storeMessage('filesMatchPartly', bad) : storeMessage('filesMatch');
      return verdict('journal', problems, fine);
    } finally {
      loaded.journal.file.close();
      loaded.database.close();
    }
  } catch (error) {
    return verdict('journal', [messageOf(error)], plainMessage(''));
  }
}

const digestOf = (database: Database): string =>
  JSON.stringify(
    [...columnNames].map(([table, columns]) => database.rows(`SELECT ${columns.join(', ')} FROM ${table} ORDER BY id`)),
  );

async function snapshotCheck(files: Files, folder: string): Promise<IntegrityCheck> {
  const { snapshots, unreadable } = listSnapshots(files, folder);
  const problems = unreadable.map(name => storeMessage('backupUnreadable', name));
  for (const snapshot of snapshots) {
    try {
      (await openSnapshot(files, folder, snapshot)).close();
    } catch (error) {
      problems.push(messageOf(error));
    }
  }
  return verdict('snapshots', problems, storeMessage('snapshotsIntact', snapshots.length));
}

async function backupCheck(files: Files, folder: string): Promise<IntegrityCheck> {
  const backups = listBackups(files, folder);
  const problems: Message[] = [];
  for (const { path } of backups) {
    await readForeignFile(files, path).catch(error => problems.push(coreMessage('labeled', path, messageOf(error))));
  }
  return verdict('backups', problems, storeMessage('backupsRestorable', backups.length));
}
