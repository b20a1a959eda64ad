import type { DuelineEngine, SyncReport } from '../../api';
import type { Id } from '../../core/kernel/model';
import type { SyncTrigger } from '../../core/sync/syncReport';
import { isolate, t, tn } from '../../shared/l10n';
import { showInformation, showWarning } from '../../ui/notifications';
import { notifyWithActions } from '../common/notifyWithActions';
import { askConflicts } from './askConflict';

/** Reports a run's own decisions and open questions once, without blocking anything. */
export class SyncNotices {
  #emptied: ReadonlySet<Id> = new Set();

  constructor(private readonly engine: DuelineEngine) {}

  show(report: SyncReport, trigger: SyncTrigger): void {
    const notices = report.accounts.flatMap(account => account.notices);
    const count = report.accounts.reduce((sum, { conflicts }) => sum + conflicts, 0);
    const fresh = this.engine.syncing?.conflicts().slice(0, count) ?? [];
    if (fresh.length > 0 && fresh.every(({ reason }) => reason === 'copy'))
      notifyWithActions(
        showInformation,
        tn(
          fresh.length,
          'A task has two files in its list. Both stay until you choose.',
          '{0} files have the same task as another file in their list. All stay until you choose.',
        ),
        { [t('Show Conflicts')]: 'dueline.sync.showConflicts' },
      );
    else if (this.engine.settings.conflictPolicy === 'ask') askConflicts(this.engine, count);
    else showConflicts(this.engine, count);
    showDetached(notices.filter(({ kind }) => kind === 'detached'));
    for (const { kind, listName } of notices) {
      if (kind === 'refusedProperty')
        void showInformation(t('The server did not accept the new name or color of the list {0}.', isolate(listName)));
      if (kind === 'tooLarge')
        void showWarning(
          t(
            'A task in the list {0} is too large: over 16 MB, or over 10,000 changed occurrences. Dueline leaves it as it is on the server. Make it smaller in the program that wrote it.',
            isolate(listName),
          ),
        );
    }
    this.#showEmptied(trigger);
  }

  /** If the user asked for the run, its failure reports the same with the same way out. */
  #showEmptied(trigger: SyncTrigger): void {
    const { syncing } = this.engine;
    const emptied = new Set(syncing?.emptiedLists());
    const fresh = this.engine.lists().filter(({ id }) => emptied.has(id) && !this.#emptied.has(id));
    this.#emptied = emptied;
    if (trigger === 'user') return;
    for (const { name } of fresh)
      notifyWithActions(
        showWarning,
        t('All or most tasks of the list {0} are gone from the server. Nothing was deleted here.', isolate(name)),
        {
          [t('Review…')]: 'dueline.sync.showConflicts',
        },
      );
  }
}

function showConflicts({ syncing }: DuelineEngine, count: number): void {
  if (count === 0) return;
  const fresh = syncing?.conflicts().slice(0, count) ?? [];
  const text = fresh.every(({ reason }) => reason === 'edited')
    ? tn(
        count,
        '{0} task was changed here and on the server. Your version was not sent; the server’s is shown.',
        '{0} tasks were changed here and on the server. Your versions were not sent; the server’s are shown.',
      )
    : tn(
        count,
        '{0} task was changed here and on the server. Your version was kept for review.',
        '{0} tasks were changed here and on the server. Your versions were kept for review.',
      );
  notifyWithActions(showInformation, text, { [t('Show Conflicts')]: 'dueline.sync.showConflicts' });
}

/** Lists that are gone from their server: theirs to decide about, since a server can be wrong too. */
function showDetached(gone: readonly { listId: Id; listName: string }[]): void {
  if (gone.length > 2) {
    const text = tn(
      gone.length,
      '{0} list no longer exists on its server. It was kept on this computer with its tasks.',
      '{0} lists no longer exist on their server. They were kept on this computer with their tasks.',
    );
    void showWarning(text);
    return;
  }
  for (const { listId, listName } of gone)
    notifyWithActions(
      showWarning,
      t('The list {0} no longer exists on its server. It was kept on this computer with its tasks.', isolate(listName)),
      { [t('Upload Again…')]: 'dueline.list.moveToAccount', [t('Delete List…')]: 'dueline.list.delete' },
      listId,
    );
}
