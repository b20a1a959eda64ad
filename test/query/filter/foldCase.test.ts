import assert from 'node:assert/strict';
import { foldCase } from '../../../src/query/eval/foldCase';

describe('text folded for searches', () => {
  const same = (...texts: string[]) =>
    assert.equal(new Set(texts.map(foldCase)).size, 1, texts.map(foldCase).join(' '));

  it('ignores case, accents and compatibility forms', () => same('CAFÉ', 'café', 'cafe\u0301', 'Cafe'));

  it('ignores Arabic vowel signs, hamza and elongation', () => {
    same('أحمد', 'احمد', 'أَحْمَد', 'أحمـــد');
    same('ٱلكتاب', 'الكتاب');
  });

  it('equates letters that people use for each other', () => {
    same('مدرسة', 'مدرسه');
    same('على', 'علي', 'علی');
    same('كتاب', 'کتاب');
  });

  it('equates digits of three scripts', () => same('فاتورة 15', 'فاتورة ١٥', 'فاتورة ۱۵'));
});
