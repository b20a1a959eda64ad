import assert from 'node:assert/strict';
import type { Words } from '../support/vscode/changes';
import { Editor } from '../support/vscode/editor';
import { newTask } from './support/task';
import { clear, fill, taskNamed } from './support/widgets';

describe('lists and filters in the window', () => {
  let editor: Editor;
  before(async () => {
    editor = await Editor.open();
  });
  after(() => editor?.close());
  beforeEach(async () => {
    editor.settings.reset();
    const { engine } = editor;
    await clear(editor);
    for (const { id, name } of engine.lists()) if (name !== 'Inbox') await engine.deleteList(id);
    await editor.tree().gone('Work');
    await fill(editor, ['Work'], [{ list: 'Work', title: 'Pay the rent', day: 0, tags: ['money'] }]);
    await editor.tree().row('Work');
  });
  afterEach(function () {
    return editor.tidy(this.currentTest);
  });

  const filters = () => editor.tree('dueline.filters');
  const saved = () => editor.settings.value('dueline.filters') as { name: string; query: string }[];
  const holds = (...names: string[]) =>
    editor.changes.until(`the filters ${names}`, () => (saved() ?? []).map(({ name }) => name).join() === names.join());
  const fromMenu = (row: Words, item: string) => editor.context(row, item, 'dueline.filters');

  /** Accepts another text in the box that comes up with one. */
  async function change(from: string, to: string): Promise<void> {
    await editor.changes.until(`the question about ${from}`, () => editor.questions.current?.value === from);
    editor.questions.type(to);
    editor.questions.accept();
  }

  it('a search is kept as a filter', async () => {
    editor.palette('Dueline: Search Tasks…');
    await editor.questions.asked(/Type text or a query/);
    editor.questions.type('#money');
    await editor.questions.row('Pay the rent');
    await editor.questions.press('Save Filter');
    await editor.questions.answer('Filter Name', 'Bills');
    await holds('Bills');
    assert.equal(saved()[0]!.query, '#money');
  });

  it('a search that cannot be read can be corrected before it is kept', async () => {
    editor.palette('Dueline: Search Tasks…');
    await editor.questions.asked(/Type text or a query/);
    editor.questions.type('due:sometimes');
    await editor.questions.press('Save Filter');
    await change('due:sometimes', '#money');
    await editor.questions.answer('Filter Name', 'Bills');
    await holds('Bills');
    assert.equal(saved()[0]!.query, '#money');
  });

  it('a filter is saved, renamed and deleted by mouse, and restored after a mistake', async () => {
    editor.menus.show('view/title', { view: 'dueline.filters' });
    await editor.menus.choose('Save Filter…');
    await editor.questions.asked('Save Filter');
    editor.questions.type('#money');
    await editor.questions.row('1 task matches');
    editor.questions.accept();
    await editor.questions.answer('Filter Name', 'Bills');
    await filters().click('Bills');
    await filters().row('Pay the rent');
    await fromMenu('Bills', 'Edit Filter…');
    await change('#money', '#money is:open');
    await change('Bills', 'To pay');
    await filters().row('To pay');
    assert.deepEqual(
      saved().map(({ name, query }) => `${name}: ${query}`),
      ['To pay: #money is:open'],
    );
    await fromMenu('To pay', 'Delete Filter');
    await filters().gone('To pay');
    await editor.notices.press(/Deleted filter .To pay/, 'Undo');
    await filters().row('To pay');
    await holds('To pay');
  });

  it('a filter shows its query on hover if the user has written it, and Overdue its name alone', async () => {
    editor.settings.update('dueline.filters', [{ id: 'pay', name: 'To pay', query: '#money' }]);
    const tooltip = async (name: string) => (await filters().row(name)).item.tooltip;
    assert.equal(await tooltip('To pay'), '#money');
    assert.equal(await tooltip('Overdue'), undefined);
  });

  it('a pinned filter is on top, whatever its icon, and its menu says how to unpin it', async () => {
    editor.settings.update('dueline.filters', [
      { id: 'pay', name: 'To pay', query: '#money' },
      { id: 'now', name: 'For now', query: 'due:today', icon: 'star-empty', pinned: true },
    ]);
    const isOnTop = (name: string) =>
      editor.changes.until(`${name} on top`, () => filters().rows[0]?.label.includes(name));
    await isOnTop('For now');
    await fromMenu('For now', 'Unpin Filter');
    await isOnTop('Overdue');
    await fromMenu('To pay', 'Pin Filter');
    await isOnTop('To pay');
  });

  it('High Priority has the sign that its tasks have', async () => {
    await newTask(editor, { title: 'Mend the roof', priority: 1 });
    const { item } = await filters().row(/^High Priority/);
    await filters().expand('High Priority');
    const row = await filters().row('Mend the roof');
    assert.deepEqual(item.iconPath, row.item.iconPath);
  });

  it('a filter is saved, renamed and deleted by keyboard', async () => {
    editor.settings.update('dueline.filters', [{ id: 'pay', name: 'To pay', query: '#money' }]);
    await filters().row('To pay');
    editor.palette('Dueline: Save Filter…');
    await editor.questions.answer('due:<=today', 'due:today');
    await editor.questions.answer('Filter Name', 'For now');
    await editor.notices.press(/Saved filter .For now/, 'Undo');
    await holds('To pay');
    editor.palette('Dueline: Save Filter…');
    await editor.questions.answer('due:<=today', 'due:today');
    await editor.questions.answer('Filter Name', 'For now');
    await holds('To pay', 'For now');
    await fromMenu('For now', 'Edit Filter…');
    await change('due:today', 'due:week');
    await change('For now', 'This week');
    await holds('To pay', 'This week');
    await filters().focusRow('This week');
    editor.key('f2');
    await change('due:week', 'due:month');
    await change('This week', 'This month');
    await holds('To pay', 'This month');
    await filters().focusRow('This month');
    editor.key('delete');
    await holds('To pay');
    await fromMenu('To pay', 'Delete Filter');
    await holds();
  });

  it('a list gets a color by mouse, and a custom one by keyboard', async () => {
    const colors = (rgb: number) => {
      const work = () => editor.engine.lists().find(({ name }) => name === 'Work');
      return editor.changes.until('the color', () => work()?.color === (0xff000000 | rgb | 0));
    };
    await editor.context('Work', 'Set List Color…');
    await editor.questions.pick('Pink');
    await colors(0xdb2777);
    await editor.context('Work', 'Set List Color…');
    await editor.questions.row('Green');
    editor.questions.type('Other');
    await editor.questions.row('Other…');
    editor.questions.accept();
    await editor.questions.answer('#3b82f6', '0f766');
    await editor.questions.asked(/six hexadecimal digits/i);
    editor.questions.type('0f766e');
    editor.questions.accept();
    await colors(0x0f766e);
  });

  it('the menu of a list applies to that list even if the tree has just lost its rows', async () => {
    await editor.tree().focusRow('Work');
    editor.commands.start('dueline.list.rename', undefined);
    await change('Work', 'Office');
    await editor.changes.until('the name', () => editor.engine.lists().some(({ name }) => name === 'Office'));
    await editor.tree().row('Office');
  });

  it('a change below a collapsed task is drawn when it is expanded', async () => {
    const tree = editor.tree();
    await fill(
      editor,
      ['Flat'],
      [
        { list: 'Flat', title: 'Move house' },
        { list: 'Flat', title: 'Pack the books', parent: 'Move house' },
      ],
    );
    const { id, parentId } = taskNamed(editor, 'Pack the books')!;
    await tree.expand('Flat');
    await tree.expand('Move house');
    await tree.row('Pack the books');
    await tree.collapse('Move house');
    await tree.gone('Pack the books');
    await editor.engine.updateTask(parentId!, { title: 'Move to Rome' });
    await tree.row('Move to Rome');
    for (const title of ['Pack the plates', 'Pack the lamps']) {
      await editor.engine.updateTask(id, { title });
      // Another row of the list shows that the tree has taken the change in.
      await fill(editor, [], [{ list: 'Flat', title: `After: ${title}` }]);
      await tree.row(`After: ${title}`);
    }
    await tree.expand('Move to Rome');
    await tree.row('Pack the lamps');
  });
});
