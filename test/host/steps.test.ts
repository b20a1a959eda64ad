import assert from 'node:assert/strict';
import { askText } from '../../src/commands/common/inputSteps';
import { acceptAll } from './support/api';

describe('a step of a flow', () => {
  it('can be tried again if its request failed', async () => {
    const values: string[] = [];
    const answer = askText({
      title: 'Test',
      prompt: 'The address',
      value: 'here',
      step: 1,
      of: 1,
      settle: async value => {
        values.push(value);
        if (values.length === 1) throw new Error('Nobody answered.');
      },
    });
    await acceptAll(answer);
    assert.equal(await answer, 'here');
    assert.deepEqual(values, ['here', 'here']);
  });
});
