import type { DuelineEngine } from '../api';
import type { Task } from '../core/model';
import { isClosed } from '../core/status';

/** The open tasks beside one in its list, under the same parent, itself among them, in the order that a person gave them. */
export const openSiblings = (
  engine: Pick<DuelineEngine, 'rows'>,
  { listId, parentId }: Pick<Task, 'listId' | 'parentId'>,
): readonly Task[] =>
  engine
    .rows(listId)
    .filter(row => row.parentId === parentId && row.masterId === null && !row.isDeleted && !isClosed(row))
    .toSorted((a, b) => a.sortOrder - b.sortOrder || a.id - b.id);
