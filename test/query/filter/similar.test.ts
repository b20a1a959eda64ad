import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isOneEditAway, similarQuery } from '../../../src/query/help/similar';

describe('filter: words one letter away', () => {
  it('have one letter more, less or changed, or two swapped', () => {
    for (const [a, b] of [
      ['mower', 'mower'],
      ['mowr', 'mower'],
      ['moower', 'mower'],
      ['mawer', 'mower'],
      ['mowre', 'mower'],
      ['omwer', 'mower'],
      ['mowe', 'mower'],
    ])
      assert.ok(isOneEditAway(a!, b!) && isOneEditAway(b!, a!), a);
    for (const [a, b] of [
      ['mwr', 'mower'],
      ['mawar', 'mower'],
      ['remow', 'mower'],
      ['omwre', 'mower'],
    ])
      assert.ok(!isOneEditAway(a!, b!) && !isOneEditAway(b!, a!), a);
    fc.assert(
      fc.property(fc.string(), fc.nat(), fc.string({ minLength: 1, maxLength: 1 }), (text, seed, letter) => {
        const at = seed % (text.length + 1);
        assert.ok(isOneEditAway(text, text.slice(0, at) + letter + text.slice(at)));
        assert.ok(isOneEditAway(text, text.slice(0, at) + letter + text.slice(at + 1)));
      }),
    );
  });

  const texts = ['Fix the mower', 'Café Müller', 'Gardening', 'A note'];
  it('replace mistyped words of a search', () => {
    assert.equal(similarQuery('mowre', texts), '("mower")');
    assert.equal(similarQuery('fix mowr #home', texts), 'fix ("mower") #home');
    assert.equal(similarQuery('MULER', texts), '("muller")');
    assert.equal(similarQuery('gradeni', texts), '("gardening")', 'the beginning of a word');
    assert.equal(similarQuery('mowre or cafee', texts), '("mower") or ("cafe")');
  });

  it('are not used for short words, names, quoted words and unreadable queries', () => {
    for (const query of ['fxi', '#mowre', '"mowre"', 'title:mowre', 'elephant', '(mowre', '', 'mowre "'])
      assert.ok([undefined, '(("mower")'].includes(similarQuery(query, texts)), query);
  });
});
