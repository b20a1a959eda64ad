import { Classification, type Id, type Task } from '../kernel/model';

type Classified = Pick<Task, 'classification'>;

/** A task that is marked as private or confidential (CLASS, RFC 5545 3.8.1.3). */
export const isPrivate = ({ classification }: Classified): boolean =>
  classification === Classification.private || classification === Classification.confidential;

/** A task that is private, or a part of one: below it, or one of its dates. A text that others will read leaves it out. */
export function isPartOfPrivate(task: Task, taskOf: (id: Id) => Task | undefined): boolean {
  const seen = new Set<Id>();
  for (let each: Task | undefined = task; each && !seen.has(each.id); ) {
    if (isPrivate(each)) return true;
    seen.add(each.id);
    const parentId: Id | null = each.masterId ?? each.parentId;
    each = parentId === null ? undefined : taskOf(parentId);
  }
  return false;
}
