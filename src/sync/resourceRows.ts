import { changedGroups, type Group } from '../core/ical/content';
import type { Resource, ResourceRow } from '../core/ical/row';
import type { ResourceRows } from '../core/ical/writeResource';

/** Reordering, and what programs note about reminders, are no edits worth bringing a deleted task back for. */
const noise: ReadonlySet<Group> = new Set(['sortOrder']);

export function isRealChange(before: ResourceRow | undefined, after: ResourceRow | undefined): boolean {
  if (!before || !after) return before !== after;
  return changedGroups(before, after).some(group => !noise.has(group));
}

/** The rows of two texts side by side, by occurrence. */
export function rowPairs(a: Resource, b: Resource): [ResourceRow | undefined, ResourceRow | undefined][] {
  const rows = (of: Resource) => new Map(allRows(of).map(row => [row.fields.recurrenceId, row]));
  const [left, right] = [rows(a), rows(b)];
  return [...new Set([...left.keys(), ...right.keys()])].map(id => [left.get(id), right.get(id)]);
}

export const allRows = ({ master, overrides }: ResourceRows): readonly ResourceRow[] =>
  master ? [master, ...overrides] : overrides;
