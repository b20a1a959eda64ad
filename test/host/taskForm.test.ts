import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { DuelineEngine } from '../../src/api';
import type { EpochMs, Id } from '../../src/core/kernel/model';
import type { FormChange, FromForm } from '../../src/shared/taskEditorProtocol';
import { TaskPanel } from '../../src/views/taskEditor/taskPanel';
import { pick } from '../support/pick';
import { duelineApi, eventually } from './support/api';

/** A page that reports that it is ready, and the type of each message that it gets. */
const page = `<script>
  const api = acquireVsCodeApi();
  addEventListener('message', ({ data }) => api.postMessage({ type: 'heard', received: data.type }));
  api.postMessage({ type: 'ready' });
</script>`;

describe('the host of a task form', () => {
  const announce = () => {};
  let panel: vscode.WebviewPanel;
  const heard: string[] = [];
  before(() => {
    panel = vscode.window.createWebviewPanel('test', 'Test', vscode.ViewColumn.Active, { enableScripts: true });
    panel.webview.onDidReceiveMessage(({ received }) => heard.push(received));
  });
  after(() => panel.dispose());

  it('does not report its task as gone if the trash answers after the task was restored', async () => {
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
    const form = new TaskPanel(
      { engine: slow, log, announce },
      panel,
      { taskId: id },
      { retitle: () => {}, forget: () => {} },
    );
    panel.webview.html = page;
    await eventually('the form', () => heard.includes('show'));
    await engine.deleteTask(id);
    form.update();
    assert.equal(panel.title, 'Deleted Task');
    await engine.undo();
    form.update();
    answer();
    await nextTurn();
    const before = heard.length;
    form.update();
    await eventually('the form again', () => heard.length > before && heard.at(-1) === 'show');
    assert.ok(!heard.includes('gone'), heard.join());
    assert.equal(panel.title, 'Comes back');
    log.dispose();
  });

  it('removes the intended reminder, even if another one was added before it meanwhile', async () => {
    const engine = (await duelineApi()) as DuelineEngine;
    const due = Date.parse('2030-01-01T12:00Z');
    const alarms = [{ minutesBefore: 10 }, { minutesBefore: 30 }, { minutesBefore: 60 }];
    const id = await engine.createTask(engine.lists()[0]!.id, { title: 'Rings', due, timezone: 'UTC', alarms });
    const log = vscode.window.createOutputChannel('Test', { log: true });
    new TaskPanel({ engine, log, announce }, panel, { taskId: id }, { retitle: () => {}, forget: () => {} });
    // The page knew the task with one reminder; the second one that it names is gone.
    const drop = (minutesBefore: number) =>
      `api.postMessage({ type: 'dropAlarm', alarm: { minutesBefore: ${minutesBefore}, reference: 'DUE', message: null } })`;
    panel.webview.html = page.replace('</script>', `${drop(30)}; ${drop(45)};</script>`);
    const rings = () => engine.task(id)!.alarms.map(({ minutesBefore }) => minutesBefore);
    await eventually('one reminder fewer', () => rings().length < 3);
    assert.deepEqual(rings(), [10, 60]);
    log.dispose();
  });

  /** A form that is sent messages as its page sends them. */
  async function formOf(id: Id, occurrence: EpochMs | null = null) {
    const engine = (await duelineApi()) as DuelineEngine;
    const log = vscode.window.createOutputChannel('Test', { log: true });
    const own = vscode.window.createWebviewPanel('test', 'Test', vscode.ViewColumn.Active, { enableScripts: true });
    new TaskPanel({ engine, log, announce }, own, { taskId: id, occurrence }, { retitle: () => {}, forget: () => {} });
    const send = (...messages: FromForm[]) => {
      const posts = messages.map(message => `api.postMessage(${JSON.stringify(message)});`).join('');
      own.webview.html = `<script>const api = acquireVsCodeApi(); ${posts} // ${Math.random()}
</script>`;
    };
    const end = () => {
      own.dispose();
      log.dispose();
    };
    return { send, end };
  }
  const line = (due: string, ...others: FormChange[]): FromForm => ({
    type: 'take',
    changes: [{ type: 'field', field: 'due', value: due }, { type: 'field', field: 'priority', value: '1' }, ...others],
  });

  it('applies everything in a line as one undo step', async () => {
    const engine = (await duelineApi()) as DuelineEngine;
    const [home, other] = [engine.lists()[0]!.id, await engine.createList({ name: 'Elsewhere' })];
    const id = await engine.createTask(home, { title: 'Said at once', tags: ['a'], alarms: [] });
    const form = await formOf(id);
    const facts = () => pick(engine.task(id)!, 'due', 'priority', 'tags', 'rrule', 'listId');
    const before = facts();
    form.send(
      line(
        '2031-06-02',
        { type: 'addTags', tags: ['b'] },
        { type: 'repeat', rule: 'FREQ=DAILY', from: 'due' },
        { type: 'field', field: 'listId', value: String(other) },
      ),
    );
    await eventually('the other list', () => engine.task(id)!.listId === other);
    assert.deepEqual(facts(), {
      due: Date.UTC(2031, 5, 2),
      priority: 1,
      tags: ['a', 'b'],
      rrule: 'FREQ=DAILY',
      listId: other,
    });
    assert.deepEqual((await engine.history()).undo, { key: 'update', count: 1, title: 'Said at once' });
    await engine.undo();
    assert.deepEqual(facts(), before);
    form.end();
    await engine.deleteList(other);
  });

  it('applies a line about an occurrence to the chosen scope, as one undo step', async () => {
    const engine = (await duelineApi()) as DuelineEngine;
    const first = Date.UTC(2031, 5, 2);
    const weekly = { title: 'Weekly', due: first, isAllDay: true, rrule: 'FREQ=WEEKLY', alarms: [] };
    const id = await engine.createTask(engine.lists()[0]!.id, weekly);
    const form = await formOf(id, Date.UTC(2031, 5, 9));
    form.send(line('2031-06-10'));
    const own = () => engine.rows(engine.task(id)!.listId).filter(({ masterId }) => masterId === id);
    await eventually('the occurrence', () => own().length === 1);
    assert.deepEqual(
      own().map(row => pick(row, 'due', 'priority')),
      [{ due: Date.UTC(2031, 5, 10), priority: 1 }],
    );
    assert.equal(engine.task(id)!.priority, 0);
    await engine.undo();
    assert.equal(own().length, 0);
    const later = () => engine.query('Weekly').filter(({ task }) => task.id !== id);
    form.send({ type: 'scope', scope: 'following' }, line('2031-06-11'));
    await eventually('the series that begins', () => later().length > 0);
    const [begun] = later();
    assert.deepEqual(pick(begun!.task, 'due', 'priority', 'rrule'), {
      due: Date.UTC(2031, 5, 11),
      priority: 1,
      rrule: 'FREQ=WEEKLY',
    });
    await engine.undo();
    assert.equal(later().length, 0);
    assert.equal(engine.task(id)!.rrule, 'FREQ=WEEKLY');
    const other = await engine.createList({ name: 'Later on' });
    const home = engine.task(id)!.listId;
    form.send(
      { type: 'scope', scope: 'following' },
      line('2031-06-11', { type: 'field', field: 'listId', value: String(other) }),
    );
    await eventually('the series in the other list', () => later()[0]?.task.listId === other);
    await engine.undo();
    assert.equal(later().length, 0);
    assert.deepEqual(pick(engine.task(id)!, 'listId', 'rrule'), { listId: home, rrule: 'FREQ=WEEKLY' });
    await engine.deleteList(other);
    form.end();
  });
});
