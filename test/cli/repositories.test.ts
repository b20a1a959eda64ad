import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import crypto from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { Session } from '../../src/cli/session';
import type { Surroundings } from '../../src/cli/surroundings';
import { withAnchors } from '../../src/core/code/anchors';
import { hashedPath } from '../../src/core/code/repository';
import { openEngine } from '../../src/engine';
import { CodeAround } from '../../src/programs/codeAround';
import { agentTree, branchAt, repositoryAt } from '../../src/programs/repositories';
import { TestClock } from '../store/support/store';

describe('the repository of a folder', () => {
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

  it('is named by its remote even if the git directory is kept apart from the working tree', () => {
    assert.deepEqual(
      aWorkingTree(own => own),
      ['github.com/owner/name', 'folder:git', 'folder:tree'],
    );
    assert.deepEqual(
      aWorkingTree(() => '../git/worktrees/tree'),
      ['github.com/owner/name', 'folder:git', 'folder:tree'],
    );
  });

  it('is the same in all its working trees if it has no remote', () => {
    const folder = mkdtempSync(join(tmpdir(), 'dueline-repository-'));
    folders.push(folder);
    const main = join(folder, 'main');
    const own = join(main, '.git', 'worktrees', 'fix');
    mkdirSync(own, { recursive: true });
    mkdirSync(join(folder, 'fix'));
    writeFileSync(join(main, '.git', 'config'), '[core]\n');
    writeFileSync(join(main, '.git', 'HEAD'), 'ref: refs/heads/main\n');
    writeFileSync(join(own, 'commondir'), '../..\n');
    writeFileSync(join(own, 'HEAD'), 'ref: refs/heads/fix\n');
    writeFileSync(join(folder, 'fix', '.git'), `gitdir: ${own}\n`);
    const named = (name: string) => repositoryAt(join(folder, name))!.map(({ name }) => name);
    assert.deepEqual(named('main'), ['folder:main']);
    assert.deepEqual(named('fix'), ['folder:main', 'folder:fix']);
    assert.deepEqual(
      ['main', 'fix'].map(name => branchAt(join(folder, name))),
      ['main', 'fix'],
    );
  });

  it('is one working tree for agents, by whatever path it is reached and with its submodules, but not with its other trees', () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'dueline-repository-')));
    folders.push(folder);
    const at = (...names: string[]) => join(folder, ...names);
    const linked = (tree: string, state: string) => {
      mkdirSync(at(tree), { recursive: true });
      mkdirSync(at(state), { recursive: true });
      writeFileSync(at(tree, '.git'), `gitdir: ${relative(at(tree), at(state))}\n`);
    };
    mkdirSync(at('app/.git'), { recursive: true });
    mkdirSync(at('app/src'));
    linked('app/lib', 'app/.git/modules/lib');
    linked('app/lib/deep', 'app/.git/modules/lib/modules/deep');
    linked('app/.trees/fix', 'app/.git/worktrees/fix');
    linked('app/.trees/fix/lib', 'app/.git/worktrees/fix/modules/lib');
    symlinkSync(at('app/src'), at('by link'));
    for (const [from, tree] of [
      ['app/src', 'app'],
      ['by link', 'app'],
      ['app/lib', 'app'],
      ['app/lib/deep', 'app'],
      ['app/.trees/fix', 'app/.trees/fix'],
      ['app/.trees/fix/lib', 'app/.trees/fix'],
    ] as const)
      assert.equal(agentTree(at(from)), at(tree), from);
    assert.equal(agentTree(at('gone')), undefined);
  });

  it('is not read from a pipe', function () {
    if (process.platform === 'win32') this.skip();
    const folder = mkdtempSync(join(tmpdir(), 'dueline-repository-'));
    folders.push(folder);
    mkdirSync(join(folder, '.git'));
    execFileSync('mkfifo', [join(folder, '.git/config'), join(folder, '.git/HEAD')]);
    assert.deepEqual([repositoryAt(folder)!.length, branchAt(folder)], [1, undefined]);
  });

  it('follows no path to another host, whatever its files contain: on Windows that would open a connection', () => {
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

describe('the code around a folder', () => {
  it('hashes each path once, however often an unknown link is looked for, and finds new files', () => {
    const root = mkdtempSync(join(tmpdir(), 'dueline-code-'));
    const { createHash } = crypto;
    let hashes = 0;
    try {
      mkdirSync(join(root, '.git'));
      for (const name of ['a', 'b', 'c']) writeFileSync(join(root, name), '');
      const [repository] = repositoryAt(root)!;
      const add = [{ repo: repository!.id, path: hashedPath(repository!, 'new') }];
      const task = { unknownProperties: withAnchors({ unknownProperties: null }, { add }) };
      const code = new CodeAround(root);
      crypto.createHash = (...args: Parameters<typeof createHash>) => {
        hashes++;
        return createHash(...args);
      };
      const pathsAgain = () => {
        code.refresh();
        hashes = 0;
        return code.locationsOf(task).map(({ path }) => path);
      };
      assert.deepEqual([pathsAgain(), hashes], [[], 3]);
      assert.deepEqual([pathsAgain(), hashes], [[], 0]);
      writeFileSync(join(root, 'new'), '');
      assert.deepEqual([pathsAgain(), hashes], [['new'], 1]);
    } finally {
      crypto.createHash = createHash;
      rmSync(root, { recursive: true, force: true });
    }
  });

  it('is looked at again at most once a minute while a list is watched', async () => {
    const store = mkdtempSync(join(tmpdir(), 'dueline-code-'));
    const clock = new TestClock(0);
    try {
      await (await openEngine({ folder: store, clock })).close();
      const surroundings = { env: {}, clock, path: () => store, out: {}, err: {} } as unknown as Surroundings;
      const session = new Session(surroundings, [], { store });
      let looks = 0;
      session.code.refresh = () => looks++;
      const again = async (afterMs: number) => {
        clock.time += afterMs;
        await session.openAgain();
        return looks;
      };
      assert.deepEqual([await again(0), await again(59_000), await again(1000), await again(1000)], [0, 0, 1, 1]);
      await session.close();
    } finally {
      rmSync(store, { recursive: true, force: true });
    }
  });
});
