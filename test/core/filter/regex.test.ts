import assert from 'node:assert/strict';
import fc from 'fast-check';
import { linearPattern } from '../../../src/core/filter/parse/linearRegex';
import { safeRegex } from '../../../src/core/filter/parse/regex';

const range = [0, 0] as const;

describe('filter: patterns', () => {
  it('match as the engine does, by the linear way too', () => {
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
      .array(fc.constantFrom('a', 'b', 'A', '1', ' ', '.', 'é', '\n', '😀'), { maxLength: 7 })
      .map(all => all.join(''));
    fc.assert(
      fc.property(
        pattern,
        fc.constantFrom('u', 'iu'),
        fc.array(text, { minLength: 5, maxLength: 5 }),
        (source, flags, texts) => {
          fc.pre(source.length < 120);
          const regex = new RegExp(source, flags);
          const linear = linearPattern(source, flags);
          for (const each of texts)
            assert.equal(linear.test(each), regex.test(each), `/${source}/${flags} on ${JSON.stringify(each)}`);
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
    for (const source of ['(){999999999}!', '((a{0}){999999999}){999999999}!', '(?:(?:){999999999,})+!'])
      assert.ok(safeRegex(source, '', range).test(text), source);
    assert.ok(safeRegex('(a+)+!', '', range).test(text));
    assert.ok(safeRegex('^(a|b)*!$', '', range).test(text));
  });

  it('are refused where no bounded way is known', () => {
    for (const source of ['(a)\\1', '(?=a)b', '(?<!a)b', '(?<x>a)\\k<x>', '(a{100}){100}'])
      assert.throws(() => safeRegex(source, '', range), /could be too slow/, source);
    assert.throws(() => safeRegex('a', 'g', range), /Only the flag “i” is allowed/);
  });

  it('may be written loosely', () => {
    assert.ok(safeRegex('RE\\-\\d{4}', '', range).test('x RE-1234'));
    assert.ok(safeRegex('a{b', '', range).test('a{b'));
    assert.ok(safeRegex('ÄRGER', 'i', range).test('ärger'));
  });
});
