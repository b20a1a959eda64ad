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
    assert.deepEqual(fittingTexts({ ...texts, title: 'Pay the bill' }, 250, 1), {
      title: 'Pay the bill',
      parts: ['Tomorrow'],
    });
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

  it('keeps its title above 250 px, and has the shorter date there if the longer one has no room', () => {
    const musts = ['Mon 5:00 PM', 'Mon'];
    const [short, long] = ['Call the bank', 'Call the bank about the loan'].map(title =>
      fittingTexts({ title, musts, others }, 300, 1),
    );
    assert.deepEqual(short, { title: 'Call the bank', parts: ['Mon 5:00 PM', ...others] });
    assert.deepEqual(long, { title: 'Call the bank about the loan', parts: ['Mon', ...others] });
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
