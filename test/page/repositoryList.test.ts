import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gitIn, makeRepository } from '../support/repository';
import { Editor } from '../support/vscode/editor';
import { taskNamed } from './support/widgets';

describe('a list in a repository', () => {
  let home: string;
  const editors: Editor[] = [];
  const at = (name: string) => join(home, name);
  const open = async (name: string) => {
    const editor = await Editor.open({ folder: at(name) });
    editors.push(editor);
    return editor;
  };
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'dueline-repository-'));
    makeRepository(at('app'), { 'a.ts': 'let a;\n' });
  });
  afterEach(async () => {
    for (const editor of editors.splice(0)) await editor.close();
    rmSync(home, { recursive: true, force: true });
  });

  const make = async (editor: Editor, name: string) => {
    editor.palette('Dueline: New List in This Repository…');
    await editor.questions.answer('New List in This Repository', name);
    await editor.changes.until('the list', () => editor.engine.lists().some(list => list.name === name && list.href));
    return editor.engine.lists().find(list => list.name === name)!.id;
  };
  const filesOf = (root: string, list: string) => readdirSync(join(at(root), '.tasks', list));
  const hasTask = (root: string, list: string) => filesOf(root, list).some(name => name.endsWith('.ics'));

  it('only creates a folder of files, and is offered to every clone', async () => {
    const editor = await open('app');
    const list = await make(editor, 'Release');
    await editor.engine.createTask(list, { title: 'Tag it' });
    await editor.engine.sync();
    assert.ok(hasTask('app', 'Release'));
    assert.equal(gitIn(at('app'), 'status', '--porcelain'), '?? .tasks/\n');
    gitIn(at('app'), 'add', '.');
    gitIn(at('app'), 'commit', '-qm', 'tasks');
    gitIn(home, 'clone', '-q', 'app', 'clone');

    const other = await open('clone');
    await other.notices.notification(/clone.* has a list of tasks in .tasks/);
    assert.equal(other.engine.accounts().length, 0, 'nothing is read before the answer');
    await other.notices.press(/clone.* has a list/, 'Add List');
    await other.changes.until('its task', () => taskNamed(other, 'Tag it') !== undefined);
    await other.engine.completeTask(taskNamed(other, 'Tag it')!.id);
    await other.engine.sync();
    assert.match(gitIn(at('clone'), 'status', '--porcelain'), /^ M \.tasks\/Release\/\S+\.ics\n$/);
    const [file] = filesOf('clone', 'Release').filter(name => name.endsWith('.ics'));
    assert.match(readFileSync(join(at('clone'), '.tasks/Release', file!), 'utf8'), /STATUS:COMPLETED/);
  });

  it('is the same for all working trees of the repository: that of the first one', async () => {
    gitIn(at('app'), 'worktree', 'add', '-q', at('tree'));
    const editor = await open('tree');
    await make(editor, 'Release');
    assert.ok(existsSync(join(at('app'), '.tasks/Release')));
    assert.ok(!existsSync(join(at('tree'), '.tasks')));
    await make(editor, 'Later');
    assert.equal(editor.engine.accounts().length, 1);
  });

  it('is recognized by its path without links, whatever characters it contains', async () => {
    makeRepository(at('my äpp #1'), { 'a.ts': 'let a;\n' });
    symlinkSync(at('my äpp #1'), at('linked'));
    const editor = await open('linked');
    await make(editor, 'Release');
    await make(editor, 'Later');
    assert.equal(editor.engine.accounts().length, 1);
    await editor.reload();
    assert.deepEqual(
      editor.notices.open.map(({ message }) => message).filter(text => /has a list/.test(text)),
      [],
    );
  });

  it('does not follow a link, and is refused where there is no repository', async () => {
    symlinkSync(home, at('app/.tasks'));
    const editor = await open('app');
    editor.palette('Dueline: New List in This Repository…');
    await editor.questions.answer('New List in This Repository', 'Release');
    await editor.notices.notification(/is not a folder/);
    assert.equal(editor.engine.accounts().length, 0);
  });
});
