import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { BranchTasks } from '../../src/code/branchTasks';
import { MergedBranches } from '../../src/code/mergedBranches';
import { WorkingCopies } from '../../src/code/workingCopies';
import type { Id } from '../../src/core/kernel/model';
import { gitIn, makeRepository, writeIn } from '../support/repository';
import { acceptAll, eventually, run } from './support/api';
import { until } from './support/changes';
import { CodeFolder, type GitRepository, hasGit, setting } from './support/code';

const remote = 'git@example.org:team/git.git';

describe('git and the active task', () => {
  let code: CodeFolder;
  let first: string;
  let repository: GitRepository;
  let id: Id;
  let shortId: string;
  const git = (...args: string[]) => gitIn(code.path, ...args);
  const branch = () => git('branch', '--show-current').trim();
  const task = () => code.engine.task(id)!;
  const message = () => repository.inputBox.value;
  /** The editor is notified of another program's changes. */
  const refresh = () => repository.status();

  before(async function () {
    if (!hasGit) return this.skip();
    code = await CodeFolder.make('Git');
    makeRepository(code.path, { 'src/session.ts': 'export const session = 1;\n' }, remote);
    // The editor commits too.
    git('config', 'user.name', 'a');
    git('config', 'user.email', 'a@b.c');
    first = git('rev-parse', 'HEAD').trim();
    repository = await code.openRepository();
  });
  after(() => code?.remove());
  beforeEach(async () => {
    id = await code.engine.createTask(code.listId, { title: 'Fix race' });
    shortId = code.engine.shortIdOf(task());
    // The repository of the file in front is the one that is meant.
    await code.link('src/session.ts', 1, 'Write docs');
  });
  afterEach(async () => {
    await code.engine.working.stop();
    await setting('dueline.git.trailer');
    await code.clear();
    repository.inputBox.value = '';
    git('checkout', '-qfB', 'main', first);
    for (const name of git('branch', '--format=%(refname:short)').split('\n'))
      if (name !== '' && name !== 'main') git('branch', '-qD', name);
    await refresh();
  });

  it('starts on a new branch, and its time runs', async () => {
    await acceptAll(run('dueline.startOnBranch', id));
    assert.equal(branch(), `fix-race-${shortId}`);
    await code.finds('in:branch', 'Fix race');
    assert.equal(code.engine.working.active()?.task.id, id);
    assert.deepEqual(code.titles('is:active'), ['Fix race']);
    assert.equal(task().unknownProperties, null);
  });

  it('writes the line of the commit message by itself only if that is set', async () => {
    await run('dueline.start', id);
    assert.equal(message(), '');
    await setting('dueline.git.trailer', 'always');
    // There is no event for a commit message.
    await eventually('the line', () => message().trim() === `Task: ${shortId}`);
    await setting('dueline.git.trailer');
    await eventually('no line', () => message().trim() === '');
  });

  it('is completed once the commit is made', async () => {
    await run('dueline.start', id);
    repository.inputBox.value = 'Fix the race';
    writeIn(code.path, 'src/session.ts', 'export const session = 2;\n');
    git('add', '.');
    await refresh();
    await run('dueline.commitAndComplete');
    await until(code.engine, () => task().status === 2);
    assert.notEqual(git('rev-parse', 'HEAD').trim(), first);
    assert.equal(git('log', '-1', '--format=%s').trim(), 'Fix the race');
    assert.deepEqual(code.titles('is:active'), []);
    await run('dueline.undo');
    await until(code.engine, () => task().status === 1);
  });

  it('switches to the branch of the task if there is one', async () => {
    git('branch', `fix-race-${shortId}`);
    await acceptAll(run('dueline.startOnBranch', id));
    assert.equal(branch(), `fix-race-${shortId}`);
    assert.deepEqual(code.titles('is:active'), ['Fix race']);
  });

  describe('and its branch', () => {
    let merged: MergedBranches;
    let branches: BranchTasks;
    const noted = new Map<string, unknown>();
    let onNoted = () => {};
    const memory = {
      get: (key: string, otherwise: unknown) => noted.get(key) ?? otherwise,
      update: async (key: string, value: unknown) => {
        noted.set(key, value);
        onNoted();
      },
    } as unknown as vscode.Memento;
    const changes = () => new Promise<void>(resolve => merged.onDidChange(resolve));

    beforeEach(async () => {
      noted.clear();
      branches = new BranchTasks(code.engine);
      merged = new MergedBranches(code.engine, branches, memory);
      git('checkout', '-qb', `fix-race-${shortId}`);
      writeIn(code.path, 'src/docs.md', '# Docs\n');
      git('add', '.');
      git('commit', '-qm', 'docs');
      await refresh();
      const isAhead = new Promise<void>(resolve => {
        onNoted = () => JSON.stringify([...noted.values()]).includes('"isAhead":true') && resolve();
      });
      const copies = new WorkingCopies();
      const { names } = await copies.of(vscode.Uri.file(code.file('file')));
      copies.dispose();
      merged.watch(repository as never, names);
      await isAhead;
      assert.equal(merged.of(id), undefined);
    });
    afterEach(() => {
      merged.dispose();
      branches.dispose();
    });

    it('is recognized as merged, and completes nothing', async () => {
      const changed = changes();
      const own = branch();
      git('checkout', '-q', 'main');
      git('merge', '-q', '--no-ff', '-m', 'merge', own);
      await refresh();
      await changed;
      assert.equal(merged.of(id), 'merged');
      assert.notEqual(task().status, 2);
    });

    it('is recognized as deleted, and completes nothing', async () => {
      const changed = changes();
      const own = branch();
      git('checkout', '-q', 'main');
      git('branch', '-qD', own);
      await refresh();
      await changed;
      assert.equal(merged.of(id), 'deleted');
      assert.notEqual(task().status, 2);
    });
  });
});
