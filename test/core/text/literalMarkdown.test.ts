import assert from 'node:assert/strict';
import { literalMarkdown } from '../../../src/core/text/literalMarkdown';

describe('a line of text as Markdown', () => {
  it('has no backslash that is not needed', () => {
    for (const text of [
      'get_redirect_target in `sessions.py`',
      'C# and F#, issue #12',
      'use `__init__.py` and `a*b`',
      '2 * 3 < 7 > 1',
      'array[0], [BUG] and [x]',
      'C:\\Users\\bo',
    ])
      assert.equal(literalMarkdown(text), text);
  });

  it('has one before each character that would be markup', () => {
    assert.equal(literalMarkdown('*bold* and _so_'), '\\*bold\\* and \\_so\\_');
    assert.equal(literalMarkdown('__init__.py'), '\\__init\\__.py');
    assert.equal(literalMarkdown('one ` tick'), 'one \\` tick');
    assert.equal(literalMarkdown('[a](b) <img> ~~x~~'), '\\[a](b) \\<img> \\~~x\\~~');
    assert.equal(literalMarkdown('# heading'), '\\# heading');
    assert.equal(literalMarkdown('\\*'), '\\\\\\*');
  });
});
