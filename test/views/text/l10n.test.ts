import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  currentLanguage,
  currentLocale,
  isolate,
  listed,
  numeral,
  percent,
  plain,
  t,
  tn,
  useWords,
} from '../../../src/shared/l10n';
import { directionOf } from '../../../src/shared/language';
import { alarmLabel, lengthLabel } from '../../../src/ui/text/alarmText';
import { repeatText } from '../../../src/ui/text/ruleText';
import { usualStyle } from '../support/rows';

describe('translated words', () => {
  afterEach(() => useWords(undefined, 'en-US'));

  it('are English without a bundle', () => {
    assert.equal(t('Add {0} to {1}', 'milk', 'Home'), 'Add milk to Home');
    assert.equal(t('{0} {2}', 'a'), 'a {2}');
  });

  it('come from the bundle, and keep braces in arguments', () => {
    useWords({ 'Add {0}': '{0} hinzufügen' }, 'de-DE');
    assert.equal(t('Add {0}', '{0}'), '{0} hinzufügen');
  });

  it('distinguish one from many', () => {
    assert.equal(tn(1, '{0} task', '{0} tasks'), '1 task');
    assert.equal(tn(2345, '{0} task', '{0} tasks'), '2,345 tasks');
  });

  it('have the plural forms of their language', () => {
    useWords({ '{0} tasks': '{0} مهمة', '{0} tasks|two': 'مهمتان', '{0} tasks|few': '{0} مهام' }, 'ar');
    assert.equal(tn(2, '{0} task', '{0} tasks'), 'مهمتان');
    assert.match(tn(5, '{0} task', '{0} tasks'), /مهام$/);
    assert.match(tn(50, '{0} task', '{0} tasks'), /مهمة$/);
  });

  it('have numbers as the locale writes them, whatever their language', () => {
    useWords(undefined, 'ar-EG', 'en-US');
    assert.equal(t('{0} of {1}', 2, 15), '٢ of ١٥');
    assert.equal(t('{0}', '15'), '15');
    assert.equal(numeral(1234), '١٬٢٣٤');
    assert.match(percent(40), /^٤٠/);
    assert.equal(tn(1, '{0} task', '{0} tasks', 2), '١ task');
  });

  it('separate a list with the comma of their language', () => {
    assert.equal(listed(['a', 'b']), 'a, b');
    useWords({ '{0}, {1}': '{0}، {1}' }, 'ar');
    assert.equal(listed(['أ', 'ب', 'ج']), 'أ، ب، ج');
  });

  it('keep their direction in a layout of the other direction', () => {
    useWords({ 'Done.': 'تم.', '{0}, {1}': '{0}، {1}' }, 'ar', 'ar', true);
    assert.equal(t('Done.'), '\u2067تم.\u2069');
    assert.equal(listed(['أ', 'ب', 'ج']), '\u2067أ، ب، ج\u2069');
    assert.equal(plain(t('Done.')), 'تم.');
  });

  it('express rules and reminders in Arabic', () => {
    useWords(JSON.parse(readFileSync('l10n/bundle.l10n.ar.json', 'utf8')), 'ar-EG', 'ar');
    assert.equal(repeatText('FREQ=MONTHLY;BYDAY=-1FR'), 'كل شهر في آخر يوم جمعة');
    assert.equal(repeatText('FREQ=MONTHLY;BYMONTHDAY=15'), 'كل شهر في اليوم ١٥');
    const before = (minutesBefore: number) => alarmLabel({ minutesBefore, reference: 'DUE' }, usualStyle);
    assert.deepEqual([10, 60, 120].map(before), [
      'قبل ١٠ دقائق من الاستحقاق',
      'قبل ساعة واحدة من الاستحقاق',
      'قبل ساعتين من الاستحقاق',
    ]);
    assert.equal(lengthLabel(65 * 60_000), 'ساعة واحدة و٥ دقائق');
  });

  it('have a language apart from the locale of dates, and its direction', () => {
    useWords({}, 'en-GB', 'ar');
    assert.deepEqual(
      { locale: currentLocale(), language: currentLanguage(), direction: directionOf(currentLanguage()) },
      { locale: 'en-GB', language: 'ar', direction: 'rtl' },
    );
    useWords({}, 'ar-EG', 'en-US');
    assert.equal(directionOf(currentLanguage()), 'ltr');
  });

  it('contain no icons for a picker, whose names would be read out', () => {
    const texts = ['src/commands', 'src/views']
      .flatMap(folder => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(name => join(folder, name)))
      .filter(name => name.endsWith('.ts'))
      .map(name => [name, readFileSync(name, 'utf8')] as const);
    assert.deepEqual(
      texts.filter(([, text]) => /\b(?:label|description|detail):[^\n]*`\$\(/.test(text)).map(([name]) => name),
      [],
    );
  });

  it('fall back to English dates for an invalid locale', () => {
    useWords(undefined, 'no such thing');
    assert.equal(tn(1000, '{0}', '{0}'), '1,000');
  });

  it('are not reversed by a title inside them', () => {
    assert.equal(isolate('a\u202Eb\u2069c\u2067'), '\u2068abc\u2069');
    assert.equal(plain('  two\nlines\t here '), 'two lines here');
  });
});
