import assert from 'node:assert/strict';
import { useWords } from '../../../src/shared/l10n';
import { editName } from '../../../src/ui/text/editName';

describe('the name of an edit', () => {
  beforeEach(() => useWords(undefined, 'en-US'));

  it('counts deleted occurrences as tasks, since several may be of one series', () => {
    const key = 'deleteOccurrence';
    assert.equal(editName({ key, count: 1, title: 'Run' }), 'delete one occurrence of \u2068Run\u2069');
    assert.equal(editName({ key, count: 3 }), 'delete 3 tasks');
  });
});
