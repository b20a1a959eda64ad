import type { SyncConflict } from '../../core/sync/syncState';
import { listed, t } from '../../shared/l10n';
import { fieldName } from '../common/fieldText';
import { copyReason } from './conflictVersions';

export function conflictReason(conflict: SyncConflict): string {
  const { reason, lost } = conflict;
  switch (reason) {
    case 'copy':
      return copyReason(conflict);
    case 'keptDeleted':
      return t('Deleted here, edited on the server: the task was restored.');
    case 'recreated':
      return t('Deleted on the server, edited here: the task was recreated.');
    case 'readOnly':
      return t('Edited here, but the list is read-only on the server.');
    case 'duplicate':
      return t('Possible duplicate: the same task is in two lists.');
    case 'merged':
      return t('Merged with a copy from another list. Its values are shown here.');
    default:
      return t('Edited here and on the server: {0}', listed([...new Set(lost.map(({ field }) => fieldName(field)))]));
  }
}
