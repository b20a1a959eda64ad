import assert from 'node:assert/strict';
import type { Task } from '../../src/core/kernel/model';
import { dataFolderOf } from '../../src/dataFolder';
import { openTaskStore } from '../../src/store/taskStore';
import { Editor } from '../support/vscode/editor';
import { closeChip, newTask, openChip, openDetails, openTask, setChip } from './support/task';
import { becomes, clear, shows, taskNamed } from './support/widgets';

describe('the page of a task', () => {
  let editor: Editor;
  let id: number;
  before(async () => {
    editor = await Editor.open({ size: { width: 1200, height: 900 } });
  });
  after(() => editor?.close());
  beforeEach(async () => {
    await editor.command('workbench.action.closeAllEditors');
    await clear(editor);
    id = await newTask(editor, {
      title: 'Write the report',
      description: 'First line\n\n- a point',
      due: Date.UTC(2026, 2, 11),
      isAllDay: true,
      rrule: 'FREQ=WEEKLY',
      alarms: [{ minutesBefore: 30 }],
    });
    await newTask(editor, { title: 'Collect the numbers', parentId: id });
  });
  afterEach(function () {
    return editor.tidy(this.currentTest);
  });

  const form = () => openTask(editor, id);
  const known = () => editor.engine.task(id)!;
  const stored = (subject: string, holds: (task: Task) => boolean) =>
    editor.changes.until(subject, () => holds(known()));

  it('shows the task, its repeat with the next five dates, its reminder and its subtask', async () => {
    const page = await form();
    assert.equal(await page.locator('#title').inputValue(), 'Write the report');
    assert.match((await page.locator('dueline-task').textContent()) ?? '', /30 minutes before it is due/);
    await openChip(page, 'repeat');
    const next = (await page.locator('.facts', { hasText: 'Next' }).textContent()) ?? '';
    await closeChip(page);
    assert.equal(next.split('·').length, 5, next);
    await page.locator('.subtask', { hasText: 'Collect the numbers' }).waitFor();
  });

  it('saves each field as it is left', async () => {
    await editor.engine.updateTask(id, { description: null });
    const page = await form();
    await page.locator('#title').fill('Write the yearly report');
    await page.locator('#notes').fill('First line\n\n- a point');
    await openDetails(page);
    await page.locator('#location').fill('Library');
    await setChip(page, 'tags', 'work, year');
    await setChip(page, 'priority', 'high');
    await stored(
      'all of it in the store',
      task =>
        task.title === 'Write the yearly report' &&
        task.description === 'First line\n\n- a point' &&
        task.location === 'Library' &&
        task.tags.join() === 'work,year' &&
        task.priority === 1,
    );
  });

  it('changes a day to a moment and back', async () => {
    const page = await form();
    await page.locator('#scope').selectOption('all');
    await setChip(page, 'due', '9:30');
    await stored('a timed task', ({ isAllDay }) => !isAllDay);
    await openChip(page, 'due');
    await page.locator('#chip-suggestions li', { hasText: 'No time' }).click();
    await stored('an all-day task', ({ isAllDay }) => isAllDay);
  });

  it('shows changes from elsewhere, and keeps what is being typed', async () => {
    const page = await form();
    await page.locator('#notes').focus();
    await page.locator('#notes').press('End');
    await editor.page.keyboard.type(' x');
    await editor.engine.updateTask(id, { title: 'Renamed elsewhere' });
    await shows(page, 'the new title', async () => (await page.locator('#title').inputValue()) === 'Renamed elsewhere');
    assert.match(await page.locator('#notes').inputValue(), /First line/);
    assert.match(await page.locator('#notes').inputValue(), / x/);
  });

  it('sets the title of its tab, even while another tab covers it', async () => {
    await form();
    const rename = (title: string) => editor.engine.updateTask(id, { title });
    await editor.command('workbench.action.files.newUntitledFile');
    await rename('Renamed behind');
    await editor.changes.until('the title of the tab', () =>
      editor.tabs.titles.some(title => title.includes('Renamed behind')),
    );
    await rename('Renamed elsewhere');
    await editor.command('workbench.action.closeActiveEditor');
    const page = await editor.frame('dueline-task #title');
    assert.equal(await page.locator('#title').inputValue(), 'Renamed elsewhere');
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

  it('names the parent of a subtask above its title, and opens it', async () => {
    const page = await openTask(editor, taskNamed(editor, 'Collect the numbers')!.id);
    await page.getByRole('button', { name: /^subtask of .Write the report.$/ }).click();
    const above = await editor.frame('dueline-task h1', 'Write the report');
    await above.locator('.subtask', { hasText: 'Collect the numbers' }).waitFor();
    assert.equal(await above.locator('.parent-line').count(), 0);
  });

  it('completes the open subtasks with it when its progress or its status says so, as its checkbox does', async () => {
    const pack = await newTask(editor, { title: 'Pack' });
    const socks = await newTask(editor, { title: 'Socks', parentId: pack });
    const status = (value: number) =>
      editor.changes.until(`${value}`, () => [pack, socks].every(one => editor.engine.task(one)!.status === value));
    const page = await openTask(editor, pack);
    await openDetails(page);
    await page.locator('#progress').press('End');
    await status(2);
    await editor.command('dueline.undo');
    await status(0);
    await page.locator('#status').selectOption('2');
    await status(2);
  });

  it('keeps the line of a subtask that could not be added, with the reason', async () => {
    const page = await form();
    const line = page.locator('dueline-quick-add input');
    await line.fill('!high');
    await line.press('Enter');
    await page.locator('dueline-quick-add .problem').waitFor();
    assert.equal(await line.inputValue(), '!high');
  });

  it('saves a rule whose line is left before it was checked', async () => {
    const page = await form();
    await page.locator('#scope').selectOption('all');
    await openChip(page, 'repeat');
    await page.locator('dueline-chip-input input').evaluate(element => {
      const field = element as unknown as { value: string; dispatchEvent(event: Event): boolean; blur(): void };
      field.value = 'FREQ=DAILY;INTERVAL=3';
      field.dispatchEvent(new Event('input'));
      field.blur();
    });
    await becomes(editor, 'Write the report', { rrule: 'FREQ=DAILY;INTERVAL=3' });
  });

  it('is the task’s only tab after a reload, even if the old one was not shown since', async () => {
    await form();
    await openTask(editor, taskNamed(editor, 'Collect the numbers')!.id);
    await editor.reload();
    await editor.frame('dueline-task #title');
    await form();
    assert.deepEqual(editor.tabs.titles.toSorted(), ['Collect the numbers', 'Write the report']);
  });

  it('leaves the tab of another task with the same title alone', async () => {
    const other = await newTask(editor, { title: 'Write the report' });
    await openTask(editor, other);
    await openTask(editor, taskNamed(editor, 'Collect the numbers')!.id);
    await editor.reload();
    await form();
    assert.equal(editor.tabs.titles.filter(title => title === 'Write the report').length, 2);
  });

  for (const [way, restore] of [
    [
      'by the command',
      async (title: string) => {
        void editor.palette('Dueline: Restore Deleted Tasks…');
        await editor.questions.pickMany(title);
      },
    ],
    ['by undo', () => editor.command('dueline.undo')],
    [
      'in another window',
      async (title: string) => {
        const other = await Editor.open({ besides: editor });
        const entry = (await other.engine.trash()).find(({ task }) => task.title === title);
        await other.engine.restore([entry!.key]);
        await other.close();
      },
    ],
  ] as const)
    it(`comes back if the task is restored ${way}`, async () => {
      // The trash has the tasks of other tests.
      const title = `Restored ${way}`;
      await editor.engine.updateTask(id, { title });
      await form();
      await editor.engine.deleteTask(id, { children: 'delete' });
      await editor.frame('.empty', 'This task has been deleted.');
      await restore(title);
      const page = await editor.frame('dueline-task #title');
      assert.equal(await page.locator('#title').inputValue(), title);
      assert.equal(editor.tabs.panels[0]!.title, title);
    });

  it('comes back if the task is restored into another list, and shows no other task with its UID', async () => {
    const { engine, clock, storage } = editor;
    const from = await engine.createList({ name: 'From' });
    const copies = await engine.createList({ name: 'Copies' });
    const lost = await engine.createTask(from, { title: 'Lost and found' });
    const store = await openTaskStore({ folder: dataFolderOf(storage), clock });
    const { id: _id, ...row } = store.task(lost)!;
    const copy = await store.edit({ origin: 'sync' }, tx => tx.insertTask({ ...row, listId: copies, title: 'A copy' }));
    await store.close();
    await engine.refresh();
    await openTask(editor, lost);
    await engine.deleteTask(lost);
    await engine.deleteList(from);
    await editor.frame('.empty', 'This task has been deleted.');
    await engine.updateTask(copy, { title: 'An edited copy' });
    assert.equal(editor.tabs.panels[0]!.title, 'Deleted Task');
    const entry = (await engine.trash()).find(({ task }) => task.title === 'Lost and found');
    await engine.restore([entry!.key]);
    const page = await editor.frame('dueline-task #title');
    assert.equal(await page.locator('#title').inputValue(), 'Lost and found');
    assert.equal(editor.tabs.panels[0]!.title, 'Lost and found');
    await engine.deleteList(copies);
  });

  it('does not become the page of a task whose UID differs in case only', async () => {
    const todos = ['part-a', 'PART-A'].map(uid => `BEGIN:VTODO\r\nUID:${uid}\r\nSUMMARY:Task ${uid}\r\nEND:VTODO`);
    const file = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:x', ...todos, 'END:VCALENDAR', ''].join('\r\n');
    await editor.engine.importTasks('ics', file, known().listId);
    const part = taskNamed(editor, 'Task part-a')!.id;
    await openTask(editor, part);
    await editor.engine.deleteTask(part);
    await editor.frame('.empty', 'This task has been deleted.');
  });

  it('comes back after a reload, and reports when its task is gone', async () => {
    await form();
    await editor.reload();
    const page = await editor.frame('dueline-task #title');
    assert.equal(await page.locator('#title').inputValue(), 'Write the report');
    await page.locator('#title').click();
    await editor.page.keyboard.press('Escape');
    const tree = editor.tree();
    await editor.changes.until('the row of the task', () => tree.focused?.label.includes('Write the report'));
    await editor.engine.deleteTask(taskNamed(editor, 'Write the report')!.id, { children: 'delete' });
    await editor.frame('.empty', 'This task has been deleted.');
  });
});
