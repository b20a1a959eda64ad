import assert from 'node:assert/strict';
import { fingerprintAt, indexText, quoteAt, rankOf } from '../../../src/core/code/fingerprint';
import type { TextChange } from '../../../src/core/code/liveAnchors';
import { afterReload, changedLines, isOfWholeLines } from '../../../src/core/code/reloaded';

const method = (name: string) =>
  `${name}(input: string) {\n  prepare${name}(input);\n  const result = work(input);\n  return result;\n}\n`;
const code = ['alpha', 'beta', 'gamma'].map(method).join('');

/** Reads a file again like an editor: lines are taken out, and others put in their place. */
function reload(before: string, from: number, count: number, text: string) {
  const lines = before.split('\n');
  const change: TextChange = {
    start: { line: from, character: 0 },
    end: { line: from + count, character: 0 },
    text,
  };
  const after = [...lines.slice(0, from), ...text.split('\n').slice(0, -1), ...lines.slice(from + count)].join('\n');
  const index = indexText(before);
  return (line: number) => {
    const query = { fingerprint: fingerprintAt(index, line), line, quote: quoteAt(index, rankOf(index, line)) };
    return afterReload(indexText(after), [query], line, changedLines([change])!)?.line;
  };
}

describe('a file that is reloaded', () => {
  it('keeps the lines above and below the change in place, even if others are equal', () => {
    const line = reload(code, 5, 5, `${method('delta')}${method('epsilon')}`);
    for (const at of [0, 2, 4]) assert.equal(line(at), at);
    for (const at of [11, 12, 13, 14]) assert.equal(line(at), at + 5);
  });

  it('does not take an equal line elsewhere for a removed one', () => {
    const line = reload(code, 5, 5, '');
    for (const at of [5, 6, 7, 8, 9]) assert.equal(line(at), undefined);
  });

  it('has a line inside the change where it is found', () => {
    const line = reload(code, 4, 7, `}\n// More\n${method('beta')}gamma(input: string) {\n`);
    assert.equal(line(6), 7);
    assert.equal(line(7), 8);
    assert.equal(line(12), 13);
  });

  it('searches everywhere for a line that was not in the file before', () => {
    const index = indexText(code);
    const ways = [{ fingerprint: fingerprintAt(index, 6), line: 40 }];
    const lines = changedLines([{ start: { line: 0, character: 0 }, end: { line: 0, character: 0 }, text: '' }])!;
    assert.equal(afterReload(index, ways, undefined, lines)?.line, 6);
  });

  it('treats several changes as one, from the first to the last', () => {
    const change = (line: number, end: number, text: string): TextChange => ({
      start: { line, character: 2 },
      end: { line: end, character: 0 },
      text,
    });
    assert.deepEqual(changedLines([change(9, 10, 'a\r\nb\rc\n'), change(3, 4, '')]), { from: 3, to: 10, now: 11 });
    assert.equal(changedLines([]), undefined);
  });

  it('is distinguished from typing by the whole lines that it replaces', () => {
    const change = (from: readonly [number, number], to: readonly [number, number], text: string): TextChange => ({
      start: { line: from[0], character: from[1] },
      end: { line: to[0], character: to[1] },
      text,
    });
    const isRead = (...changes: TextChange[]) => isOfWholeLines(changes, 8);
    assert.ok(isRead(change([2, 0], [4, 0], 'a\n')));
    assert.ok(isRead(change([2, 0], [4, 0], '')));
    assert.ok(isRead(change([2, 0], [2, 0], 'a\r\n')));
    // The last lines, from the end of the line above them.
    assert.ok(isRead(change([5, 3], [9, 1], '\na\nb')));
    assert.ok(isRead(change([7, 3], [9, 1], '')));
    assert.ok(isRead(change([0, 0], [1, 1], 'a\nb\nc\nd\ne\nf\ng\nh')));
    // A letter, also at the beginning of a line and in the last one, one that is taken out, and a line break.
    assert.ok(!isRead(change([2, 4], [2, 4], 'x')));
    assert.ok(!isRead(change([2, 0], [2, 0], 'x')));
    assert.ok(!isRead(change([7, 0], [7, 0], 'x')));
    assert.ok(!isRead(change([7, 3], [7, 4], '')));
    assert.ok(!isRead(change([2, 4], [2, 4], '\n')));
    assert.ok(!isRead(change([4, 0], [5, 0], 'a\n'), change([2, 0], [3, 0], 'b\n')));
  });
});
