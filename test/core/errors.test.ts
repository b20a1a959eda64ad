import assert from 'node:assert/strict';
import { endingWith } from '../../src/core/errors';

describe('work with an ending', () => {
  const failing = (text: string) => async () => {
    throw new Error(text);
  };

  it('throws what failed first, once both are over', async () => {
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
