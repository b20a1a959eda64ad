import assert from 'node:assert/strict';
import fc from 'fast-check';
import { hashOfUid, isShortId, readShortId, ShortIdIndex } from '../../../src/core/code/shortId';

describe('short IDs', () => {
  it('are four digits of base32 if that is enough, and the same in every store', () => {
    const index = new ShortIdIndex();
    index.add('8a8f7d3c-6a50-4c0e-9f0b-2f6f6a1c9d11');
    assert.equal(index.shortIdOf('8a8f7d3c-6a50-4c0e-9f0b-2f6f6a1c9d11'), 'dl-z67f');
    assert.match(hashOfUid(''), /^[0-9a-hjkmnp-tv-z]{12}$/);
  });

  it('grow to as many digits as one task needs to be unique, like those of git', () => {
    const uids = Array.from({ length: 20_000 }, (_, at) => `task-${at}`);
    const index = new ShortIdIndex();
    for (const uid of uids) index.add(uid);
    const ids = uids.map(uid => index.shortIdOf(uid));
    assert.equal(new Set(ids).size, uids.length);
    assert.ok(ids.some(id => id.length > 'dl-0000'.length));
    for (const [at, id] of ids.entries()) {
      assert.deepEqual(index.find(readShortId(id)!), [uids[at]]);
      if (id.length > 'dl-0000'.length) assert.ok(index.find(readShortId(id.slice(0, -1))!).length > 1);
    }
  });

  it('are spread evenly: of a hundred thousand UIDs no two share twelve digits', () => {
    const hashes = new Set<string>();
    for (let at = 0; at < 50_000; at++) {
      hashes.add(hashOfUid(`${at}@example.org`));
      hashes.add(hashOfUid(`00000000-0000-4000-8000-${String(at).padStart(12, '0')}`));
    }
    assert.equal(hashes.size, 100_000);
  });

  it('are read as users type them: in capitals, without the prefix, with letters for digits', () => {
    assert.deepEqual(['dl-K3F9', 'k3f9', ' DL-k3f9 ', 'k3lo'].map(readShortId), ['k3f9', 'k3f9', 'k3f9', 'k310']);
    assert.deepEqual(['', 'dl-', 'k3 f9', 'k3u9', 'k'.repeat(13)].map(readShortId), Array(5).fill(undefined));
    assert.deepEqual(['d', 'ci', 'abc', 'dl-k3f'].map(readShortId), Array(4).fill(undefined));
    assert.equal(isShortId('dl-k3f'), false);
    assert.deepEqual(['dl-k3f9', 'k3f9', 'dl-fix race'].map(isShortId), [true, false, false]);
  });

  it('are found by four or more of their first digits', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 50 }),
        fc.integer({ min: 4, max: 12 }),
        (uids, length) => {
          const index = new ShortIdIndex();
          for (const uid of uids) index.add(uid);
          const begin = hashOfUid(uids[0]!).slice(0, length);
          assert.deepEqual(index.find(begin).sort(), uids.filter(uid => hashOfUid(uid).startsWith(begin)).sort());
        },
      ),
    );
  });
});
