import assert from 'node:assert/strict';
import { Editor } from '../support/vscode/editor';
import { clear, fill, openWidget, rowOfTask, rowsOf, shows, taskNamed } from './support/widgets';

interface Template {
  readonly name: string;
  readonly due: string;
  readonly subtasks: readonly { readonly title: string; readonly due: string }[];
}

/** Saved from a task, made again by a line, and managed. */
describe('templates', () => {
  let editor: Editor;
  before(async () => {
    editor = await Editor.open({ size: { width: 1200, height: 800 } });
  });
  after(() => editor?.close());
  beforeEach(async () => {
    editor.settings.reset();
    await editor.command('workbench.action.closeAllEditors');
    await clear(editor);
    await fill(
      editor,
      ['Work'],
      [
        { list: 'Work', title: 'Release', day: 12, tags: ['big'] },
        { list: 'Work', title: 'Freeze', day: 10, parent: 'Release' },
      ],
    );
  });
  afterEach(function () {
    return editor.tidy(this.currentTest);
  });

  const saved = () =>
    (editor.settings.value('dueline.templates') as readonly Template[]).map(({ name, due, subtasks }) => ({
      name,
      due,
      below: subtasks.map(one => [one.title, one.due]),
    }));
  const names = () => saved().map(({ name }) => name);
  const have = (...expected: string[]) =>
    editor.changes.until(`templates ${expected}`, () => names().join() === expected.join());
  const save = async (name: string) => {
    const known = names();
    void editor.command('dueline.template.save', taskNamed(editor, 'Release')!.id);
    await editor.questions.answer('Template Name', name);
    await have(...known, name);
  };
  const press = async (button: string, name: string) => {
    void editor.command('dueline.template.manage');
    await editor.questions.press(button, name);
  };

  it('are saved from a task’s menu, with its subtasks', async () => {
    const page = await openWidget(editor, 'tasks', 'Release');
    await rowOfTask(page, 'Release').click({ button: 'right' });
    await editor.menus.choose('Organize › Save as Template…');
    await editor.questions.answer('Template Name', 'Big Release');
    await have('Big Release');
    assert.deepEqual(saved(), [{ name: 'Big Release', due: '+2d', below: [['Freeze', '+0d']] }]);
  });

  it('return the focus to the row whose menu asks for a name, if the user cancels', async () => {
    const page = await openWidget(editor, 'tasks', 'Release');
    await page.evaluate(
      `window.received = []; window.addEventListener('message', ({ data }) => window.received.push(data.type))`,
    );
    await rowOfTask(page, 'Release').click({ button: 'right' });
    await editor.menus.choose('Organize › Save as Template…');
    await editor.questions.asked();
    editor.commands.key('escape', { inQuickInput: true });
    await shows(page, 'the focus', async () => (await page.evaluate<string[]>('window.received')).includes('focus'));
  });

  it('are completed by name after a colon in the line of a widget, and create the tasks from today on', async () => {
    await save('Big Release');
    await clear(editor);
    await fill(editor, ['Work'], [{ list: 'Work', title: 'Other' }]);
    const page = await openWidget(editor, 'tasks', 'Other');
    const field = page.locator('dueline-quick-add input');
    await field.pressSequentially(':big');
    await page.locator('dueline-quick-add [role=option].active', { hasText: ':Big Release' }).waitFor();
    await field.press('Enter');
    await page.locator('.chip', { hasText: ':Big Release' }).waitFor();
    await field.press('Enter');
    await rowsOf(page, 'Freeze').waitFor();
    const [release, freeze] = [taskNamed(editor, 'Release'), taskNamed(editor, 'Freeze')];
    assert.deepEqual(
      { between: release!.due! - freeze!.due!, tags: release!.tags },
      { between: 2 * 86_400_000, tags: ['big'] },
    );
    await editor.command('dueline.undo');
    await rowsOf(page, 'Freeze').waitFor({ state: 'detached' });
    assert.equal(taskNamed(editor, 'Release'), undefined);
  });

  it('open Quick Add from New from Template', async () => {
    await save('Big Release');
    await clear(editor);
    void editor.command('dueline.template.use');
    await editor.questions.pick('Big Release');
    await editor.questions.row(/Add Task.*Release/s);
    await editor.changes.until('the words', () => editor.questions.current?.line === ':Big Release ');
    editor.questions.accept();
    await editor.changes.until('the task', () => taskNamed(editor, 'Freeze'));
    await editor.changes.until('the end of the question', () => editor.questions.current === undefined);
  });

  it('show in Quick Add what they contain, and then the date of the row', async () => {
    const due = '+0d 16:00';
    const repeat = 'FREQ=WEEKLY;BYDAY=MO,TU';
    editor.settings.update('dueline.templates', [
      { name: 'weekly', title: 'Weekly', due, repeat, subtasks: [{ title: 'Print' }] },
    ]);
    await editor.changes.until('the template', () => editor.engine.settings.templates.length === 1);
    void editor.command('dueline.quickAdd', ':weekly call 2031-03-20');
    await editor.questions.row(/Every week on Monday and Tuesday · 1 subtask/);
    editor.questions.accept();
    await editor.changes.until('the first Monday', () =>
      /Added .*call.* to .* · Mar 24, 2031/.test(editor.status('dueline.undo') ?? ''),
    );
  });

  it('are renamed and deleted, with undo', async () => {
    await save('Big Release');
    await press('Delete', 'Big Release');
    await have();
    await editor.notices.press(/Deleted template .Big Release/, 'Undo');
    await have('Big Release');
    await press('Rename', 'Big Release');
    await editor.questions.answer('Template Name', 'Small Release');
    await have('Small Release');
  });

  it('stay as they are by now when another one is undone', async () => {
    for (const name of ['Small Release', 'First', 'Second']) await save(name);
    await editor.notices.press(/Saved template .First/, 'Undo');
    await have('Small Release', 'Second');
  });

  it('report a name that is taken', async () => {
    for (const name of ['Small Release', 'Second']) await save(name);
    await press('Rename', 'Second');
    await editor.questions.answer('Template Name', 'small release');
    await editor.notices.notification(/already a template named .small release/);
    await have('Small Release', 'Second');
  });
});
