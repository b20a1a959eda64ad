import { messageTable } from '../core/kernel/message';

/** The messages of the store. */
export const storeMessage = messageTable({
  diskFull: 'the disk is full',
  diskReadOnly: 'the disk is read-only',
  notPermitted: 'you do not have permission to write there',
  journalDamaged: 'The journal {0} is damaged at byte {1}.',
  endRestored:
    'The task store was damaged at the end of {0} and was restored to the state before the damage. {1} later changes are kept in {2}.',
  damageRestored:
    'The task store was damaged at byte {0} of {1} and was restored to the state before the damage. {2} later changes and the damaged file are kept in {3}.',
  newerWindow: 'A newer version of Dueline has written to the task store. Reload this window to use it.',
  restUnreadable: 'The rest of the task store cannot be read: {0}',
  snapshotRebuilt:
    'A damaged snapshot of the task store ({0}) was rebuilt from older files. No data was lost. The damaged snapshot is kept in {1}.',
  folderReadOnly: 'Cannot write to the folder {0}. Tasks are read-only.',
  lastChangeSkipped: 'The last change in {0} is damaged and was skipped. Its bytes are still in the file.',
  tablesDiffer: 'The tables of the task store do not match the schema: {0}.',
  storeNotOpened: 'The task store in {0} cannot be opened: {1}',
  endRepaired: 'The task store was damaged at the end of {0}. It was repaired from the next file. No data was lost.',
  newerStoreUpdate:
    'The task store was written by a newer version of Dueline. Update Dueline, or reload this window if you already did.',
  newerStore:
    'The tasks were saved by a newer version of Dueline (schema {0}, this version supports {1}). They are read-only until you update Dueline.',
  othersWriting: 'The change could not be saved because other windows are writing. Try again.',
  changeNotSaved: 'The change was not saved: {0}.',
  filesRemoved:
    'The files of the task store were removed while it was open. Changes cannot be saved. Reload the window.',
  storeClosed: 'The task store is closed.',
  storeIncomplete:
    'The task store in {0} is incomplete: required files are damaged or missing. Nothing was changed. Put the missing files back, or move the folder away and restore a backup.',
  snapshotDamaged: 'The snapshot {0} is damaged.',
  ownFolder: 'Nothing can be saved to {0}: Dueline keeps its own files there.',
  fileNotWritten: 'Could not write {0}: {1}.',
  backupNotWritten: 'Could not write the backup to {0}: {1}.',
  storeEmpty: 'The task store is empty, but you can restore a backup from {0}.',
  storeLost:
    'The files of the task store in {0} are gone, so it starts empty. Put them back from a backup of your own, or import your tasks again.',
  sidecarKept:
    'Undo steps, deleted tasks and other additional data belonged to a task store that is gone. They are kept in {0}.',
  sidecarReset:
    'Additional data such as undo steps and reminder states was damaged and has been reset. The damaged files are in {0}. {1}',
  tableMissing: 'The database does not have the table {0}.',
  newerDatabase:
    'This file was saved by a newer version of Dueline (schema {0}, this version supports {1}). Update Dueline to use it.',
  notSqlite: 'Not a SQLite database: {0}.',
  databaseDamaged: 'The SQLite database is damaged: {0}',
  fileUnreadable: '{0} cannot be read: {1}.',
  fileNotImported: '{0} was not imported and was not changed. {1}',
  newerImport:
    '{0} was saved by a newer version of Dueline (schema {1}, this version supports {2}). Its tasks are read-only until you update Dueline.',
  filesMatchPartly: 'The files match the data in memory; {0} incomplete lines were skipped.',
  pagesIntact: 'All pages are intact.',
  referencesValid: 'All references are valid.',
  uidsUnique: 'Every UID is unique in its list.',
  uidTaken: 'List {0} has {1} tasks with the UID {2}.',
  filesMatch: 'The files match the data in memory.',
  filesDiffer: 'The files do not match the data in memory.',
  tablesMatch: 'All tables match the schema.',
  backupsRestorable: '{0} backups can be restored.',
  backupUnreadable: '{0} cannot be read.',
  snapshotsIntact: '{0} snapshots are intact.',
  brokenReference: '{0} {1} refers to a missing row of {2}.',
});
