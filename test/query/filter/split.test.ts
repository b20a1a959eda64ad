import assert from 'node:assert/strict';
import { DuelineError } from '../../../src/core/kernel/errors';
import { sortIn, splitQuery, withDirectives } from '../../../src/query/parse/splitQuery';

describe('filter: conditions and directives apart', () => {
  it('takes directives out wherever they are, and leaves what only looks like one', () => {
    assert.deepEqual(splitQuery('sort:due,-title (#a SHOW:done) show:flat limit:3'), {
      conditions: '(#a  )',
      directives: { sort: 'sort:due,-title', show: 'SHOW:done show:flat', limit: 'limit:3' },
    });
    for (const query of ['"sort: me"', 'title:"a sort:due"', '"the group:list meeting"', '/a sort:x/', '#re-sort:'])
      assert.deepEqual(splitQuery(query), { conditions: query, directives: {} });
  });

  it('puts other directives in the place of those of the query', () => {
    assert.equal(withDirectives('#a sort:due limit:3', { sort: 'title' }), '#a sort:title limit:3');
    assert.equal(
      withDirectives('"ask sort: me" ', { sort: 'title', group: 'tag' }),
      '"ask sort: me" sort:title group:tag',
    );
    assert.equal(withDirectives('', { sort: 'title' }), 'sort:title');
  });

  it('reads the order, not a text that speaks of one', () => {
    assert.equal(sortIn('#a sort:manual'), 'manual');
    assert.equal(sortIn('"sort:manual"'), undefined);
    assert.equal(sortIn('sort:nothing'), undefined);
  });

  it('refuses a query that cannot be read, also where it could be without its directives', () => {
    assert.throws(() => splitQuery('sort:nothing #a'), DuelineError);
    assert.throws(() => withDirectives('a) OR (b', { sort: 'title' }), DuelineError);
  });
});
