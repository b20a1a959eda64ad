import assert from 'node:assert/strict';
import { Editor } from '../support/vscode/editor';
import { clear, fill, taskNamed } from './support/widgets';

describe('Keep Agent Plan…', () => {
  let editor: Editor;
  before(async () => {
    editor = await Editor.open();
  });
  after(() => editor?.close());
  beforeEach(async () => {
    await clear(editor);
    await fill(editor, ['Work'], [{ list: 'Work', title: 'Sessions', day: 0 }]);
    editor.clipboard = '';
  });
  afterEach(async function () {
    await editor.tidy(this.currentTest);
    await editor.command('workbench.action.closeAllEditors');
  });

  const stepsOf = (title: string) => {
    const parent = taskNamed(editor, title)!;
    const rows = editor.engine.rows(parent.listId).filter(({ parentId }) => parentId === parent.id);
    return rows.map(row => [row.title, row.status, editor.engine.blockersOf(row).length]);
  };
  const offered = (text: RegExp) =>
    editor.changes.until(`the offer ${text}`, () => text.test(editor.status('dueline.undo') ?? ''));

  it('creates subtasks from the clipboard, and changes nothing the second time', async () => {
    editor.clipboard = '1. [x] Read\n2. [ ] Write\n';
    editor.palette('Dueline: Keep Agent Plan…');
    await editor.questions.pick('Sessions', 'Select the task for these steps');
    await offered(/Sessions.*: 2 steps added · Undo/);
    assert.deepEqual(stepsOf('Sessions'), [
      ['Read', 2, 0],
      ['Write', 0, 1],
    ]);
    editor.clipboard = '1. [x] Read\n2. [x] Write\n';
    editor.palette('Dueline: Keep Agent Plan…');
    await editor.questions.asked('Select the task for these steps');
    // The task that has the plan is offered first.
    editor.questions.accept();
    await offered(/Sessions.*: 1 step completed · Undo/);
    editor.palette('Dueline: Keep Agent Plan…');
    await editor.questions.pick('Sessions');
    await editor.notices.statusShowed(/Nothing new in the plan of .*Sessions/);
    assert.equal(stepsOf('Sessions').length, 2);
  });

  it('asks which plan is meant if a file and the clipboard have one, and names a new task after its heading', async () => {
    const { window, workspace } = editor.api;
    const content = '# Release\n\n- [ ] Test\n- [ ] Publish\n';
    const document = await workspace.openTextDocument({ content, language: 'markdown' });
    await window.showTextDocument(document);
    editor.clipboard = '- [ ] Something else';
    editor.palette('Dueline: Keep Agent Plan…');
    await editor.questions.pick(/Untitled/, 'Select a plan');
    await editor.questions.pick(/New Task .*Release/);
    await offered(/Release.*: 2 steps added/);
    assert.deepEqual(
      stepsOf('Release').map(([title]) => title),
      ['Test', 'Publish'],
    );
  });

  it('refuses a plan of more than 500 steps', async () => {
    editor.clipboard = '- [ ] Step\n'.repeat(501);
    editor.palette('Dueline: Keep Agent Plan…');
    await editor.notices.notification(/Up to 500 lines can be added as tasks at once/);
  });

  it('explains how to begin if there is no plan', async () => {
    editor.palette('Dueline: Keep Agent Plan…');
    await editor.notices.notification(/Select a plan in an editor, open its file or copy it first/);
  });
});
