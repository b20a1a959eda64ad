import assert from 'node:assert/strict';
import { maxSkipped, mergeSkipped } from '../../../src/sync/resources/skipped';
import type { Skipped } from '../../../src/sync/state/ledgerTypes';

const etag = '"1"';
const many = (count: number, first = 0): [string, Skipped][] =>
  Array.from({ length: count }, (_, at) => [`/${first + at}.ics`, { etag }]);
const merge = (before: Iterable<[string, Skipped]>, changes: Iterable<[string, Skipped | undefined]>) =>
  mergeSkipped(Object.fromEntries(before), new Map(changes));

describe('the skipped resources of a list', () => {
  it('stay as they are if nothing changes', () => {
    assert.equal(mergeSkipped(undefined, new Map()), undefined);
    assert.equal(merge(many(3), [['/other.ics', undefined]]), undefined);
  });

  it('are added and removed', () => {
    const changes: [string, Skipped | undefined][] = [
      ['/0.ics', undefined],
      ['/2.ics', { etag }],
    ];
    assert.deepEqual(merge(many(2), changes), { '/1.ics': { etag }, '/2.ics': { etag } });
  });

  it('are forgotten oldest first', () => {
    const after = Object.keys(merge(many(maxSkipped), many(2, maxSkipped))!);
    assert.deepEqual(
      { count: after.length, first: after[0], last: after.at(-1) },
      { count: maxSkipped, first: '/2.ics', last: `/${maxSkipped + 1}.ics` },
    );
  });

  it('count as new if they changed', () => {
    const after = merge(many(maxSkipped), [['/0.ics', { etag: '"2"' }], ...many(1, maxSkipped)])!;
    assert.deepEqual(after['/0.ics'], { etag: '"2"' });
    assert.equal(after['/1.ics'], undefined);
  });

  it('are forgotten last if they wait for another resource to be removed', () => {
    const waiting: [string, Skipped] = ['/waiting.ics', { etag, behind: 'uid' }];
    const after = merge([waiting, ...many(maxSkipped - 1)], many(maxSkipped, maxSkipped))!;
    assert.deepEqual(
      { count: Object.keys(after).length, waiting: after['/waiting.ics'] },
      { count: maxSkipped, waiting: waiting[1] },
    );
  });

  it('are limited even if all of them wait', () => {
    const waiting = many(maxSkipped + 10).map(([href]): [string, Skipped] => [href, { etag, behind: href }]);
    assert.equal(Object.keys(merge([], waiting)!).length, maxSkipped);
  });
});
