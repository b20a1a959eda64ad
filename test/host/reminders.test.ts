import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { DuelineEngine } from '../../src/api';
import { accept, dismiss, duelineApi, eventually, run } from './support/api';

describe('reminders', () => {
  let api: DuelineEngine;
  let list: number;
  before(async () => {
    api = (await duelineApi()) as DuelineEngine;
    list = await api.createList({ name: 'Reminder tests' });
  });

  const soon = (title: string, ms = 1500) =>
    api.createTask(list, { title, due: Date.now() + ms, timezone: 'UTC', alarms: [{ minutesBefore: 0 }] });
  const waits = (id: number) => api.reminders.pending().find(({ task }) => task.id === id);

  it('fire in a real window, wait, and are snoozed by command', async () => {
    const id = await soon('Ring the bell');
    await eventually('the reminder', () => waits(id));
    const running = run('dueline.snooze', id);
    await accept();
    await running;
    assert.equal(waits(id), undefined);
    assert.equal(api.query('is:snoozed "Ring the bell"').length, 1);
  });

  it('wait in a list that can be left and used later', async () => {
    const id = await soon('Answer me');
    await eventually('the reminder', () => waits(id));
    const leaving = run('dueline.showPendingAlarms');
    await dismiss();
    await leaving;
    assert.ok(waits(id));
    const answering = run('dueline.showPendingAlarms');
    await accept();
    await accept();
    await eventually('completion', () => api.task(id)?.status === 2);
    await dismiss();
    await answering;
    assert.equal(waits(id), undefined);
  });

  it('are silent while they are turned off', async () => {
    const configuration = vscode.workspace.getConfiguration();
    const set = (id: string, value: unknown) => configuration.update(id, value, vscode.ConfigurationTarget.Global);
    await set('dueline.reminders.enabled', false);
    try {
      await new Promise(resolve => setTimeout(resolve, 1500));
      const id = await soon('Do not disturb', 200);
      await new Promise(resolve => setTimeout(resolve, 3000));
      assert.equal(waits(id), undefined);
    } finally {
      await set('dueline.reminders.enabled', undefined);
    }
  });

  it('are added from the presets, and not twice', async () => {
    const id = await api.createTask(list, { title: 'Bell', due: Date.now() + 86_400_000, timezone: 'UTC' });
    for (let times = 0; times < 2; times++) {
      const running = run('dueline.addAlarm', id);
      await accept();
      await running;
    }
    assert.deepEqual(
      api.task(id)?.alarms.map(({ minutesBefore, reference }) => ({ minutesBefore, reference })),
      [{ minutesBefore: 0, reference: 'DUE' }],
    );
  });

  it('are offered for a task that has none to snooze', async () => {
    const id = await api.createTask(list, { title: 'No bell' });
    void run('dueline.snooze', id);
    await new Promise(resolve => setTimeout(resolve, 500));
    await vscode.commands.executeCommand('notifications.clearAll');
    assert.deepEqual(api.task(id)?.alarms, []);
  });
});
