import assert from 'node:assert/strict';
import type { Task, TaskInput } from '../../src/core/kernel/model';
import { Editor } from '../support/vscode/editor';
import { axeInThemes } from './support/axe';
import { chipText, closeChip, focusIsOn, newTask, openChip, openDetails, openTask, setChip } from './support/task';
import { clear, resizeWindow, shows, taskNamed } from './support/widgets';

const day = 86_400_000;

const plan =
  '# Plan\n\nSome **bold** and `code`, see https://example.org/a_b.\n\n- [x] dig\n- [ ] plant\n  - water\n\n<img src=x onerror=alert(1)> [bad](javascript:alert(1))\n\n> quoted\n\n```\nlet x;\n```';

describe('the page of a task by keyboard', () => {
  let editor: Editor;
  before(async () => {
    editor = await Editor.open({ theme: 'light', size: { width: 1200, height: 1000 }, timeZone: 'Europe/Berlin' });
  });
  after(() => editor?.close());
  beforeEach(async () => {
    await editor.theme('light');
    await editor.resize(1200, 1000);
    await editor.command('workbench.action.closeAllEditors');
    await clear(editor);
  });
  afterEach(function () {
    return editor.tidy(this.currentTest);
  });

  const named = (title: string) => taskNamed(editor, title);
  const stored = (subject: string, title: string, holds: (task: Task) => boolean) =>
    editor.changes.until(subject, () => {
      const task = named(title);
      return task && holds(task) ? task : undefined;
    });
  const form = (id = '#title') => editor.frame(`dueline-task ${id}`);
  const open = async (input: TaskInput) => openTask(editor, await newTask(editor, input));
  const newForm = () => {
    editor.menus.show('view/title', { view: 'dueline.today' });
    return editor.menus.choose('New Task (Form)');
  };
  const hedge = { title: 'Plant the hedge' };

  it('creates a task from an empty form, by keys only', async () => {
    const { keyboard } = editor.page;
    await newTask(editor, { title: 'Feeds the tags', tags: ['garden', 'gallery'] });
    await newForm();
    const page = await form();
    await focusIsOn(page, '#title');
    await keyboard.type('Plant the hedge');
    await keyboard.press('Tab');
    await stored('the task', 'Plant the hedge', () => true);
    await page.locator('[data-chip=tags]').focus();
    await keyboard.press('Enter');
    await keyboard.type('ga');
    await page.locator('#chip-suggestions [role=option]').nth(1).waitFor();
    await keyboard.press('ArrowDown');
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await keyboard.type('#spring,');
    await stored('two tags', 'Plant the hedge', ({ tags }) => tags.length === 2 && tags.includes('spring'));
    await keyboard.press('Backspace');
    await stored('one tag', 'Plant the hedge', ({ tags }) => tags.length === 1 && tags[0]!.startsWith('ga'));
    await keyboard.press('Escape');
    await focusIsOn(page, '[data-chip=tags]');
    await page.locator('[data-chip=priority]').focus();
    await keyboard.press('Enter');
    await page.locator('#chip-suggestions [role=option]').first().waitFor();
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await stored('a priority', 'Plant the hedge', ({ priority }) => priority === 1);
  });

  it('keeps a form without a title over a reload, with everything in it', async () => {
    await newForm();
    const page = await form();
    await page.getByText('Saved as you type').waitFor();
    await openDetails(page);
    await page.locator('#location').fill('Garden shed');
    await page.locator('.facts', { hasText: 'none' }).waitFor();
    await setChip(page, 'tags', 'tools');
    await setChip(page, 'priority', 'medium');
    await setChip(page, 'due', '2031-05-06');
    await page.locator('[data-chip=due]', { hasText: '2031' }).waitFor();
    await page.locator('#notes').fill('Still without a name');
    await editor.reload();
    const again = await form();
    await shows(again, 'what was typed', async () => (await again.locator('#notes').inputValue()) !== '');
    assert.equal(await again.locator('#notes').inputValue(), 'Still without a name');
    await openDetails(again);
    assert.equal(await again.locator('#location').inputValue(), 'Garden shed');
    assert.equal(await chipText(again, 'due'), 'May 6, 2031');
    assert.equal(await chipText(again, 'priority'), 'Medium');
    await again.locator('#title').fill('Sharpen the saw');
    await stored(
      'the task with everything',
      'Sharpen the saw',
      task => task.priority === 5 && task.description === 'Still without a name' && task.tags.join() === 'tools',
    );
    const made = named('Sharpen the saw')!;
    assert.equal(made.location, 'Garden shed');
    assert.equal(made.due, Date.UTC(2031, 4, 6));
  });

  it('keeps what was sent right before a reload and did not arrive', async () => {
    await newForm();
    const page = await form();
    await page.getByText('Saved as you type').waitFor();
    await page.evaluate('globalThis.toExtension = () => {}');
    await page.locator('#notes').fill('Still without a name');
    await page.locator('#title').focus();
    await page.evaluate('new Promise(requestAnimationFrame)');
    await editor.reload();
    const again = await form();
    await again.locator('#title').fill('Sharpen the saw');
    await stored('the task', 'Sharpen the saw', ({ description }) => description === 'Still without a name');
  });

  it('shows notes as Markdown without raw HTML', async () => {
    const page = await open(hedge);
    await page.locator('#notes').fill(plan);
    await page.locator('#title').focus();
    const shown = page.locator('.markdown');
    await shown.locator('h3', { hasText: 'Plan' }).waitFor();
    assert.equal(await shown.locator('strong').textContent(), 'bold');
    assert.equal(await shown.locator('li').count(), 3);
    assert.equal(await shown.locator('a').getAttribute('href'), 'https://example.org/a_b');
    assert.equal(await shown.locator('a').count(), 1);
    assert.equal(await shown.locator('img').count(), 0);
    assert.match((await shown.textContent()) ?? '', /<img src=x/);
    await stored('the notes', 'Plant the hedge', ({ description }) => (description ?? '').startsWith('# Plan'));
  });

  it('shows what to type if Enter accepts nothing of a chip’s line', async () => {
    const page = await open(hedge);
    for (const [chip, advice] of [
      ['due', 'A date, such as “fri 5pm”'],
      ['priority', 'Nothing matches “xyzzy”.'],
    ] as const) {
      await openChip(page, chip);
      const line = page.locator('dueline-chip-input input');
      await line.fill('xyzzy');
      await line.press('Enter');
      await page.locator('dueline-chip-input [role=alert]', { hasText: advice }).waitFor();
      await line.press('x');
      await page.locator('dueline-chip-input [role=alert]').waitFor({ state: 'detached' });
      await closeChip(page);
    }
  });

  it('accepts a custom rule, explains what is wrong with it, and lists its dates', async () => {
    const { keyboard } = editor.page;
    const page = await open(hedge);
    await openChip(page, 'repeat');
    await keyboard.type('FREQ=SOMETIMES');
    await page.locator('dueline-chip-input .problem', { hasText: 'FREQ must be one of' }).waitFor();
    assert.equal(named('Plant the hedge')!.rrule, null);
    const line = page.locator('dueline-chip-input input');
    await line.fill('FREQ=MONTHLY;BYDAY=-1FR');
    await page.locator('#chip-suggestions', { hasText: 'Every month on the last Friday' }).waitFor();
    assert.equal(((await page.locator('.next').textContent()) ?? '').split('·').length, 5);
    await line.press('Enter');
    await stored('the rule', 'Plant the hedge', ({ rrule }) => rrule === 'FREQ=MONTHLY;BYDAY=-1FR');
    await page.locator('[data-chip=repeat]').waitFor();
    await openChip(page, 'repeat');
    await page.locator('#repeat-from').selectOption('completion');
    await stored('from its completion', 'Plant the hedge', ({ unknownProperties }) =>
      (unknownProperties ?? '').includes('COMPLETION'),
    );
    await page.locator('[data-chip=repeat]', { hasText: 'on the last Friday after completion' }).waitFor();
    await closeChip(page);
  });

  it('keeps the wall time in another zone and shows when that is here', async () => {
    const page = await open({ title: 'Call Tokyo', due: Date.UTC(2026, 11, 1, 8), timezone: 'UTC' });
    await openDetails(page);
    assert.match(await chipText(page, 'due'), /9:00/);
    await page.locator('#timezone').selectOption('Asia/Tokyo');
    const task = await stored('the zone', 'Call Tokyo', ({ timezone }) => timezone === 'Asia/Tokyo');
    assert.equal(task.due, Date.UTC(2026, 11, 1, 0));
    await page.locator('.facts', { hasText: 'in your time zone' }).waitFor();
    assert.match(await chipText(page, 'due'), /9:00/);
  });

  it('reads a duration, and refuses an invalid one next to its field', async () => {
    const page = await open({ title: 'Meeting', dtstart: Date.UTC(2026, 11, 1, 8), timezone: 'UTC' });
    await openDetails(page);
    await page.locator('#duration').fill('soon');
    await page.locator('#duration-problem', { hasText: 'is not a duration' }).waitFor();
    await page.locator('#duration').fill('1h 30m');
    await stored('the duration', 'Meeting', ({ duration }) => duration === 'PT1H30M');
  });

  it('shows what a date applies to if an occurrence is open', async () => {
    const due = Date.UTC(2027, 0, 4);
    const id = await newTask(editor, { title: 'Weekly', due, isAllDay: true, rrule: 'FREQ=WEEKLY' });
    await editor.command('dueline.open', { taskId: id, occurrence: due + 7 * day });
    const page = await form('.note');
    assert.equal(await chipText(page, 'due'), 'Jan 11, 2027');
    assert.equal(await page.locator('#scope').inputValue(), 'this');
    await setChip(page, 'due', '2027-01-12');
    const rows = () => editor.engine.rows(editor.engine.lists()[0]!.id);
    const moved = await editor.changes.until('an occurrence of its own', () =>
      rows().find(({ masterId }) => masterId === id),
    );
    assert.equal(moved.due, due + 8 * day);
    assert.equal(rows().find(row => row.id === id)!.due, due);
    await shows(page, 'the new date in the form', async () => (await chipText(page, 'due')) === 'Jan 12, 2027');
  });

  it('has no axe violations in any theme, and fits into a narrow window', async () => {
    const rrule = 'FREQ=MONTHLY;BYDAY=-1FR';
    const page = await open({ ...hedge, priority: 1, tags: ['garden'], rrule, description: plan });
    await page.locator('.markdown h3').waitFor();
    const faults = await axeInThemes(editor, page);
    await resizeWindow(editor, 320, 1000);
    const [faint, expected] = await page.evaluate<[string, string]>(`(() => {
      const field = document.querySelector('dueline-quick-add input');
      const probe = document.body.appendChild(document.createElement('i'));
      probe.style.color = 'var(--vscode-input-placeholderForeground)';
      const colors = [getComputedStyle(field, '::placeholder').color, getComputedStyle(probe).color];
      probe.remove();
      return colors;
    })()`);
    assert.equal(faint, expected);
    const { wide, room } = await page.evaluate<{ wide: number; room: number }>(
      `({ wide: document.querySelector('dueline-task').scrollWidth, room: document.documentElement.clientWidth })`,
    );
    assert.ok(wide <= room, `${wide} in ${room}`);
    assert.deepEqual(faults, []);
  });
});
