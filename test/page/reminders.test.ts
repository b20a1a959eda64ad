import assert from 'node:assert/strict';
import { Editor } from '../support/vscode/editor';
import { titles } from './support/home';
import { newTask } from './support/task';
import { becomes, clear, isTrue, rowsOf } from './support/widgets';

const minuteMs = 60_000;

describe('reminders', () => {
  let editor: Editor;
  before(async () => {
    editor = await Editor.open();
  });
  after(() => editor?.close());
  beforeEach(async () => {
    await clear(editor);
    await settles(0);
  });
  afterEach(async function () {
    await editor.tidy(this.currentTest);
    for (const name of ['display', 'quietHours']) editor.settings.update(`dueline.reminders.${name}`, undefined);
    await editor.command('workbench.action.closeAllEditors');
  });

  /** Time passes, and the user comes back to the window. */
  const pass = (ms: number) => {
    editor.clock.time += ms;
    editor.setFocused(true);
  };
  const plan = (...names: string[]) => {
    const input = { due: editor.clock.now() + minuteMs, timezone: 'UTC', alarms: [{ minutesBefore: 0 }] };
    const [list] = editor.engine.lists();
    return editor.engine.apply(
      names.map(title => ({ type: 'create' as const, listId: list!.id, input: { ...input, title } })),
    );
  };
  /** Tasks with a reminder that comes now. */
  const due = async (...names: string[]) => {
    await plan(...names);
    pass(minuteMs);
  };
  const found = (query: string) => titles(editor, query);
  const display = (value: string) => editor.settings.update('dueline.reminders.display', value);
  /** They come as progress, which the editor does not hide by itself. */
  const toasts = () => editor.notices.open.filter(({ severity }) => severity === 'progress');
  const settles = (count: number) =>
    editor.changes.until(
      `${count} waiting`,
      () => Number(/\d+/.exec(editor.status('dueline.reminders') ?? '')?.[0] ?? 0) === count,
    );

  it('are a dialog, or only in the status bar, as set', async () => {
    display('modal');
    await due('Take the pills');
    const dialog = await editor.notices.dialog();
    assert.match(dialog.message, /Reminder: .*Take the pills/);
    dialog.close('Complete');
    await becomes(editor, 'Take the pills', { status: 2 });
    await settles(0);
    await due('Only look');
    const other = await editor.notices.dialog();
    assert.match(other.message, /Only look/);
    other.close();
    await settles(0);
    display('statusBar');
    await due('Silently');
    await settles(1);
    // Anything that the first would show is shown before the second comes.
    await due('Silently too');
    await settles(2);
    assert.deepEqual(editor.notices.open, []);
  });

  it('complete a task with its open subtasks, unless the user cancels the question about them', async () => {
    display('modal');
    const answer = async () => (await editor.notices.dialog()).close('Complete');
    const dueWithSubtask = async (title: string) => {
      await plan(title);
      const { id, listId } = editor.engine.query(`title:"${title}"`)[0]!.task;
      await editor.engine.createTask(listId, { title: `Part of ${title}`, parentId: id });
      pass(minuteMs);
      await answer();
    };
    await dueWithSubtask('Pack');
    await becomes(editor, 'Part of Pack', { status: 2 });
    await becomes(editor, 'Pack', { status: 2 });
    await settles(0);
    await editor.engine.undo();
    assert.deepEqual([...found('Pack')].sort(), ['Pack', 'Part of Pack']);

    await clear(editor);
    editor.settings.update('dueline.completion.completeSubtasks', 'ask');
    await dueWithSubtask('Ship');
    (await editor.notices.dialog()).close();
    await settles(1);
    assert.deepEqual([...found('Ship')].sort(), ['Part of Ship', 'Ship']);
    editor.settings.update('dueline.completion.completeSubtasks', undefined);
  });

  it('are on top of the Today widget, and are snoozed and completed there', async () => {
    display('statusBar');
    await editor.command('dueline.today.focus');
    await due('Call the bank', 'Sign the lease');
    await settles(2);
    const page = await editor.frame('body.as-sidebar .group', 'Reminders');
    const order = () => page.locator('.group .name').allTextContents();
    assert.equal((await order())[0], 'Reminders');
    assert.equal(await rowsOf(page, 'Call the bank').count(), 1, 'nowhere else');
    await rowsOf(page, 'Call the bank').hover();
    await rowsOf(page, 'Call the bank').getByTitle('Snooze…').click();
    await editor.questions.pick('In 1 hour');
    await settles(1);
    await rowsOf(page, 'Sign the lease').click();
    // Its page opens next to it, and the focus remains with the row.
    await editor.frame('dueline-task #title');
    await isTrue(page, 'document.hasFocus()');
    await editor.page.keyboard.press('z');
    await editor.questions.pick('In 1 hour');
    await settles(0);
    await isTrue(page, 'document.hasFocus()');
    await page.locator('.group .name', { hasText: 'Reminders' }).waitFor({ state: 'detached' });
    await due('Pay the fine');
    await settles(1);
    await rowsOf(page, 'Pay the fine').locator('.check').click();
    await settles(0);
  });

  it('are added to a task with a time by default', async () => {
    await editor.command('dueline.today.focus');
    const page = await editor.frame(`body[data-boot*='"kind":"today"'] .field input`);
    const time = new Date(editor.clock.now() + minuteMs).toISOString().slice(11, 16);
    const line = page.locator('.field input');
    await line.fill(`Ring home ${time}`);
    await page.locator('.chip').first().waitFor();
    await line.press('Enter');
    await editor.changes.until('the reminder', () => found('has:alarm "Ring home"').length === 1);
    pass(minuteMs);
    await editor.follow('Ring home', 'Complete');
    await becomes(editor, 'Ring home', { status: 2 });
    await settles(0);
    const id = await newTask(editor, { title: 'See Anna' });
    const set = async (words: string, row: string) => {
      void editor.command('dueline.setDue', id);
      await editor.questions.asked();
      editor.questions.type(words);
      await editor.questions.pick(row);
    };
    await set('tomorrow', 'Tomorrow');
    await editor.changes.until('the day', () => found('due:tomorrow "See Anna"').length === 1);
    assert.deepEqual(found('has:alarm "See Anna"'), [], 'a day is no time');
    await set('tomorrow 5pm', '5:00 PM');
    await editor.changes.until('the reminder', () => found('has:alarm "See Anna"').length === 1);
  });

  it('several at once come as one, and are snoozed together', async () => {
    await due('Call Anna', 'Pay rent', 'Post the letter', 'Feed the cat');
    await editor.notices.notification('4 reminders');
    assert.equal(editor.notices.open.length, 1);
    await settles(4);
    await editor.follow('4 reminders', 'Snooze All…');
    await editor.questions.pick('In 1 hour');
    await settles(0);
    assert.equal(found('is:snoozed').length, 4);
  });

  it('stay pending over a reload, are not shown again, and are snoozed and dismissed from the list by keyboard', async () => {
    for (const title of ['Answer later', 'And this']) {
      await due(title);
      await editor.notices.notification(title);
    }
    await settles(2);
    await editor.reload();
    await settles(2);
    await due('Now');
    await editor.notices.notification('Now');
    assert.equal(toasts().length, 1);
    toasts()[0]!.close();
    await settles(2);
    void editor.palette('Dueline: Show Pending Reminders');
    await editor.questions.row('Answer later');
    editor.questions.accept();
    await editor.questions.pick('Dismiss');
    await settles(1);
    await editor.questions.row('And this');
    editor.questions.accept();
    await editor.questions.row('Complete');
    editor.questions.accept();
    await settles(0);
    await becomes(editor, 'And this', { status: 2 });
  });

  it('are shown at the next start if they came due while the editor was closed', async () => {
    await plan('While away', 'Also away');
    await editor.reload(minuteMs);
    await editor.follow('2 reminders', 'Show Reminders');
    await editor.questions.pick('Dismiss All');
    await settles(0);
  });

  it('wait silently in quiet hours, and are shown together afterwards', async () => {
    const clock = (hours: number) => new Date(editor.clock.now() + hours * 60 * minuteMs).toISOString().slice(11, 16);
    editor.settings.update('dueline.reminders.quietHours', `${clock(-1)}-${clock(3)}`);
    await due('Hush');
    await settles(1);
    await due('Hush too');
    await settles(2);
    assert.deepEqual(editor.notices.open, []);
    editor.settings.update('dueline.reminders.quietHours', undefined);
    await editor.follow('2 reminders', 'Show Reminders');
    await editor.questions.pick('Dismiss All');
    await settles(0);
  });

  it('appear in one of two windows, and are pending in both', async () => {
    const second = await Editor.open({ besides: editor });
    const windows = [editor, second];
    try {
      const shown = (title: string) =>
        windows.map(
          ({ notices }) =>
            notices.open.filter(({ message, steps }) => [message, ...steps].join().includes(title)).length,
        );
      const isShown = (title: string) =>
        Promise.any(windows.map(({ changes }) => changes.until(title, () => shown(title).some(Boolean))));
      /** Both hear of the time. */
      const comes = async (title: string) => {
        await plan(title);
        await second.changes.until(title, () => titles(second, `"${title}"`).length === 1);
        pass(minuteMs);
        second.setFocused(true);
        await isShown(title);
      };
      await comes('Only once');
      await second.changes.until('it in the other one', () => /1/.test(second.status('dueline.reminders') ?? ''));
      await settles(1);
      // A toast of the other window would be there before that of a later reminder.
      await comes('After it');
      assert.deepEqual(shown('Only once').sort(), [0, 1]);
      void second.palette('Dueline: Show Pending Reminders');
      await second.questions.pick('Only once');
      await second.questions.pick('Dismiss');
      await settles(1);
      const [late] = editor.engine.query('"After it"');
      await editor.engine.completeTask(late!.task.id);
      await settles(0);
    } finally {
      await second.close();
    }
  });

  it('are added from a task’s menu', async () => {
    await newTask(editor, { title: 'Book seats', due: Date.UTC(2030, 0, 7, 18), timezone: 'UTC' });
    await editor.tree().expand('Inbox');
    await editor.context('Book seats', 'Due › Add Reminder…');
    await editor.questions.pick('30 minutes before it is due');
    await editor.changes.until('the alarm', () => found('has:alarm "Book seats"').length === 1);
  });
});
