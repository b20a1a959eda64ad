import assert from 'node:assert/strict';
import { axe } from './support/axe';
import { Session } from './support/driver';
import { chipText, openChip } from './support/taskPage';
import { until } from './support/wait';

interface Known {
  due: number | null;
  isAllDay: boolean;
  description: string | null;
  priority: number;
  rrule: string | null;
  status: number;
  tags: string[];
  alarms: { minutesBefore: number }[];
}

const timeoutMs = 20_000;
const iso = (value: number | null) => (value === null ? '' : new Date(value).toISOString());

describe('the chips of a task', () => {
  let session: Session;
  let id: number;
  const press = (key: string) => session.window.page.keyboard.press(key);
  const type = (text: string) => session.window.page.keyboard.type(text);
  const page = () => session.window.frame('dueline-task #title');
  const known = () =>
    session.window.run(
      (vscode, id) => vscode.extensions.getExtension('dueline.dueline')?.exports.task(id),
      id,
    ) as Promise<Known>;
  const stored = (what: string, holds: (task: Known) => boolean) =>
    until(what, timeoutMs, async () => holds(await known()));
  const focusIs = async (selector: string) => {
    const frame = await page();
    await until(`the focus on ${selector}`, timeoutMs, () =>
      frame.evaluate<boolean>(`document.activeElement?.matches(${JSON.stringify(selector)})`),
    );
  };

  before(async () => {
    session = await Session.open({ theme: 'dark', size: { width: 1000, height: 900 }, timezone: 'Europe/Berlin' });
    id = await session.window.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')?.activate();
      await api.createList({ name: 'Work' });
      return api.createTask(api.lists()[0].id, {
        title: 'Fix the race',
        due: Date.UTC(2031, 4, 6),
        isAllDay: true,
        tags: ['auth'],
      });
    });
    await session.window.command('dueline.open', id);
  });
  after(() => session?.close());
  afterEach(async function () {
    if (this.currentTest?.state === 'failed')
      await session.window.shot(`failed-${this.currentTest.title.slice(0, 40)}`);
  });

  it('are one tab stop behind the title and the notes, gone through by arrow keys', async () => {
    const frame = await page();
    await frame.locator('#title').focus();
    await press('Tab');
    await focusIs('#notes');
    await type('Twice in a row.');
    await stored('the notes', ({ description }) => description === 'Twice in a row.');
    await frame.locator('[data-chip=due]').focus();
    await press('ArrowRight');
    await focusIs('[data-chip=priority]');
    await press('End');
    await focusIs('[data-chip=more]');
    await press('ArrowRight');
    await focusIs('[data-chip=due]');
    assert.equal(await frame.locator('.task-chips .open[tabindex="0"]').count(), 1);
  });

  it('take a date as Quick Add reads it, a time alone for the day that there is', async () => {
    await press('Enter');
    await type('5pm');
    await press('Enter');
    await stored('a time', ({ due, isAllDay }) => !isAllDay && iso(due).startsWith('2031-05-06T15:00'));
    await focusIs('[data-chip=due]');
    await press('Enter');
    await type('2031-06-01 9am !high @Work #late');
    const frame = await page();
    await frame.locator('#chip-offers li.active', { hasText: '#late' }).waitFor();
    await session.window.pictures('task-page-line');
    await press('Enter');
    await stored(
      'all of it',
      ({ due, priority, tags }) =>
        iso(due).startsWith('2031-06-01T07:00') && priority === 1 && tags.join() === 'auth,late',
    );
    await until('the list', timeoutMs, async () => (await chipText(frame, 'listId')) === 'Work');
    await press('Control+z');
    await stored(
      'all of it as before',
      ({ due, priority, tags }) => iso(due).startsWith('2031-05-06T15:00') && priority === 0 && tags.join() === 'auth',
    );
    await until('the list as before', timeoutMs, async () => (await chipText(frame, 'listId')) === 'Inbox');
    await press('Control+Shift+z');
    await stored('all of it again', ({ priority, tags }) => priority === 1 && tags.join() === 'auth,late');
    await until('the list again', timeoutMs, async () => (await chipText(frame, 'listId')) === 'Work');
  });

  it('leave everything as it was by Escape, and give the focus back', async () => {
    const { due } = await known();
    await focusIs('[data-chip=due]');
    await press('Enter');
    await type('tomorrow');
    await press('Escape');
    await focusIs('[data-chip=due]');
    assert.equal((await known()).due, due);
  });

  it('take what is understood when the page is hidden or closed, and keep what is not until it is back', async () => {
    const { window } = session;
    const hide = () => window.command('workbench.action.files.newUntitledFile');
    const goBack = () => window.command('workbench.action.closeActiveEditor');
    await openChip(await page(), 'priority');
    await type('low');
    await hide();
    await stored('the priority', ({ priority }) => priority === 9);
    await goBack();
    await openChip(await page(), 'due');
    await type('call tomorrow maybe');
    await hide();
    await goBack();
    const line = (await page()).locator('dueline-chip-line input');
    await until('the line as it was', timeoutMs, async () => (await line.inputValue()) === 'call tomorrow maybe');
    await press('Escape');
    await line.waitFor({ state: 'detached' });
    await openChip(await page(), 'tags');
    await type('soon');
    await goBack();
    await stored('the tag', ({ tags }) => tags.includes('soon'));
    await window.command('dueline.open', id);
    const frame = await page();
    await frame.getByRole('button', { name: 'Remove #soon' }).click();
    await stored('no such tag', ({ tags }) => !tags.includes('soon'));
    await openChip(frame, 'priority');
    await type('high');
    await press('Escape');
    await hide();
    await goBack();
    assert.equal((await known()).priority, 9);
    await openChip(await page(), 'priority');
    await type('high');
    await press('Enter');
    await stored('the first priority', ({ priority }) => priority === 1);
    await (await page()).locator('[data-chip=due]').focus();
  });

  it('take away one tag for one press of Backspace, however long it is held', async () => {
    const frame = await page();
    const { tags } = await known();
    await session.window.run(
      (vscode, id) =>
        vscode.extensions.getExtension('dueline.dueline')?.exports.updateTask(id, { tags: ['a', 'b', 'c'] }),
      id,
    );
    await openChip(frame, 'tags');
    await type('d');
    await session.window.page.keyboard.down('Backspace');
    for (let times = 0; times < 5; times++) await session.window.page.keyboard.down('Backspace');
    await session.window.page.keyboard.up('Backspace');
    await press('Backspace');
    await stored('two tags', task => task.tags.join() === 'a,b');
    await press('Escape');
    await frame.locator('dueline-chip-line').waitFor({ state: 'detached' });
    assert.equal((await known()).tags.join(), 'a,b');
    await session.window.run(
      (vscode, id, tags) => vscode.extensions.getExtension('dueline.dueline')?.exports.updateTask(id, { tags }),
      id,
      tags,
    );
    await frame.locator('[data-chip=due]').focus();
  });

  it('take a day from the calendar by keys', async () => {
    const frame = await page();
    await openChip(frame, 'due');
    await frame.locator('#chip-offers li', { hasText: 'Pick a day…' }).waitFor();
    await press('ArrowUp');
    await press('Enter');
    await focusIs('td[data-day="2031-06-01"]');
    await press('PageDown');
    await press('ArrowDown');
    await press('ArrowRight');
    await focusIs('td[data-day="2031-07-09"]');
    await session.window.pictures('task-page-calendar');
    await press('Enter');
    await stored('the day at the same time', ({ due }) => iso(due).startsWith('2031-07-09T07:00'));
    await focusIs('[data-chip=due]');
  });

  it('read a repeat and a reminder', async () => {
    const frame = await page();
    await openChip(frame, 'repeat');
    await type('every second tuesday');
    await press('Enter');
    await stored('the rule', ({ rrule }) => rrule === 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU');
    await openChip(frame, 'alarm');
    await type('30 min before');
    await press('Enter');
    await stored('the reminder', ({ alarms }) => alarms.some(({ minutesBefore }) => minutesBefore === 30));
  });

  it('go by Delete and by their ×, and come back by undo', async () => {
    const frame = await page();
    await frame.locator('[data-chip=priority]').focus();
    await press('Delete');
    await stored('no priority', ({ priority }) => priority === 0);
    await focusIs('.unset [data-chip=priority]');
    await press('Control+z');
    await stored('the priority again', ({ priority }) => priority === 1);
    await frame.getByRole('button', { name: 'Remove #late' }).click();
    await stored('one tag', ({ tags }) => tags.join() === 'auth');
  });

  it('and all else come back by the keys of undo on other layouts, and where Alt makes it another key', async () => {
    const frame = await page();
    const { priority } = await known();
    await openChip(frame, 'priority');
    await type('low');
    await press('Enter');
    await stored('another priority', task => task.priority === 9);
    const send = (init: { key: string; code: string; altKey?: true }) =>
      frame.evaluate(
        `document.activeElement.dispatchEvent(new KeyboardEvent('keydown', ${JSON.stringify({ bubbles: true, cancelable: true, ctrlKey: true, ...init })}))`,
      );
    await send({ key: 'Enter', code: 'Enter', altKey: true });
    await send({ key: 'я', code: 'KeyZ' });
    await stored('the priority before', task => task.priority === priority);
    await send({ key: 'у', code: 'KeyE' });
    await session.window.page.locator('.tab.active', { hasText: /\.md/ }).waitFor();
    await session.window.command('workbench.action.closeActiveEditor');
  });

  it('complete the task by its ring', async () => {
    const frame = await page();
    await session.window.run(
      (vscode, id) => vscode.extensions.getExtension('dueline.dueline')?.exports.updateTask(id, { rrule: null }),
      id,
    );
    await frame.locator('#scope').waitFor({ state: 'detached' });
    await frame.getByRole('checkbox', { name: 'Complete' }).click();
    await stored('the completed task', ({ status }) => status === 2);
    await frame.locator('.head.done').waitFor();
  });

  it('are clean for axe with a line open, and fit 240 pixels', async () => {
    const { window } = session;
    const faults: string[] = [];
    await window.command('workbench.action.closeSidebar');
    const frame = await page();
    for (const theme of ['light', 'dark', 'hc', 'hc-light'] as const) {
      await window.theme(theme);
      await openChip(frame, 'due');
      await frame.locator('#chip-offers li').first().waitFor();
      faults.push(...(await axe(frame)).map(fault => `${theme}: ${fault}`));
      await press('Escape');
    }
    await window.resize(290, 900);
    await openChip(frame, 'due');
    const [wide, room] = await frame.evaluate<[number, number]>(
      `[document.querySelector('dueline-task').scrollWidth, document.documentElement.clientWidth]`,
    );
    await window.picture('task-page-narrow');
    assert.ok(wide <= room, `${wide} in ${room}`);
    assert.deepEqual(faults, []);
  });

  it('leave the page to the tree by Escape, and close it by Ctrl+Enter', async () => {
    const { window } = session;
    await window.resize(1000, 900);
    await window.command('workbench.action.closeAllEditors');
    await window.view();
    await window.command('dueline.lists.focus');
    await window.expand('Inbox');
    await window.command('dueline.newTask');
    const frame = await page();
    await frame.locator('#title').focus();
    await type('Left');
    await press('Control+Enter');
    await window.page.locator('.tab', { hasText: /Left|New Task/ }).waitFor({ state: 'detached' });
    await window.rows('Left').first().click();
    const opened = await page();
    await opened.locator('#title').focus();
    await type(' early');
    await press('Escape');
    await until('the focus in the tree', timeoutMs, () =>
      window.page.evaluate<boolean>(`document.activeElement?.closest('.pane-body .monaco-list') !== null`),
    );
    await window.rows('Left early').first().waitFor();
    await press('Delete');
    await window.rows('Left early').waitFor({ state: 'detached' });
  });
});
