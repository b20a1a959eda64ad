import assert from 'node:assert/strict';
import { walkTree } from '../../../src/core/kernel/descent';

describe('the descendants of an item', () => {
  const below = (children: Readonly<Record<string, readonly string[]>>, ...roots: string[]) =>
    walkTree(
      roots,
      key => children[key] ?? [],
      key => key,
    ).map(({ item, parent, depth }) => `${depth} ${parent ?? '-'} ${item}`);

  it('come right after it, in the order of its siblings', () => {
    assert.deepEqual(below({ a: ['b', 'd'], b: ['c'] }, 'a', 'e'), ['0 - a', '1 a b', '2 b c', '1 a d', '0 - e']);
  });

  it('come once, even in a circle or under two roots', () => {
    assert.deepEqual(below({ a: ['b'], b: ['a'] }, 'a', 'b'), ['0 - a', '1 a b']);
  });

  it('may be any number of levels deep', () => {
    const reached = walkTree(
      [0],
      level => (level < 100_000 ? [level + 1] : []),
      level => level,
    );
    assert.equal(reached.at(-1)!.depth, 100_000);
  });
});
