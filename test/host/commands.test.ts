import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { DuelineApi } from '../../src/api';
import type { Announcement } from '../../src/ui/announcements';
import { accept, acceptAll, dismiss, duelineApi, eventually, isOffline, run } from './support/api';

describe('commands on tasks', () => {
  let api: DuelineApi;
  let list: number;
  before(async () => {
    api = await duelineApi();
    list = await api.createList({ name: 'Command tests' });
  });

  const add = (title: string, more = {}) => api.createTask(list, { title, ...more });
  const status = (id: number) => api.task(id)?.status;

  it('quick add adds what its line describes', async () => {
    const running = run('dueline.quickAdd', { text: 'Water the ferns #garden !high', listId: list });
    await accept();
    const { added, step } = (await running) as Announcement;
    const [id] = added!;
    const task = api.task(id!);
    assert.equal(task?.title, 'Water the ferns');
    assert.deepEqual(task?.tags, ['garden']);
    assert.ok(task.priority > 0 && task.priority < 5);
    assert.equal(task.listId, list);
    await run('dueline.undo', step);
    assert.equal(api.task(id!), undefined, 'it returned the step that it was');
  });

  it('quick add makes one line of the words that it is opened with, once', async () => {
    const running = run('dueline.quickAdd', { text: 'Water the ferns\r\n#garden \ud83d', listId: list });
    await accept();
    const { added } = (await running) as Announcement;
    const task = api.task(added![0]!);
    assert.deepEqual([task?.title, task?.description, task?.tags], ['Water the ferns \ufffd', null, ['garden']]);
  });

  it('quick add adds nothing if it is canceled', async () => {
    const before = api.rows(list).length;
    const running = run('dueline.quickAdd', 'Never mind');
    await dismiss();
    assert.equal(await running, undefined);
    assert.equal(api.rows(list).length, before);
  });

  it('completes and reopens', async () => {
    const id = await add('Toggle me');
    await run('dueline.complete', id);
    assert.equal(status(id), 2);
    await run('dueline.complete', { taskId: id });
    assert.equal(status(id), 0);
  });

  it('completes a selection in one step, and undo reopens all of it', async () => {
    const ids = [await add('One'), await add('Two'), await add('Three')];
    const nodes = ids.map(taskId => ({ taskId }));
    await run('dueline.complete', nodes[0], nodes);
    assert.deepEqual(ids.map(status), [2, 2, 2]);
    await run('dueline.undo');
    assert.deepEqual(ids.map(status), [0, 0, 0]);
    await run('dueline.redo');
    assert.deepEqual(ids.map(status), [2, 2, 2]);
  });

  it('completes the open tasks of a mixed selection', async () => {
    const [open, done] = [await add('Open'), await add('Done')];
    await api.completeTask(done);
    await run('dueline.complete', { taskId: open }, [{ taskId: open }, { taskId: done }]);
    assert.deepEqual([open, done].map(status), [2, 2]);
  });

  it('deletes a task without subtasks at once', async () => {
    const id = await add('Short-lived');
    await run('dueline.delete', id);
    assert.equal(api.task(id), undefined);
    await run('dueline.undo');
    assert.equal(api.query('"Short-lived"').length, 1);
  });

  it('keeps what was changed elsewhere while a question was open', async () => {
    const id = await add('Asked about', { due: Date.UTC(2027, 0, 4), isAllDay: true });
    const running = run('dueline.addAlarm', id);
    await api.updateTask(id, { alarms: [{ minutesBefore: 15 }] });
    await acceptAll(running);
    assert.deepEqual(
      api
        .task(id)!
        .alarms.map(({ minutesBefore }) => minutesBefore)
        .sort(),
      [0, 15],
    );
  });

  it('renames with an input that starts with the title', async () => {
    const id = await add('Same as before');
    const running = run('dueline.rename', id);
    await accept();
    await running;
    assert.equal(api.task(id)?.title, 'Same as before');
  });

  it('sets a due date from the presets', async () => {
    const id = await add('Soon');
    const running = run('dueline.setDue', id);
    await accept();
    await running;
    const task = api.task(id)!;
    assert.equal(task.isAllDay, true);
    assert.equal(task.timezone, null);
    assert.ok(api.widget('today').groups.some(group => group.items.some(item => item.task.id === id)));
  });

  it('opens a task', async () => {
    const id = await add('Look inside');
    const running = run('dueline.open', id);
    await dismiss();
    await running;
    assert.equal(status(id), 0);
  });

  it('shows Today, refreshes, and opens the log', async () => {
    await run('dueline.showToday');
    await dismiss();
    await run('dueline.view.refresh');
    await run('dueline.openLog');
  });

  it('moves by a day without losing the time, and clears', async () => {
    const day = 86_400_000;
    const today = Math.floor(Date.now() / day) * day;
    const id = await add('Timed', { due: today - 3 * day + 9 * 3_600_000 });
    await run('dueline.dueTomorrow', id);
    const due = api.task(id)!.due!;
    assert.equal(due % day, 9 * 3_600_000);
    assert.ok(due > Date.now() - day);
    await run('dueline.dueToday', id);
    assert.equal(api.task(id)!.due, due - day);
    await run('dueline.dueNextWeek', id);
    assert.ok(api.task(id)!.due! > due - day);
    await run('dueline.clearDue', id);
    assert.equal(api.task(id)!.due, null);
  });

  it('starts, cancels and reopens', async () => {
    const id = await add('Stages');
    await run('dueline.start', id);
    assert.equal(status(id), 1);
    await run('dueline.cancel', id);
    assert.equal(status(id), 3);
    await run('dueline.complete', id);
    assert.equal(status(id), 0);
  });

  it('arranges by keyboard: up, down, under the task above, and out', async () => {
    const own = await api.createList({ name: 'Order' });
    const [a, b, c] = [
      await api.createTask(own, { title: 'a' }),
      await api.createTask(own, { title: 'b' }),
      await api.createTask(own, { title: 'c' }),
    ];
    await api.moveTask(c, { before: null });
    const order = () => api.query('sort:manual show:flat', { lists: [own] }).map(row => row.task.id);
    await run('dueline.moveUp', c);
    assert.deepEqual(order(), [a, c, b]);
    await run('dueline.moveDown', a);
    assert.deepEqual(order(), [c, a, b]);
    await run('dueline.indent', b);
    assert.equal(api.task(b)?.parentId, a);
    await run('dueline.outdent', b);
    assert.equal(api.task(b)?.parentId, null);
  });

  it('makes a task a subtask of the one shown above it, whatever their manual order', async () => {
    const settings = vscode.workspace.getConfiguration('dueline.tree');
    const own = await api.createList({ name: 'By title' });
    const [b, a, c] = [
      await api.createTask(own, { title: 'b' }),
      await api.createTask(own, { title: 'a' }),
      await api.createTask(own, { title: 'c' }),
    ];
    await settings.update('sort', 'title', vscode.ConfigurationTarget.Global);
    try {
      await run('dueline.indent', c);
      assert.equal(api.task(c)?.parentId, b);
      await run('dueline.indent', b);
      assert.equal(api.task(b)?.parentId, a);
      await run('dueline.indent', a);
      assert.equal(api.task(a)?.parentId, null, 'nothing is above it');
    } finally {
      await settings.update('sort', undefined, vscode.ConfigurationTarget.Global);
      await api.deleteList(own);
    }
  });

  it('sets a repeat in two steps: the rule, then what the next date counts from', async () => {
    const id = await add('Repeats');
    await acceptAll(run('dueline.setRecurrence', id));
    assert.equal(api.task(id)?.rrule, 'FREQ=DAILY');
    assert.notEqual(api.task(id)?.due, null);
    await run('dueline.undo');
    assert.equal(api.task(id)?.rrule, null);
    assert.equal(api.task(id)?.due, null, 'one step to undo');
  });

  it('completes the subtasks or not, as set', async () => {
    const settings = vscode.workspace.getConfiguration('dueline.completion');
    const set = (value: unknown) => settings.update('completeSubtasks', value, vscode.ConfigurationTarget.Global);
    try {
      for (const [value, expected] of [
        ['always', 2],
        ['never', 0],
      ] as const) {
        await set(value);
        const parent = await add('Parent');
        const child = await add('Child', { parentId: parent });
        await run('dueline.complete', parent);
        assert.deepEqual({ parent: status(parent), child: status(child) }, { parent: 2, child: expected });
        await run('dueline.undo');
        assert.deepEqual({ parent: status(parent), child: status(child) }, { parent: 0, child: 0 });
      }
    } finally {
      await set(undefined);
    }
  });

  for (const [command, check] of [
    ['dueline.setStart', (id: number) => api.task(id)?.dtstart !== null],
    ['dueline.postpone', (id: number) => api.task(id)?.due !== null],
    ['dueline.setPriority', (id: number) => api.task(id)?.priority === 1],
    ['dueline.setProgress', (id: number) => api.task(id)?.percentComplete !== null],
  ] as const)
    it(`${command} takes the first choice`, async () => {
      const id = await add(`For ${command}`);
      // A busy editor may not have marked a line yet when Enter comes: then nothing is chosen.
      for (let tries = 0; tries < 3 && !check(id); tries++) {
        const running = run(command, id);
        await accept();
        await running;
      }
      assert.ok(check(id));
    });

  it('duplicates, and copies as Markdown and as a link', async () => {
    const id = await add('Twice [really]', { tags: ['copy'] });
    await run('dueline.duplicate', id);
    assert.equal(api.query('#copy').length, 2);
    await run('dueline.copyMarkdown', id);
    await run('dueline.copyLink', id);
  });

  it('copies one private task as Markdown, and omits private ones from several', async () => {
    const open = await add('Open one');
    const secret = await add('Secret one', { classification: 1 });
    const below = await add('Secret below', { parentId: secret });
    const copied = async (...ids: number[]) => {
      const nodes = ids.map(taskId => ({ taskId }));
      await vscode.env.clipboard.writeText('before');
      await run('dueline.copyMarkdown', nodes[0], nodes);
      return vscode.env.clipboard.readText();
    };
    assert.equal(await copied(secret), '- [ ] Secret one');
    assert.equal(await copied(open, secret, below), '- [ ] Open one');
    assert.equal(await copied(secret, below), 'before');
  });

  it('asks for lists, tags, a search and a filter, and changes nothing if the user cancels', async () => {
    const id = await add('Untouched');
    const before = JSON.stringify(api.task(id));
    for (const open of [
      () => run('dueline.moveToList', id),
      () => run('dueline.editTags', id),
      () => run('dueline.addSubtask', id),
      () => run('dueline.bulkEdit', id),
      () => run('dueline.bulkEdit'),
      () => run('dueline.search'),
      () => run('dueline.goToTask'),
      () => run('dueline.filter.apply'),
      () => run('dueline.filter.save'),
      () => run('dueline.rescheduleOverdue'),
      () => run('dueline.planToday'),
      () => run('dueline.restore'),
      () => run('dueline.addFromSelection'),
    ]) {
      const running = open();
      await dismiss();
      await running;
    }
    assert.equal(JSON.stringify(api.task(id)), before);
  });

  it('reports that a task is gone, and does not throw', async () => {
    assert.equal(await run('dueline.complete', 987_654), undefined);
  });

  it('offers undo only if there is something to undo', async () => {
    await add('Something');
    await eventually('an undoable edit', () => api.query('"Something"').length > 0);
    await vscode.commands.executeCommand('dueline.undo');
    assert.equal(api.query('"Something"').length, 0);
  });
});

describe('commands on lists', () => {
  it('hides and shows', async () => {
    const api = await duelineApi();
    const id = await api.createList({ name: 'Now and then' });
    const isVisible = () => api.lists().find(list => list.id === id)?.isVisible;
    await run('dueline.list.hide', id);
    assert.equal(isVisible(), false);
    await run('dueline.list.hide', { listId: id });
    assert.equal(isVisible(), true);
  });

  it('becomes the default, and gets new tasks then', async () => {
    const api = await duelineApi();
    const id = await api.createList({ name: 'By default' });
    await run('dueline.list.setDefault', id);
    const running = run('dueline.quickAdd', 'Lands in the default list');
    await accept();
    const { added } = (await running) as Announcement;
    assert.equal(api.task(added![0]!)?.listId, id);
    await vscode.workspace
      .getConfiguration()
      .update('dueline.defaultList', undefined, vscode.ConfigurationTarget.Global);
  });

  it('shows and hides completed tasks', async () => {
    const shown = () => vscode.workspace.getConfiguration().get('dueline.tree.showCompleted');
    const before = shown();
    await run('dueline.view.toggleCompleted');
    assert.equal(shown(), !before);
    await run('dueline.view.toggleCompleted');
    assert.equal(shown(), before);
  });

  it('new and rename ask for a name, and change nothing if none is given', async () => {
    const api = await duelineApi();
    const before = api.lists().length;
    const making = run('dueline.list.new');
    await dismiss();
    assert.equal(await making, undefined);
    const renaming = run('dueline.list.rename', api.lists()[0]!.id);
    await dismiss();
    await renaming;
    assert.equal(api.lists().length, before);
  });
});

describe('commands on accounts', () => {
  before(function () {
    if (isOffline) this.skip();
  });

  it('asks for a server first, and adds nothing if the user cancels', async () => {
    const api = await duelineApi();
    const adding = run('dueline.account.add');
    await dismiss();
    await adding;
    assert.equal(api.accounts().length, 0);
  });

  it('offers an account if there is none to sync', async () => {
    await run('dueline.sync.now');
    await run('dueline.sync.cancel');
  });
});
