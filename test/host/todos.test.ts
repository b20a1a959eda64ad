import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { TodoFiles } from '../../src/code/todos/todoFiles';
import { WorkspaceTodos } from '../../src/code/todos/workspaceTodos';
import { WorkingCopies } from '../../src/code/workingCopies';
import type { CommandId } from '../../src/contributions/definitions';
import type { Id } from '../../src/core/kernel/model';
import { gitIn, makeRepository, writeIn } from '../support/repository';
import { todoFiles } from '../support/sampleCode';
import { eventually, run } from './support/api';
import { until } from './support/changes';
import { CodeFolder, type GitRepository, hasGit, lineActions, setting, takeAction } from './support/code';

const source = todoFiles['src/session.ts'];

describe('TODO comments', () => {
  let code: CodeFolder;
  let first: string;
  let repository: GitRepository;
  const git = (...args: string[]) => gitIn(code.path, ...args);
  const write = (name: string, text: string) => writeIn(code.path, name, text);
  const read = (name: string) => readFileSync(code.file(name), 'utf8');
  const uri = (name: string) => vscode.Uri.file(code.file(name));
  const text = () => vscode.window.activeTextEditor!.document.getText();
  const command = (id: string) => vscode.commands.executeCommand(id);

  before(async function () {
    if (!hasGit) return this.skip();
    code = await CodeFolder.make('Todos');
    makeRepository(code.path, todoFiles);
    first = git('rev-parse', 'HEAD').trim();
    repository = await code.openRepository();
  });
  after(() => code?.remove());
  afterEach(async () => {
    await command('workbench.action.files.revert');
    await code.clear();
    git('checkout', '-qfB', 'main', first);
    git('clean', '-qfd');
  });

  describe('as tasks', () => {
    /** The answer to a question is its own text. */
    const addFrom = async (name: string, line: number, action: CommandId): Promise<Id> => {
      await code.show(name, line);
      await takeAction(action);
      const [found] = await until(code.engine, () => {
        const all = code.engine.query('source:todo sort:-created');
        return all.length > 0 && all;
      });
      // It went to the list of the user.
      await code.engine.moveTask(found!.task.id, { listId: code.listId });
      return found!.task.id;
    };
    const lines = (id: Id) => code.engine.task(id)!.unknownProperties!;

    it('stay what their task was created from when it is pinned to its line', async () => {
      const id = await addFrom('src/session.ts', 9, 'dueline.addFromTodo');
      await vscode.window.activeTextEditor!.edit(edit => edit.insert(new vscode.Position(0, 0), '\n'));
      await run('dueline.pinHere', id);
      await until(code.engine, () => /;LINE=10[:;]/.test(lines(id)));
      assert.match(lines(id), /SOURCE=TODO/);
      assert.deepEqual(code.titles('source:todo'), ['close the socket']);
      await run('dueline.undo');
      await until(code.engine, () => /;LINE=9[:;]/.test(lines(id)));
    });

    it('have the date of their task above them, and its title only if that differs', async () => {
      await setting('dueline.links.show', 'codeLens');
      const id = await addFrom('src/session.ts', 9, 'dueline.addFromTodo');
      const lensShows = (expected: string) =>
        eventually(expected, async () => {
          const found = await vscode.commands.executeCommand<vscode.CodeLens[]>(
            'vscode.executeCodeLensProvider',
            uri('src/session.ts'),
          );
          return found.some(({ command }) => command?.title.replace(/[\u2068\u2069]/g, '') === expected);
        });
      await lensShows(vscode.env.language === 'de' ? '○ Aufgabe' : '○ task');
      await code.engine.updateTask(id, { title: 'Mind the socket', due: null });
      await lensShows('○ Mind the socket');
      await setting('dueline.links.show');
    });

    it('are removed with all their lines, and come back with undo', async () => {
      const long = source.replace('has expired\n', 'has\n  // expired. Twice,\n  // then give up\n');
      write('src/session.ts', long);
      await code.show('src/session.ts', 4);
      await run('dueline.removeTodo');
      assert.equal(text(), source.replace(/ {2}\/\/ TODO.*\n/, ''));
      await command('undo');
      await until(code.engine, () => text() === long);
    });

    it('get the ID of their task from the light bulb, and lose it with undo', async () => {
      const id = await addFrom('src/session.ts', 4, 'dueline.addFromTodoWithId');
      const shortId = code.engine.shortIdOf(code.engine.task(id)!);
      const written = source.replace('TODO: retry', `TODO(${shortId}): retry`);
      assert.equal(text(), written);
      await command('undo');
      await until(code.engine, () => text() === source);
      await command('redo');
      await until(code.engine, () => text() === written);
      await command('workbench.action.files.save');
      assert.equal(read('src/session.ts'), written);
      await code.finds('source:todo', 'retry when the token has expired');
      assert.deepEqual(
        (await lineActions()).map(({ command, arguments: args }) => [command, args]),
        [['dueline.open', [id]]],
      );
    });
  });

  describe('in the list', () => {
    let copies: WorkingCopies;
    let list: TodoFiles;
    const root = () => vscode.workspace.workspaceFolders![0]!.uri.fsPath;
    const choose = (scope: 'openFiles' | 'branch') => list.choose(scope, to => setting('dueline.todos.scope', to));
    /** Names of files, each before its comments. */
    const rows = () =>
      list.files
        .filter(({ uri }) => uri.fsPath.startsWith(`${code.path}/`))
        .flatMap(({ uri, todos }) => [basename(uri.fsPath), ...todos.map(({ text }) => text)]);
    const shows = (...expected: string[]) => comes(() => rows().join() === expected.join());
    /** Resolves after an event of the list once the check succeeds. */
    const comes = (check: () => boolean) =>
      new Promise<void>(resolve => {
        const hear = () => {
          if (!check()) return;
          listening.dispose();
          resolve();
        };
        const listening = list.onDidChange(hear);
        hear();
      });
    const find = async () => {
      const { token } = new vscode.CancellationTokenSource();
      const found = await new WorkspaceTodos().find({ report: () => undefined }, token);
      await list.showWorkspace(found!);
    };

    beforeEach(async () => {
      copies = new WorkingCopies();
      const copy = await copies.of(uri('file'));
      list = new TodoFiles(copies, () => copy);
      list.show(true);
    });
    afterEach(async () => {
      list.dispose();
      copies.dispose();
      await setting('dueline.todos.scope');
      await setting('search.exclude');
      rmSync(join(root(), '.gitignore'), { force: true });
    });

    const [retry, close] = ['retry when the token has expired', 'close the socket'];

    it('of the branch are those on lines that it adds', async () => {
      git('checkout', '-qb', 'feature');
      write('lib/token.py', `${read('lib/token.py')}    # TODO: committed here\n`);
      git('commit', '-qam', 'second');
      write('src/other.ts', `${read('src/other.ts')}// BUG: not committed\n`);
      write('src/new.ts', '// XXX: not tracked\n');
      await repository.status();
      await choose('branch');
      const expected = ['token.py', 'committed here', 'new.ts', 'not tracked', 'other.ts', 'not committed'];
      await shows(...expected);
      assert.match(list.message ?? '', /Compared with \u2068?main/);
      const again = new Promise<void>(resolve => {
        const listening = list.onDidChange(() => {
          listening.dispose();
          resolve();
        });
      });
      git('commit', '-qam', 'third');
      await repository.status();
      await again;
      await shows(...expected);
      await code.show('src/other.ts');
      await vscode.window.activeTextEditor!.edit(edit => edit.insert(new vscode.Position(0, 0), '// TODO: saved\n'));
      await command('workbench.action.files.save');
      await shows(...expected.slice(0, 5), 'saved', 'not committed');
    });

    it('of the workspace are searched for by a command, except in excluded and ignored files', async () => {
      await setting('search.exclude', { '**/generated': true });
      writeFileSync(join(root(), '.gitignore'), 'dist/\n');
      write('src/new.ts', '// XXX: not tracked\n');
      await find();
      const found = ['token.py', 'sign it', 'new.ts', 'not tracked', 'other.ts', 'as long as the server is old'];
      assert.deepEqual(rows(), [...found, 'session.ts', retry, close]);
      assert.equal(list.scope, 'workspace');
      assert.equal(list.message, undefined);
      await code.show('src/new.ts');
      await vscode.window.activeTextEditor!.edit(edit => edit.insert(new vscode.Position(0, 0), '// TODO: typed\n'));
      await shows(...found.slice(0, 3), 'typed', ...found.slice(3), 'session.ts', retry!, close!);
    });

    it('of the workspace follow a folder and a file that the editor renames or deletes', async () => {
      const edit = async (from: string, to?: string) => {
        const change = new vscode.WorkspaceEdit();
        if (to === undefined) change.deleteFile(uri(from));
        else change.renameFile(uri(from), uri(to));
        assert.ok(await vscode.workspace.applyEdit(change));
      };
      const [other, session] = [
        ['other.ts', 'as long as the server is old'],
        ['session.ts', retry!, close!],
      ] as const;
      await setting('search.exclude', { '**/generated': true, '**/dist': true });
      write('src/new.ts', '// XXX: not tracked\n');
      await find();
      await shows('token.py', 'sign it', 'new.ts', 'not tracked', ...other, ...session);
      await edit('lib', 'tools');
      await shows('new.ts', 'not tracked', ...other, ...session, 'token.py', 'sign it');
      assert.ok(list.files.some(({ uri }) => uri.path.endsWith('/tools/token.py')));
      await edit('src/new.ts', 'src/newer.ts');
      await shows('newer.ts', 'not tracked', ...other, ...session, 'token.py', 'sign it');
      await edit('src/newer.ts');
      await shows(...other, ...session, 'token.py', 'sign it');
    });
  });
});
