import { changedGroups, type Group, groupColumns } from '../../core/ical/contentGroups';
import type { Resource, ResourceRow } from '../../core/ical/row';
import type { ResourceRows } from '../../core/ical/writeResource';

/** Reordering is not an edit that would bring a deleted task back. */
export function isRealChange(before: ResourceRow | undefined, after: ResourceRow | undefined): boolean {
  if (!before || !after) return before !== after;
  return changedGroups(before, after).some(group => group !== 'sortOrder');
}

/**
 * True if a server's copy has the content that was sent, as far as the server keeps it: it may write it differently,
 * add lines of its own, and drop what it cannot store.
 */
export const isStoredFrom = (sent: Resource, stored: Resource): boolean =>
  rowPairs(sent, stored).every(
    ([before, after]) =>
      before &&
      after &&
      changedGroups(before, after).every(
        group => group === 'unknown' || group === 'sortOrder' || isBlank(group, after),
      ),
  );

const isBlank = (group: Group, row: ResourceRow): boolean =>
  Object.entries(groupColumns(group, row)).every(
    ([name, value]) => !value || name === 'repeatFrom' || (Array.isArray(value) && value.length === 0),
  );

/** The rows of two texts side by side, by occurrence. */
export function rowPairs(a: Resource, b: Resource): [ResourceRow | undefined, ResourceRow | undefined][] {
  const rows = (of: Resource) => new Map(allRows(of).map(row => [row.fields.recurrenceId, row]));
  const [left, right] = [rows(a), rows(b)];
  return [...new Set([...left.keys(), ...right.keys()])].map(id => [left.get(id), right.get(id)]);
}

export const allRows = ({ master, overrides }: ResourceRows): readonly ResourceRow[] =>
  master ? [master, ...overrides] : overrides;
