import type { DuelineEngine } from '../../api';
import type { Id } from '../../core/kernel/model';

/**
 * The number of tasks in a list, including completed ones; a changed occurrence of a series does not count separately.
 */
export const taskCount = (engine: Pick<DuelineEngine, 'rows'>, listId: Id): number =>
  engine.rows(listId).filter(row => !row.isDeleted && row.masterId === null).length;
