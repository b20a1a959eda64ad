import assert from 'node:assert/strict';
import { Editor } from '../support/vscode/editor';
import { clear } from './support/widgets';

/** A user's first minutes in the Today widget. */
describe('the first task', () => {
  let editor: Editor;
  before(async () => {
    editor = await Editor.open();
    await editor.command('dueline.today.focus');
  });
  after(() => editor?.close());
  beforeEach(() => clear(editor));
  afterEach(function () {
    return editor.tidy(this.currentTest);
  });

  const today = () => editor.frame('body.as-sidebar dueline-widget');

  it('is added in the widget by text whose chips can be turned back', async () => {
    const page = await today();
    const line = page.locator('.field input');
    await line.fill('Buy a saturday paper tomorrow #shop');
    await page.locator('.chip', { hasText: '#shop' }).waitFor();
    await line.press('End');
    await line.press('Backspace');
    await page.locator('.chip', { hasText: '#shop' }).waitFor({ state: 'detached' });
    assert.match(await line.inputValue(), /#shop$/);
    await line.press('Escape');
    assert.equal(await line.inputValue(), '');
    await line.fill('Plan the week #work');
    await page.locator('.chip', { hasText: '#work' }).waitFor();
    await line.press('Enter');
    await page.locator('.row', { hasText: 'Plan the week' }).waitFor();
    assert.equal(await line.inputValue(), '');
  });
});
