import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { bundlesFor } from '../scripts/l10n/bundles.mjs';
import { extract, wordsOf } from '../scripts/l10n/extract.mjs';
import { bundleFaults, manifestFaults, present, strangeFiles, translations } from '../scripts/l10n/faults.mjs';
import { t, tn, useWords } from '../src/views/l10n';
import { languages, wordsFile } from '../src/views/language';

describe('the words of the interface', () => {
  it('are plain texts in the code, so that they can be read off', () => {
    assert.deepEqual(extract().faults, []);
    assert.ok(wordsOf().size > 500);
  });

  it('are there in every language that is promised', () => {
    assert.deepEqual(present().sort(), Object.keys(translations).sort());
    assert.deepEqual(readdirSync('l10n').sort(), languages.flatMap(language => wordsFile(language) ?? []).sort());
    assert.deepEqual(strangeFiles(), []);
  });

  // While work goes on new or changed words may wait for their translations; the run of all suites, as for a release, lets none wait.
  const strict = process.env.CI !== undefined || process.env.TEST_RESULTS !== undefined;
  const waiting = (fault: string) => !strict && /^(missing|unused|placeholders):/.test(fault);
  const faults = (found: string[]) => found.filter(fault => !waiting(fault));

  for (const locale of present()) {
    it(`lack nothing in ${locale}, and nothing is left over`, () => assert.deepEqual(faults(bundleFaults(locale)), []));
    it(`lack nothing in the manifest in ${locale}`, () => assert.deepEqual(faults(manifestFaults(locale)), []));
  }

  it('name no server in the bundles of a part that knows none', () => {
    const bundles = bundlesFor(['src/views/when.ts', 'src/views/alarmLabel.ts']);
    assert.ok(bundles['bundle.l10n.de.json']?.['{0} minutes']);
    assert.ok(bundles['bundle.l10n.ar.json']?.['{0} minutes|few']);
    assert.equal(bundles['bundle.l10n.de.json']?.['Add CalDAV Account'], undefined);
  });
});

describe('counting in Arabic', () => {
  const bundle = bundlesFor(extract().words.map(({ file }) => file))['bundle.l10n.ar.json']!;
  before(() => useWords(bundle, 'ar'));
  after(() => useWords(undefined, 'en-US'));

  for (const [count, words] of [
    [0, 'لا مهام'],
    [1, 'مهمة واحدة'],
    [2, 'مهمتان'],
    [3, '3 مهام'],
    [11, '11 مهمة'],
    [100, '100 مهمة'],
  ] as const)
    it(`says ${count}`, () => {
      const digits = count.toLocaleString('ar');
      assert.equal(tn(count, '{0} task', '{0} tasks'), words.replace(String(count), digits));
    });

  it('fills in arguments', () => assert.equal(t('due {0}', 'x'), 'تستحق x'));
});
