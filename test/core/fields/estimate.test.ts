import assert from 'node:assert/strict';
import fc from 'fast-check';
import { estimateText, maxEstimate, readEstimate } from '../../../src/core/fields/estimate';
import { estimateOf, textOf, withLineTexts } from '../../../src/core/fields/values';
import { readResource } from '../../../src/core/ical/readResource';
import { emptyFields } from '../../../src/core/ical/row';
import { edit, file } from '../support/icalFile';

const row = (...lines: string[]) => ({ unknownProperties: JSON.stringify(lines) });

describe('an estimate', () => {
  it('can be typed in several ways, each of which gives minutes', () => {
    const typed = {
      '30m': 30,
      '1h30': 90,
      '1h30m': 90,
      '1 h 30 min': 90,
      '2h': 120,
      '1.5h': 90,
      '0,25h': 15,
      '45': 45,
    };
    for (const [text, minutes] of Object.entries({ ...typed, PT1H: 60, P1D: 1440, pt90m: 90, PT20S: 1 }))
      assert.equal(readEstimate(text), minutes, text);
    for (const text of ['', 'soon', '0', '0m', '-30m', '-PT30M', '1h60', '30s', '1h 30 h', 'PT', 'P100W', '99999'])
      assert.equal(readEstimate(text), undefined, text);
  });

  it('is read back as the minutes that it was written from', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: maxEstimate }), minutes => readEstimate(estimateText(minutes)) === minutes),
    );
  });

  it('is read from the first readable line; the line of cfait comes before the standard one', () => {
    assert.equal(estimateOf(row('ESTIMATED-DURATION:PT1H')), 60);
    assert.equal(estimateOf(row('ESTIMATED-DURATION:soon', 'ESTIMATED-DURATION;X-A=1:PT2H')), 120);
    assert.equal(estimateOf(row('ESTIMATED-DURATION:PT1H', 'X-ESTIMATED-DURATION:PT3H')), 180);
    assert.equal(estimateOf(row('ESTIMATED-DURATION:PT3H', 'X-ESTIMATED-DURATION:-PT1H')), 180);
    for (const value of ['', 'soon', '-PT5M', 'PT0S', 'P99999W', '1h', 'P1000000000D'])
      assert.equal(estimateOf(row(`ESTIMATED-DURATION:${value}`)), undefined, value);
  });

  it('does not touch lines that already say the same, or say nothing', () => {
    for (const lines of [
      ['ESTIMATED-DURATION;X-A=1:PT90M'],
      ['ESTIMATED-DURATION:soon', 'X-ESTIMATED-DURATION:-P1D'],
      [],
    ]) {
      const before = lines.length > 0 ? row(...lines) : { unknownProperties: null };
      const value = textOf({ ...emptyFields(''), ...before }, 'estimate');
      assert.equal(withLineTexts(before, { estimate: value }), before.unknownProperties);
    }
    const other = row('X-ESTIMATED-DURATION:PT30M', 'X-OTHER:1');
    assert.deepEqual(JSON.parse(withLineTexts(other, { estimate: '1h' })!), ['X-ESTIMATED-DURATION:PT1H', 'X-OTHER:1']);
    const both = row('X-ESTIMATED-DURATION:PT30M', 'ESTIMATED-DURATION:PT5M');
    assert.deepEqual(JSON.parse(withLineTexts(both, { estimate: '1h' })!), [
      'X-ESTIMATED-DURATION:PT1H',
      'ESTIMATED-DURATION:PT1H',
    ]);
    assert.equal(withLineTexts(row('ESTIMATED-DURATION:PT30M'), { estimate: null }), null);
  });

  it('is changed in its file without changing another byte', () => {
    const linesOf = (text: string) => text.split('\r\n').filter(line => line.includes('DURATION'));
    const change = (lines: string[], estimate: string | null) => {
      const base = file(...lines);
      const { fields } = readResource(base).master!;
      return linesOf(edit(base, { unknownProperties: withLineTexts(fields, { estimate }) }));
    };
    assert.deepEqual(change([], '1h30m'), ['ESTIMATED-DURATION:PT1H30M']);
    assert.deepEqual(change(['ESTIMATED-DURATION;X-A=1:PT30M'], '45m'), ['ESTIMATED-DURATION;X-A=1:PT45M']);
    assert.deepEqual(change(['ESTIMATED-DURATION:PT30M'], null), []);
    assert.deepEqual(change(['X-ESTIMATED-DURATION:PT30M', 'X-CFAIT-ESTIMATED-DURATION-MAX:PT60M'], '45m'), [
      'X-ESTIMATED-DURATION:PT45M',
      'X-CFAIT-ESTIMATED-DURATION-MAX:PT60M',
    ]);
    const both = ['X-ESTIMATED-DURATION:PT2H', 'ESTIMATED-DURATION;X-A=1:PT30M'];
    assert.deepEqual(change(both, '45m'), ['X-ESTIMATED-DURATION:PT45M', 'ESTIMATED-DURATION;X-A=1:PT45M']);
    assert.deepEqual(change(both, null), []);
    for (const odd of ['ESTIMATED-DURATION:soon', 'ESTIMATED-DURATION:-PT5M', 'X-ESTIMATED-DURATION:P99999W']) {
      assert.deepEqual(change([odd], null), [odd]);
      const base = file(odd, 'SUMMARY:a');
      assert.deepEqual(linesOf(edit(base, { title: 'b' })), [odd]);
    }
  });
});
