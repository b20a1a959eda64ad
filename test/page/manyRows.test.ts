import type { Frame } from 'playwright-core';
import type { Task } from '../../src/core/model';
import { Editor } from '../support/vscode/editor';
import { becomes, clear, fill, openWidget, rowsOf, taskNamed } from './support/widgets';

const dayMs = 86_400_000;

/** A widget shows the first 200 rows of a group; none of the others is out of reach. */
describe('a group of a thousand rows', () => {
  let editor: Editor;
  before(async () => {
    editor = await Editor.open({ size: { width: 1200, height: 800 } });
  });
  after(() => editor?.close());
  afterEach(function () {
    return editor.tidy(this.currentTest);
  });

  beforeEach(async () => {
    editor.settings.update('dueline.widgets', { board: { sort: 'title' } });
    await clear(editor);
    await fill(editor, ['Work'], []);
    const listId = editor.engine.lists().find(({ name }) => name === 'Work')!.id;
    const due = Math.floor(editor.clock.now() / dayMs) * dayMs;
    const titles = Array.from({ length: 1000 }, (_, at) => `Row ${String(at).padStart(4, '0')}`);
    await editor.engine.apply(
      titles.map(title => ({ type: 'create' as const, listId, input: { title, due, isAllDay: true } })),
    );
  });

  /** Another one, in the column beside them. */
  const start = async (title: string) => {
    const listId = editor.engine.lists().find(({ name }) => name === 'Work')!.id;
    await editor.engine.createTask(listId, { title, status: 1 });
  };
  const press = async (...keys: string[]) => {
    for (const key of keys) await editor.page.keyboard.press(key);
  };
  const active = (page: Frame, text: string) => page.locator('.tree:focus .active', { hasText: text });
  const is = (title: string, part: Partial<Task>) => becomes(editor, title, part);
  const column = (page: Frame, name: string) => page.locator(`section.column[aria-label="${name}"]`);
  /** From a row in sight to the last one, by keys alone. */
  const toLast = async (page: Frame, last: string) => {
    await rowsOf(page, 'Row 0000').click();
    for (const next of ['Row 0200', 'Row 0700']) {
      await press('End');
      await active(page, ' more').waitFor();
      await press('Enter');
      await active(page, next).waitFor();
    }
    await press('End');
    await active(page, last).waitFor();
  };

  for (const kind of ['tasks', 'week', 'month', 'lists', 'board'] as const)
    it(`has its last row reached, edited and completed by keys in ${kind}`, async () => {
      const page = await openWidget(editor, kind, 'Row 0000');
      await toLast(page, 'Row 0999');
      await press('1');
      await is('Row 0999', { priority: 1 });
      await active(page, 'Row 0999').waitFor();
      await press(' ');
      await is('Row 0999', { status: 2 });
    });

  it('has a row far down dragged, and shows one that is moved far down, by mouse and by keys', async () => {
    await start('Row 9999');
    const page = await openWidget(editor, 'board', 'Row 0000');
    await toLast(page, 'Row 0999');
    await rowsOf(page, 'Row 0999').dragTo(column(page, 'In progress'));
    await is('Row 0999', { status: 1 });

    const other = await openWidget(editor, 'board', 'Row 0000');
    await column(other, 'In progress').locator('.row', { hasText: 'Row 0999' }).click();
    await press('Alt+ArrowLeft');
    await is('Row 0999', { status: 0 });
    await column(other, 'To do').locator('.tree:focus .active', { hasText: 'Row 0999' }).waitFor();
    await column(other, 'In progress').locator('.row', { hasText: 'Row 9999' }).dragTo(column(other, 'To do'));
    await is('Row 9999', { status: 0 });
    await column(other, 'In progress').locator('.row', { hasText: 'Row 9999' }).waitFor({ state: 'detached' });
    await column(other, 'To do').locator('.tree').focus();
    await press('End');
    await active(other, 'Row 9999').waitFor();
  });

  it('goes along with the row that the user is on, if an edit puts it far down', async () => {
    const page = await openWidget(editor, 'board', 'Row 0000');
    await rowsOf(page, 'Row 0007').click();
    await active(page, 'Row 0007').waitFor();
    await editor.engine.updateTask(taskNamed(editor, 'Row 0007')!.id, { title: 'Row 0999 and a half' });
    await rowsOf(page, 'Row 0007').waitFor({ state: 'detached' });
    await press('ArrowUp');
    await active(page, 'Row 0999').waitFor();
    await press('ArrowDown');
    await active(page, 'Row 0999 and a half').waitFor();
  });
});
