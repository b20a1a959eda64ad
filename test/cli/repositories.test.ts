import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repositoryAt } from '../../src/programs/repositories';

describe('the repository that a folder is in', () => {
  const folders: string[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });

  /** A working tree whose git folder is elsewhere, by its file `.git`. */
  function aWorkingTree(gitdir: (folder: string) => string, commondir: (folder: string) => string = () => '../..') {
    const folder = mkdtempSync(join(tmpdir(), 'dueline-repository-'));
    folders.push(folder);
    const [tree, own, shared] = ['tree', 'git/worktrees/tree', 'git'].map(name => join(folder, name));
    mkdirSync(tree!);
    mkdirSync(own!, { recursive: true });
    writeFileSync(join(shared!, 'config'), '[remote "origin"]\n\turl = git@github.com:owner/name.git\n');
    writeFileSync(join(own!, 'commondir'), `${commondir(shared!)}\n`);
    writeFileSync(join(tree!, '.git'), `gitdir: ${gitdir(own!)}\n`);
    return repositoryAt(tree!)!.map(({ name }) => name);
  }

  it('is known by its remote where the working tree is kept apart from it', () => {
    assert.deepEqual(
      aWorkingTree(own => own),
      ['github.com/owner/name', 'folder:tree'],
    );
    assert.deepEqual(
      aWorkingTree(() => '../git/worktrees/tree'),
      ['github.com/owner/name', 'folder:tree'],
    );
  });

  it('is asked of no other host, whatever its files say: on Windows such a path opens a connection', () => {
    // On other systems these paths lead to the same folders, which must not be read either.
    for (const path of [(folder: string) => `/${folder}`, () => '\\\\host\\share\\git', () => '//host/share/git']) {
      assert.deepEqual(aWorkingTree(path), ['folder:tree']);
      assert.deepEqual(
        aWorkingTree(
          own => own,
          folder => path(folder),
        ),
        ['folder:tree'],
      );
    }
  });
});
