import assert from 'node:assert/strict';
import type { DuelineEngine } from '../../src/api';
import { isDuelineError } from '../../src/core/kernel/errors';
import { dayMs } from '../../src/core/time/units';
import { DoneLog } from '../../src/engine/doneLog';
import { openTaskStore } from '../../src/store/taskStore';
import { engines } from './support/engine';

const day = Date.UTC(2026, 10, 21);

describe('the done log', () => {
  const lab = engines();
  let folder: string;
  let engine: DuelineEngine;
  let daily: number;

  beforeEach(async () => {
    lab.clock.time = Date.UTC(2026, 10, 21, 9, 30);
    folder = lab.folder();
    engine = await lab.open({ folder });
    engine.configure({ onCompleteRecurring: 'advance' });
    const inbox = engine.lists()[0]!.id;
    daily = await engine.createTask(inbox, { title: 'Daily', due: day, isAllDay: true, rrule: 'FREQ=DAILY' });
  });

  const dates = (query: string, of = engine) => of.query(query).map(({ due }) => new Date(due!).getUTCDate());

  it('has the past dates of a series for every query about when tasks were done', async () => {
    await engine.completeTask(daily);
    lab.clock.time += dayMs;
    await engine.completeTask(daily);
    assert.deepEqual(dates('done:today'), [22]);
    assert.deepEqual(dates('done:yesterday'), [21]);
    assert.deepEqual(dates('done:any sort:-done'), [22, 21]);
    assert.deepEqual(dates('done:any Daily limit:1 sort:done'), [21]);
    assert.deepEqual(dates('done:any other'), []);
    assert.deepEqual(dates('is:open'), [23]);
    assert.deepEqual(dates('done:any', engine).length, 2);
    assert.equal(engine.lines('done:today').length, 1);
    assert.equal(engine.widget('tasks', { filter: 'done:-7d..today' }).groups[0]?.items.length, 2);
    const { task } = engine.query('done:today')[0]!;
    assert.deepEqual(task, { ...task, status: 2, title: 'Daily', masterId: daily, completedAt: lab.clock.time });
    assert.equal(engine.task(task.id)?.completedAt, lab.clock.time);
  });

  it('is shown in open views, even those opened while it was empty', async () => {
    const shown = () => {
      const items = engine.widget('tasks', { filter: 'done:today' }).groups.flatMap(group => group.items);
      return { lines: engine.lines('done:today').length, items: items.length };
    };
    assert.deepEqual(shown(), { lines: 0, items: 0 });
    const counts: object[] = [];
    engine.onDidChange(() => counts.push(shown()));
    await engine.completeTask(daily);
    for (const seen of [counts.at(-1), shown()]) assert.deepEqual(seen, { lines: 1, items: 1 });
    await engine.deleteTask(daily);
    assert.deepEqual(shown(), { lines: 0, items: 0 });
    const { id: inbox } = engine.lists()[0]!;
    const other = await engine.createTask(inbox, { title: 'Other', due: day, isAllDay: true, rrule: 'FREQ=DAILY' });
    await engine.completeTask(other);
    assert.deepEqual(shown(), { lines: 1, items: 1 });
  });

  it('follows undo and redo, each with its own step', async () => {
    await engine.completeTask(daily);
    await engine.completeTask(daily);
    await engine.undo();
    assert.deepEqual(dates('done:today'), [21]);
    await engine.undo();
    assert.deepEqual(dates('done:today'), []);
    await engine.redo();
    assert.deepEqual(dates('done:today'), [21]);
    assert.deepEqual(await engine.history().then(({ undo }) => undo), { key: 'complete', count: 1, title: 'Daily' });
  });

  it('keeps a completion if the series got another date afterwards, because undo does not restore the old one', async () => {
    await engine.completeTask(daily);
    const [step] = await engine.undoSteps();
    await engine.updateTask(daily, { due: day + 3 * dayMs });
    await assert.rejects(engine.undoStep(step!.id), /Later changes replaced this one/);
    assert.deepEqual(dates('done:today'), [21]);
    assert.deepEqual(dates('is:open'), [24]);
    await engine.completeTask(daily);
    await engine.undo();
    assert.deepEqual(dates('done:today'), [21]);
    assert.deepEqual(dates('is:open'), [24]);
  });

  it('has completions of tasks that repeat from completion, even if the next date is the same', async () => {
    await engine.setRepeat(daily, 'FREQ=DAILY', 'completion');
    await engine.updateTask(daily, { due: day + dayMs });
    await engine.completeTask(daily);
    assert.equal(engine.task(daily)?.due, day + dayMs);
    assert.deepEqual(dates('done:today'), [22]);
  });

  it('has no entry if a completed row remains, and none for a skipped date', async () => {
    const inbox = engine.lists()[0]!.id;
    const once = await engine.createTask(inbox, { title: 'Once', due: day, isAllDay: true });
    await engine.completeTask(once);
    await engine.skipOccurrence(daily);
    engine.configure({ onCompleteRecurring: 'override' });
    await engine.completeTask(daily);
    assert.deepEqual(dates('done:today sort:due'), [21, 22]);
    assert.ok(engine.query('done:today').every(({ task }) => task.id > 0));
  });

  it('is shared between windows and kept after a restart', async () => {
    const other = await lab.open({ folder });
    await other.openDoneLog();
    await engine.completeTask(daily);
    await other.refresh();
    assert.deepEqual(dates('done:today', other), [21]);
    const later = await lab.open({ folder });
    await later.openDoneLog();
    assert.deepEqual(dates('done:today', later), [21]);
    await other.undo();
    await engine.refresh();
    assert.deepEqual(dates('done:today'), []);
  });

  it('omits what another window has undone before it is written', async () => {
    const store = await openTaskStore({ folder, clock: lab.clock });
    const log = new DoneLog(store, error => assert.fail(String(error)));
    try {
      const { uid } = engine.task(daily)!;
      const completion = { uid, at: lab.clock.time, dtstart: null, due: day, isAllDay: true, timezone: null };
      await log.note('one', true, new Set());
      await log.add([completion], 'one');
      assert.deepEqual(log.rows(), []);
      await log.note('one', false, new Set());
      assert.deepEqual(
        log.rows().map(({ due }) => due),
        [day],
      );
      // Undone and done again.
      for (const isUndone of [true, false]) await log.note('two', isUndone, new Set());
      await log.add([completion], 'two');
      assert.equal(log.rows().length, 2);
    } finally {
      log.dispose();
      await store.close();
    }
  });

  it('forgets entries older than 400 days and those of deleted series', async () => {
    await engine.completeTask(daily);
    lab.clock.time += 401 * dayMs;
    await engine.completeTask(daily);
    assert.deepEqual(dates('done:any'), [22]);
    await engine.deleteTask(daily);
    assert.deepEqual(dates('done:any'), []);
    await engine.undo();
    assert.deepEqual(dates('done:any'), [22]);
  });

  it('cannot be edited, and is not exported', async () => {
    await engine.completeTask(daily);
    const { task } = engine.query('done:today')[0]!;
    const refused = (promise: Promise<unknown>) =>
      assert.rejects(
        promise,
        error => isDuelineError(error, 'invalid') && /no longer part of the series/.test(error.message),
      );
    await refused(engine.reopenTask(task.id));
    await refused(engine.updateTask(task.id, { title: 'Other' }));
    assert.doesNotMatch(engine.exportTasks('ics', 'done:today'), /VTODO/);
  });
});
