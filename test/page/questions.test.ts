import assert from 'node:assert/strict';
import { Editor } from '../support/vscode/editor';
import { newTask, openTask } from './support/task';
import { rowsOf } from './support/widgets';

describe('a question', () => {
  let editor: Editor;
  before(async () => {
    editor = await Editor.open();
  });
  after(() => editor?.close());
  afterEach(function () {
    return editor.tidy(this.currentTest);
  });

  it('is canceled by Escape without closing what the next key opens', async () => {
    const asking = editor.command('dueline.quickAdd');
    await editor.questions.asked();
    assert.equal(editor.commands.context('dueline.asking'), true);
    editor.commands.key('escape', { inQuickInput: true });
    const palette = editor.api.window.createQuickPick();
    palette.placeholder = 'the palette';
    palette.show();
    await asking;
    await editor.changes.until('the end of the question', () => editor.commands.context('dueline.asking') === false);
    assert.equal(editor.questions.current?.words, 'the palette');
  });

  it('from the menu of a task’s page moves the focus to no widget, even if one was used before', async () => {
    const id = await newTask(editor, { title: 'Alpha', due: editor.clock.now() });
    await editor.command('dueline.today.focus');
    const widget = await editor.frame('body.as-sidebar .row', 'Alpha');
    await rowsOf(widget, 'Alpha').click();
    const page = await openTask(editor, id);
    await widget.evaluate(
      `window.received = []; window.addEventListener('message', ({ data }) => window.received.push(data.type))`,
    );
    await page.locator('.head .menu').click();
    await editor.menus.choose('Status › Set Progress…');
    await editor.questions.asked();
    editor.commands.key('escape', { inQuickInput: true });
    await editor.changes.until('the end of the question', () => editor.commands.context('dueline.asking') === false);
    await editor.engine.updateTask(id, { title: 'Beta' });
    await rowsOf(widget, 'Beta').waitFor();
    assert.ok(!(await widget.evaluate<string[]>('window.received')).includes('focus'));
  });
});
