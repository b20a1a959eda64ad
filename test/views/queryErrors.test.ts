import assert from 'node:assert/strict';
import { DuelineError } from '../../src/core/kernel/errors';
import { parseQuery } from '../../src/query/parse/parser';
import { explainQuery } from '../../src/ui/querySuggestions';

describe('the reason why a query cannot be read', () => {
  const reasonOf = (query: string) => {
    try {
      parseQuery(query);
    } catch (error) {
      assert.ok(error instanceof DuelineError && error.range, query);
      return { text: explainQuery(error, query), part: query.slice(...error.range) };
    }
    return assert.fail(query);
  };

  it('names the part that is meant', () => {
    const { text, part } = reasonOf('due:whenever');
    assert.ok(text.includes('At: ') && text.includes(part), text);
  });

  it('names no sign alone, nor nothing', () => {
    for (const query of ['due:', 'list:', '#work (']) assert.ok(!reasonOf(query).text.includes('At: '), query);
  });
});
