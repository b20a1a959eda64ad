import assert from 'node:assert/strict';
import { markdown } from '../../media/form/markdown';

/** What a template would put into the page, its bindings as text. */
function drawn(piece: unknown): string {
  if (Array.isArray(piece)) return piece.map(drawn).join('');
  if (typeof piece !== 'object' || piece === null) return String(piece);
  const { strings, values } = piece as { strings: readonly string[]; values: readonly unknown[] };
  return strings.map((text, at) => text + (at < values.length ? drawn(values[at]) : '')).join('');
}

describe('notes as Markdown', () => {
  it('ends a heading before the signs that close it', () => {
    assert.match(drawn(markdown('# Plan of May ##  ')), /<h3[^>]*>Plan of May<\/h3>/);
    assert.match(drawn(markdown('## C#')), /<h4[^>]*>C<\/h4>/);
    assert.match(drawn(markdown('###  a   b')), /<h5[^>]*>a {3}b<\/h5>/);
  });

  it('makes links to the web alone, with escaped brackets in their words, and code', () => {
    const text = drawn(markdown('[a\\]b](https://example.com/x) [no](command:x) [[c](https://example.com/y).'));
    assert.match(text, /<a href=https:\/\/example.com\/x [^>]*>a\]b<\/a> \[no\]\(command:x\) \[<a [^>]*>c<\/a>\./);
    assert.match(
      drawn(markdown('See https://example.com/a?!.')),
      /<a href=https:\/\/example.com\/a [^>]*>.*<\/a>\?!\./,
    );
    assert.match(drawn(markdown('a ``b`c`` \\``d`')), /a <code>b`c<\/code> `<code>d<\/code>/);
  });

  // Each of these took minutes or hours: a note that anybody who shares a list may write stood still with its page.
  const long = 200_000;
  for (const [what, text] of Object.entries({
    'a heading with blanks inside': `# a${' '.repeat(5_000)}b`,
    'a list with a line separator': `- ${' '.repeat(long)}${'a'.repeat(long)}\u2028b`,
    'links that never end': `[${'a'.repeat(900)}](${'b'.repeat(1_900)} `.repeat(60),
    'runs of backticks that match nothing': Array.from({ length: 1_200 }, (_, count) => '`'.repeat(count)).join('x'),
  }))
    it(`is done with ${what}`, () => {
      assert.ok(drawn(markdown(text)).length > 0);
    });
});
