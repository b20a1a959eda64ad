import assert from 'node:assert/strict';
import { packageOnce } from '../../scripts/package/once.mjs';
import { Session } from './support/driver';
import { until } from './support/wait';
import type { Window } from './support/window';

const timeoutMs = 60_000;

/** The window that people have, with real toasts. */
describe('reminders in the window', () => {
  let session: Session;
  let window: Window;
  before(async () => {
    session = await Session.open({
      vsix: [await packageOnce('full')],
      theme: 'dark',
      size: { width: 1100, height: 1000 },
      timezone: 'UTC',
    });
    window = session.window;
    await window.view();
  });
  after(() => session?.close());
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await window.shot(`failed-${this.currentTest.title.slice(0, 40)}`);
  });

  /** Adds tasks that are due, with a reminder, in so many milliseconds. */
  const due = (ms: number, ...titles: string[]) =>
    window.run(
      async (vscode, ms, titles) => {
        const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
        const [list] = api.lists();
        const at = Date.now() + ms;
        const input = { due: at, timezone: 'UTC', alarms: [{ minutesBefore: 0 }] };
        return api.apply(
          titles.map(title => ({ type: 'create', listId: list.id, input: { ...input, title } })),
        ) as Promise<number[]>;
      },
      ms,
      titles,
    );
  const found = (query: string) =>
    window.run(async (vscode, query) => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      return api.query(query).map((found: { task: { title: string } }) => found.task.title) as string[];
    }, query);
  const complete = (...titles: string[]) =>
    window.run(async (vscode, titles) => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      for (const title of titles)
        for (const { task } of api.query(`is:open "${title}"`)) await api.completeTask(task.id);
    }, titles);
  const display = (value: string | undefined) =>
    window.run(async (vscode, value) => {
      await vscode.workspace
        .getConfiguration()
        .update('dueline.reminders.display', value, vscode.ConfigurationTarget.Global);
    }, value);
  const toasts = (text: string) => window.page.locator('.notification-toast').filter({ hasText: text });
  /** A link of a toast; they are in the place of buttons. */
  const link = (text: string, name: string) => toasts(text).locator('a').filter({ hasText: name });
  const bell = () => window.page.locator('.statusbar-item[id*="dueline.reminders"]');
  const waiting = () =>
    bell()
      .first()
      .textContent({ timeout: 1000 })
      .then(text => Number((text ?? '').trim() || 0))
      .catch(() => 0);
  const settles = (count: number) => until(`${count} waiting`, timeoutMs, async () => (await waiting()) === count);

  it('come as a toast; the task is completed there', async () => {
    await due(3000, 'Water the ferns');
    await toasts('Water the ferns').waitFor({ timeout: timeoutMs });
    await settles(1);
    const words = await toasts('Water the ferns').locator('.notification-list-item-message').textContent();
    assert.match(words ?? '', /^Reminder: .*Water the ferns/);
    assert.match((await bell().first().getAttribute('class')) ?? '', /warning-kind/);
    await window.pictures('reminder-one');
    await window.picture('reminder-one');
    await link('Water the ferns', 'Complete').click();
    await until('completion', timeoutMs, async () => (await found('is:done "Water the ferns"')).length === 1);
    await settles(0);
  });

  it('stay as a toast until they are answered, here or elsewhere', async () => {
    await due(1500, 'Feed the fish', 'Air the room');
    await toasts('2 reminders').waitFor({ timeout: timeoutMs });
    // VS Code hides a message with buttons after ten seconds.
    await window.page.waitForTimeout(14_000);
    assert.equal(await toasts('2 reminders').count(), 1);
    await complete('Feed the fish');
    await toasts('Reminder: ').filter({ hasText: 'Air the room' }).waitFor({ timeout: timeoutMs });
    await complete('Air the room');
    await until('no toast', timeoutMs, async () => (await toasts('').count()) === 0);
    await due(1500, 'Shut the window');
    await toasts('Shut the window').waitFor({ timeout: timeoutMs });
    // VS Code 1.90 has its own word for the button.
    await toasts('Shut the window')
      .getByRole('button', { name: /^(Dismiss|Cancel)$/ })
      .click();
    await settles(0);
    assert.equal(await toasts('').count(), 0);
    await complete('Shut the window');
  });

  it('are a dialog, or in the status bar alone, where that is set', async () => {
    await display('modal');
    await due(1500, 'Take the pills');
    const dialog = window.page.locator('.monaco-dialog-box');
    await dialog.filter({ hasText: 'Reminder: ' }).waitFor({ timeout: timeoutMs });
    await window.pictures('reminder-modal');
    await dialog.getByRole('button', { name: 'Complete' }).click();
    await until('completion', timeoutMs, async () => (await found('is:done "Take the pills"')).length === 1);
    await settles(0);
    await due(1500, 'Only look');
    await dialog.filter({ hasText: 'Only look' }).waitFor({ timeout: timeoutMs });
    await window.page.keyboard.press('Escape');
    await settles(0);
    await display('statusBar');
    await due(1500, 'Silently');
    await settles(1);
    await window.page.waitForTimeout(1500);
    assert.equal((await toasts('').count()) + (await dialog.count()), 0);
    await display(undefined);
    await complete('Only look', 'Silently');
    await settles(0);
  });

  it('are on top of the Today widget, and are snoozed and completed there', async () => {
    await display('statusBar');
    await due(1500, 'Call the bank', 'Sign the lease');
    await settles(2);
    const page = await window.frame('.group', 'Reminders');
    const order = () => page.locator('.group .name').allTextContents();
    assert.equal((await order())[0], 'Reminders');
    const row = (title: string) => page.locator('.row').filter({ hasText: title });
    assert.equal(await row('Call the bank').count(), 1, 'nowhere else');
    await row('Call the bank').hover();
    await window.pictures('reminder-today');
    await row('Call the bank').getByTitle('Snooze…').click();
    await window.pick('In 1 hour');
    await settles(1);
    await row('Sign the lease').click();
    // Its page comes up beside, and the focus remains with the row.
    await window.frame('dueline-task #title');
    await until('the focus on the row', timeoutMs, () => page.evaluate('document.hasFocus()'));
    await window.page.keyboard.press('z');
    await window.pick('In 1 hour');
    await settles(0);
    await until('the focus on the row', timeoutMs, () => page.evaluate('document.hasFocus()'));
    assert.deepEqual((await order()).includes('Reminders'), false);
    await due(1500, 'Pay the fine');
    await settles(1);
    await row('Pay the fine').locator('.check').click();
    await settles(0);
    await complete('Call the bank', 'Sign the lease');
    await display(undefined);
    // A page in front would be given the focus after each question, from one that comes up right then.
    await window.command('workbench.action.closeAllEditors');
  });

  it('are on top of Today in the Filters tree, and are snoozed and dismissed there', async () => {
    await display('statusBar');
    await window.command('dueline.filters.focus');
    // The tree gets the room of the views above it.
    const others = ['Today', 'Lists'].map(name => window.pane(name).locator('.pane-header'));
    for (const header of others) await header.click();
    await window.expand('Today, Up Next');
    for (const key of ['ArrowDown', 'ArrowRight']) await window.page.keyboard.press(key);
    await due(1500, 'Call the school', 'Sign the card');
    await settles(2);
    const rows = () => window.rows().allTextContents();
    const below = async (heading: string) => {
      const all = await rows();
      return all.slice(all.findIndex(text => text.includes(heading)) + 1);
    };
    await window.rows('Reminders').first().waitFor({ timeout: timeoutMs });
    const [first, second] = await below('Reminders');
    assert.deepEqual(
      [first, second].map(text => /Call the school|Sign the card/.test(text ?? '')),
      [true, true],
    );
    assert.equal((await rows()).filter(text => text.includes('Call the school')).length, 1, 'nowhere else');
    await window.rows('Call the school').first().hover();
    await window.pictures('reminder-tree');
    await window.inline('Call the school', 'Snooze');
    await window.pick('In 1 hour');
    await settles(1);
    await window.context('Sign the card', 'Due › Dismiss Reminder');
    await settles(0);
    await until('no group', timeoutMs, async () => (await window.rows('Reminders').count()) === 0);
    await window.rows('Call the school').first().waitFor();
    await complete('Call the school', 'Sign the card');
    await display(undefined);
    for (const header of others) await header.click();
  });

  it('come for a task with a time without being asked for', async () => {
    const field = `body[data-boot*='"kind":"today"'] .field input`;
    const page = await window.frame(field);
    const soon = new Date(Date.now() + 65_000);
    const time = `${soon.getUTCHours()}:${String(soon.getUTCMinutes()).padStart(2, '0')}`;
    await page.locator(field).fill(`Ring home ${time}`);
    await page.locator(field).press('Enter');
    await until('the reminder', timeoutMs, async () => (await found('has:alarm "Ring home"')).length === 1);
    await toasts('Ring home').waitFor({ timeout: 2 * timeoutMs });
    await link('Ring home', 'Complete').click();
    await settles(0);
    const [id] = await window.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      return api.apply([{ type: 'create', listId: api.lists()[0].id, input: { title: 'See Anna' } }]) as Promise<
        number[]
      >;
    });
    void window.command('dueline.setDue', id);
    await window.quickInput.waitFor();
    await window.quickText.fill('tomorrow');
    await window.pick('Tomorrow');
    await until('the day', timeoutMs, async () => (await found('due:tomorrow "See Anna"')).length === 1);
    assert.deepEqual(await found('has:alarm "See Anna"'), [], 'a day is no time');
    void window.command('dueline.setDue', id);
    await window.quickInput.waitFor();
    await window.quickText.fill('tomorrow 5pm');
    await window.pick('5:00 PM');
    await until('the reminder', timeoutMs, async () => (await found('has:alarm "See Anna"')).length === 1);
    await complete('See Anna');
  });

  it('several at once come as one, and are snoozed together', async () => {
    await due(3000, 'Call Anna', 'Pay rent', 'Post the letter', 'Feed the cat');
    await toasts('4 reminders').waitFor({ timeout: timeoutMs });
    assert.equal(await window.page.locator('.notification-toast').count(), 1);
    await settles(4);
    await window.picture('reminder-digest');
    await link('4 reminders', 'Snooze All…').click();
    await window.picks('In 1 hour').first().waitFor();
    await window.picture('reminder-snooze');
    await window.pick('In 1 hour');
    await settles(0);
    assert.equal((await found('is:snoozed')).length, 4);
  });

  it('wait over a reload, are not shown again, and are answered from the list by keyboard', async () => {
    await due(2500, 'Answer later');
    await toasts('Answer later').waitFor({ timeout: timeoutMs });
    await due(2500, 'And this');
    await toasts('And this').waitFor({ timeout: timeoutMs });
    await settles(2);
    await window.reload();
    await window.view();
    await settles(2);
    await window.page.waitForTimeout(3000);
    assert.equal(await window.page.locator('.notification-toast').count(), 0);
    await window.palette('Dueline: Show Pending Reminders');
    await window.picks('Answer later').first().waitFor();
    await window.picture('reminder-list');
    await window.page.keyboard.press('Enter');
    await window.picks('Dismiss').first().waitFor();
    await window.picture('reminder-answer');
    await window.pick('Dismiss');
    await settles(1);
    await window.picks('And this').first().waitFor();
    await window.page.keyboard.press('Enter');
    await window.picks('Complete').first().waitFor();
    await window.page.keyboard.press('Enter');
    await settles(0);
    await until('completion', timeoutMs, async () => (await found('is:done "And this"')).length === 1);
  });

  it('are shown at the next start where they passed while the editor was closed', async () => {
    await due(8000, 'While away', 'Also away');
    await window.page.goto('about:blank');
    await window.page.waitForTimeout(9000);
    await window.page.goBack();
    await window.page.locator('.monaco-workbench').waitFor({ timeout: timeoutMs });
    await window.ready();
    await toasts('2 reminders').waitFor({ timeout: timeoutMs });
    await window.picture('reminder-missed');
    await link('2 reminders', 'Show Reminders').click();
    await window.pick('Dismiss All');
    await settles(0);
  });

  it('wait without a word in quiet hours, and are told together afterwards', async () => {
    const quiet = (range: string | undefined) =>
      window.run(async (vscode, range) => {
        await vscode.workspace
          .getConfiguration()
          .update('dueline.reminders.quietHours', range, vscode.ConfigurationTarget.Global);
      }, range);
    const now = new Date();
    const clock = (hours: number) => `${String((now.getUTCHours() + hours + 24) % 24).padStart(2, '0')}:00`;
    await quiet(`${clock(-1)}-${clock(3)}`);
    await due(2500, 'Hush');
    await settles(1);
    await due(2500, 'Hush too');
    await settles(2);
    assert.equal(await window.page.locator('.notification-toast').count(), 0);
    await quiet(undefined);
    await toasts('2 reminders').waitFor({ timeout: timeoutMs });
    await link('2 reminders', 'Show Reminders').click();
    await window.pick('Dismiss All');
    await settles(0);
  });

  it('wait without a word while a program is debugged, and are told once it has ended', async () => {
    const isOver = () => window.run(vscode => vscode.debug.activeDebugSession === undefined);
    await window.run(async vscode => {
      await vscode.debug.startDebugging(undefined, { type: 'bridge', request: 'launch', name: 'Idle' });
    });
    await until('the program to run', timeoutMs, async () => !(await isOver()));
    await due(1000, 'Not now');
    await settles(1);
    assert.equal(await toasts('Not now').count(), 0);
    await window.palette('Debug: Stop');
    await until('the program to end', timeoutMs, isOver);
    await toasts('Not now').waitFor({ timeout: timeoutMs });
    await link('Not now', 'Complete').click();
    await settles(0);
  });

  it('come in one of two windows, and wait in both', async () => {
    const second = await session.openWindow(window.page.context());
    const shown = () =>
      Promise.all(
        [window, second].map(({ page }) =>
          page.locator('.notification-toast').filter({ hasText: 'Only once' }).count(),
        ),
      );
    await due(4000, 'Only once');
    await until('the toast', timeoutMs, async () => (await shown()).some(count => count > 0));
    await second.page.locator('.statusbar-item[id*="dueline.reminders"]').first().waitFor({ timeout: timeoutMs });
    await settles(1);
    await window.page.waitForTimeout(3000);
    assert.deepEqual((await shown()).sort(), [0, 1]);
    await second.palette('Dueline: Show Pending Reminders');
    await second.pick('Only once');
    await second.pick('Dismiss');
    await settles(0);
    await second.page.close();
  });

  it('are added from a task’s menu', async () => {
    await window.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      await api.createTask(api.lists()[0].id, { title: 'Book seats', due: Date.UTC(2030, 0, 7, 18), timezone: 'UTC' });
    });
    await window.view();
    // The tree gets the room of the views around it, for the tasks of all tests before.
    for (const name of ['Today', 'Filters']) await window.pane(name).locator('.pane-header').click();
    const inbox = window.rows('Inbox').first();
    await inbox.waitFor();
    if ((await inbox.getAttribute('aria-expanded')) === 'false') await inbox.locator('.monaco-tl-twistie').click();
    await window.context('Book seats', 'Due › Add Reminder…');
    await window.picks('30 minutes before it is due').first().waitFor();
    await window.picture('reminder-add');
    await window.pick('30 minutes before it is due');
    await until('the alarm', timeoutMs, async () => (await found('has:alarm "Book seats"')).length === 1);
  });
});
