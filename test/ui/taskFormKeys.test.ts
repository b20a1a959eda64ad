import assert from 'node:assert/strict';
import { axe } from './support/axe';
import { Session } from './support/driver';
import { chipText, closeChip, openChip, openDetails, setChip } from './support/taskPage';
import { until } from './support/wait';

interface Known {
  id: number;
  title: string;
  description: string | null;
  due: number | null;
  dtstart: number | null;
  duration: string | null;
  timezone: string | null;
  tags: string[];
  rrule: string | null;
  priority: number;
}

const day = 86_400_000;

describe('the page of a task by keyboard', () => {
  let session: Session;
  let list: number;
  before(async () => {
    session = await Session.open({ theme: 'light', size: { width: 1200, height: 1000 }, timezone: 'Europe/Berlin' });
    list = await session.window.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')?.activate();
      const list = api.lists()[0].id;
      await api.createTask(list, { title: 'Feeds the tags', tags: ['garden', 'gallery'] });
      return list;
    });
  });
  after(() => session?.close());

  const rows = () =>
    session.window.run(
      (vscode, list) => vscode.extensions.getExtension('dueline.dueline')?.exports.rows(list),
      list,
    ) as Promise<Known[]>;
  const named = async (title: string) => (await rows()).find(row => row.title === title);
  const create = (input: Record<string, unknown>) =>
    session.window.run(
      (vscode, list, input) => vscode.extensions.getExtension('dueline.dueline')?.exports.createTask(list, input),
      list,
      input,
    ) as Promise<number>;
  const stored = (what: string, title: string, holds: (task: Known) => boolean) =>
    until(what, 20_000, async () => {
      const task = await named(title);
      return task && holds(task) ? task : undefined;
    });
  const closeTabs = () => session.window.command('workbench.action.closeAllEditors');
  const form = (id = '#title') => session.window.frame(`dueline-task ${id}`);

  it('makes a task from an empty form, by keys alone', async () => {
    const { window } = session;
    const { keyboard } = window.page;
    await window.palette('Dueline: New Task (Form)');
    const page = await form();
    await until('the focus in the title', 20_000, () =>
      page.evaluate<boolean>(`document.activeElement?.id === 'title'`),
    );
    await keyboard.type('Plant the hedge');
    await keyboard.press('Tab');
    await stored('the task', 'Plant the hedge', () => true);
    await page.locator('[data-chip=tags]').focus();
    await keyboard.press('Enter');
    await keyboard.type('ga');
    await page.locator('#chip-offers [role=option]').nth(1).waitFor();
    await keyboard.press('ArrowDown');
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await keyboard.type('#spring,');
    await stored('two tags', 'Plant the hedge', ({ tags }) => tags.length === 2 && tags.includes('spring'));
    await keyboard.press('Backspace');
    await stored('one tag', 'Plant the hedge', ({ tags }) => tags.length === 1 && tags[0]!.startsWith('ga'));
    await keyboard.press('Escape');
    await until('the focus on the chip', 20_000, () =>
      page.evaluate<boolean>(`document.activeElement?.dataset.chip === 'tags'`),
    );
    await page.locator('[data-chip=priority]').focus();
    await keyboard.press('Enter');
    await page.locator('#chip-offers [role=option]').first().waitFor();
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await stored('a priority', 'Plant the hedge', ({ priority }) => priority === 1);
  });

  it('keeps a form without a title over a reload, with all that was said in it', async () => {
    const { window } = session;
    await closeTabs();
    await window.palette('Dueline: New Task (Form)');
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
    await window.reload();
    const again = await form();
    await until('what was typed', 20_000, async () => (await again.locator('#notes').inputValue()) !== '');
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
    const made = (await named('Sharpen the saw')) as Known & { location: string };
    assert.equal(made.location, 'Garden shed');
    assert.equal(made.due, Date.UTC(2031, 4, 6));
    await closeTabs();
    await window.command('dueline.open', (await named('Plant the hedge'))!.id);
  });

  it('shows notes as Markdown without a way in for HTML', async () => {
    const { window } = session;
    const page = await form();
    await page
      .locator('#notes')
      .fill(
        '# Plan\n\nSome **bold** and `code`, see https://example.org/a_b.\n\n- [x] dig\n- [ ] plant\n  - water\n\n<img src=x onerror=alert(1)> [bad](javascript:alert(1))\n\n> quoted\n\n```\nlet x;\n```',
      );
    await page.locator('#title').focus();
    const shown = page.locator('.markdown');
    await shown.locator('h3', { hasText: 'Plan' }).waitFor();
    assert.equal(await shown.locator('strong').textContent(), 'bold');
    assert.equal(await shown.locator('li').count(), 3);
    assert.equal(await shown.locator('a').getAttribute('href'), 'https://example.org/a_b');
    assert.equal(await shown.locator('a').count(), 1);
    assert.equal(await shown.locator('img').count(), 0);
    assert.match((await shown.textContent()) ?? '', /<img src=x/);
    await window.picture('form-preview');
    await stored('the notes', 'Plant the hedge', ({ description }) => (description ?? '').startsWith('# Plan'));
  });

  it('says what to type where Enter takes nothing of a chip’s line', async () => {
    const page = await form();
    for (const [chip, advice] of [
      ['due', 'A date, such as “fri 5pm”'],
      ['priority', 'Nothing matches “xyzzy”.'],
    ] as const) {
      await openChip(page, chip);
      const line = page.locator('dueline-chip-line input');
      await line.fill('xyzzy');
      await line.press('Enter');
      await page.locator('dueline-chip-line [role=alert]', { hasText: advice }).waitFor();
      await session.window.pictures(`form-advice-${chip}`);
      await line.press('x');
      await page.locator('dueline-chip-line [role=alert]').waitFor({ state: 'detached' });
      await closeChip(page);
    }
  });

  it('takes a rule of one’s own, says what is wrong with it, and what it gives', async () => {
    const { window } = session;
    const { keyboard } = window.page;
    const page = await form();
    await openChip(page, 'repeat');
    await keyboard.type('FREQ=SOMETIMES');
    await page.locator('dueline-chip-line .problem', { hasText: 'FREQ must be one of' }).waitFor();
    assert.equal((await named('Plant the hedge'))!.rrule, null);
    const line = page.locator('dueline-chip-line input');
    await line.fill('FREQ=MONTHLY;BYDAY=-1FR');
    await page.locator('#chip-offers', { hasText: 'Every month on the last Friday' }).waitFor();
    assert.equal(((await page.locator('.next').textContent()) ?? '').split('·').length, 5);
    await window.picture('form-rule');
    await line.press('Enter');
    await stored('the rule', 'Plant the hedge', ({ rrule }) => rrule === 'FREQ=MONTHLY;BYDAY=-1FR');
    await page.locator('[data-chip=repeat]').waitFor();
    await openChip(page, 'repeat');
    await page.locator('#repeat-from').selectOption('completion');
    await until('from its completion', 20_000, async () => {
      const task = (await named('Plant the hedge')) as Known & { unknownProperties: string | null };
      return (task.unknownProperties ?? '').includes('COMPLETION');
    });
    await closeChip(page);
  });

  it('keeps the wall time in another zone and says when that is here', async () => {
    const id = await create({ title: 'Call Tokyo', due: Date.UTC(2026, 11, 1, 8), timezone: 'UTC' });
    await closeTabs();
    await session.window.command('dueline.open', id);
    const page = await form();
    await openDetails(page);
    assert.match(await chipText(page, 'due'), /9:00/);
    await page.locator('#timezone').selectOption('Asia/Tokyo');
    const task = await stored('the zone', 'Call Tokyo', ({ timezone }) => timezone === 'Asia/Tokyo');
    assert.equal(task.due, Date.UTC(2026, 11, 1, 0));
    await page.locator('.facts', { hasText: 'in your time zone' }).waitFor();
    assert.match(await chipText(page, 'due'), /9:00/);
  });

  it('reads a duration, and refuses what is none beside its field', async () => {
    const id = await create({ title: 'Meeting', dtstart: Date.UTC(2026, 11, 1, 8), timezone: 'UTC' });
    await closeTabs();
    await session.window.command('dueline.open', id);
    const page = await form();
    await openDetails(page);
    await page.locator('#duration').fill('soon');
    await page.locator('#duration-problem', { hasText: 'is not a duration' }).waitFor();
    await page.locator('#duration').fill('1h 30m');
    await stored('the duration', 'Meeting', ({ duration }) => duration === 'PT1H30M');
  });

  it('says what a date holds for where one occurrence is open', async () => {
    const { window } = session;
    const due = Date.UTC(2027, 0, 4);
    const id = await create({ title: 'Weekly', due, isAllDay: true, rrule: 'FREQ=WEEKLY' });
    await closeTabs();
    await window.command('dueline.open', { taskId: id, occurrence: due + 7 * day });
    const page = await form('.note');
    assert.equal(await chipText(page, 'due'), 'Jan 11, 2027');
    assert.equal(await page.locator('#scope').inputValue(), 'this');
    await setChip(page, 'due', '2027-01-12');
    const moved = await until('an occurrence of its own', 20_000, async () =>
      (await rows()).find(row => (row as Known & { masterId: number | null }).masterId === id),
    );
    assert.equal(moved.due, due + 8 * day);
    assert.equal((await rows()).find(row => row.id === id)!.due, due);
    await until('the new date in the form', 20_000, async () => (await chipText(page, 'due')) === 'Jan 12, 2027');
  });

  it('is clean for axe in every theme, and fits a narrow window', async () => {
    const { window } = session;
    await closeTabs();
    await window.command('dueline.open', (await named('Plant the hedge'))!.id);
    const faults: string[] = [];
    for (const theme of ['light', 'dark', 'hc', 'hc-light'] as const) {
      await window.theme(theme);
      const page = await form();
      await page.locator('.markdown h3').waitFor();
      faults.push(...(await axe(page)).map(fault => `${theme}: ${fault}`));
      await window.picture(`form-${theme}`);
    }
    await window.page.setViewportSize({ width: 320, height: 1000 });
    await window.command('workbench.action.closeSidebar');
    await window.picture('form-narrow');
    const page = await form();
    const [faint, wanted] = await page.evaluate<[string, string]>(`(() => {
      const field = document.querySelector('dueline-quick-add input');
      const probe = document.body.appendChild(document.createElement('i'));
      probe.style.color = 'var(--vscode-input-placeholderForeground)';
      const colors = [getComputedStyle(field, '::placeholder').color, getComputedStyle(probe).color];
      probe.remove();
      return colors;
    })()`);
    assert.equal(faint, wanted);
    const { wide, room } = await page.evaluate<{ wide: number; room: number }>(
      `({ wide: document.querySelector('dueline-task').scrollWidth, room: document.documentElement.clientWidth })`,
    );
    assert.ok(wide <= room, `${wide} in ${room}`);
    assert.deepEqual(faults, []);
  });
});
