import assert from 'node:assert/strict';
import { DuelineError } from '../../../src/core/kernel/errors';
import { sortIn, splitQuery, withDirectives } from '../../../src/query/parse/splitQuery';

describe('filter: splitting conditions and directives', () => {
  it('extracts directives anywhere, and keeps what only looks like one', () => {
    assert.deepEqual(splitQuery('sort:due,-title (#a SHOW:done) show:flat limit:3'), {
      conditions: '(#a  )',
      directives: { sort: 'sort:due,-title', show: 'SHOW:done show:flat', limit: 'limit:3' },
    });
    for (const query of ['"sort: me"', 'title:"a sort:due"', '"the group:list meeting"', '/a sort:x/', '#re-sort:'])
      assert.deepEqual(splitQuery(query), { conditions: query, directives: {} });
  });

  it('replaces the directives of the query with others', () => {
    assert.equal(withDirectives('#a sort:due limit:3', { sort: 'title' }), '#a sort:title limit:3');
    assert.equal(
      withDirectives('"ask sort: me" ', { sort: 'title', group: 'tag' }),
      '"ask sort: me" sort:title group:tag',
    );
    assert.equal(withDirectives('', { sort: 'title' }), 'sort:title');
  });

  it('reads the order, not a text that mentions one', () => {
    assert.equal(sortIn('#a sort:manual'), 'manual');
    assert.equal(sortIn('"sort:manual"'), undefined);
    assert.equal(sortIn('sort:nothing'), undefined);
  });

  it('refuses an unreadable query, even if it were readable without its directives', () => {
    assert.throws(() => splitQuery('sort:nothing #a'), DuelineError);
    assert.throws(() => withDirectives('a) OR (b', { sort: 'title' }), DuelineError);
  });
});
