import assert from 'node:assert/strict';
import { DuelineError } from '../../../src/core/kernel/errors';
import { parseQuery } from '../../../src/query/parse/parser';
import type { Node } from '../../../src/query/parse/syntax';
import { examples } from '../../core/support/filterExamples';

/** The tree without ranges, for reading. */
function shape(node: Node | undefined): unknown {
  if (!node) return undefined;
  if (node.kind === 'and' || node.kind === 'or') return { [node.kind]: node.nodes.map(shape) };
  if (node.kind === 'not') return { not: shape(node.node) };
  const { range, ...rest } = node;
  return rest;
}

function fails(text: string): { message: string; wrong: string; range: readonly [number, number] | undefined } {
  try {
    parseQuery(text);
  } catch (error) {
    assert.ok(error instanceof DuelineError && error.kind === 'query', String(error));
    return { message: error.message, wrong: text.slice(...(error.range ?? [0, 0])), range: error.range };
  }
  return assert.fail(`"${text}" was read`);
}

describe('filter: reading', () => {
  it('parses the example queries', () => {
    for (const { query } of examples) assert.ok(parseQuery(query).root, query);
  });

  it('binds NOT tighter than AND, and AND tighter than OR', () => {
    const text = (word: string) => ({ kind: 'text', field: undefined, test: { how: 'contains', text: word } });
    assert.deepEqual(shape(parseQuery('a b OR NOT c d').root), {
      or: [{ and: [text('a'), text('b')] }, { and: [{ not: text('c') }, text('d')] }],
    });
    assert.deepEqual(shape(parseQuery('a | b & -c').root), {
      or: [text('a'), { and: [text('b'), { not: text('c') }] }],
    });
    assert.deepEqual(shape(parseQuery('R&D').root), text('R&D'));
  });

  it('reads operators in lower case between conditions, and as words in a title and in quotes', () => {
    for (const [lower, upper] of [
      ['#a or #b', '#a OR #b'],
      ['milk or eggs', 'milk OR eggs'],
      ['salt and pepper', 'salt AND pepper'],
      ['#a and not #b', '#a AND NOT #b'],
      ['#a not rent', '#a NOT rent'],
      ['not #a', 'NOT #a'],
      ['(#a Or due:today) And !high', '(#a OR due:today) AND !high'],
      ['#a sort:due or #b', '#a sort:due OR #b'],
      ['a or not b', 'a OR NOT b'],
    ] as const)
      assert.deepEqual(shape(parseQuery(lower).root), shape(parseQuery(upper).root), lower);
    for (const text of [
      'do not disturb',
      'or',
      'and',
      'not',
      'or b',
      'a or',
      'not urgent',
      '(or)',
      '"or"',
      'a "or" b',
      '/or/',
    ])
      assert.equal(parseQuery(text).lowerCase, undefined, text);
    assert.deepEqual(
      parseQuery('#a or #b').lowerCase?.map(range => '#a or #b'.slice(...range)),
      ['or'],
    );
    assert.equal(parseQuery('#a OR #b').lowerCase, undefined);
  });

  it('reads a comma inside one field as OR, and commas between words as spaces', () => {
    const listed = shape(parseQuery('tag:waiting,blocked').root) as { or: unknown[] };
    assert.equal(listed.or.length, 2);
    const words = shape(parseQuery('milk, eggs').root) as { and: unknown[] };
    assert.equal(words.and.length, 2);
  });

  it('accepts directives anywhere', () => {
    const query = parseQuery('sort:-due,priority a OR group:list b limit:5 show:flat,done');
    assert.deepEqual(query.sort, [
      { field: 'due', descending: true },
      { field: 'priority', descending: false },
    ]);
    assert.equal(query.group, 'list');
    assert.equal(query.limit, 5);
    assert.deepEqual(query.show, ['flat', 'done']);
    assert.ok('or' in (shape(query.root) as object));
  });

  it('reports the position of an error in a query, and a suggestion', () => {
    const cases: [query: string, wrong: string, hint: RegExp][] = [
      ['#work deu:today', 'deu', /Unknown field “deu”.*Did you mean “due”\?/],
      ['is:overdu', 'overdu', /Did you mean “overdue”\?/],
      ['is:foo', 'foo', /“foo”\. Possible values: open, done, .*, blocked\.$/],
      ['repeat:foo', 'foo', /Possible values: /],
      ['has:noets', 'noets', /Did you mean “notes”\?/],
      ['due:tomorow', 'tomorow', /Did you mean “tomorrow”\?/],
      ['due:today..tomorow', 'tomorow', /tomorrow/],
      ['due:2026-02-30', '2026-02-30', /not a date/],
      ['due:2025-W53', '2025-W53', /not a date/],
      ['sort:prio', 'prio', /Did you mean “priority”\?/],
      ['sort:due limit:0', '0', /whole number/],
      ['priority:12', '12', /0 to 9/],
      ['priority:constructor', 'constructor', /0 to 9/],
      ['(a OR b', '(', /Missing closing parenthesis/],
      ['a OR', 'R', /a condition is missing at the end/],
      ['a)', ')', /Missing opening parenthesis/],
      ['a OR AND b', 'AND', /both sides/],
      ['"open', '"open', /Missing closing quotation mark/],
      ['notes:/RE-', '/RE-', /closing slash/],
      ['due:', ':', /Expected a value/],
      ['due: today', ': ', /Expected a value/],
      ['due:any..today', 'any', /not a date/],
      ['http://example.org', 'http', /put it in quotes/],
      ['-sort:due', 'sort:due', /cannot be negated/],
      ['sort:due sort:title', 'sort:title', /can only be used once/],
      ['title:<a', '<a', /only be used with dates and numbers/],
      ['()', '()', /parentheses are empty/],
      ['is:<open', '<open', /accepts only plain words/],
      ['sort:/due/', '/due/', /accepts only plain words/],
      ['due:"today"', '"today"', /needs a date/],
      ['due:<today..tomorrow', 'today..tomorrow', /cannot be combined/],
      ['due:..', '..', /requires a start or an end/],
      ['progress:"5"', '"5"', /needs a number/],
      ['progress:120', '120', /0 to 100/],
      ['priority:<high', 'high', /needs a number: 1 is the highest/],
      ['#/x/', '#/x/', /Add tag: or list:/],
      ['title:""', '""', /quotation marks are empty/],
      ['group:due group:tag', 'group:tag', /can only be used once/],
      ['limit:1 limit:2', 'limit:2', /can only be used once/],
      ['limit:1,2', '2', /accepts only one value/],
    ];
    for (const [query, wrong, hint] of cases) {
      const found = fails(query);
      assert.equal(found.wrong, wrong, query);
      assert.match(found.message, hint);
    }
  });

  it('reports what is wrong with a pattern', () => {
    assert.match(fails('/(a)\\1/').message, /could be too slow/);
    assert.match(fails(`/${'a'.repeat(201)}/`).message, /at most 200/);
    assert.match(fails('/(/').message, /^Invalid pattern/);
    for (const source of ['RE-\\d{4}', '^foo.*bar$', '(ab|cd)?e', '[a-z]+\\/x', '(\\d{2}-)?x'])
      parseQuery(`/${source}/i`);
  });

  it('limits length and nesting', () => {
    assert.match(fails('a '.repeat(2100)).message, /at most 4000 characters/);
    assert.match(fails(`${'('.repeat(60)}a${')'.repeat(60)}`).message, /40 levels/);
    assert.match(fails(Array(201).fill('a').join(' ')).message, /200 conditions/);
  });
});
