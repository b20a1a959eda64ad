import assert from 'node:assert/strict';
import { cleanedLines, safeJson, sanitize } from '../../../src/core/text/cleanText';

/** Signs that show nothing, or nothing but a gap. */
const unseen = [
  ...['\u00ad', '\u034f', '\u061c', '\u115f', '\u1160', '\u17b4', '\u17b5', '\u180b', '\u180e', '\u200b', '\u200e'],
  ...['\u202e', '\u2060', '\u2066', '\u206f', '\u2800', '\u3164', '\ufe00', '\ufeff', '\uffa0', '\ufff0', '\ufff9'],
  ...['\u{1bca0}', '\u{1d173}', '\u{e0001}', '\u{e0041}', '\u{e0080}', '\u{e0100}', '\u{e01f0}', '\u{e0fff}'],
];

describe('text shown to users and agents', () => {
  it('has no invisible character, alone, in a run, or on each letter', () => {
    const joiners = '\u200c\u200d\u200d\u200c\u200c\u200d'.repeat(10);
    for (const sign of [...unseen, joiners, '\ufe0f\ufe0e', '\u{e0100}\u{e0101}', '\u0007', '\u009b'])
      assert.equal(sanitize(`Q${sign}W`), 'QW', escape(sign));
    const onEachLetter = [...'rent'].map((letter, at) => letter + String.fromCodePoint(0xe0100 + at)).join('');
    assert.equal(sanitize(onEachLetter), 'rent');
    assert.equal(sanitize('1\ufe0f2\ufe0e3'), '123');
    assert.equal(cleanedLines('one\u2028\u3164\r\ntwo\u200b'), 'one \ntwo');
  });

  it('keeps the characters with a visible effect', () => {
    for (const text of [
      '\u{1f468}\u200d\u{1f33e} \u{1f469}\u{1f3fd}\u200d\u{1f680} \u{1f3f3}\ufe0f\u200d\u{1f308}',
      '\u2764\ufe0f \u2764\ufe0e 1\ufe0f\u20e3 \u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
      '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 \u0915\u094d\u200d\u0937',
      '\u845b\u{e0100} \u1828\u180b',
    ])
      assert.equal(sanitize(text), text);
  });

  it('is the same in JSON, with all of it escaped', () => {
    const value = { title: `a\u2028b\u2029c${unseen.join('x')}\u200d\ud83d\udc68` };
    const text = safeJson(value, 2);
    assert.deepEqual(JSON.parse(text), value);
    assert.match(text.replaceAll('\n', ''), /^[\x20-\x7e\u{1f468}]*$/u);
  });
});
