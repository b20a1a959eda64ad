import assert from 'node:assert/strict';
import { isolate, plain, t, tn, useWords } from '../../src/views/l10n';

describe('words', () => {
  afterEach(() => useWords(undefined, 'en-US'));

  it('stands in English where no bundle says otherwise', () => {
    assert.equal(t('Add {0} to {1}', 'milk', 'Home'), 'Add milk to Home');
    assert.equal(t('{0} {2}', 'a'), 'a {2}');
  });

  it('takes the bundle’s words, and leaves braces in arguments alone', () => {
    useWords({ 'Add {0}': '{0} hinzufügen' }, 'de-DE');
    assert.equal(t('Add {0}', '{0}'), '{0} hinzufügen');
  });

  it('knows one and many', () => {
    assert.equal(tn(1, '{0} task', '{0} tasks'), '1 task');
    assert.equal(tn(2345, '{0} task', '{0} tasks'), '2,345 tasks');
  });

  it('uses the forms that a language has', () => {
    useWords({ '{0} tasks': '{0} مهمة', '{0} tasks|two': 'مهمتان', '{0} tasks|few': '{0} مهام' }, 'ar');
    assert.equal(tn(2, '{0} task', '{0} tasks'), 'مهمتان');
    assert.match(tn(5, '{0} task', '{0} tasks'), /مهام$/);
    assert.match(tn(50, '{0} task', '{0} tasks'), /مهمة$/);
  });

  it('falls back to English dates for a tag that is none', () => {
    useWords(undefined, 'no such thing');
    assert.equal(tn(1000, '{0}', '{0}'), '1,000');
  });

  it('keeps a title from turning the words around it', () => {
    assert.equal(isolate('a\u202Eb\u2069c\u2067'), '\u2068abc\u2069');
    assert.equal(plain('  two\nlines\t here '), 'two lines here');
  });
});
