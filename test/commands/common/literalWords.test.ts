import assert from 'node:assert/strict';
import fc from 'fast-check';
import { LiteralWords } from '../../../src/commands/common/literalWords';
import { parseQuickAdd } from '../../../src/core/quickAdd/parseQuickAdd';
import { aContext } from '../../core/support/filterStore';

const { clock } = aContext();
const understood = (text: string, kept: LiteralWords) => {
  const rejected = [...kept.ranges];
  return parseQuickAdd(text, { clock, rejected }).tokens.map(({ from, to }) => text.slice(from, to) + from);
};
const words = (kept: LiteralWords) => kept.ranges.map(([from, to]) => kept.text.slice(from, to));

describe('words that are kept as text', () => {
  for (const text of [
    'Prepare Monday slides on Monday',
    'Monday review, Monday',
    'Read 5pm news at 5pm',
    'Ask #a about #a',
    'Today show today',
    'Today, then today, and on Friday, or Friday',
  ]) {
    it(`are the ones that were chosen, however often they occur: ${text}`, () => {
      const kept = new LiteralWords(text);
      const turned: string[] = [];
      for (;;) {
        const { tokens } = parseQuickAdd(text, { clock, rejected: [...kept.ranges] });
        const token = tokens.at(-1);
        if (!token) break;
        const name = `${token.from}`;
        assert.ok(!turned.includes(name), `${name} came back`);
        turned.push(name);
        kept.keep([token.from, token.to]);
      }
      assert.ok(turned.length > 0);
    });
  }

  it('stay text while the line changes around them; the same words elsewhere do not', () => {
    const kept = new LiteralWords('Call Monday');
    kept.keep([5, 11]);
    kept.follow('Do call Monday');
    kept.follow('Do call Monday on Monday');
    assert.deepEqual(words(kept), ['Monday']);
    assert.deepEqual(understood(kept.text, kept), ['on Monday15']);
  });

  it('are ordinary words again once they are changed or removed', () => {
    const kept = new LiteralWords('Call Monday, Monday');
    kept.keep([5, 11]);
    kept.follow('Call Monxday, Monday');
    assert.deepEqual(kept.ranges, []);
    kept.follow('Call Monday, Monday');
    kept.keep([5, 11]);
    kept.keep([13, 19]);
    // The caret decides which of the two was removed.
    kept.follow('Call Monday', 5);
    assert.deepEqual(kept.ranges, [[5, 11]]);
    kept.follow('');
    assert.deepEqual(kept.ranges, []);
  });

  it('keep their letters whatever is typed, pasted or removed', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 12 });
    const edit = fc.record({ at: fc.nat(12), cut: fc.nat(4), put: text, knowsCaret: fc.boolean() });
    fc.assert(
      fc.property(text, fc.nat(12), fc.nat(12), fc.array(edit, { maxLength: 5 }), (start, a, b, edits) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b)];
        const kept = new LiteralWords(start, [[from, to]]);
        const before = words(kept);
        for (const { at, cut, put, knowsCaret } of edits) {
          const { text } = kept;
          const place = Math.min(at, text.length);
          const now = text.slice(0, place) + put + text.slice(place + cut);
          kept.follow(now, knowsCaret ? place + put.length : undefined);
          assert.equal(kept.text, now);
        }
        for (const word of words(kept)) assert.deepEqual([word], before);
      }),
    );
  });

  it('move along when a line is put before another', () => {
    const kept = new LiteralWords('Call Monday', [[5, 11]]).behind('Ask Friday', [[4, 10]]);
    assert.equal(kept.text, 'Ask Friday Call Monday');
    assert.deepEqual(words(kept), ['Friday', 'Monday']);
    assert.deepEqual(words(new LiteralWords('', []).behind('Ask Friday', [[4, 10]])), ['Friday']);
    assert.deepEqual(words(kept.behind('', [])), ['Friday', 'Monday']);
  });
});
