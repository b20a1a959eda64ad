import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { DuelineApi } from '../../src/api';
import { duelineApi, eventually, run } from './support/api';

describe('settings that were written by hand', () => {
  const odd = {
    'dueline.defaults.reminderMinutes': 15,
    'dueline.statusBar.query': 7,
    'dueline.filters': 'none',
    'dueline.display.locale': 'de_DE',
    'dueline.defaults.priority': 99,
    'dueline.trash.retentionDays': -5,
    'dueline.day.startHour': 30,
    'dueline.week.firstDay': 'someday',
    'dueline.completion.confirmDelete': 'perhaps',
  };
  const set = async (id: string, value: unknown) =>
    vscode.workspace.getConfiguration().update(id, value, vscode.ConfigurationTarget.Global);
  const failures: unknown[] = [];
  const note = (error: unknown) => failures.push(error);
  let api: DuelineApi;

  before(async () => {
    api = await duelineApi();
    process.on('unhandledRejection', note);
  });
  after(async () => {
    for (const id of Object.keys(odd)) await set(id, undefined);
    process.off('unhandledRejection', note);
  });

  it('break nothing if they have a wrong type', async () => {
    for (const [id, value] of Object.entries(odd)) await set(id, value);
    const list = await api.createList({ name: 'Written by hand' });
    const id = await api.createTask(list, { title: 'Still here' });
    await run('dueline.dueToday', id);
    const due = await eventually('a due date', () => api.task(id)?.due ?? undefined);
    assert.ok(due > 0);
    assert.equal(api.task(await api.quickAdd('Also here', { listId: list }))?.priority, 0);
    await run('dueline.view.refresh');
    assert.deepEqual(failures, []);
  });
});

describe('settings that a window changes twice at the same time', () => {
  const set = async (id: string, value: unknown) =>
    vscode.workspace.getConfiguration().update(id, value, vscode.ConfigurationTarget.Global);
  after(() => set('dueline.filters', undefined));

  it('keep both changes, and an unsaved edit of the file', async () => {
    const unfinished = { name: 'Half written' };
    await set('dueline.filters', [
      { id: 'a', name: 'A', query: '#a' },
      unfinished,
      { id: 'b', name: 'B', query: '#b' },
      { id: 'c', name: 'C', query: '#c' },
    ]);
    await Promise.all([
      run('dueline.filter.pin', 'saved:a'),
      run('dueline.filter.pin', 'saved:b'),
      run('dueline.filter.pin', 'saved:c'),
      run('dueline.filter.pin', 'saved:a'),
    ]);
    assert.deepEqual(vscode.workspace.getConfiguration().get('dueline.filters'), [
      { id: 'a', name: 'A', query: '#a', pinned: false },
      { id: 'b', name: 'B', query: '#b', pinned: true },
      { id: 'c', name: 'C', query: '#c', pinned: true },
      unfinished,
    ]);
  });
});
