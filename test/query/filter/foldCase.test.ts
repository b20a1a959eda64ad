import assert from 'node:assert/strict';
import { foldCase } from '../../../src/query/eval/foldCase';

describe('text as searches compare it', () => {
  const same = (...texts: string[]) =>
    assert.equal(new Set(texts.map(foldCase)).size, 1, texts.map(foldCase).join(' '));

  it('passes over case, accents and compatibility forms', () => same('CAFÉ', 'café', 'cafe\u0301', 'Cafe'));

  it('passes over Arabic vowel signs, hamza and the stretched line', () => {
    same('أحمد', 'احمد', 'أَحْمَد', 'أحمـــد');
    same('ٱلكتاب', 'الكتاب');
  });

  it('takes for each other the letters that people write for each other', () => {
    same('مدرسة', 'مدرسه');
    same('على', 'علي', 'علی');
    same('كتاب', 'کتاب');
  });

  it('takes digits of any of the three kinds', () => same('فاتورة 15', 'فاتورة ١٥', 'فاتورة ۱۵'));
});
