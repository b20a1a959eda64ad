import type { DuelineEngine } from '../../api';
import type { Id } from '../../core/kernel/model';

/** How many tasks a list holds, done ones among them; a changed occurrence of a series is none of its own. */
export const taskCount = (engine: Pick<DuelineEngine, 'rows'>, listId: Id): number =>
  engine.rows(listId).filter(row => !row.isDeleted && row.masterId === null).length;
