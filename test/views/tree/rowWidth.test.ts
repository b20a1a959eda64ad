import assert from 'node:assert/strict';
import { fittingTexts } from '../../../src/views/tree/rowWidth';

describe('the text of a tree row', () => {
  const title = 'Pay the electricity bill of the office in town';
  const others = ['↻', '2/5', '#home'];

  it('is complete in a wide tree', () => {
    const texts = { title, musts: ['Yesterday, overdue', 'Yesterday'], others };
    assert.deepEqual(fittingTexts(texts, 900, 1), { title, parts: ['Yesterday, overdue', ...others] });
  });

  it('drops the signs, then the end of the title, before the date', () => {
    const texts = { title, musts: ['Tomorrow'], others };
    const wide = fittingTexts(texts, 480, 1);
    assert.equal(wide.title, title);
    assert.deepEqual(wide.parts.slice(0, 1), ['Tomorrow']);
    assert.ok(wide.parts.length < 4);
    const narrow = fittingTexts(texts, 240, 1);
    assert.match(narrow.title, /^Pay t.*…$/);
    assert.deepEqual(narrow.parts, ['Tomorrow']);
    const deep = fittingTexts(texts, 240, 3);
    assert.ok(deep.title.length < narrow.title.length);
  });

  it('shortens a date if its label has no room', () => {
    const texts = { title, musts: ['Yesterday, overdue', 'Yesterday'], others };
    assert.deepEqual(fittingTexts(texts, 240, 1).parts, ['Yesterday']);
  });

  it('keeps part of the title in a tree too narrow for any', () => {
    const { title: cut, parts } = fittingTexts({ title, musts: ['Tomorrow 10:00 AM'], others }, 120, 4);
    assert.match(cut, /^Pay.*…$/);
    assert.deepEqual(parts, ['Tomorrow 10:00 AM']);
  });

  it('is left to the editor without a date', () => {
    assert.deepEqual(fittingTexts({ title, musts: [], others }, 200, 1), { title, parts: others });
  });

  it('counts wide letters and emoji as such, and cuts none in half', () => {
    const { title: cut } = fittingTexts({ title: '🎉'.repeat(30), musts: ['Fri'], others: [] }, 240, 1);
    assert.match(cut, /^🎉{3,9}…$/u);
  });
});
