import assert from 'node:assert/strict';
import { Editor } from '../support/vscode/editor';
import { taskNamed } from './support/widgets';

describe('a list of 1,200 tasks', () => {
  let editor: Editor;
  let list: number;
  before(async () => {
    editor = await Editor.open();
  });
  after(() => editor?.close());
  beforeEach(async () => {
    const { engine } = editor;
    list = await engine.createList({ name: 'Large' });
    const input = (at: number) => ({ title: `Task ${String(at).padStart(4, '0')}` });
    await engine.apply(
      Array.from({ length: 1200 }, (_, at) => ({ type: 'create' as const, listId: list, input: input(at) })),
    );
    await editor.tree().expand('Large');
    await editor.tree().row('Task 0000');
  });
  afterEach(async function () {
    await editor.tidy(this.currentTest);
    await editor.engine.deleteList(list);
    await editor.tree().gone('Large');
  });

  const hasFocus = (title: string) =>
    editor.changes.until(`the focus on ${title}`, () => editor.tree().focused?.label.includes(title));
  /** Edits the task with that title through the API, as another surface would. */
  const rename = (title: string, patch: Parameters<Editor['engine']['updateTask']>[1]) =>
    editor.engine.updateTask(taskNamed(editor, title)!.id, patch);

  it('opens with its first page, and loads more from the last row, by keyboard and by mouse', async () => {
    const tree = editor.tree();
    await tree.row('1,000 more');
    assert.equal(tree.find('Task 0200'), undefined);
    await tree.focusRow('1,000 more');
    editor.key('enter');
    await hasFocus('Task 0200');
    await tree.row('500 more');
    assert.equal(tree.find('Task 0700'), undefined);
    await tree.click('500 more');
    await hasFocus('Task 0700');
    await tree.row('Task 1199');
    assert.equal(tree.find(/ more$/), undefined);
  });

  it('shows edits of visible rows', async () => {
    await rename('Task 0198', { title: 'Renamed' });
    await editor.tree().row('Renamed');
    await editor.tree().tick('Renamed');
    await editor.tree().gone('Renamed');
  });

  it('shows a new tag, and what became of a collapsed list', async () => {
    const tree = editor.tree();
    await tree.click('Large');
    await tree.gone('Task 0000');
    await rename('Task 0000', { title: 'First of all', tags: ['brandnew'] });
    await editor.tree('dueline.filters').expand('Tags');
    await editor.tree('dueline.filters').row('brandnew');
    await tree.click('Large');
    await tree.row('First of all');
  });
});
