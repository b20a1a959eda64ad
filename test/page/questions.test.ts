import assert from 'node:assert/strict';
import { Editor } from '../support/vscode/editor';

describe('a question', () => {
  let editor: Editor;
  before(async () => {
    editor = await Editor.open();
  });
  after(() => editor?.close());
  afterEach(function () {
    return editor.tidy(this.currentTest);
  });

  it('is left by Escape without closing what the next key opens', async () => {
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
});
