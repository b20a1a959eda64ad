// The parts of sync that a start does not need: all but those that read what the ledger knows already.
export { readResource } from '../core/ical/readResource';
export { addAccount, removeAccount } from './accountSetup';
export { Connections } from './accounts/connections';
export { isFolderAccount } from './accounts/folderConnection';
export { toDuelineError } from './accounts/toDuelineError';
export { certificateOf } from './dav/certificates';
export { browserLogin } from './dav/nextcloudLogin';
export { lookupService } from './dav/srvLookup';
export { FolderWatch } from './folder/folderWatch';
export { pendingChanges, pendingText } from './pendingChanges';
export { resolveConflict, toConflict } from './resources/resolveConflict';
export { destinationsFirst, listsLeftFor } from './resources/taskMoves';
export { notSynced, syncAccount } from './run/accountSync';
export { noteDecided, uidOfCopy } from './run/copies';
export { requestFullListing } from './run/download';
export { duplicatesOf, settleDuplicate } from './run/duplicates';
export { deleteRemotely, forgetDeletion } from './run/listDeletion';
export { SyncLedger } from './state/syncLedger';
