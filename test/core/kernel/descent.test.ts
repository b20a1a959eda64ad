import assert from 'node:assert/strict';
import { walkTree } from '../../../src/core/kernel/descent';

describe('what lies below a thing', () => {
  const below = (children: Readonly<Record<string, readonly string[]>>, ...roots: string[]) =>
    walkTree(
      roots,
      key => children[key] ?? [],
      key => key,
    ).map(({ item, parent, depth }) => `${depth} ${parent ?? '-'} ${item}`);

  it('comes right behind it, in the order of its siblings', () => {
    assert.deepEqual(below({ a: ['b', 'd'], b: ['c'] }, 'a', 'e'), ['0 - a', '1 a b', '2 b c', '1 a d', '0 - e']);
  });

  it('comes once, in a circle and under two roots too', () => {
    assert.deepEqual(below({ a: ['b'], b: ['a'] }, 'a', 'b'), ['0 - a', '1 a b']);
  });

  it('may be any number of levels down', () => {
    const reached = walkTree(
      [0],
      level => (level < 100_000 ? [level + 1] : []),
      level => level,
    );
    assert.equal(reached.at(-1)!.depth, 100_000);
  });
});
