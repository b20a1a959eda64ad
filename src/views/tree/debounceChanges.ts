import type { Change } from '../../api';
import type { Disposable, Event } from '../../core/kernel/events';

/** Edits come in bursts: a tree that has shown one shows those of the next moment together. */
const gatherMs = 20;

/**
 * Calls `then` right after a change, and once for all that come within a moment after that; with `rowsOnly` if only
 * tasks changed, no list, account or setting.
 */
export function debounceChanges(onDidChange: Event<Change>, then: (rowsOnly: boolean) => void): Disposable {
  let timer: NodeJS.Timeout | undefined;
  let hasChanged = false;
  let rowsOnly = true;
  const flush = () => {
    timer = undefined;
    if (!hasChanged) return;
    const isRowsOnly = rowsOnly;
    hasChanged = false;
    rowsOnly = true;
    timer = setTimeout(flush, gatherMs);
    then(isRowsOnly);
  };
  const listening = onDidChange(({ accounts, lists, tasks }) => {
    rowsOnly &&= accounts.length === 0 && lists.length === 0 && tasks.length > 0;
    hasChanged = true;
    timer ??= setTimeout(flush);
  });
  return {
    dispose: () => {
      listening.dispose();
      clearTimeout(timer);
    },
  };
}
