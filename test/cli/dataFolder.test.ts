import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chooseDataFolder, dataFolderOf, foldersBeside } from '../../src/dataFolder';
import { openEngine } from '../../src/engine';
import { clock } from './support/aStart';
import { aTerminal } from './support/terminal';

describe('the data folder', () => {
  const terminal = aTerminal();
  const id = 'dueline.dueline';

  /** A home with an editor's folder for users, and a storage in it for the extension. */
  function aHome() {
    const home = terminal.folder();
    const user = join(home, '.config', 'Code', 'User');
    const storage = (profile?: string) => {
      const folder = join(user, ...(profile ? ['profiles', profile] : []), 'globalStorage', id);
      mkdirSync(folder, { recursive: true });
      return folder;
    };
    const fill = async (folder: string, title: string) => {
      const engine = await openEngine({ folder, clock });
      await engine.createTask(engine.defaultListId(), { title });
      await engine.close();
      return folder;
    };
    const run = (...args: string[]) =>
      terminal.run(args, { env: { HOME: home, XDG_CONFIG_HOME: join(home, '.config') } });
    return { user, storage, fill, run };
  }

  it('is looked for above and beside that of a profile, of the same extension alone', async () => {
    const { user, storage, fill } = aHome();
    const own = await fill(join(storage(), 'store'), 'Own');
    const abc = await fill(join(storage('abc'), 'store'), 'Of abc');
    storage('empty');
    await fill(join(user, 'globalStorage', 'other.extension', 'store'), 'Of another');
    assert.deepEqual(foldersBeside(storage('new')), [own, abc]);
    assert.deepEqual(foldersBeside(storage()), [abc]);
    assert.deepEqual(foldersBeside(join(user, 'elsewhere')), []);
    // Another profile that uses the same tasks is not one more.
    chooseDataFolder(storage('empty'), own);
    assert.equal(dataFolderOf(storage('empty')), own);
    assert.deepEqual(foldersBeside(storage('new')), [own, abc]);
  });

  it('that the user has chosen is that of the command line too, and profiles that share one are no choice', async () => {
    const { user, storage, fill, run } = aHome();
    const chosen = await fill(join(user, 'elsewhere'), 'Chosen');
    chooseDataFolder(storage(), chosen);
    chooseDataFolder(storage('abc'), chosen);
    assert.match((await run('list')).out, /Chosen/);
    await fill(join(storage('def'), 'store'), 'Of def');
    const { code, err } = await run('list');
    assert.equal(code, 3);
    assert.match(err, /Several editors have tasks/);
  });
});
