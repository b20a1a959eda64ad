import type { DuelineEngine } from '../../api';
import { isClosed } from '../../core/fields/status';
import { isDuelineError } from '../../core/kernel/errors';
import type { Id, Occurrence } from '../../core/kernel/model';
import { numeral, t, tn } from '../../shared/l10n';

/** The number after a list's name, and its words for a screen reader; both empty if there is none. */
export interface ListCount {
  readonly text: string;
  readonly accessibleLabel: string;
}

/** How many tasks each list has open; if a filter narrows them, how many of these it leaves. `limitOf` reads the filter. */
export function listCounts(
  engine: Pick<DuelineEngine, 'openCounts' | 'lines'>,
  filter: string | undefined,
  limitOf: (filter: string) => number | undefined,
): (list: Id) => ListCount {
  const open = engine.openCounts();
  const found = filter === undefined ? undefined : foundBy(engine, filter, limitOf);
  return list => {
    const all = open.get(list);
    if (!found)
      return all === undefined ? none : { text: numeral(all), accessibleLabel: tn(all, '{0} open', '{0} open') };
    const { count, isOpen } = found(list);
    // Done tasks are none of the open ones, and of a repeating task there may be several.
    return all === undefined || !isOpen || count > all
      ? { text: numeral(count), accessibleLabel: tn(count, '{0} task matches', '{0} tasks match') }
      : { text: t('{0} of {1}', count, all), accessibleLabel: t('{0} of {1} match the filter', count, all) };
  };
}

const none: ListCount = { text: '', accessibleLabel: '' };

interface CountedList {
  readonly count: number;
  readonly isOpen: boolean;
}

/** Undefined if the filter cannot be read; the lists show that themselves. */
function foundBy(
  { lines }: Pick<DuelineEngine, 'lines'>,
  filter: string,
  limitOf: (filter: string) => number | undefined,
): ((list: Id) => CountedList) | undefined {
  const countOf = (found: readonly Occurrence[]) => ({
    count: found.length,
    isOpen: found.every(({ task }) => !isClosed(task)),
  });
  try {
    // A limit counts in each list again.
    if (limitOf(filter) !== undefined) return list => countOf(lines(filter, { lists: [list] }));
    const byList = new Map<Id, Occurrence[]>();
    for (const row of lines(filter))
      if (byList.get(row.task.listId)?.push(row) === undefined) byList.set(row.task.listId, [row]);
    return list => countOf(byList.get(list) ?? []);
  } catch (error) {
    if (!isDuelineError(error)) throw error;
    return undefined;
  }
}
