import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { DuelineEngine } from '../../src/api';
import { TaskPanel } from '../../src/views/taskEditor/panel';
import { duelineApi, eventually } from './support/api';

/** A page that says it is there, and names each message that it gets. */
const page = `<script>
  const api = acquireVsCodeApi();
  addEventListener('message', ({ data }) => api.postMessage({ type: 'heard', what: data.type }));
  api.postMessage({ type: 'ready' });
</script>`;

describe('the host of a task form', () => {
  let panel: vscode.WebviewPanel;
  const heard: string[] = [];
  before(() => {
    panel = vscode.window.createWebviewPanel('test', 'Test', vscode.ViewColumn.Active, { enableScripts: true });
    panel.webview.onDidReceiveMessage(({ what }) => heard.push(what));
  });
  after(() => panel.dispose());

  it('calls its task gone no more when the trash answers after it came back', async () => {
    const engine = (await duelineApi()) as DuelineEngine;
    let answer = () => {};
    const answered = new Promise<void>(resolve => {
      answer = resolve;
    });
    const slow = new Proxy(engine, {
      get(real, name: keyof DuelineEngine) {
        if (name === 'trash') return () => answered.then(() => real.trash());
        const value: unknown = real[name];
        return typeof value === 'function' ? value.bind(real) : value;
      },
    });
    const id = await engine.createTask(engine.lists()[0]!.id, { title: 'Comes back' });
    const log = vscode.window.createOutputChannel('Test', { log: true });
    const form = new TaskPanel({ engine: slow, log }, panel, { taskId: id }, { retitle: () => {}, forget: () => {} });
    panel.webview.html = page;
    await eventually('the form', () => heard.includes('show'));
    await engine.deleteTask(id);
    form.update();
    assert.equal(panel.title, 'Deleted Task');
    await engine.undo();
    form.update();
    answer();
    await turn();
    const before = heard.length;
    form.update();
    await eventually('the form again', () => heard.length > before && heard.at(-1) === 'show');
    assert.ok(!heard.includes('gone'), heard.join());
    assert.equal(panel.title, 'Comes back');
    log.dispose();
  });

  it('removes the reminder that was meant, though another came before it meanwhile', async () => {
    const engine = (await duelineApi()) as DuelineEngine;
    const due = Date.parse('2030-01-01T12:00Z');
    const alarms = [{ minutesBefore: 10 }, { minutesBefore: 30 }, { minutesBefore: 60 }];
    const id = await engine.createTask(engine.lists()[0]!.id, { title: 'Rings', due, timezone: 'UTC', alarms });
    const log = vscode.window.createOutputChannel('Test', { log: true });
    new TaskPanel({ engine, log }, panel, { taskId: id }, { retitle: () => {}, forget: () => {} });
    // The page knew the task with one reminder; the second one that it names is gone.
    const drop = (minutesBefore: number) =>
      `api.postMessage({ type: 'dropAlarm', alarm: { minutesBefore: ${minutesBefore}, reference: 'DUE', message: null } })`;
    panel.webview.html = page.replace('</script>', `${drop(30)}; ${drop(45)};</script>`);
    const rings = () => engine.task(id)!.alarms.map(({ minutesBefore }) => minutesBefore);
    await eventually('one reminder fewer', () => rings().length < 3);
    assert.deepEqual(rings(), [10, 60]);
    log.dispose();
  });
});
