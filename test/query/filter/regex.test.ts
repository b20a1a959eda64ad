import assert from 'node:assert/strict';
import fc from 'fast-check';
import { safeRegex } from '../../../src/query/parse/regex';

const range = [0, 0] as const;

describe('filter: patterns', () => {
  it('match as a RegExp does', () => {
    const atom = fc.constantFrom(
      'a',
      'b',
      'ab',
      '.',
      '[ab]',
      '[^a]',
      '\\w',
      '\\d',
      '\\s',
      '^',
      '$',
      '\\b',
      '\\B',
      '\\.',
      'é',
      '\\u0061',
      '\\p{L}',
    );
    const times = fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{1,3}', '{2,}', '*?');
    const pattern = fc.letrec<{ all: string }>(tie => ({
      all: fc.oneof(
        { maxDepth: 3 },
        {
          weight: 3,
          arbitrary: fc
            .tuple(atom, times)
            .map(([a, t]) =>
              /^(\^|\$|\\b|\\B)$/.test(a) ? a : /^.(?!$)/.test(a) && !/^[\\[]/.test(a) ? `(?:${a})${t}` : a + t,
            ),
        },
        fc.tuple(tie('all'), tie('all')).map(parts => parts.join('')),
        fc.tuple(tie('all'), tie('all')).map(([a, b]) => `(${a}|${b})`),
        fc.tuple(tie('all'), times).map(([a, t]) => `(?:${a})${t}`),
      ),
    })).all;
    const text = fc
      .array(fc.constantFrom('a', 'b', 'A', '1', ' ', '.', 'é', '\n', '😀', '\u00a0', '\u3000', '\v'), { maxLength: 7 })
      .map(all => all.join(''));
    fc.assert(
      fc.property(
        pattern,
        fc.constantFrom('u', 'iu'),
        fc.array(text, { minLength: 5, maxLength: 5 }),
        (source, flags, texts) => {
          fc.pre(source.length < 120);
          const regex = new RegExp(source, flags);
          const pattern = safeRegex(source, flags.replace('u', ''), range);
          for (const each of texts)
            assert.equal(pattern.test(each), regex.test(each), `/${source}/${flags} on ${JSON.stringify(each)}`);
        },
      ),
      { numRuns: 600 },
    );
  });

  it('end soon on texts that make backtracking explode', () => {
    const text = `${'a'.repeat(9000)}!`;
    for (const source of [
      '(a+)+b',
      '(a|aa)*b',
      '(.*)*b',
      '(\\w+\\s?)+b',
      '.*.*.*b',
      'a*a*a*a*b',
      '((a{2,}){3,})b',
      '(a?){30}a{30}b',
      `${'a?'.repeat(60)}b`,
      '(a?){10}(a?){10}(a?){10}(a?){10}b',
    ])
      assert.equal(safeRegex(source, '', range).test(text), false, source);
    assert.ok(safeRegex('(a+)+!', '', range).test(text));
    assert.ok(safeRegex('^(a|b)*!$', '', range).test(text));
  });

  // Ten million characters for each: if a pattern's every way is followed at each of them, this takes minutes.
  it('read a text once, however many paths a pattern has', () => {
    const text = 'a'.repeat(10_000);
    for (const source of [
      '(a?){50}a{50}c',
      'a?'.repeat(95),
      '(a?b?c?d?){40}e',
      '(?:a{9}){9}(?:a{9}){9}c',
      '[ab]*a[ab]{9}c',
    ]) {
      const pattern = safeRegex(`${source}$`, 'i', range);
      for (let count = 0; count < 1_000; count++) assert.equal(pattern.test(text), source.startsWith('a?'), source);
    }
  });

  it('are refused if they would need backtracking, or are large', () => {
    for (const source of ['(a)\\1', '(?=a)b', '(?<!a)b', '(?<x>a)\\k<x>', '(?:[a-z]{9}x){101}'])
      assert.throws(() => safeRegex(source, '', range), /could be too slow/, source);
    for (const source of ['(a{100}){100}', '(){999999999}!', 'a{2,1}', '(', '[', 'a**'])
      assert.throws(() => safeRegex(source, '', range), /Invalid pattern/, source);
    assert.throws(() => safeRegex('a', 'g', range), /Only the flag “i” is allowed/);
  });

  it('tolerate loose syntax', () => {
    assert.ok(safeRegex('RE\\-\\d{4}', '', range).test('x RE-1234'));
    assert.ok(safeRegex('a{b', '', range).test('a{b'));
    assert.ok(safeRegex('ÄRGER', 'i', range).test('ärger'));
  });
});
