import assert from 'node:assert/strict';
import type { DuelineEngine } from '../../src/api';
import { workTimeOf } from '../../src/core/code/workTime';
import type { Id } from '../../src/core/kernel/model';
import { engines } from './support/engine';

const minute = 60_000;

describe('the active task', () => {
  const lab = engines();
  const { clock } = lab;

  /** Opened a while ago: its first beat is behind it. */
  async function aWindow(folder = lab.folder()): Promise<DuelineEngine> {
    const engine = await lab.open({ folder });
    await engine.working.open();
    await engine.working.reportPresence(false);
    return engine;
  }

  async function aTask(engine: DuelineEngine, title: string): Promise<Id> {
    return engine.createTask(engine.defaultListId(), { title, status: 1 });
  }

  /** Lets time pass while someone is at the window. */
  async function use(engine: DuelineEngine, minutes: number): Promise<void> {
    for (let at = 0; at < minutes; at++) {
      clock.time += minute;
      assert.equal(await engine.working.reportPresence(true), undefined);
    }
  }

  /** Lets the time of a new task run while someone is at the window. */
  async function workOn(engine: DuelineEngine, minutes: number): Promise<Id> {
    const id = await aTask(engine, 'Fix race');
    await engine.working.start(id);
    await use(engine, minutes);
    return id;
  }

  /** Other windows see what one wrote. */
  const settled = async (...others: DuelineEngine[]) => {
    for (const engine of others) await engine.refresh();
  };

  const worked = (engine: DuelineEngine, id: Id) => workTimeOf(engine.task(id)!).sessions.map(({ ms }) => ms / minute);
  const active = (engine: DuelineEngine) => engine.query('is:active').map(({ task }) => task.title);

  it('records its time when it ends, in one undo step, and not before', async () => {
    const engine = await aWindow();
    const id = await aTask(engine, 'Fix race');
    await engine.working.start(id, '0123456789ab');
    assert.deepEqual(active(engine), ['Fix race']);
    await use(engine, 25);
    assert.equal(engine.task(id)!.unknownProperties, null);
    const start = engine.working.active()!.start;
    await engine.working.stop();
    assert.deepEqual(active(engine), []);
    assert.deepEqual(workTimeOf(engine.task(id)!).sessions, [{ start, ms: 25 * minute, repo: '0123456789ab' }]);
    await engine.undo();
    assert.equal(engine.task(id)!.unknownProperties, null);
  });

  it('changes nothing for the views when a window finds that there is none', async () => {
    const engine = await lab.open();
    let changes = 0;
    engine.onDidChange(() => changes++);
    await engine.working.open();
    await engine.working.reportPresence(false);
    assert.equal(changes, 0);
  });

  it('keeps running in a window that renews it before its start is durable', async () => {
    const engine = await aWindow();
    const id = await aTask(engine, 'Fix race');
    const shown = new Promise<void>(resolve => engine.working.onDidChange(resolve));
    const starting = engine.working.start(id);
    await shown;
    await engine.working.reportPresence(true);
    await starting;
    assert.deepEqual(active(engine), ['Fix race']);
  });

  it('is replaced by the next one that is started', async () => {
    const engine = await aWindow();
    const [one, two] = [await aTask(engine, 'One'), await aTask(engine, 'Two')];
    await engine.working.start(one);
    await use(engine, 5);
    await engine.working.start(two);
    assert.deepEqual(worked(engine, one), [5]);
    await use(engine, 7);
    await engine.working.start(two);
    await use(engine, 1);
    await engine.working.stop();
    assert.deepEqual(worked(engine, one), [5]);
    assert.deepEqual(worked(engine, two), [8]);
  });

  it('ends when it is completed, reopened or deleted; undo restores the task and keeps its time', async () => {
    const engine = await aWindow();
    const id = await workOn(engine, 5);
    await engine.completeTask(id);
    assert.deepEqual(worked(engine, id), [5]);
    await engine.undo();
    assert.equal(engine.task(id)!.status, 1);
    assert.deepEqual(worked(engine, id), [5]);
    await engine.working.start(id);
    await use(engine, 2);
    await engine.updateTask(id, { status: 0 });
    assert.equal(engine.working.active(), undefined);
    assert.deepEqual(worked(engine, id), [5, 2]);
    await engine.updateTask(id, { status: 1 });
    await engine.working.start(id);
    await use(engine, 3);
    await engine.deleteTask(id);
    assert.equal(engine.working.active(), undefined);
    await engine.undo();
    assert.deepEqual(worked(engine, id), [5, 2, 3]);
    const parent = await aTask(engine, 'Release');
    await engine.moveTask(id, { parentId: parent });
    await engine.working.start(id);
    await use(engine, 4);
    await engine.deleteTask(parent, { children: 'delete' });
    assert.equal(engine.working.active(), undefined);
    await engine.undo();
    assert.deepEqual(worked(engine, id), [5, 2, 3, 4]);
    const list = await engine.createList({ name: 'Work' });
    await engine.moveTask(parent, { listId: list });
    await engine.working.start(id);
    await use(engine, 6);
    await engine.deleteList(list);
    assert.equal(engine.working.active(), undefined);
    await engine.undo();
    assert.deepEqual(worked(engine, id), [5, 2, 3, 4, 6]);
  });

  it('ends before a program that has not asked for it completes the task', async () => {
    const folder = lab.folder();
    const [window, program] = [await aWindow(folder), await lab.open({ folder })];
    const id = await workOn(window, 5);
    await program.refresh();
    await program.completeTask(id);
    assert.deepEqual(worked(program, id), [5]);
    await settled(window);
    assert.equal(window.working.active(), undefined);
    await program.undo();
    assert.equal(program.task(id)!.status, 1);
    assert.deepEqual(worked(program, id), [5]);
  });

  it('ends when its last window was closed if a program completes or cancels it long after', async () => {
    const ways: readonly ((program: DuelineEngine, id: Id) => Promise<unknown>)[] = [
      (program, id) => program.completeTask(id),
      (program, id) => program.updateTask(id, { status: 3 }),
      (program, id) => program.updateTask(id, { percentComplete: 100 }),
    ];
    for (const end of ways) {
      const folder = lab.folder();
      const window = await aWindow(folder);
      const id = await workOn(window, 5);
      await window.close();
      clock.time += 600 * minute;
      const program = await lab.open({ folder });
      await end(program, id);
      assert.deepEqual(worked(program, id), [5]);
    }
  });

  it('does not count the time in which nobody was at the window if a program completes the task', async () => {
    const folder = lab.folder();
    const [window, program] = [await aWindow(folder), await lab.open({ folder })];
    const id = await workOn(window, 5);
    clock.time += 45 * minute;
    await program.refresh();
    await program.completeTask(id);
    assert.deepEqual(worked(program, id), [5]);
  });

  it('ends in the next window if the task was completed while none was open', async () => {
    const folder = lab.folder();
    const window = await aWindow(folder);
    const id = await workOn(window, 5);
    await window.close();
    const program = await lab.open({ folder });
    const { uid } = program.task(id)!;
    await program.importTasks('json', JSON.stringify([{ uid, status: 2 }]), program.defaultListId());
    await program.close();
    const next = await aWindow(folder);
    assert.equal(next.working.active(), undefined);
    assert.deepEqual(worked(next, id), [5]);
  });

  it('is one for all windows, and is counted once', async () => {
    const one = await aWindow();
    const folder = lab.folder();
    await one.close();
    const [first, second] = [await aWindow(folder), await aWindow(folder)];
    const id = await aTask(first, 'Fix race');
    await first.working.start(id);
    await settled(second);
    assert.equal(second.working.active()?.task.title, 'Fix race');
    for (let at = 0; at < 10; at++) {
      clock.time += minute;
      await Promise.all([first.working.reportPresence(true), second.working.reportPresence(true)]);
    }
    await Promise.all([first.working.stop(), second.working.stop()]);
    await settled(first, second);
    assert.deepEqual(worked(first, id), [10]);
    assert.deepEqual(worked(second, id), [10]);
  });

  it('continues in the other windows if one is closed', async () => {
    const folder = lab.folder();
    const [first, second] = [await aWindow(folder), await aWindow(folder)];
    const id = await aTask(first, 'Fix race');
    await first.working.start(id);
    await settled(second);
    await second.working.reportPresence(false);
    await use(first, 4);
    await first.close();
    await settled(second);
    const third = await aWindow(folder);
    assert.equal(third.working.active()?.task.title, 'Fix race');
    await use(second, 4);
    await second.working.stop();
    assert.deepEqual(worked(second, id), [8]);
  });

  it('ends with the editor at the user’s last activity, and is offered again', async () => {
    const folder = lab.folder();
    const before = await aWindow(folder);
    const id = await workOn(before, 12);
    await before.close();
    clock.time += 600 * minute;
    const after = await aWindow(folder);
    assert.equal(after.working.active(), undefined);
    assert.equal(after.working.interrupted()?.id, id);
    assert.deepEqual(worked(after, id), [12]);
    await after.working.start(id);
    assert.equal(after.working.interrupted(), undefined);
    await use(after, 3);
    await after.working.stop();
    assert.deepEqual(worked(after, id), [12, 3]);
  });

  it('keeps its time running while its only window reloads', async () => {
    const folder = lab.folder();
    const before = await aWindow(folder);
    const id = await workOn(before, 12);
    await before.close();
    clock.time += minute;
    const after = await aWindow(folder);
    assert.equal(after.working.active()?.task.title, 'Fix race');
    assert.equal(after.working.interrupted(), undefined);
    await use(after, 3);
    await after.working.stop();
    assert.deepEqual(worked(after, id), [16]);
  });

  it('loses and doubles nothing if a window crashes', async () => {
    const folder = lab.folder();
    const crashed = await aWindow(folder);
    const id = await workOn(crashed, 12);
    clock.time += 5 * minute;
    const [one, two] = [await lab.open({ folder }), await lab.open({ folder })];
    await Promise.all([one.working.reportPresence(false), two.working.reportPresence(false)]);
    await settled(one, two);
    assert.deepEqual(worked(one, id), [12]);
    assert.deepEqual(worked(two, id), [12]);
    assert.equal(one.working.interrupted()?.id, id);
    await two.working.reportPresence(true);
    assert.deepEqual(worked(two, id), [12]);
  });

  it('asks once about an absence, which counts unless it is discarded', async () => {
    const folder = lab.folder();
    const [first, second] = [await aWindow(folder), await aWindow(folder)];
    const id = await aTask(first, 'Fix race');
    await first.working.start(id);
    await settled(second);
    await use(first, 5);
    const left = clock.time;
    for (let at = 0; at < 30; at++) {
      clock.time += minute;
      assert.equal(await first.working.reportPresence(false), undefined);
    }
    const absence = await first.working.reportPresence(true);
    assert.deepEqual(absence, { from: left, to: clock.time });
    assert.equal(await first.working.reportPresence(true), undefined);
    await settled(second);
    assert.equal(await second.working.reportPresence(true), undefined);
    await use(first, 5);
    assert.equal(await first.working.discard(absence!), true);
    assert.deepEqual(worked(first, id), [5]);
    await use(first, 5);
    clock.time += 20 * minute;
    const unanswered = await first.working.reportPresence(true);
    await first.working.stop();
    assert.equal(await first.working.discard(unanswered!), false);
    assert.deepEqual(worked(first, id), [5, 30]);
  });

  it('never asks if that is turned off', async () => {
    const engine = await aWindow();
    const id = await aTask(engine, 'Fix race');
    engine.configure({ idleMinutes: 0 });
    await engine.working.start(id);
    clock.time += 300 * minute;
    assert.equal(await engine.working.reportPresence(true), undefined);
    await engine.working.stop();
    assert.deepEqual(worked(engine, id), [300]);
  });

  it('is not recorded for a click that is undone', async () => {
    const engine = await aWindow();
    const id = await engine.createTask(engine.defaultListId(), { title: 'Fix race' });
    await engine.updateTask(id, { status: 1 });
    await engine.working.start(id);
    clock.time += 3000;
    const ended = new Promise<void>(resolve => {
      engine.working.onDidChange(() => engine.working.active() ?? resolve());
    });
    await engine.undo();
    await ended;
    // A session that is left to write would be written with this.
    await engine.working.stop();
    assert.equal(engine.working.active(), undefined);
    assert.equal(engine.task(id)!.unknownProperties, null);
  });
});
