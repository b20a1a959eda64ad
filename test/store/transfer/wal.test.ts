import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { withWal } from '../../../src/store/transfer/wal';

describe('the -wal beside a database file', () => {
  const database = Uint8Array.from(readFileSync('test/store/fixtures/room-v1.db'));
  const wal = Uint8Array.from(readFileSync('test/store/fixtures/room-v1.db-wal'));
  const plain = withWal(database, undefined);
  const merged = withWal(database, wal);
  const damaged = (at: number, value: number) => {
    const copy = wal.slice();
    copy[at] = value;
    return withWal(database, copy);
  };

  it('is read as far as it was committed', () => {
    assert.notDeepEqual(merged, plain);
    assert.deepEqual(withWal(database, wal.subarray(0, wal.length - 1)).length >= plain.length, true);
  });

  it('is ignored if it is invalid: another magic number, a torn header, nothing committed', () => {
    assert.deepEqual(damaged(0, 0), plain);
    assert.deepEqual(damaged(16, wal[16]! ^ 1), plain);
    assert.deepEqual(damaged(40, wal[40]! ^ 1), plain);
    assert.deepEqual(withWal(database, wal.subarray(0, 40)), plain);
    assert.deepEqual(withWal(database, wal.subarray(0, 10)), plain);
  });
});
