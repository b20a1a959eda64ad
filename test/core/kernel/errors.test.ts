import assert from 'node:assert/strict';
import { DuelineError, endingWith } from '../../../src/core/kernel/errors';

describe('work with an ending', () => {
  const failing = (text: string) => async () => {
    throw new Error(text);
  };

  it('throws the first error, after both are done', async () => {
    const done: string[] = [];
    const end = async () => {
      done.push('end');
      throw new Error('second');
    };
    await assert.rejects(endingWith(failing('first'), end), /first/);
    assert.deepEqual(done, ['end']);
    await assert.rejects(
      endingWith(async () => undefined, failing('ending')),
      /ending/,
    );
  });
});

describe('an error', () => {
  it('has a cause only if one is known', () => {
    const cause = new Error('below');
    assert.equal(new DuelineError('storage', 'Above.', { cause }).cause, cause);
    assert.equal('cause' in new DuelineError('notFound', 'Gone.', { range: [0, 2] }), false);
  });
});
