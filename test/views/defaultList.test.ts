import assert from 'node:assert/strict';
import { createDefaultList, defaultListOf, newDefaultListName } from '../../src/ui/defaultList';
import { engines } from '../engine/support/engine';

describe('the list for new tasks', () => {
  const lab = engines();

  it('is created on this computer if none is writable, once', async () => {
    const engine = await lab.open();
    const [inbox] = engine.lists();
    assert.equal(await createDefaultList(engine), inbox!.id);
    assert.equal(newDefaultListName(engine), 'Inbox 2');
    await engine.deleteList(inbox!.id);
    assert.equal(defaultListOf(engine), undefined);
    const id = await createDefaultList(engine);
    assert.deepEqual(
      engine.lists().map(({ name, accountId }) => ({ name, accountId })),
      [{ name: 'Inbox', accountId: null }],
    );
    assert.equal(await createDefaultList(engine), id);
    assert.equal(defaultListOf(engine), id);
  });
});
