import assert from 'node:assert/strict';
import { checkDatabaseSize, checkImportSize } from '../../../src/core/exchange/importSize';

const mb = 1024 * 1024;

describe('the size of what one import takes', () => {
  it('is told where a file has more', () => {
    checkImportSize(32 * mb);
    assert.throws(() => checkImportSize(32 * mb + 1), {
      kind: 'invalid',
      message: /is 33 MB, but the limit is 32 MB/,
    });
  });

  it('is told where a database has more', () => {
    checkDatabaseSize(128 * mb);
    assert.throws(() => checkDatabaseSize(200 * mb), { kind: 'invalid', message: /is 200 MB.* limit is 128 MB/ });
  });
});
