import assert from 'node:assert/strict';
import { Editor } from '../support/vscode/editor';
import { focusIsOn } from './support/task';
import { becomes, clear, fill, openWidget, rowsOf, taskNamed } from './support/widgets';

/** An Undo next to an announcement reverts what that names, whatever was done since. */
describe('the offered undo', () => {
  let editor: Editor;
  before(async () => {
    editor = await Editor.open({
      theme: 'light',
      size: { width: 1280, height: 900 },
      settings: { 'dueline.completion.undoSeconds': 120 },
    });
  });
  after(() => editor?.close());
  beforeEach(async () => {
    await clear(editor);
    await fill(
      editor,
      ['Work'],
      [
        { list: 'Work', title: 'Alpha', day: 0 },
        { list: 'Work', title: 'Bravo', day: 0 },
        { list: 'Work', title: 'Water the plants', day: 0, rrule: 'FREQ=WEEKLY' },
      ],
    );
    await editor.tree().expand('Work');
    await editor.tree().row('Alpha');
  });
  afterEach(async function () {
    await editor.tidy(this.currentTest);
    await editor.command('workbench.action.closeAllEditors');
  });

  const press = (text: RegExp) => editor.press('dueline.undo', text);
  const offered = (text: RegExp) =>
    editor.changes.until(`the offer ${text}`, () => text.test(editor.status('dueline.undo') ?? ''));
  /** Another change, as another part of the window makes one. */
  const change = (title: string, patch: object) => editor.engine.updateTask(taskNamed(editor, title)!.id, patch);
  const rename = async (title: string) => {
    await editor.tree().click('Alpha');
    editor.key('f2');
    await editor.questions.answer('Rename Task', title);
    await offered(new RegExp(`Renamed .*Alpha.* to .*${title}.* · Undo`));
  };

  it('below the tasks of a widget is for the announced change, not for the last one', async () => {
    const page = await openWidget(editor, 'today', 'Alpha');
    await rowsOf(page, 'Alpha').click();
    await editor.page.keyboard.press('1');
    await page.locator('.bottom', { hasText: /Priority set: .*Alpha/ }).waitFor();
    await change('Bravo', { priority: 5 });
    await page.locator('.bottom').getByRole('button', { name: 'Undo' }).click();
    await becomes(editor, 'Alpha', { priority: 0 });
    await becomes(editor, 'Bravo', { priority: 5 });
    await page.locator('.bottom', { hasText: /Undone: change the priority of .*Alpha/ }).waitFor();
  });

  it('in a widget gives the focus to the row that comes back', async () => {
    const page = await openWidget(editor, 'today', 'Alpha');
    const isActive = (title: string) => page.locator('.tree:focus .active', { hasText: title }).waitFor();
    await rowsOf(page, 'Alpha').click();
    await isActive('Alpha');
    await editor.page.keyboard.press('s');
    await editor.questions.pick('By 1 day');
    await isActive('Bravo');
    await editor.page.keyboard.press('Control+z');
    await isActive('Alpha');
    await editor.page.keyboard.press('Control+y');
    await isActive('Bravo');
  });

  it('in a widget leaves the focus on a row whose undo brings none back, also when a new task comes later', async () => {
    const page = await openWidget(editor, 'today', 'Alpha');
    await rowsOf(page, 'Alpha').click();
    await editor.page.keyboard.press('1');
    await becomes(editor, 'Alpha', { priority: 1 });
    await editor.page.keyboard.press('Control+z');
    await becomes(editor, 'Alpha', { priority: 0 });
    await page.locator('.bottom', { hasText: /Undone/ }).waitFor();
    await fill(editor, [], [{ list: 'Work', title: 'Charlie', day: 0 }]);
    await rowsOf(page, 'Charlie').waitFor();
    await page.locator('.tree:focus .active', { hasText: 'Alpha' }).waitFor();
    await editor.page.keyboard.press('1');
    await becomes(editor, 'Alpha', { priority: 1 });
    await becomes(editor, 'Charlie', { priority: 0 });
  });

  it('in the status bar restores a name, and keeps a later change of another task', async () => {
    await rename('Alfa');
    await change('Bravo', { priority: 9 });
    await press(/Renamed/);
    await becomes(editor, 'Alpha', { title: 'Alpha' });
    await becomes(editor, 'Bravo', { priority: 9 });
  });

  it('of a completed occurrence shows when the task is due again, but not for a task that does not repeat', async () => {
    await editor.tree().click('Water the plants');
    editor.key('space');
    await offered(/Completed .*Water the plants.* · Next: \w{3} \d+ · Undo/);
    await press(/Completed/);
    await editor.tree().click('Alpha');
    editor.key('space');
    await offered(/Completed .{0,1}Alpha.{0,1} · Undo/);
  });

  it('of an occurrence that was skipped or deleted says so', async () => {
    const task = taskNamed(editor, 'Water the plants')!;
    const undoes = async (words: RegExp) => {
      const done = (await editor.command('dueline.undo')) as { readonly text: string };
      assert.match(done.text, words);
    };
    await editor.command('dueline.skipOccurrence', task.id);
    await undoes(/^Undone: skip one occurrence of .Water the plants.$/);
    await editor.engine.deleteOccurrence(task.id, task.due!);
    await undoes(/^Undone: delete one occurrence of .Water the plants.$/);
  });

  it('of the end of a repeat names the task, also in a tree', async () => {
    await editor.tree().click('Water the plants');
    editor.key('r');
    await editor.questions.pick('Does not repeat');
    await press(/Ended the repeat of .*Water the plants.* · Undo/);
    await editor.changes.until('the repeat', () => taskNamed(editor, 'Water the plants')!.rrule !== null);
  });

  it('is refused if what it would restore was changed again', async () => {
    await rename('Alfa');
    await change('Alfa', { title: 'Aleph' });
    await press(/Renamed/);
    await editor.notices.notification(/Later changes replaced this one/);
    assert.ok(taskNamed(editor, 'Aleph'));
  });

  it('exists for changes on the page of a task, such as the end of its repeat', async () => {
    await editor.command('dueline.open', taskNamed(editor, 'Water the plants')!.id);
    const page = await editor.frame('dueline-task #title');
    await focusIsOn(page, '#title');
    await page.getByRole('button', { name: /^Remove Every week/i }).click();
    await offered(/Ended the repeat of .*Water the plants.* · Undo/);
    await becomes(editor, 'Water the plants', { rrule: null });
    await change('Bravo', { priority: 1 });
    await press(/Ended the repeat/);
    await editor.changes.until('the repeat', () => taskNamed(editor, 'Water the plants')!.rrule !== null);
    await becomes(editor, 'Bravo', { priority: 1 });
    await page.locator('#title').fill('Water the garden');
    await page.locator('#notes').focus();
    await press(/Renamed .*Water the plants.* to .*Water the garden.* · Undo/);
    await becomes(editor, 'Water the plants', { title: 'Water the plants' });
  });
});
