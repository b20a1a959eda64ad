import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Editor } from '../support/vscode/editor';
import { actionTitles, finds, idOf, showFile } from './support/code';
import { clear } from './support/widgets';

const source = '// TODO: check the token\nexport const token = 1;\n';

describe('tasks in code in Restricted Mode', () => {
  let editor: Editor;
  let folder: string;
  const file = () => join(folder, 'src/token.ts');
  const actions = () => actionTitles(editor, file(), 1);

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'dueline-restricted-'));
    mkdirSync(join(folder, 'src'));
    writeFileSync(file(), source);
    editor = await Editor.open({ folder, restricted: true });
  });
  after(async () => {
    await editor?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    await clear(editor);
    await showFile(editor, file());
  });
  afterEach(async function () {
    await editor.tidy(this.currentTest);
    await editor.command('workbench.action.closeAllEditors');
  });

  const addFromTodo = async () => {
    void editor.command('dueline.addFromTodo');
    await editor.questions.row('token.ts:1');
    editor.questions.accept();
    await finds(editor, 'source:todo', 'check the token');
  };

  it('lists TODO comments and links tasks to them, without an offer to write into the file', async () => {
    const titles = await actions();
    assert.ok(titles.includes('Create Task from This TODO'), titles.join());
    assert.ok(!titles.some(title => title.includes('Write Its ID')), titles.join());
    await editor.tree('dueline.todos').row('check the token');
    await addFromTodo();
  });

  it('refuses what would change the file', async () => {
    await addFromTodo();
    await editor.command('dueline.complete', idOf(editor, 'check the token'));
    await finds(editor, 'source:todo');
    await editor.tree('dueline.todos').row(/check the token.*done/);
    assert.ok(!(await actions()).some(title => title.startsWith('Remove This')), (await actions()).join());
    for (const command of ['dueline.removeTodo', 'dueline.addFromTodoWithId']) {
      void editor.command(command);
      await editor.notices.notification('In Restricted Mode, Dueline does not change files.');
      editor.notices.clear();
    }
    assert.deepEqual(editor.notices.open, []);
    assert.equal(readFileSync(file(), 'utf8'), source);
  });
});
