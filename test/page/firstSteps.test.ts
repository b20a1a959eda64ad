import assert from 'node:assert/strict';
import { pick } from '../support/pick';
import { hasWords } from '../support/vscode/changes';
import { Editor } from '../support/vscode/editor';

/** The first steps of a user who has no account and only looks around. */
describe('the first steps', () => {
  let editor: Editor;
  // The first task is the first only once.
  beforeEach(async () => {
    editor = await Editor.open();
    await editor.tree().row('Inbox');
  });
  afterEach(async function () {
    await editor?.tidy(this.currentTest);
    await editor?.close();
  });

  const inbox = () => editor.engine.lists()[0]!.id;
  const add = (title: string) => editor.engine.createTask(inbox(), { title });
  const undoHas = (words: string | RegExp) =>
    editor.changes.until(`the words ${words}`, () => hasWords(editor.status('dueline.undo'), words));
  const quickAdd = async (text: string) => {
    editor.palette('Dueline: Quick Add Task…');
    await editor.questions.asked();
    editor.questions.type(text);
    await editor.questions.row('Add');
    editor.questions.accept();
    await editor.changes.until('the line to go', () => editor.questions.current === undefined);
  };

  it('show after quick add where the first task is, and what comes next, with a way back', async () => {
    await editor.command('dueline.today.focus');
    await quickAdd('Order ink in 3 days 9:00');
    await undoHas(/Added .Order ink. to .Inbox. · \S+ 9:00.*Undo/s);
    const item = editor.statusItems.find(({ id }) => id === 'dueline.undo');
    assert.match(
      (item!.accessibilityInformation as { label: string }).label,
      /Added .Order ink. to .Inbox. · \S+ 9:00/,
    );
    const { node } = await editor.tree().row('Order ink');
    await editor.changes.until('the row selected', () => editor.tree().selection[0] === node);
    const today = await editor.frame('.empty', 'Next: ');
    assert.match((await today.locator('.empty').last().textContent()) ?? '', /Next: .Order ink. · \S+ 9:00/);
    await editor.press('dueline.undo', /Order ink/);
    await editor.tree().gone('Order ink');
  });

  it('do not reveal the view for the second task', async () => {
    await quickAdd('Order ink');
    await editor.tree().row('Order ink');
    await editor.command('workbench.action.closeSidebar');
    await quickAdd('Order paper');
    await undoHas('Order paper');
    assert.equal(editor.tree().visible, false);
  });

  it('count in the status bar what is for today, and name what is overdue', async () => {
    const day = 86_400_000;
    const today = Math.floor(editor.clock.now() / day) * day;
    const late = (title: string, days: number) =>
      editor.engine.createTask(inbox(), { title, due: today - days * day, isAllDay: true });
    const ids = [await late('Return the books', 3), await late('Water the plants', 2)];
    const status = () => editor.status('dueline.today');
    await editor.changes.until('the count', () => hasWords(status(), '2 · 2 overdue'));
    for (const id of ids) await editor.engine.completeTask(id);
    await editor.changes.until('nothing overdue', () => !hasWords(status(), 'overdue'));
  });

  it('restore a deleted task from its tab, whatever was done since', async () => {
    const id = await add('Fix the bike');
    await editor.command('dueline.open', id);
    await editor.frame('#title');
    await editor.command('dueline.delete', id);
    await add('Something else');
    const page = await editor.frame('.empty', 'This task has been deleted.');
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.locator('#title').waitFor();
    const titles = editor.engine.query('title:bike OR title:else').map(({ task }) => task.title);
    assert.deepEqual(titles.sort(), ['Fix the bike', 'Something else']);
  });

  it('restore the last deleted task, or the one that is found by its name, by Enter alone', async () => {
    await editor.command('dueline.delete', await add('Paint the door'));
    editor.clock.time += 1000;
    await editor.command('dueline.delete', await add('Paint the fence'));
    const isBack = (title: string) => () => editor.engine.query(`title:${title}`).length === 1;
    void editor.palette('Dueline: Restore Deleted Tasks…');
    await editor.questions.asked('Select tasks');
    // Apart from each other, a list and a date keep their order in text from right to left.
    assert.match(
      editor.questions.picks()[0]!.description ?? '',
      /^\u2068[^\u2068\u2069]+\u2069 · \u2068[^\u2068\u2069]+\u2069$/,
    );
    editor.questions.accept();
    await editor.changes.until('the fence', isBack('fence'));
    void editor.palette('Dueline: Restore Deleted Tasks…');
    await editor.questions.asked('Select tasks');
    editor.questions.type('DOOR');
    editor.questions.accept();
    await editor.changes.until('the door', isBack('door'));
  });

  it('explain a filter in a document that does not ask to be saved', async () => {
    void editor.palette('Dueline: Explain Filter');
    await editor.questions.row('Type text or a query');
    editor.questions.type('due:week');
    editor.questions.accept();
    await editor.tabs.titled('What this filter means.md');
    const { document } = editor.tabs.activeEditor!;
    assert.match(document.getText(), /^# What this filter means\n\n`due:week`/);
    assert.deepEqual(pick(document, 'isDirty', 'languageId'), { isDirty: false, languageId: 'markdown' });
  });

  it('empty the trash from its row', async () => {
    await editor.command('dueline.delete', await add('Something else'));
    await editor.tree('dueline.filters').expand('Trash');
    await editor.tree('dueline.filters').row('Something else');
    await editor.context('Trash', 'Delete Permanently', 'dueline.filters');
    const dialog = await editor.notices.dialog();
    assert.match(dialog.message, /Permanently delete 1 task\?/);
    dialog.close('Delete Permanently');
    await editor.tree('dueline.filters').row('The trash is empty');
    assert.equal((await editor.engine.trash()).length, 0);
  });
});
