import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { performOnList } from '../../src/ui/announcements';
import { engines } from '../engine/support/engine';

const noSecrets = { get: async () => undefined, set: async () => {}, delete: async () => {} };

describe('the message about a list that was created or moved', () => {
  const lab = engines();

  it('offers Undo only if the list is on this computer', async () => {
    const engine = await lab.open({ secrets: noSecrets });
    const { href: serverUrl } = pathToFileURL(`${lab.folder()}/`);
    const accountId = await engine.addAccount({ serverUrl, username: '', password: '' });
    const created = (name: string, account: number | null) =>
      performOnList(engine, () => engine.createList({ name, accountId: account }), 'Created');
    const moved = (name: string, account: number | null) => {
      const { id } = engine.lists().find(list => list.name === name)!;
      return performOnList(engine, () => engine.moveListToAccount(id, account), 'Moved');
    };
    const offersUndo = async (announcement: ReturnType<typeof created>) => (await announcement).step !== undefined;
    assert.equal(await offersUndo(created('Garden', null)), true);
    assert.equal(await offersUndo(moved('Garden', accountId)), false);
    assert.equal(await offersUndo(moved('Garden', null)), true);
    assert.equal(await offersUndo(created('Work', accountId)), false);
  });
});
