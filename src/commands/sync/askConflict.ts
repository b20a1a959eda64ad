import type { DuelineEngine } from '../../api';
import { isolate, t, tn } from '../../shared/l10n';
import { showInformation } from '../../ui/notifications';
import { notifyWithActions } from '../common/notifyWithActions';
import { conflictReason } from './conflictText';

/**
 * Asks at once which version of a task is kept, if the user has chosen that, without blocking anything. Until the
 * answer the server's version is kept, and unanswered conflicts wait under Show Conflicts. `count`: how many of the
 * newest.
 */
export function askConflicts(engine: DuelineEngine, count: number): void {
  const fresh = engine.syncing?.conflicts().slice(0, count) ?? [];
  const [only] = fresh;
  if (fresh.length === 1 && only?.reason === 'edited') {
    const title = isolate(only.title) || t('(no title)');
    const question = t('{0}: {1}. Which version do you want?', title, conflictReason(only));
    const answers = {
      [t('Use My Version')]: 'dueline.sync.useMine',
      [t('Use Server Version')]: 'dueline.sync.useServer',
      [t('Keep Both')]: 'dueline.sync.keepBoth',
      [t('Compare')]: 'dueline.sync.resolve',
    };
    notifyWithActions(showInformation, question, answers, only.id);
  } else if (only) {
    const text = tn(
      fresh.length,
      '{0} task was changed here and on the server. Which version do you want?',
      '{0} tasks were changed here and on the server. Which versions do you want?',
    );
    notifyWithActions(showInformation, text, { [t('Review…')]: 'dueline.sync.showConflicts' });
  }
}
