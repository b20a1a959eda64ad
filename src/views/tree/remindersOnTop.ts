import type { Occurrence } from '../../core/kernel/model';
import { t } from '../../shared/l10n';
import { withoutReminded } from '../../ui/pendingReminders';
import type { RowGroup, RowRequest } from './branchRows';
import type { NestedRows } from './nestedRows';
import { remindersKey } from './nodes';

/**
 * A branch with the rows whose reminders wait for an answer in a group on top. The other rows then have a group of
 * their own, since rows and groups are never siblings.
 */
export class RemindersOnTop {
  #lines: readonly Occurrence[] = [];
  #parts: readonly unknown[] = [];

  /** `name` is the label of the group of the other rows, if they have no groups of their own. */
  request(request: RowRequest, reminded: readonly Occurrence[], name: string): RowRequest {
    if (reminded.length === 0) return request;
    const { groups = rows => oneGroup(rows, name) } = request;
    const lines = this.#linesOf(request.lines, reminded);
    return {
      ...request,
      lines,
      groups: rows => {
        const top = new Set(rows.roots.slice(0, reminded.length));
        const others = groups(rows).map(group => ({ ...group, roots: group.roots.filter(key => !top.has(key)) }));
        const first = { key: remindersKey, label: t('Reminders'), roots: [...top] };
        return [first, ...others.filter(({ roots }) => roots.length > 0)];
      },
    };
  }

  /** The same array while nothing in it has changed. */
  #linesOf(lines: readonly Occurrence[], reminded: readonly Occurrence[]): readonly Occurrence[] {
    const parts = [lines, ...reminded.flatMap(({ task, dtstart, due, isOverdue }) => [task, dtstart, due, isOverdue])];
    if (parts.length !== this.#parts.length || parts.some((part, at) => part !== this.#parts[at])) {
      this.#parts = parts;
      this.#lines = [...reminded, ...withoutReminded(lines, reminded)];
    }
    return this.#lines;
  }
}

const oneGroup = (rows: NestedRows, name: string): readonly RowGroup[] => [
  { key: 'all', label: name, roots: rows.roots },
];
