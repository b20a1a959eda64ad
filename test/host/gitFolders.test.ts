import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import * as vscode from 'vscode';
import { branchTodos } from '../../src/code/todos/branchTodos';
import { gitIn, makeRepository, writeIn } from '../support/repository';
import { eventually, run } from './support/api';
import { CodeFolder, type GitRepository, hasGit, setting } from './support/code';

describe('repositories below the open folder', () => {
  let code: CodeFolder;
  const repositories = new Map<string, GitRepository>();
  const message = (name: string) => repositories.get(name)!.inputBox.value;

  before(async function () {
    if (!hasGit) return this.skip();
    code = await CodeFolder.make('Folders');
    for (const name of ['app', 'site']) {
      const files = { [`${name}.ts`]: `export const ${name} = 'a line of ${name}';\n` };
      makeRepository(code.file(name), files, `git@example.org:folders/${name}.git`);
      repositories.set(name, await code.openRepository(name));
    }
    symlinkSync(code.file('site'), code.file('link'));
  });
  after(() => code?.remove());
  afterEach(async () => {
    await code.engine.working.stop();
    for (const name of ['git.trailer', 'links.show']) await setting(`dueline.${name}`, undefined);
    await code.clear();
  });

  it('get their commit message once one of their files is in front', async () => {
    await setting('dueline.git.trailer', 'always');
    const id = await code.link('app/app.ts', 1, 'Fix the app');
    await run('dueline.start', id);
    // There is no event for a commit message.
    await eventually('the line', () => message('app').trim().startsWith('Task: dl-'));
    assert.equal(message('site'), '');
    await run('dueline.stop', id);
    await eventually('no line', () => message('app').trim() === '');
  });

  it('have their tasks in each working copy of a repository', async () => {
    await setting('dueline.links.show', 'codeLens');
    await code.link('app/app.ts', 1, 'Fix the app');
    gitIn(code.file('app'), 'worktree', 'add', '-q', code.file('second'), '-b', 'second');
    await code.show('site/site.ts');
    await code.misses('in:file', 'Fix the app');
    await code.show('second/app.ts');
    await code.finds('in:file', 'Fix the app');
    const { uri } = vscode.window.activeTextEditor!.document;
    // A busy editor has let go of the words by the time that it hands them over: it keeps them for a tenth of a second.
    const lenses = await eventually('the words', async () => {
      const found = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri);
      return found.every(({ command }) => command) && found;
    });
    assert.deepEqual(
      lenses.map(({ range, command }) => [range.start.line, command?.title.replace(/[\u2068\u2069]/g, '')]),
      [[0, '○ Fix the app']],
    );
    gitIn(code.file('app'), 'worktree', 'remove', '--force', code.file('second'));
  });

  it('are known to the git extension behind a symbolic link, too', async () => {
    const id = await code.link('site/site.ts', 1, 'Mind the site');
    await code.link('app/app.ts', 1, 'Fix the app');
    await code.misses('in:file', 'Mind the site');
    assert.equal(message('site'), '');
    await code.show('link/site.ts');
    await code.finds('in:file', 'Mind the site');
    await run('dueline.insertTrailer', id);
    assert.match(message('site').trim(), /^Task: dl-/);
  });
});

describe('TODO comments of a branch in a shallow clone', () => {
  let code: CodeFolder;
  const git = (folder: string, ...args: string[]) => gitIn(code.file(folder), ...args);
  const write = (name: string, text: string) => writeIn(code.path, name, text);

  before(async function () {
    if (!hasGit) return this.skip();
    code = await CodeFolder.make('Shallow');
    mkdirSync(code.file('origin'));
    makeRepository(code.file('origin'), { 'a.ts': '// TODO: from the beginning\n' });
    git('origin', 'checkout', '-qb', 'feature');
    write('origin/b.ts', '// TODO: pushed on the branch\n');
    git('origin', 'add', '.');
    git('origin', 'commit', '-qm', 'second');
    const from = pathToFileURL(code.file('origin')).href;
    git('.', 'clone', '-q', '--depth', '1', '--branch', 'feature', from, 'clone');
    git('clone', 'fetch', '-q', '--depth', '1', 'origin', 'main:refs/remotes/origin/main');
    write('clone/c.ts', '// TODO: committed here\n');
    git('clone', 'add', '.');
    git('clone', 'commit', '-qm', 'third');
    write('clone/b.ts', '// TODO: pushed on the branch\n// TODO: not committed\n');
  });
  after(() => code?.remove());

  it('are those that its upstream does not have', async () => {
    assert.throws(() => git('clone', 'merge-base', 'HEAD', 'origin/main'));
    const found = await branchTodos((await code.openRepository('clone')) as never);
    assert.equal(found?.against, 'origin/feature');
    const texts = found.files.flatMap(({ todos }) => todos.map(({ text }) => text)).sort();
    assert.deepEqual(texts, ['committed here', 'not committed']);
  });
});
