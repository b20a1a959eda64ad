import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { gitIn, makeRepository } from '../support/repository';
import { source } from '../support/sampleCode';
import { run } from './support/api';
import { until } from './support/changes';
import { CodeFolder, linesOfTasks, setting, takeAction } from './support/code';

describe('tasks in code', () => {
  let code: CodeFolder;
  before(async () => {
    code = await CodeFolder.make('Code');
    makeRepository(code.path, { 'src/session.ts': source, 'src/other.ts': 'export const other = 1;\n' });
  });
  after(() => code?.remove());
  afterEach(async () => {
    await code.clear();
    gitIn(code.path, 'checkout', '-q', '--', '.');
    gitIn(code.path, 'clean', '-qfd');
  });

  it('are opened in a file that was moved', async () => {
    const id = await code.link('src/session.ts', 8, 'Fix race');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    mkdirSync(code.file('lib'));
    renameSync(code.file('src/session.ts'), code.file('lib/session.ts'));
    await run('dueline.openLink', id);
    await code.isInFront('lib/session.ts', 8);
  });

  it('are in the file in front, even if the same line was in another open file before', async () => {
    const id = await code.link('src/session.ts', 8, 'Fix race');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    mkdirSync(code.file('lib'));
    renameSync(code.file('src/session.ts'), code.file('lib/session.ts'));
    await run('dueline.openLink', id);
    await code.isInFront('lib/session.ts', 8);
    gitIn(code.path, 'checkout', '-q', '--', '.');
    // Queries find it there. The other task has an equal line in both files.
    await code.link('src/session.ts', 8, 'Fix it again');
  });

  it('move with their line into another file, and come back with undo', async () => {
    const { executeCommand } = vscode.commands;
    const counts = () =>
      ['link:file:src/session.ts', 'link:file:src/other.ts', 'link:stale'].map(query => code.titles(query).length);
    const are = (expected: string) => until(code.engine, () => counts().join() === expected);
    const [session, other] = ['src/session.ts', 'src/other.ts'].map(name => vscode.Uri.file(code.file(name)));
    await setting('dueline.links.show', 'codeLens');
    try {
      await code.link('src/session.ts', 8, 'Fix race');
      await until(code.engine, async () => String(await linesOfTasks(session!)) === '8');
      const shown = vscode.window.activeTextEditor!;
      const whole = shown.document.lineAt(7).rangeIncludingLineBreak;
      const cut = shown.document.getText(whole);
      await shown.edit(edit => edit.delete(whole));
      assert.deepEqual(await linesOfTasks(session!), []);
      await code.show('src/other.ts');
      await vscode.window.activeTextEditor!.edit(edit => edit.insert(new vscode.Position(0, 0), cut));
      assert.deepEqual(await linesOfTasks(other!), [1]);
      await are('0,1,0');
      await executeCommand('undo');
      await until(code.engine, () => vscode.window.activeTextEditor!.document.lineCount === 2);
      await executeCommand('workbench.action.files.revert');
      await vscode.window.showTextDocument(session!);
      await executeCommand('workbench.action.focusActiveEditorGroup');
      await executeCommand('undo');
      await until(code.engine, () => vscode.window.activeTextEditor!.document.getText() === source);
      assert.deepEqual(await linesOfTasks(session!), [8]);
      await executeCommand('workbench.action.files.save');
      await are('1,0,0');
    } finally {
      await setting('dueline.links.show');
    }
  });

  it('stay visible when the language of their file changes', async () => {
    await code.link('src/session.ts', 8, 'Fix race');
    const { document } = vscode.window.activeTextEditor!;
    await vscode.languages.setTextDocumentLanguage(document, 'plaintext');
    // Queries are answered after all that has changed by then.
    await code.engine.createTask(code.listId, { title: 'Another' });
    await code.link('src/session.ts', 9, 'Another line');
    assert.deepEqual(code.titles('in:file'), ['Another line', 'Fix race']);
  });

  it('keep an unsaved, edited line when the language of their file changes', async () => {
    await setting('dueline.links.show', 'codeLens');
    try {
      await code.link('src/session.ts', 8, 'Fix race');
      const shown = vscode.window.activeTextEditor!;
      await until(code.engine, async () => String(await linesOfTasks(shown.document.uri)) === '8');
      await shown.edit(edit => edit.replace(shown.document.lineAt(7).range, '    anything_else();'));
      assert.deepEqual(await linesOfTasks(shown.document.uri), [8]);
      await vscode.languages.setTextDocumentLanguage(shown.document, 'plaintext');
      assert.deepEqual(await linesOfTasks(shown.document.uri), [8]);
    } finally {
      await vscode.commands.executeCommand('workbench.action.files.revert');
      await setting('dueline.links.show');
    }
  });

  it('are created from a comment by the light bulb, which does not change the comment', async () => {
    await setting('dueline.links.show', 'codeLens');
    try {
      await code.link('src/session.ts', 8, 'Fix race');
      await code.show('src/session.ts', 7);
      await takeAction('dueline.addFromTodo');
      // It went to the list of the user.
      const [found] = await until(code.engine, () => {
        const all = code.engine.query('source:todo');
        return all.length > 0 && all;
      });
      assert.equal(found!.task.title, 'retry when the token has expired');
      await code.engine.moveTask(found!.task.id, { listId: code.listId });
      assert.equal(readFileSync(code.file('src/session.ts'), 'utf8'), source);
      const { document } = vscode.window.activeTextEditor!;
      assert.equal(document.getText(), source);
      await until(code.engine, async () => String((await linesOfTasks(document.uri)).sort()) === '7,8');
    } finally {
      await setting('dueline.links.show');
    }
  });

  it('have their short ID in code as a link', async () => {
    const id = await code.engine.createTask(code.listId, { title: 'Fix race' });
    const shortId = code.engine.shortIdOf(code.engine.task(id)!);
    writeFileSync(code.file('src/seen.ts'), `// See ${shortId} and dl-zzzzzzzz.\n`);
    await code.show('src/seen.ts');
    const { document } = vscode.window.activeTextEditor!;
    const links = await until(code.engine, async () => {
      const found = await vscode.commands.executeCommand<vscode.DocumentLink[]>(
        'vscode.executeLinkProvider',
        document.uri,
      );
      return found.length > 0 && found;
    });
    assert.deepEqual(
      links.map(({ range, target }) => `${document.getText(range)} ${decodeURIComponent(String(target))}`),
      [`${shortId} command:dueline.open?[${id}]`],
    );
  });
});
