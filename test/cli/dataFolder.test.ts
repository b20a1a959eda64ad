import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chooseDataFolder, dataFolderOf, folderChoices, otherFolders } from '../../src/dataFolder';
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

  it('is looked for in other profiles, but only of the same extension', async () => {
    const { user, storage, fill } = aHome();
    const own = await fill(join(storage(), 'store'), 'Own');
    const abc = await fill(join(storage('abc'), 'store'), 'Of abc');
    storage('empty');
    await fill(join(user, 'globalStorage', 'other.extension', 'store'), 'Of another');
    assert.deepEqual(otherFolders(storage('new')), [own, abc]);
    assert.deepEqual(otherFolders(storage()), [abc]);
    assert.deepEqual(otherFolders(join(user, 'elsewhere')), []);
    // Another profile that uses the same tasks is not one more.
    chooseDataFolder(storage('empty'), own);
    assert.equal(dataFolderOf(storage('empty')), own);
    assert.deepEqual(otherFolders(storage('new')), [own, abc]);
  });

  for (const [state, make] of [
    ['is gone', () => undefined],
    ['is empty', (folder: string) => mkdirSync(folder, { recursive: true })],
  ] as const)
    it(`that was chosen and ${state} is asked about if the profile or another one has tasks`, async () => {
      const { user, storage, fill } = aHome();
      const chosen = join(user, 'elsewhere');
      make(chosen);
      chooseDataFolder(storage(), chosen);
      assert.deepEqual(folderChoices(storage()), []);
      const own = await fill(join(storage(), 'store'), 'Own');
      assert.deepEqual(folderChoices(storage()), [own]);
      const abc = await fill(join(storage('abc'), 'store'), 'Of abc');
      assert.deepEqual(folderChoices(storage()), [own, abc]);
      await fill(chosen, 'Chosen');
      assert.deepEqual(folderChoices(storage()), []);
    });

  it('is the chosen one for the command line, too; a folder that profiles share is offered once', async () => {
    const { user, storage, fill, run } = aHome();
    const chosen = await fill(join(user, 'elsewhere'), 'Chosen');
    chooseDataFolder(storage(), chosen);
    chooseDataFolder(storage('abc'), chosen);
    assert.match((await run('list')).out, /Chosen/);
    await fill(join(storage('def'), 'store'), 'Of def');
    const { code, err } = await run('list');
    assert.equal(code, 3);
    assert.match(
      err,
      /^dueline: Several folders have tasks\. .*\n {2}VS Code: dueline --store ".*elsewhere"\n {2}VS Code: /,
    );
  });

  it('that was chosen and is missing or empty is named by the command line, which creates no store there', async () => {
    const { user, storage, run } = aHome();
    const chosen = join(user, 'elsewhere');
    chooseDataFolder(storage(), chosen);
    for (const make of [() => undefined, () => mkdirSync(chosen)]) {
      make();
      for (const args of [['list'], ['add', 'x']]) {
        const { code, err } = await run(...args);
        assert.equal(code, 3);
        assert.match(
          err,
          /^dueline: The data folder of VS Code, .*elsewhere, is missing or has no tasks\. Choose another/,
        );
      }
    }
    assert.deepEqual(readdirSync(chosen), []);
  });

  it('is the editor’s own one if the file that names another is a pipe, a device or very large', async function () {
    if (process.platform === 'win32') this.skip();
    const { storage, fill, run } = aHome();
    const own = await fill(join(storage(), 'store'), 'Own');
    const pointer = join(storage(), 'data-folder');
    for (const make of [
      () => execFileSync('mkfifo', [pointer]),
      () => symlinkSync('/dev/zero', pointer),
      () => writeFileSync(pointer, `${join(storage(), 'other')}${' '.repeat(2 ** 20)}`),
    ]) {
      make();
      assert.equal(dataFolderOf(storage()), own);
      assert.match((await run('list')).out, /Own/);
      rmSync(pointer);
    }
  });

  it('is not written down if it is the editor’s own: the home may be moved', async () => {
    const { user, storage } = aHome();
    chooseDataFolder(storage(), join(user, 'elsewhere'));
    assert.deepEqual(readdirSync(storage()), ['data-folder']);
    chooseDataFolder(storage(), join(storage(), 'store'));
    assert.deepEqual([readdirSync(storage()), dataFolderOf(storage())], [[], join(storage(), 'store')]);
  });
});
