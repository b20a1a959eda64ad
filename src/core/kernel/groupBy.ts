/**
 * Groups values by a key, in the order in which the keys first come.
 *
 * @example
 * groupBy([1, 2, 3], value => value % 2) // Map { 1 → [1, 3], 0 → [2] }
 */
export function groupBy<K, T>(values: readonly T[], keyOf: (value: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return groups;
}
