import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import * as vscode from 'vscode';
import { gitIn, makeRepository, writeIn } from '../support/repository';
import { plain } from '../support/sampleCode';
import { run } from './support/api';
import { until } from './support/changes';
import { CodeFolder, type GitRepository, hasGit } from './support/code';

const method = (name: string) => `  ${name}(input: string): string {
    const prepared = prepare${name}(input);
    const result = work(prepared);
    return result.trim();
  }
`;
const source = `export class Session {\n${['alpha', 'beta', 'gamma'].map(method).join('\n')}}\n`;

const lineOf = (text: string, words: string) => text.split('\n').findIndex(line => line.includes(words)) + 1;

describe('code locations whose files change elsewhere', () => {
  let code: CodeFolder;
  let repository: GitRepository;
  let first: string;
  const git = (...args: string[]) => gitIn(code.path, ...args);
  const text = () => vscode.window.activeTextEditor?.document.getText() ?? '';
  const command = (id: string) => vscode.commands.executeCommand(id);

  before(async function () {
    if (!hasGit) return this.skip();
    code = await CodeFolder.make('Changes');
    const files = { 'src/session.ts': source, 'src/plain.ts': plain, 'src/other.ts': 'export const other = 1;\n' };
    makeRepository(code.path, files, 'git@example.org:team/changes.git');
    repository = await code.openRepository();
    first = git('rev-parse', 'HEAD').trim();
  });
  after(() => code?.remove());
  afterEach(async () => {
    await code.clear();
    git('checkout', '-qfB', 'main', first);
    git('clean', '-qfd');
  });

  /** The link of a task leads to this line of this file. */
  async function leadsTo(id: number, name: string, line: number): Promise<void> {
    await run('dueline.openLink', id);
    await code.isInFront(name, line);
  }

  it('are not moved to an equal line of an open file by a switch of branches', async () => {
    const line = lineOf(source, 'preparebeta') + 1;
    const id = await code.link('src/session.ts', line, 'Work twice');
    git('checkout', '-qb', 'feature');
    const without = source
      .replace(`${method('beta')}\n`, '')
      .replace(method('gamma'), `${method('gamma')}\n${method('delta')}`);
    writeIn(code.path, 'src/session.ts', without);
    await until(code.engine, () => text() === without);
    await code.finds('link:stale', 'Work twice');
    git('checkout', '-q', '--', 'src/session.ts');
    await code.misses('link:stale', 'Work twice');
    await leadsTo(id, 'src/session.ts', line);
  });

  it('keep what was cut while its file is closed', async () => {
    const line = lineOf(source, 'preparegamma');
    const id = await code.link('src/session.ts', line, 'Carry it');
    const { document } = vscode.window.activeTextEditor!;
    const whole = document.lineAt(line - 1).rangeIncludingLineBreak;
    const cut = document.getText(whole);
    await vscode.window.activeTextEditor!.edit(edit => edit.delete(whole));
    await document.save();
    await command('workbench.action.closeActiveEditor');
    await until(
      code.engine,
      () => !vscode.workspace.textDocuments.some(({ uri }) => uri.fsPath === document.uri.fsPath),
    );
    await code.show('src/other.ts');
    await vscode.window.activeTextEditor!.edit(edit => edit.insert(new vscode.Position(0, 0), cut));
    await code.finds('link:file:src/other.ts', 'Carry it');
    await leadsTo(id, 'src/other.ts', 1);
    await command('workbench.action.files.revert');
    git('checkout', '-q', '--', 'src/session.ts');
    await code.show('src/session.ts', line);
    assert.equal(readFileSync(code.file('src/session.ts'), 'utf8'), source);
  });

  /** Links two tasks to a file; answers with the second one. */
  const linkBoth = async () => {
    await code.link('src/plain.ts', 4, 'Prepare it');
    return code.link('src/plain.ts', 3, 'Follow it');
  };
  const isIn = (name: string) => code.finds(`link:file:${name}`, 'Follow it');
  const both = () => until(code.engine, () => code.titles('in:file').length === 2);

  it('follow a file that is renamed in the editor, and whose folder is', async () => {
    const id = await linkBoth();
    const move = async (from: string, to: string) => {
      const edit = new vscode.WorkspaceEdit();
      edit.renameFile(vscode.Uri.file(code.file(from)), vscode.Uri.file(code.file(to)));
      await vscode.workspace.applyEdit(edit);
    };
    await move('src/plain.ts', 'src/first.ts');
    await isIn('src/first.ts');
    await leadsTo(id, 'src/first.ts', 3);
    await move('src', 'lib');
    await code.show('lib/first.ts');
    await both();
    await move('lib', 'src');
    await isIn('src/first.ts');
  });

  /** The editor rests for seconds after each look at a repository; this has it look at once. */
  const renameByGit = async () => {
    git('mv', 'src/plain.ts', 'src/second.ts');
    git('commit', '-qm', 'second name');
    await repository.status();
  };

  it('follow a file that is renamed by git, to and fro', async () => {
    const id = await linkBoth();
    await command('workbench.action.closeAllEditors');
    await renameByGit();
    await isIn('src/second.ts');
    git('checkout', '-q', 'HEAD~1');
    await repository.status();
    await isIn('src/plain.ts');
    git('checkout', '-q', 'main');
    await repository.status();
    await isIn('src/second.ts');
    await code.misses('link:stale', 'Follow it');
    await leadsTo(id, 'src/second.ts', 3);
  });

  it('follow a file that is renamed by git while its tab is open', async () => {
    const id = await linkBoth();
    await command('workbench.action.keepEditor');
    await renameByGit();
    await isIn('src/second.ts');
    await code.show('src/other.ts');
    await code.misses('in:file', 'Follow it');
    await code.show('src/second.ts');
    await both();
    await leadsTo(id, 'src/second.ts', 3);
  });

  it('follow a file that another program renames, and are stale while it is deleted', async () => {
    const id = await linkBoth();
    mkdirSync(code.file('other'));
    renameSync(code.file('src/plain.ts'), code.file('other/plain.ts'));
    await code.show('other/plain.ts');
    await both();
    await command('workbench.action.closeAllEditors');
    rmSync(code.file('other/plain.ts'));
    await code.finds('link:stale', 'Follow it');
    assert.equal(code.titles('link:stale Follow').length, 1);
    git('checkout', '-q', '--', 'src/plain.ts');
    await code.misses('link:stale', 'Follow it');
    await isIn('src/plain.ts');
    await leadsTo(id, 'src/plain.ts', 3);
  });
});
