import assert from 'node:assert/strict';

/** These members alone, by name, so that a failed comparison shows which one differs. */
export function pick<T extends object, K extends keyof T>(
  from: T | null | undefined,
  ...names: readonly K[]
): Pick<T, K> {
  assert.ok(from);
  return Object.fromEntries(names.map(name => [name, from[name]])) as Pick<T, K>;
}
