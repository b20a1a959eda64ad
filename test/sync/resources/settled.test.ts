import assert from 'node:assert/strict';
import { type Arrival, settledOf } from '../../../src/sync/resources/settled';

describe('resources whose moves are settled', () => {
  const uidsOf = (...arrivals: [uid: string, ...before: string[]][]) =>
    [...settledOf(arrivals.map(([uid, ...before]) => ({ uid, before })))].map(({ uid }) => uid);

  it('are those whose predecessors at their addresses arrive somewhere, too', () => {
    assert.deepEqual(uidsOf(['a', 'b'], ['b', 'a'], ['c', 'd']), ['a', 'b']);
    assert.deepEqual(uidsOf(['a', 'b'], ['b', 'c'], ['c', 'd'], ['e']), ['e']);
    assert.deepEqual(uidsOf(['a', 'a', 'b'], ['b']), ['a', 'b']);
    assert.deepEqual(uidsOf(['a', 'a', 'b']), []);
  });

  it('must displace a task at only one address if that task arrives at two', () => {
    assert.deepEqual(uidsOf(['a', 'x'], ['a'], ['b', 'a']), ['a', 'b']);
    assert.deepEqual(uidsOf(['a', 'x'], ['a', 'y'], ['b', 'a']), []);
  });

  it('are found in a few visits each, even if all of them have moved by one', () => {
    const count = 1_000;
    let visits = 0;
    const arrivals = Array.from({ length: count }, (_, at): Arrival => {
      const before = [`u${at}`];
      return {
        uid: `u${at + 1}`,
        get before() {
          visits++;
          return before;
        },
      };
    });
    assert.equal(settledOf(arrivals).size, 0);
    assert.ok(visits <= 3 * count, `${visits} looks`);
  });
});
