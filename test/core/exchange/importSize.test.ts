import assert from 'node:assert/strict';
import { checkDatabaseSize, checkImportSize } from '../../../src/core/exchange/importSize';

const mb = 1024 * 1024;

describe('the size limit of one import', () => {
  it('is reported for a file that is larger', () => {
    checkImportSize(32 * mb);
    assert.throws(() => checkImportSize(32 * mb + 1), {
      kind: 'invalid',
      message: /is 33 MB, but the limit is 32 MB/,
    });
  });

  it('is reported for a database that is larger', () => {
    checkDatabaseSize(128 * mb);
    assert.throws(() => checkDatabaseSize(200 * mb), { kind: 'invalid', message: /is 200 MB.* limit is 128 MB/ });
  });
});
