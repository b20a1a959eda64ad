import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { textOf } from '../../src/core/fields/values';
import type { Task, TaskInput } from '../../src/core/kernel/model';
import { Editor } from '../support/vscode/editor';
import { axeInThemes } from './support/axe';
import { chipText, focusIsOn, newTask, openChip, openTask, setChip } from './support/task';
import { clear, resizeWindow, shows } from './support/widgets';

const iso = (value: number | null) => (value === null ? '' : new Date(value).toISOString());

/** The state in which the second case leaves it. */
const busy: TaskInput = { due: Date.UTC(2031, 5, 1, 7), isAllDay: false, timezone: 'Europe/Berlin', priority: 1 };

describe('the chips of a task', () => {
  let editor: Editor;
  let id: number;
  before(async () => {
    editor = await Editor.open({ size: { width: 1000, height: 900 }, timeZone: 'Europe/Berlin' });
    await editor.engine.createList({ name: 'Work' });
  });
  after(() => editor?.close());
  beforeEach(async () => {
    await editor.resize(1000, 900);
    await editor.command('workbench.action.closeAllEditors');
    await clear(editor);
  });
  afterEach(function () {
    return editor.tidy(this.currentTest);
  });

  const open = async (more: TaskInput = {}): Promise<Frame> => {
    const due = { due: Date.UTC(2031, 4, 6), isAllDay: true };
    id = await newTask(editor, { title: 'Fix the race', ...due, tags: ['auth'], ...more });
    return openTask(editor, id);
  };
  const page = () => editor.frame('dueline-task #title');
  const press = (key: string) => editor.page.keyboard.press(key);
  const type = (text: string) => editor.page.keyboard.type(text);
  const known = () => editor.engine.task(id)!;
  const stored = (subject: string, holds: (task: Task) => boolean) =>
    editor.changes.until(subject, () => holds(known()));
  const listIs = (frame: Frame, name: string) =>
    shows(frame, `the list ${name}`, async () => (await chipText(frame, 'listId')) === name);

  it('are one tab stop after the title and the notes, with arrow keys between them', async () => {
    const frame = await open();
    await frame.locator('#title').focus();
    await press('Tab');
    await focusIsOn(frame, '#notes');
    await type('Twice in a row.');
    await stored('the notes', ({ description }) => description === 'Twice in a row.');
    await frame.locator('[data-chip=due]').focus();
    await press('ArrowRight');
    await focusIsOn(frame, '[data-chip=repeat]');
    await press('End');
    await focusIsOn(frame, '[data-chip=more]');
    await press('ArrowRight');
    await focusIsOn(frame, '[data-chip=due]');
    assert.equal(await frame.locator('.task-chips .open[tabindex="0"]').count(), 1);
  });

  it('have an estimate under More, which takes minutes or hours', async () => {
    const frame = await open();
    const estimate = () => textOf(known(), 'estimate');
    await setChip(frame, 'estimate', '1h30');
    await stored('an estimate', () => estimate() === '1h30m');
    await shows(frame, 'the chip', async () => (await chipText(frame, 'estimate')) === '1 h 30 min');
    await setChip(frame, 'estimate', '45');
    await stored('another one', () => estimate() === '45m');
    await shows(frame, 'the chip', async () => (await chipText(frame, 'estimate')) === '45 min');
    await setChip(frame, 'due', '~2h');
    await stored('one from another line', () => estimate() === '2h');
    await openChip(frame, 'estimate');
    await frame.locator('#chip-suggestions li', { hasText: 'No estimate' }).click();
    await stored('none', () => estimate() === null);
  });

  it('read a date like Quick Add, and a time alone for the existing day', async () => {
    const frame = await open();
    await frame.locator('[data-chip=due]').focus();
    await press('Enter');
    await type('5pm');
    await press('Enter');
    await stored('a time', ({ due, isAllDay }) => !isAllDay && iso(due).startsWith('2031-05-06T15:00'));
    await focusIsOn(frame, '[data-chip=due]');
    await press('Enter');
    await type('2031-06-01 9am !high @Work #late');
    await frame.locator('#chip-suggestions li.active', { hasText: '#late' }).waitFor();
    await press('Enter');
    await stored(
      'all of it',
      ({ due, priority, tags }) =>
        iso(due).startsWith('2031-06-01T07:00') && priority === 1 && tags.join() === 'auth,late',
    );
    await listIs(frame, 'Work');
    await press('Control+z');
    await stored(
      'all of it as before',
      ({ due, priority, tags }) => iso(due).startsWith('2031-05-06T15:00') && priority === 0 && tags.join() === 'auth',
    );
    await listIs(frame, 'Inbox');
    await press('Control+Shift+z');
    await stored('all of it again', ({ priority, tags }) => priority === 1 && tags.join() === 'auth,late');
    await listIs(frame, 'Work');
  });

  it('keep everything as it was on Escape, and return the focus', async () => {
    const frame = await open();
    const { due } = known();
    await frame.locator('[data-chip=due]').focus();
    await press('Enter');
    await type('tomorrow');
    await press('Escape');
    await focusIsOn(frame, '[data-chip=due]');
    assert.equal(known().due, due);
  });

  it('apply what is recognized when the page is hidden or closed, and keep the rest until it is back', async () => {
    const hide = () => editor.command('workbench.action.files.newUntitledFile');
    const goBack = () => editor.command('workbench.action.closeActiveEditor');
    await openChip(await open(), 'priority');
    await type('low');
    await hide();
    await stored('the priority', ({ priority }) => priority === 9);
    await goBack();
    await openChip(await page(), 'due');
    await type('call tomorrow maybe');
    await hide();
    await goBack();
    const again = await page();
    const line = again.locator('dueline-chip-input input');
    await shows(again, 'the line as it was', async () => (await line.inputValue()) === 'call tomorrow maybe');
    await press('Escape');
    await line.waitFor({ state: 'detached' });
    await openChip(again, 'tags');
    await type('soon');
    await goBack();
    await stored('the tag', ({ tags }) => tags.includes('soon'));
    const frame = await openTask(editor, id);
    await frame.getByRole('button', { name: 'Remove #soon' }).click();
    await stored('no such tag', ({ tags }) => !tags.includes('soon'));
    await openChip(frame, 'priority');
    await type('high');
    await press('Escape');
    await hide();
    await goBack();
    assert.equal(known().priority, 9);
    await openChip(await page(), 'priority');
    await type('high');
    await press('Enter');
    await stored('the first priority', ({ priority }) => priority === 1);
  });

  it('remove one tag per press of Backspace, however long it is held', async () => {
    const frame = await open({ tags: ['a', 'b', 'c'] });
    await openChip(frame, 'tags');
    await type('d');
    await editor.page.keyboard.down('Backspace');
    for (let times = 0; times < 5; times++) await editor.page.keyboard.down('Backspace');
    await editor.page.keyboard.up('Backspace');
    await press('Backspace');
    await stored('two tags', task => task.tags.join() === 'a,b');
    await press('Escape');
    await frame.locator('dueline-chip-input').waitFor({ state: 'detached' });
    assert.equal(known().tags.join(), 'a,b');
  });

  it('set a day from the calendar by keys', async () => {
    const frame = await open(busy);
    await openChip(frame, 'due');
    await frame.locator('#chip-suggestions li', { hasText: 'Pick a day…' }).waitFor();
    await press('ArrowUp');
    await press('Enter');
    await focusIsOn(frame, 'td[data-day="2031-06-01"]');
    await press('PageDown');
    await press('ArrowDown');
    await press('ArrowRight');
    await focusIsOn(frame, 'td[data-day="2031-07-09"]');
    await press('Enter');
    await stored('the day at the same time', ({ due }) => iso(due).startsWith('2031-07-09T07:00'));
    await focusIsOn(frame, '[data-chip=due]');
  });

  it('read a repeat and a reminder', async () => {
    const frame = await open(busy);
    await openChip(frame, 'repeat');
    await type('every second tuesday');
    await press('Enter');
    await stored('the rule', ({ rrule }) => rrule === 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU');
    await openChip(frame, 'alarm');
    await type('30 min before');
    await press('Enter');
    await stored('the reminder', ({ alarms }) => alarms.some(({ minutesBefore }) => minutesBefore === 30));
  });

  it('are removed by Delete and by their ×, and restored by undo', async () => {
    const frame = await open({ ...busy, tags: ['auth', 'late'] });
    await frame.locator('[data-chip=priority]').focus();
    await press('Delete');
    await stored('no priority', ({ priority }) => priority === 0);
    await focusIsOn(frame, '.unset [data-chip=priority]');
    await press('Control+z');
    await stored('the priority again', ({ priority }) => priority === 1);
    await frame.getByRole('button', { name: 'Remove #late' }).click();
    await stored('one tag', ({ tags }) => tags.join() === 'auth');
  });

  it('and everything else are restored by the undo keys of other layouts, too, and if Alt makes it another key', async () => {
    const frame = await open(busy);
    const { priority } = known();
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
    await editor.changes.until('the notes in an editor', () =>
      editor.tabs.activeEditor?.document.uri.path.endsWith('.md'),
    );
  });

  it('complete the task by its ring', async () => {
    const frame = await open({ ...busy, rrule: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU' });
    await frame.locator('#scope').waitFor();
    await editor.engine.updateTask(id, { rrule: null });
    await frame.locator('#scope').waitFor({ state: 'detached' });
    await frame.getByRole('checkbox', { name: 'Complete' }).click();
    await stored('the completed task', ({ status }) => status === 2);
    await frame.locator('.head.done').waitFor();
  });

  it('have no axe violations with an open line, and fit into 240 pixels', async () => {
    const frame = await open({ ...busy, tags: ['auth', 'late'] });
    await openChip(frame, 'due');
    await frame.locator('#chip-suggestions li').first().waitFor();
    const faults = await axeInThemes(editor, frame);
    await press('Escape');
    await resizeWindow(editor, 290, 900);
    await openChip(frame, 'due');
    const [wide, room] = await frame.evaluate<[number, number]>(
      `[document.querySelector('dueline-task').scrollWidth, document.documentElement.clientWidth]`,
    );
    assert.ok(wide <= room, `${wide} in ${room}`);
    assert.deepEqual(faults, []);
  });

  it('for a date offer a repeat and a reminder; a start, and a missing link to code, are under More', async () => {
    const frame = await open();
    const labels = await frame.locator('.task-chip.unset bdi').allTextContents();
    assert.deepEqual(labels, ['Repeat', 'Priority', 'Reminder', 'Tag', 'More']);
    assert.equal(await frame.locator('.code-links, .short-id').count(), 0);
    await openChip(frame, 'more');
    const offered = await frame.locator('#chip-suggestions li').allTextContents();
    assert.ok(offered.some(text => text.includes('Start')));
    assert.ok(!offered.some(text => text.includes('Priority')));
  });

  it('change the reminder that was clicked, and add one in a separate place', async () => {
    const alarms = () => known().alarms.map(({ minutesBefore }) => minutesBefore);
    const frame = await open({
      due: Date.UTC(2031, 5, 1, 7),
      isAllDay: false,
      timezone: 'UTC',
      alarms: [{ minutesBefore: 0 }],
    });
    await openChip(frame, 'alarm-0');
    await type('10 min before');
    await press('Enter');
    await stored('ten minutes before alone', () => alarms().join() === '10');
  });

  it('have a calendar that goes both ways, stays open when its month is clicked, and leads back to the line', async () => {
    const frame = await open();
    await openChip(frame, 'due');
    await frame.locator('#chip-suggestions li', { hasText: 'Pick a day' }).click();
    const turned = (label: string) =>
      frame.evaluate(`getComputedStyle(document.querySelector('[aria-label="${label}"] .glyph')).transform`);
    assert.match(String(await turned('Previous month')), /^matrix\(-1,/);
    assert.equal(await turned('Next month'), 'none');
    await frame.locator('#month-name').click();
    await frame.getByRole('button', { name: 'Next month' }).click();
    await frame.locator('#month-name', { hasText: 'June' }).waitFor();
    await frame.getByRole('button', { name: 'Type a date' }).click();
    await focusIsOn(frame, 'dueline-chip-input input');
  });
});
