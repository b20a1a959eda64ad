import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import type { Task } from '../../src/core/kernel/model';
import { Editor } from '../support/vscode/editor';
import {
  becomes,
  clear,
  fill,
  hasFocus,
  openWidget,
  passesAxe,
  rowsOf,
  shows,
  taskNamed,
  widgetWith,
} from './support/widgets';

/** Tasks as cards in columns: by mouse and by keyboard, in a tab, the panel and a narrow sidebar. */
describe('Board', () => {
  let editor: Editor;
  before(async () => {
    editor = await Editor.open({ size: { width: 1400, height: 900 } });
  });
  after(() => editor?.close());
  beforeEach(async () => {
    await editor.resize(1400, 900);
    choose({});
    await clear(editor);
    await fill(
      editor,
      ['Work', 'Home'],
      [
        { list: 'Work', title: 'Draft', tags: ['board/todo'], priority: 3 },
        { list: 'Work', title: 'Review', tags: ['board/todo', 'now'], day: 0 },
        { list: 'Home', title: 'Paint', tags: ['board/doing'], day: 40 },
        { list: 'Home', title: 'Sweep' },
      ],
    );
  });
  afterEach(function () {
    asksAboutSubtasks(undefined);
    return editor.tidy(this.currentTest);
  });

  const asksAboutSubtasks = (answer: 'ask' | undefined) =>
    editor.settings.update('dueline.completion.completeSubtasks', answer);
  const choose = (board: object) => editor.settings.update('dueline.widgets', { board });
  const open = () => openWidget(editor, 'board', 'Draft');
  const column = (page: Frame, name: string) => page.locator(`section.column[aria-label="${name}"]`);
  /** By its title: cards of subtasks name their parent, too. */
  const cardIn = (page: Frame, name: string, title: string) =>
    column(page, name)
      .locator('.row')
      .filter({ has: page.locator('.title', { hasText: title }) });
  const names = (page: Frame) => page.locator('.board h2').allTextContents();
  const titlesIn = (page: Frame, name: string) => column(page, name).locator('.title').allTextContents();
  const toast = (page: Frame, words: string | RegExp) => page.locator('.bottom.on', { hasText: words });
  const press = async (...keys: string[]) => {
    for (const key of keys) await editor.page.keyboard.press(key);
  };
  const is = (title: string, part: Partial<Task>) => becomes(editor, title, part);
  const listId = (name: string) => editor.engine.lists().find(list => list.name === name)!.id;

  it('has a column for each status, cards with the details of a row, and moves them with the mouse and undo', async () => {
    const page = await open();
    assert.deepEqual(await names(page), ['To do', 'In progress', 'Done']);
    await cardIn(page, 'To do', 'Review').locator('.fact', { hasText: '#now' }).waitFor();
    await cardIn(page, 'To do', 'Review').locator('.when', { hasText: 'Today' }).waitFor({ state: 'attached' });
    await cardIn(page, 'To do', 'Draft').dragTo(column(page, 'In progress'));
    await cardIn(page, 'In progress', 'Draft').waitFor();
    await is('Draft', { status: 1 });
    // Its half ring has no room for the sign.
    await cardIn(page, 'In progress', 'Draft').locator('.urgency.high', { hasText: '!!!' }).waitFor();
    await toast(page, /Moved .Draft. to .In progress/)
      .getByRole('button', { name: 'Undo' })
      .click();
    await is('Draft', { status: 0 });
    await cardIn(page, 'To do', 'Draft').dragTo(column(page, 'Done'));
    await toast(page, 'Completed').waitFor();
    await cardIn(page, 'Done', 'Draft').and(page.locator('.done')).waitFor();
    await column(page, 'Done').getByRole('tree', { name: 'Done, 1', exact: true }).waitFor();
    await cardIn(page, 'Done', 'Draft').dragTo(column(page, 'In progress'));
    await is('Draft', { status: 1 });
  });

  it('the arrow keys move through cards and columns, and with Alt they move the card', async () => {
    const page = await open();
    await cardIn(page, 'To do', 'Draft').click();
    await press('ArrowRight');
    await hasFocus(column(page, 'In progress'));
    await press('ArrowRight', 'ArrowRight');
    await hasFocus(column(page, 'Done'));
    await press('ArrowLeft', 'ArrowLeft');
    await hasFocus(column(page, 'To do'));
    await press('Home', 'ArrowDown');
    assert.equal(await column(page, 'To do').locator('.row.active').count(), 1);
    await cardIn(page, 'To do', 'Draft').click();
    await press('Alt+ArrowRight');
    await cardIn(page, 'In progress', 'Draft').and(page.locator('.active')).waitFor();
    await hasFocus(column(page, 'In progress'));
    await toast(page, /Moved .+ to /).waitFor();
    await press('Alt+ArrowRight');
    await is('Draft', { status: 2 });
    await press('Control+z', 'Control+z');
    await is('Draft', { status: 0 });
  });

  it('an undo is announced, and returns the focus with the card', async () => {
    const page = await open();
    await cardIn(page, 'To do', 'Draft').click();
    await press('Alt+ArrowRight');
    await cardIn(page, 'In progress', 'Draft').and(page.locator('.active')).waitFor();
    await press('Control+z');
    await cardIn(page, 'To do', 'Draft').and(page.locator('.active')).waitFor();
    await hasFocus(column(page, 'To do'));
    await toast(page, 'Undone: ').waitFor();
    await press('n', 'Escape', 'Escape');
    await hasFocus(column(page, 'To do'));
  });

  it('keeps the focus on a card if the user cancels its move, and the focus does not follow it later', async () => {
    asksAboutSubtasks('ask');
    const { id } = taskNamed(editor, 'Paint')!;
    await editor.engine.createTask(listId('Home'), { title: 'Brush', parentId: id });
    const page = await open();
    await cardIn(page, 'To do', 'Brush').locator('.parent', { hasText: 'Paint' }).waitFor();
    await cardIn(page, 'To do', 'Paint').dragTo(column(page, 'Done'));
    (await editor.notices.dialog()).close();
    await cardIn(page, 'To do', 'Paint').and(page.locator('.active')).waitFor();
    await hasFocus(column(page, 'To do'));
    await cardIn(page, 'To do', 'Sweep').click();
    await editor.engine.updateTask(id, { status: 2 });
    await cardIn(page, 'Done', 'Paint').waitFor();
    assert.equal(await column(page, 'Done').locator('.active').count(), 0);
  });

  it('an exceeded limit is marked with an icon; it is set in the form', async () => {
    const page = await open();
    const count = column(page, 'To do').locator('.count');
    assert.equal((await count.textContent())?.trim(), '4');
    await cardIn(page, 'To do', 'Draft').click();
    await press(',');
    const field = page.locator('.limit', { hasText: 'To do' }).locator('input');
    await field.fill('3');
    await field.press('Tab');
    await count.locator('.glyph').waitFor();
    assert.equal((await count.textContent())?.trim(), '4/3');
    await column(page, 'To do').getByText('over the limit').waitFor({ state: 'attached' });
    await column(page, 'To do').getByRole('tree', { name: 'To do, 4 open, over the limit' }).waitFor();
    await field.fill('4');
    await field.press('Tab');
    await count.locator('.glyph').waitFor({ state: 'detached' });
    assert.equal((await count.textContent())?.trim(), '4/4');
    await press('Escape');
  });

  it('a column is collapsed and expanded by its button, stays that way, and still accepts cards', async () => {
    const page = await open();
    const fold = (name: string) => page.getByRole('button', { name, exact: true });
    await cardIn(page, 'To do', 'Draft').click();
    await fold('In progress').and(page.locator('[aria-expanded=true]')).click();
    await page.locator('section.collapsed').waitFor();
    assert.equal(await column(page, 'In progress').locator('dueline-rows').count(), 0);
    assert.equal(await fold('In progress').getAttribute('aria-expanded'), 'false');
    assert.equal(await fold('In progress').evaluate(one => one === one.ownerDocument.activeElement), true);
    await cardIn(page, 'To do', 'Sweep').dragTo(column(page, 'In progress'));
    await is('Sweep', { status: 1 });
    await cardIn(page, 'To do', 'Draft').click();
    await press('ArrowRight');
    await hasFocus(column(page, 'Done'));
    await editor.command('workbench.action.files.newUntitledFile');
    await editor.command('workbench.action.closeActiveEditor');
    const again = await widgetWith(editor, 'board', 'Draft');
    assert.equal(await again.locator('section.collapsed').count(), 1, 'as it was left');
    await again.getByRole('button', { name: 'In progress', exact: true }).press('Enter');
    await cardIn(again, 'In progress', 'Sweep').waitFor();
  });

  it('with Alt a card moves into a collapsed column, too, and the next one gets the focus', async () => {
    choose({ collapsed: ['started'] });
    const page = await open();
    const next = column(page, 'To do').locator('.row.active:not(:has-text("Draft")) .title');
    await cardIn(page, 'To do', 'Draft').click();
    await press('Alt+ArrowRight');
    await is('Draft', { status: 1 });
    await toast(page, 'In progress').waitFor();
    await hasFocus(column(page, 'To do'));
    const title = (await next.textContent())!;
    await press('Alt+ArrowRight');
    await is(title, { status: 1 });
    await press('Control+z');
    await is(title, { status: 0 });
    await press('ArrowRight');
    await hasFocus(column(page, 'Done'));
    choose({ rows: 'list', collapsed: ['started', 'done'] });
    const other = await openWidget(editor, 'board', 'Sweep');
    await cardIn(other, 'Work, To do', 'Review').click();
    await press('Alt+ArrowRight');
    await is('Review', { status: 1, listId: listId('Work') });
    await cardIn(other, 'Home, To do', 'Sweep').click();
    await press('Alt+ArrowUp');
    await is('Sweep', { status: 0, listId: listId('Work') });
  });

  it('leaves the focus where a key right after an undo has moved it', async () => {
    choose({ collapsed: ['started'] });
    const page = await open();
    await cardIn(page, 'To do', 'Draft').click();
    await press('Alt+ArrowRight');
    await is('Draft', { status: 1 });
    await hasFocus(column(page, 'To do'));
    await press('Control+z');
    await press('ArrowRight');
    await cardIn(page, 'To do', 'Draft').waitFor();
    await page.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))');
    await hasFocus(column(page, 'Done'));
  });

  it('tags as columns, lists as rows: a card changes both in one step, and undo restores both', async () => {
    choose({ group: 'tag', tags: 'board/*', rows: 'list' });
    const page = await open();
    assert.deepEqual((await names(page)).slice(0, 3), ['doing', 'todo', 'No value']);
    assert.deepEqual(await titlesIn(page, 'Work, todo'), ['Review', 'Draft']);
    await cardIn(page, 'Work, todo', 'Review').dragTo(column(page, 'Home, doing'));
    await is('Review', { listId: listId('Home'), tags: ['now', 'board/doing'] });
    await press('Control+z');
    await is('Review', { listId: listId('Work'), tags: ['board/todo', 'now'] });
    await cardIn(page, 'Work, todo', 'Draft').click();
    await press('Alt+ArrowDown');
    await is('Draft', { listId: listId('Home'), tags: ['board/todo'] });
    await hasFocus(column(page, 'Home, todo'));
    await cardIn(page, 'Home, todo', 'Draft').and(page.locator('.active')).waitFor();
    await press('Alt+ArrowRight');
    await is('Draft', { tags: [] });
    await hasFocus(column(page, 'Home, No value'));
    await press('ArrowRight');
    await hasFocus(column(page, 'Home, No value'));
    await press('Home', 'ArrowUp');
    await hasFocus(column(page, 'Work, No value'));
  });

  it('the cell that a card moves into announces that its column is over the limit, in rows, too', async () => {
    choose({ rows: 'list', limits: { started: 1 } });
    const page = await open();
    const cell = (name: string) => page.getByRole('tree', { name });
    await cardIn(page, 'Work, To do', 'Draft').click();
    await press('Alt+ArrowRight');
    await cardIn(page, 'Work, In progress', 'Draft').waitFor();
    assert.equal(await cell('over the limit').count(), 0);
    await cardIn(page, 'Home, To do', 'Paint').click();
    await press('Alt+ArrowRight');
    await cell('Home, In progress, 1 open, In progress: over the limit').and(page.locator(':focus')).waitFor();
    await cell('Work, In progress, 1 open, In progress: over the limit').waitFor();
    assert.equal(await cell('over the limit').count(), 2);
  });

  it('lists of the same name are separate columns', async () => {
    const { engine } = editor;
    const other = await engine.createList({ name: 'Work' });
    await engine.createTask(other, { title: 'Elsewhere' });
    choose({ group: 'list', lists: ['Work'], limits: { Work: 2 } });
    const page = await open();
    const counts = () => page.locator('.board .count').allTextContents();
    assert.deepEqual(
      (await counts()).map(count => count.trim()),
      ['2/2', '1'],
    );
    await page.getByRole('button', { name: 'Work', exact: true }).last().click();
    await page.locator('section.collapsed').waitFor();
    assert.equal(await page.locator('section.collapsed').count(), 1);
    await cardIn(page, 'Work', 'Draft').waitFor();
    await engine.deleteList(other);
  });

  it('a card stays in its column when the question about its subtasks is canceled', async () => {
    asksAboutSubtasks('ask');
    await fill(editor, [], [{ list: 'Work', title: 'Primer', parent: 'none' }]);
    const [draft, primer] = [taskNamed(editor, 'Draft')!, taskNamed(editor, 'Primer')!];
    await editor.engine.moveTask(primer.id, { listId: draft.listId, parentId: draft.id });
    choose({ rows: 'list' });
    const page = await open();
    await cardIn(page, 'Work, To do', 'Draft').dragTo(column(page, 'Home, Done'));
    (await editor.notices.dialog()).close();
    await is('Draft', { listId: listId('Work'), status: 0 });
    await cardIn(page, 'Work, To do', 'Draft').dragTo(column(page, 'Home, Done'));
    (await editor.notices.dialog()).close('Complete Subtask Too');
    await is('Draft', { listId: listId('Home'), status: 2 });
    await page.locator('.body').focus();
    await editor.command('dueline.undo');
    await is('Draft', { listId: listId('Work'), status: 0 });
  });

  it('due dates, priorities and lists as columns', async () => {
    await editor.resize(2600, 900);
    choose({ group: 'due' });
    const page = await open();
    const shown = await names(page);
    assert.equal(shown[0], 'Today');
    assert.deepEqual(shown.slice(-2), ['Later', 'No Date']);
    await cardIn(page, 'Today', 'Review').dragTo(column(page, 'No Date'));
    await is('Review', { due: null });
    await cardIn(page, 'No Date', 'Review').click();
    // Past the column that takes none.
    await press('Alt+ArrowLeft');
    await editor.changes.until('a date', () => typeof taskNamed(editor, 'Review')?.due === 'number');
    choose({ group: 'priority' });
    const other = await open();
    assert.deepEqual(await names(other), ['High', 'Medium', 'Low', 'None']);
    await cardIn(other, 'High', 'Draft').dragTo(column(other, 'Low'));
    await is('Draft', { priority: 9 });
    choose({ group: 'list' });
    const third = await open();
    await cardIn(third, 'Work', 'Draft').dragTo(column(third, 'Home'));
    await is('Draft', { listId: listId('Home') });
  });

  it('cards are in the user’s own order if the widget is sorted by it', async () => {
    choose({ sort: 'manual' });
    const page = await open();
    assert.deepEqual(await titlesIn(page, 'To do'), ['Draft', 'Review', 'Paint', 'Sweep']);
    await cardIn(page, 'To do', 'Sweep').dragTo(cardIn(page, 'To do', 'Paint'), { targetPosition: { x: 60, y: 4 } });
    await shows(page, 'it is above', async () => {
      const titles = await titlesIn(page, 'To do');
      return titles.indexOf('Sweep') < titles.indexOf('Paint');
    });
    await cardIn(page, 'To do', 'Draft').click();
    await press('Alt+ArrowDown');
    await shows(page, 'it is below', async () => {
      const titles = await titlesIn(page, 'To do');
      return titles.indexOf('Review') < titles.indexOf('Draft');
    });
    await cardIn(page, 'To do', 'Review').dragTo(column(page, 'In progress'));
    await shows(page, 'the first', async () => (await titlesIn(page, 'In progress')).join() === 'Review');
    await cardIn(page, 'To do', 'Draft').dragTo(cardIn(page, 'In progress', 'Review'), {
      targetPosition: { x: 60, y: 4 },
    });
    await shows(
      page,
      'both, in that order',
      async () => (await titlesIn(page, 'In progress')).join() === 'Draft,Review',
    );
  });

  it('up and down ask first if cards have another order, and then move them', async () => {
    const page = await open();
    const isAbove = async (one: string, other: string) => {
      const titles = await titlesIn(page, 'To do');
      return titles.indexOf(one) < titles.indexOf(other);
    };
    await shows(page, 'the order of dates', () => isAbove('Review', 'Draft'));
    await cardIn(page, 'To do', 'Draft').click();
    await press('Alt+ArrowDown');
    await editor.notices.press(/not sorted manually/, 'Sort Manually');
    await shows(page, 'the order of their own', () => isAbove('Draft', 'Review'));
    await hasFocus(column(page, 'To do'));
    await press('Alt+ArrowDown');
    await shows(page, 'Draft below', () => isAbove('Review', 'Draft'));
  });

  it('a task added in a column gets the values of the column', async () => {
    choose({ group: 'tag', tags: 'board/todo board/doing' });
    const page = await open();
    await column(page, 'board/doing').hover();
    await column(page, 'board/doing').getByRole('button', { name: 'Add a task here' }).click();
    await editor.page.keyboard.type('Fresh #soon');
    await press('Enter');
    await cardIn(page, 'board/doing', 'Fresh').waitFor();
    await is('Fresh', { tags: ['board/doing', 'soon'] });
    choose({});
    const other = await open();
    await cardIn(other, 'To do', 'Draft').click();
    await press('ArrowRight', 'n');
    await editor.page.keyboard.type('Begun');
    await press('Enter');
    await cardIn(other, 'In progress', 'Begun').waitFor();
    await is('Begun', { status: 1 });
  });

  it('shows the matches of a query, in the panel, too, and as groups if it is narrow', async () => {
    choose({ filter: 'tag:board/*', limits: { todo: 1 } });
    await editor.command('workbench.action.closeAllEditors');
    await editor.command('dueline.widgets.board.focus');
    const pane = await widgetWith(editor, 'board', 'Draft');
    await shows(pane, 'the cards of the query', async () => (await titlesIn(pane, 'To do')).length === 3);
    await editor.command('workbench.action.closePanel');
    await editor.resize(240, 700);
    const page = await openWidget(editor, 'board', 'Draft');
    assert.equal(await page.locator('.board').count(), 0);
    assert.deepEqual(await page.locator('.group .name').allTextContents(), ['To do', 'In progress', 'Done']);
    await page.locator('.group .count.over', { hasText: '3/1' }).waitFor();
    assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0);
    await rowsOf(page, 'Draft').click();
    await press('Alt+ArrowDown');
    await is('Draft', { status: 1 });
  });

  it('adds to the focused column: by Enter if it is empty, and by N and + if it is narrow', async () => {
    const page = await open();
    await cardIn(page, 'To do', 'Draft').click();
    await press('ArrowRight');
    await hasFocus(column(page, 'In progress'));
    const outline = await page.evaluate<string>('getComputedStyle(document.activeElement.parentElement).outline');
    assert.match(outline, /solid/);
    await press('Enter');
    await editor.page.keyboard.type('Empty column');
    await press('Enter');
    await is('Empty column', { status: 1 });
    await editor.resize(240, 900);
    const narrow = await openWidget(editor, 'board', 'Draft');
    await rowsOf(narrow, 'Empty column').click();
    await press('n');
    await editor.page.keyboard.type('By its key');
    await press('Enter');
    await is('By its key', { status: 1 });
    const heading = narrow.locator('.group', { hasText: 'In progress' });
    await heading.hover();
    await heading.locator('.add').click();
    await editor.page.keyboard.type('By its button');
    await press('Enter');
    await is('By its button', { status: 1 });
  });

  it('keeps collapsed columns collapsed if it is narrow, and expands them for the wide board, too', async () => {
    const page = await open();
    await cardIn(page, 'To do', 'Sweep').dragTo(column(page, 'In progress'));
    await is('Sweep', { status: 1 });
    choose({ collapsed: ['todo'] });
    await editor.resize(240, 900);
    const narrow = await openWidget(editor, 'board', 'Sweep');
    const heading = narrow.locator('.group', { hasText: 'To do' });
    await heading.and(narrow.locator('[aria-expanded=false]')).waitFor();
    assert.equal(await rowsOf(narrow, 'Draft').count(), 0);
    await heading.click();
    await rowsOf(narrow, 'Draft').waitFor();
    await editor.resize(1400, 900);
    await cardIn(narrow, 'To do', 'Draft').waitFor();
  });

  it('axe finds no faults in any theme or from right to left', async () => {
    choose({ limits: { todo: 3 }, collapsed: ['done'] });
    await passesAxe(editor, 'board', 'Draft');
    choose({ rows: 'list', collapsed: ['done'] });
    await passesAxe(editor, 'board', 'Draft');
  });
});
