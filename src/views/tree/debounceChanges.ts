import type { Change } from '../../api';
import type { Disposable, Event } from '../../core/kernel/events';

/** Edits come in bursts, and a tree shows the last of one. */
const debounceMs = 20;

/**
 * Calls `then` a moment after a change, once for all that come meanwhile; with `rowsOnly` if only tasks changed, no
 * list, account or setting.
 */
export function debounceChanges(onDidChange: Event<Change>, then: (rowsOnly: boolean) => void): Disposable {
  let timer: NodeJS.Timeout | undefined;
  let rowsOnly = true;
  const flush = () => {
    timer = undefined;
    const isRowsOnly = rowsOnly;
    rowsOnly = true;
    then(isRowsOnly);
  };
  const listening = onDidChange(({ accounts, lists, tasks }) => {
    rowsOnly &&= accounts.length === 0 && lists.length === 0 && tasks.length > 0;
    timer ??= setTimeout(flush, debounceMs);
  });
  return {
    dispose: () => {
      listening.dispose();
      clearTimeout(timer);
    },
  };
}
