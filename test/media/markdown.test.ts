import assert from 'node:assert/strict';
import { markdown, toggleBox } from '../../media/form/markdown';

/** The text that a template would put into the page, its bindings as text. */
function drawn(piece: unknown): string {
  if (Array.isArray(piece)) return piece.map(drawn).join('');
  if (typeof piece !== 'object' || piece === null) return String(piece);
  const { strings, values } = piece as { strings: readonly string[]; values: readonly unknown[] };
  return strings.map((text, at) => text + (at < values.length ? drawn(values[at]) : '')).join('');
}

describe('Markdown of notes', () => {
  it('ends a heading before its closing characters', () => {
    assert.match(drawn(markdown('# Plan of May ##  ')), /<h3[^>]*>Plan of May<\/h3>/);
    assert.match(drawn(markdown('## C#')), /<h4[^>]*>C<\/h4>/);
    assert.match(drawn(markdown('###  a   b')), /<h5[^>]*>a {3}b<\/h5>/);
  });

  it('links to the web only, and shows escaped brackets in link text, and code', () => {
    const text = drawn(markdown('[a\\]b](https://example.com/x) [no](command:x) [[c](https://example.com/y).'));
    assert.match(text, /<a href=https:\/\/example.com\/x [^>]*>a\]b<\/a> \[no\]\(command:x\) \[<a [^>]*>c<\/a>\./);
    assert.match(
      drawn(markdown('See https://example.com/a?!.')),
      /<a href=https:\/\/example.com\/a [^>]*>.*<\/a>\?!\./,
    );
    assert.match(drawn(markdown('a ``b`c`` \\``d`')), /a <code>b`c<\/code> `<code>d<\/code>/);
  });

  it('numbers boxes by their lines, in lists and quotations, and ticks the right one', () => {
    const text = '- [ ] a\r\n  - [x] b\n\n```\n- [ ] code\n```\n> 1. [ ] c\n> - d';
    const lines = [...drawn(markdown(text)).matchAll(/data-line=(\d+)/g)].map(([, line]) => Number(line));
    assert.deepEqual(lines, [0, 1, 6]);
    assert.equal(toggleBox(text, 0), text.replace('[ ] a', '[x] a'));
    assert.equal(toggleBox(text, 1), text.replace('[x] b', '[ ] b'));
    assert.equal(toggleBox(text, 6), text.replace('1. [ ] c', '1. [x] c'));
  });

  it('draws tables with their columns, and leaves bars in other lines alone', () => {
    const text = drawn(markdown('| A | B\\|C |\n|:-:|--:|\n| 1 | **2** |\n| 3 |\n\na | b'));
    assert.match(text, /<th[^>]*class=center>A<\/th><th[^>]*class=end>B\|C<\/th>/);
    assert.match(text, /<td class=center>1<\/td><td class=end><strong>2<\/strong><\/td>/);
    assert.match(text, /<td class=center>3<\/td><td class=end><\/td>/);
    assert.match(text, /<p[^>]*>a \| b<\/p>/);
  });

  it('links files with a line, paths in code, and URIs of files', () => {
    const files = (text: string) => [...drawn(markdown(text)).matchAll(/data-file=([^>]+)>/g)].map(([, to]) => to);
    assert.deepEqual(files('See src/a/b.ts:12, `src/c.ts` and `d.ts:3:4`.'), ['src/a/b.ts:12', 'src/c.ts', 'd.ts:3:4']);
    assert.deepEqual(files('[notes](file:///tmp/a.md#L3)'), ['file:///tmp/a.md#L3']);
    assert.deepEqual(files('and/or 1/2.5 https://example.com/a.ts:12 `npm run x` `a.b`'), []);
  });

  // Each of these took minutes or hours: a note that anyone who shares a list may write froze the page.
  const long = 200_000;
  for (const [content, text] of Object.entries({
    'a heading with blanks inside': `# a${' '.repeat(5_000)}b`,
    'a list with a line separator': `- ${' '.repeat(long)}${'a'.repeat(long)}\u2028b`,
    'links that never end': `[${'a'.repeat(900)}](${'b'.repeat(1_900)} `.repeat(60),
    'a path that never ends': 'a/'.repeat(long / 2),
    'a name that never ends': `${'a.'.repeat(long / 2)}/`,
    'entries of a list that look like heads of tables': '- a|b\n-|-\n'.repeat(long / 10),
    'such entries above a long table': `${'- a|b\n-|-\n'.repeat(long / 20)}${'a|b\n'.repeat(long / 8)}`,
    'a table of bars': `|${'|'.repeat(5_000)}\n${'|-'.repeat(5_000)}`,
    'runs of backticks that match nothing': Array.from({ length: 1_200 }, (_, count) => '`'.repeat(count)).join('x'),
  }))
    it(`is drawn in linear time with ${content}`, () => {
      assert.ok(drawn(markdown(text)).length > 0);
    });
});
