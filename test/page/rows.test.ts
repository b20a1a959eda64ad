import assert from 'node:assert/strict';
import type { Task } from '../../src/core/kernel/model';
import { Editor } from '../support/vscode/editor';
import { becomes, clear, fill, openWidget, rowsOf, shows, taskNamed } from './support/widgets';

/** Trees and widgets share clicks, keys and appearance. */
describe('rows in trees and widgets', () => {
  let editor: Editor;
  before(async () => {
    editor = await Editor.open({ size: { width: 1280, height: 1000 } });
  });
  after(() => editor?.close());
  beforeEach(async () => {
    await clear(editor);
    await fill(
      editor,
      ['Work'],
      [
        { list: 'Work', title: 'Call the bank', day: 0 },
        { list: 'Work', title: 'Sign the lease', day: 1 },
        { list: 'Work', title: 'Pay the rent' },
      ],
    );
    await editor.tree().expand('Work');
    await editor.tree().row('Pay the rent');
  });
  afterEach(async function () {
    await editor.tidy(this.currentTest);
    await editor.command('workbench.action.closeAllEditors');
  });

  const row = (title: string) => editor.tree().row(title);
  const press = async (...keys: string[]) => {
    for (const key of keys) await editor.page.keyboard.press(key);
  };
  const tabsAre = (...titles: string[]) =>
    editor.changes.until(`the tabs ${titles}`, () => editor.tabs.titles.join() === titles.join());
  const is = (title: string, part: Partial<Task>) => becomes(editor, title, part);
  const focusIs = (title: string) =>
    editor.changes.until(`the focus on ${title}`, () => editor.tree().focused?.label.includes(title));
  /** Today in the sidebar, once it shows the task. */
  async function today(title: string) {
    await editor.command('dueline.today.focus');
    return editor.frame('body.as-sidebar .row', title);
  }

  it('a form with unsaved text stays', async () => {
    await editor.tree().click('Call the bank');
    const page = await editor.frame('dueline-task #title');
    await page.locator('#title').fill('Call the other bank');
    await tabsAre('Call the other bank');
    await editor.tree().click('Pay the rent');
    // Once it is drawn, it has replaced a form without changes.
    const isOther = async () =>
      (await (await editor.frame('dueline-task #title')).locator('#title').inputValue()) === 'Pay the rent';
    await editor.frame('dueline-task #title', /^$/);
    assert.ok(await isOther());
    assert.deepEqual(editor.tabs.titles, ['Call the other bank', 'Pay the rent']);
    await is('Call the other bank', {});
  });

  it('a double click leads into the form, however long the window is busy with its first click', async () => {
    let done = () => {};
    editor.busy = new Promise<void>(resolve => {
      done = resolve;
    });
    await editor.tree().click('Call the bank');
    await tabsAre('Call the bank');
    // More than the time between the two clicks of a double click.
    const now = performance.now.bind(performance);
    performance.now = () => now() + 700;
    try {
      done();
      await editor.tree().click('Call the bank');
      const form = await editor.frame('dueline-task #title');
      await shows(form, 'the focus in the form', () => form.evaluate('document.hasFocus()'));
    } finally {
      performance.now = now;
    }
  });

  it('a click right after Enter on a list shows a preview', async () => {
    await editor.tree().focusRow('Work');
    await editor.key('enter');
    await editor.tree().gone('Call the bank');
    await editor.key('enter');
    await editor.tree().click('Call the bank');
    await tabsAre('Call the bank');
    await editor.tree().click('Pay the rent');
    await tabsAre('Pay the rent');
  });

  it('a click does the same in a widget of the sidebar', async () => {
    const page = await today('Call the bank');
    await rowsOf(page, 'Call the bank').locator('.title').click();
    await tabsAre('Call the bank');
    await shows(page, 'the focus in the widget', () => page.evaluate('document.hasFocus()'));
    await press('3');
    await is('Call the bank', { priority: 9 });
    await rowsOf(page, 'Call the bank').locator('.title').dblclick();
    const form = await editor.frame('dueline-task #title');
    await shows(form, 'the focus in the form', () => form.evaluate('document.hasFocus()'));
  });

  it('a widget that appears leaves the focus to what the next key has opened', async () => {
    const page = await today('Call the bank');
    await shows(page, 'the focus in the widget', () => page.evaluate('document.hasFocus()'));
    const isKept = await page.evaluate<boolean>(`(async () => {
      const app = document.querySelector('dueline-widget');
      const { frame } = app;
      app.frame = undefined;
      await app.updateComplete;
      document.activeElement.blur();
      const palette = top.document.body.appendChild(top.document.createElement('input'));
      app.frame = frame;
      await app.updateComplete;
      palette.focus();
      await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      const isKept = top.document.hasFocus() && top.document.activeElement === palette;
      palette.remove();
      return isKept;
    })()`);
    assert.ok(isKept);
  });

  it('a click in a widget’s tab only selects, because the form would cover it', async () => {
    const page = await openWidget(editor, 'tasks', 'Call the bank');
    await rowsOf(page, 'Call the bank').locator('.title').click();
    await press('1');
    await is('Call the bank', { priority: 1 });
    assert.equal(editor.tabs.titles.length, 1);
  });

  it('a tree has the keys of a widget', async () => {
    await editor.tree().click('Pay the rent');
    for (const [key, priority] of [
      ['1', 1],
      ['2', 5],
      ['3', 9],
      ['0', 0],
    ] as const) {
      editor.key(key);
      await is('Pay the rent', { priority });
    }
    editor.key('d');
    await editor.questions.asked(/./);
    editor.questions.type('tomorrow');
    await editor.questions.row('Tomorrow');
    editor.questions.accept();
    await editor.changes.until('a date', () => taskNamed(editor, 'Pay the rent')?.due != null);
    const { due } = taskNamed(editor, 'Pay the rent')!;
    editor.key('s');
    await editor.questions.pick('By 7 days');
    await is('Pay the rent', { due: due! + 7 * 86_400_000 });
    for (const [key, title] of [
      ['r', 'Repeat'],
      ['p', 'Priority'],
      ['t', 'Tags'],
      ['m', /list to move to/],
      ['n', /./],
    ] as const) {
      editor.key(key);
      await editor.questions.asked(title);
      editor.questions.escape();
      await focusIs('Pay the rent');
    }
    editor.key('ctrl+z');
    await is('Pay the rent', { due });
  });

  it('a repeating task shows its date, and keeps the focus while one occurrence is moved', async () => {
    await fill(
      editor,
      ['Work'],
      [
        { list: 'Work', title: 'Go running', day: 2, rrule: 'FREQ=WEEKLY' },
        { list: 'Work', title: 'Go shopping', day: 9 },
      ],
    );
    await row('Go shopping');
    assert.match((await row('Go running')).description, /\p{L}[\u2068\u2069]* · ↻/u);
    await editor.tree().click('Go running');
    editor.key('d');
    await editor.questions.asked(/./);
    editor.questions.type('tomorrow');
    await editor.questions.row('Tomorrow');
    editor.questions.accept();
    await editor.tree().row(/Go running.*Tomorrow/);
    await focusIs('Go running');
    editor.key('1');
    const isHigh = () =>
      /high priority/i.test(editor.tree().find('Go running')?.item.accessibilityInformation?.label ?? '');
    await editor.changes.until('high priority', isHigh);
    assert.equal(taskNamed(editor, 'Go shopping')?.priority, 0);
  });

  it('a row that a key removes passes the focus on, whatever else happens while a question is open', async () => {
    await fill(editor, ['Work'], [{ list: 'Work', title: 'Go running', day: 2, rrule: 'FREQ=WEEKLY' }]);
    await row('Go running');
    await editor.tree().click('Go running');
    editor.key('d');
    await editor.questions.asked(/./);
    await fill(editor, ['Work'], [{ list: 'Work', title: 'Go shopping', day: 9 }]);
    await row('Go shopping');
    editor.questions.type('tomorrow');
    await editor.questions.row('Tomorrow');
    editor.questions.accept();
    await editor.tree().row(/Go running.*Tomorrow/);
    await focusIs('Go running');
  });

  it('a list that a key deletes passes the focus on', async () => {
    await fill(editor, ['Chores', 'Garden'], []);
    await row('Garden');
    await editor.tree().click('Pay the rent');
    for (const [gone, next] of [
      ['Chores', 'Garden'],
      ['Garden', 'Work'],
    ] as const) {
      await editor.tree().focusRow(gone);
      editor.key('delete');
      (await editor.notices.dialog()).close('Delete List');
      await editor.changes.until(`${gone} is gone`, () => !editor.tree().find(gone));
      await focusIs(next);
    }
  });

  it('a saved filter that a key deletes passes the focus on', async () => {
    const saved = ['One', 'Two', 'Three'].map(name => ({ id: name, name, query: 'is:open' }));
    await editor.settings.update('dueline.filters', saved);
    const filters = editor.tree('dueline.filters');
    await filters.row('Three');
    for (const [gone, next] of [
      ['Two', 'Three'],
      ['One', 'Three'],
    ] as const) {
      await filters.focusRow(gone);
      editor.key('delete');
      await editor.changes.until(`${gone} is gone`, () => !filters.find(gone));
      await editor.changes.until(`the focus on ${next}`, () => filters.focused?.label.includes(next));
    }
    await editor.settings.update('dueline.filters', undefined);
  });

  it('a tag keeps the focus, whatever happens while a question is open', async () => {
    const filters = editor.tree('dueline.filters');
    const add = () => editor.engine.createTask(editor.engine.defaultListId(), { title: 'Paint', tags: ['home'] });
    await add();
    await filters.expand('Tags');
    await filters.focusRow('home');
    editor.key('n');
    await editor.questions.asked();
    await add();
    await editor.changes.until('both', () => filters.find('home')?.description.includes('2'));
    editor.questions.escape();
    assert.match(filters.focused?.label ?? '', /home/);
  });

  it('N adds to the list of the row', async () => {
    await editor.tree().click('Sign the lease');
    editor.key('n');
    await editor.questions.asked();
    editor.questions.type('Buy stamps');
    await editor.questions.row('Buy stamps');
    editor.questions.accept();
    await row('Buy stamps');
    assert.equal(taskNamed(editor, 'Buy stamps')?.listId, taskNamed(editor, 'Sign the lease')?.listId);
  });

  it('one row of a tree is selected after a key', async () => {
    await editor.tree().click('Call the bank');
    await focusIs('Call the bank');
    await editor.tree().focusRow('Sign the lease');
    editor.key('2');
    await is('Sign the lease', { priority: 5 });
    const { node } = await row('Sign the lease');
    await editor.changes.until('one selected row', () => {
      const { selection } = editor.tree();
      return selection.length === 1 && selection[0] === node;
    });
    await focusIs('Sign the lease');
  });

  describe('appearance', () => {
    it('shows the properties of a task by icons', async () => {
      const due = Math.floor(editor.clock.now() / 86_400_000) * 86_400_000;
      await editor.engine.createTask(editor.engine.lists().find(({ name }) => name === 'Work')!.id, {
        title: 'Signed one',
        alarms: [{ minutesBefore: 5 }],
        due,
        isAllDay: true,
        url: 'https://a.example',
        description: 'x',
      });
      const { description, item } = await row('Signed one');
      assert.match(description, /◷ ↗.? ≡/);
      assert.match(item.accessibilityInformation?.label ?? '', /reminder.*link.*notes/);
      const box = item.checkboxState as { accessibilityInformation: { label: string } };
      assert.equal(box.accessibilityInformation.label, '\u2068Signed one\u2069');
      const page = await today('Signed one');
      assert.equal(await rowsOf(page, 'Signed one').locator('.fact .glyph').count(), 3);
    });
  });

  it('Start Working is visible, with Stop in its place', async () => {
    const status = () => editor.status('dueline.working');
    const hidden = () => editor.changes.until('no words', () => status() === undefined);
    await editor.context('Call the bank', 'Status › Start Working on Task');
    await editor.changes.until('the words', () => /Call the bank.? 0:00/.test(status() ?? ''));
    await today('Call the bank');
    const page = await editor.frame('body.as-sidebar .row.doing', 'Call the bank');
    const image = await page.evaluate<string>(
      'getComputedStyle(document.querySelector(".row.doing .check")).backgroundImage',
    );
    assert.match(image, /gradient.*50%/);
    await editor.press('dueline.working', /./);
    await editor.questions.pick('Stop Working');
    await hidden();
    await editor.command('dueline.undo');
    await editor.changes.until('the words again', () => status() !== undefined);
    const isSpoken = () =>
      /in progress/.test(editor.tree().find('Call the bank')?.item.accessibilityInformation?.label ?? '');
    await editor.changes.until('the row', isSpoken);
    await editor.context('Call the bank', 'Status › Stop Working on Task');
    await hidden();
    await is('Call the bank', { status: 0 });
  });
});
