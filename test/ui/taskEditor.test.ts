import assert from 'node:assert/strict';
import { Session } from './support/driver';
import { closeChip, openChip, openDetails, setChip } from './support/taskPage';
import { until } from './support/wait';

interface Known {
  title: string;
  description: string | null;
  due: number | null;
  isAllDay: boolean;
  tags: string[];
  location: string | null;
  priority: number;
  rrule: string | null;
}

describe('the page of a task', () => {
  let session: Session;
  let id: number;
  const known = () =>
    session.window.run(
      (vscode, id) => vscode.extensions.getExtension('dueline.dueline')?.exports.task(id),
      id,
    ) as Promise<Known>;

  before(async () => {
    session = await Session.open({ theme: 'dark', size: { width: 1200, height: 900 } });
    id = await session.window.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')?.activate();
      const list = api.lists()[0].id;
      const now = new Date();
      const today = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate());
      const id = await api.createTask(list, {
        title: 'Write the report',
        due: today,
        isAllDay: true,
        rrule: 'FREQ=WEEKLY',
        alarms: [{ minutesBefore: 30 }],
      });
      await api.createTask(list, { title: 'Collect the numbers', parentId: id });
      return id;
    });
    await session.window.command('dueline.open', id);
  });
  after(() => session?.close());

  const form = () => session.window.frame('dueline-task #notes');

  it('shows the task, its repeat with the next five dates, its reminder and its subtask', async () => {
    const page = await form();
    assert.equal(await page.locator('#title').inputValue(), 'Write the report');
    assert.match((await page.locator('dueline-task').textContent()) ?? '', /30 minutes before it is due/);
    await openChip(page, 'repeat');
    const next = (await page.locator('.facts', { hasText: 'Next' }).textContent()) ?? '';
    await closeChip(page);
    assert.equal(next.split('·').length, 5, next);
    await page.locator('.subtask', { hasText: 'Collect the numbers' }).waitFor();
    await session.window.picture('task-form');
  });

  it('saves each field as it is left', async () => {
    const page = await form();
    await page.locator('#title').fill('Write the yearly report');
    await page.locator('#notes').fill('First line\n\n- a point');
    await openDetails(page);
    await page.locator('#location').fill('Library');
    await setChip(page, 'tags', 'work, year');
    await setChip(page, 'priority', 'high');
    await until('all of it in the store', 20_000, async () => {
      const task = await known();
      return (
        task.title === 'Write the yearly report' &&
        task.description === 'First line\n\n- a point' &&
        task.location === 'Library' &&
        task.tags.join() === 'work,year' &&
        task.priority === 1
      );
    });
  });

  it('makes a day a moment and back', async () => {
    const page = await form();
    await page.locator('#scope').selectOption('all');
    await setChip(page, 'due', '9:30');
    await until('a timed task', 20_000, async () => !(await known()).isAllDay);
    await openChip(page, 'due');
    await page.locator('#chip-offers li', { hasText: 'No time' }).click();
    await until('an all-day task', 20_000, async () => (await known()).isAllDay);
  });

  it('takes in what changes elsewhere, and keeps what is being typed', async () => {
    const page = await form();
    await page.locator('#notes').focus();
    await page.locator('#notes').press('End');
    await session.window.page.keyboard.type(' x');
    await session.window.run(
      async (vscode, id) =>
        vscode.extensions.getExtension('dueline.dueline')?.exports.updateTask(id, { title: 'Renamed elsewhere' }),
      id,
    );
    await until(
      'the new title',
      20_000,
      async () => (await page.locator('#title').inputValue()) === 'Renamed elsewhere',
    );
    assert.match(await page.locator('#notes').inputValue(), /First line/);
  });

  it('lends its tab the title of its task, also while another tab lies over it', async () => {
    const { window } = session;
    const rename = (title: string) =>
      window.run(
        async (vscode, id, title) =>
          vscode.extensions.getExtension('dueline.dueline')?.exports.updateTask(id, { title }),
        id,
        title,
      );
    await window.command('workbench.action.files.newUntitledFile');
    await rename('Renamed behind');
    await window.page.locator('.tab', { hasText: 'Renamed behind' }).waitFor();
    await rename('Renamed elsewhere');
    await window.command('workbench.action.closeActiveEditor');
    await form();
  });

  it('adds a subtask and ticks it off', async () => {
    const page = await form();
    const line = page.locator('dueline-quick-add input');
    await line.fill('Draw the chart 2031-05-06 #team');
    await page.locator('dueline-quick-add .chip', { hasText: '#team' }).waitFor();
    await line.press('Enter');
    const subtask = page.locator('.subtask', { hasText: 'Draw the chart' });
    await subtask.locator('.when', { hasText: 'May 6, 2031' }).waitFor();
    await subtask.locator('.fact', { hasText: '#team' }).waitFor();
    await subtask.getByRole('checkbox').click();
    await page.locator('.subtask.done', { hasText: 'Draw the chart' }).waitFor();
    await page.locator('h2', { hasText: '1 of 2 subtasks done' }).waitFor();
  });

  it('gives a subtask’s line back that could not be added, with the reason', async () => {
    const page = await form();
    const line = page.locator('dueline-quick-add input');
    await line.fill('!high');
    await line.press('Enter');
    await page.locator('dueline-quick-add .problem').waitFor();
    assert.equal(await line.inputValue(), '!high');
    await line.fill('');
  });

  it('saves a rule whose line is left before it was looked at', async () => {
    const page = await form();
    await openChip(page, 'repeat');
    await page.locator('dueline-chip-line input').evaluate(element => {
      const field = element as unknown as { value: string; dispatchEvent(event: Event): boolean; blur(): void };
      field.value = 'FREQ=DAILY;INTERVAL=3';
      field.dispatchEvent(new Event('input'));
      field.blur();
    });
    await until('the rule', 20_000, async () => (await known()).rrule === 'FREQ=DAILY;INTERVAL=3');
  });

  it('is back after a reload, and says so when its task is gone', async () => {
    await session.window.reload();
    const page = await form();
    assert.equal(await page.locator('#title').inputValue(), 'Renamed elsewhere');
    // Nothing was used yet that Escape could go back to.
    const row = session.window.pane('Lists').locator('.monaco-list:focus-within .monaco-list-row.focused');
    // The view that it falls back to may be drawn later than the page.
    await until('the row of the task with the focus', 60_000, async () => {
      await page.locator('#title').click();
      await session.window.page.keyboard.press('Escape');
      return row
        .filter({ hasText: 'Renamed elsewhere' })
        .waitFor({ timeout: 5000 })
        .then(() => true);
    });
    await session.window.run(
      async (vscode, id) =>
        vscode.extensions.getExtension('dueline.dueline')?.exports.deleteTask(id, { children: 'delete' }),
      id,
    );
    await session.window.frame('.empty', 'This task has been deleted.');
  });
});
