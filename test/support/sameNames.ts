import assert from 'node:assert/strict';

/** Names what differs alone: a comparison of hundreds of names hides it. */
export function sameNames(found: Iterable<string>, expected: Iterable<string>): void {
  const [has, needs] = [new Set(found), new Set(expected)];
  const missing = [...needs].filter(name => !has.has(name));
  const leftOver = [...has].filter(name => !needs.has(name));
  assert.deepEqual({ missing, leftOver }, { missing: [], leftOver: [] });
}
