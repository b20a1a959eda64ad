import assert from 'node:assert/strict';
import type { DuelineEngine } from '../../src/api';
import { TargetResolver } from '../../src/commands/common/targets';
import type { TaskTarget } from '../../src/contributions/commandTargets';
import { openOccurrences } from '../../src/core/recurrence/instances';
import { TaskSelection } from '../../src/ui/selection';
import { accept, duelineApi, run } from './support/api';

const day = 86_400_000;
const monday = Date.UTC(2031, 0, 6);

/** Week and Month have rows for later occurrences too: what is done to several rows is done to these and no others. */
describe('several rows of repeating tasks', () => {
  let engine: DuelineEngine;
  let list: number;
  before(async () => {
    engine = (await duelineApi()) as DuelineEngine;
    list = await engine.createList({ name: 'Occurrences' });
  });
  after(() => engine.deleteList(list));

  const add = (title: string, rrule?: string) =>
    engine.createTask(list, { title, due: monday, isAllDay: true, ...(rrule === undefined ? {} : { rrule }) });
  const daily = () => add('Daily', 'FREQ=DAILY;COUNT=10');
  const row = (taskId: number, days?: number) => ({
    taskId,
    ...(days === undefined ? {} : { occurrence: monday + days * day }),
  });
  /** The days from the first on, of a series that is open there. */
  const openDays = (id: number) => {
    const overrides = engine.rows(list).filter(({ masterId, isDeleted }) => masterId === id && !isDeleted);
    const open = [...openOccurrences(engine.task(id)!, overrides, engine.clock.timeZone)];
    return open.map(({ due }) => (due! - monday) / day).sort((a, b) => a - b);
  };
  const all = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
  const without = (...days: number[]) => all.filter(one => !days.includes(one));
  const tomorrow = () => {
    const now = new Date();
    return (Date.UTC(now.getFullYear(), now.getMonth(), now.getDate() + 1) - monday) / day;
  };
  const onTargets = (command: 'dueline.complete' | 'dueline.dueTomorrow' | 'dueline.delete', targets: TaskTarget[]) =>
    run(command, targets[0], targets);

  it('mean the same occurrences in the menu of any of them', async () => {
    const [first, second] = [await daily(), await daily()];
    const selection = new TaskSelection();
    selection.use({ visible: true, selection: [row(first, 3), row(second, 4)] });
    const resolver = new TargetResolver(engine, selection);
    const targets = async (target: TaskTarget) => {
      const menu = { ...(target as object), webviewSection: 'task.open.recurring' } as unknown as TaskTarget;
      const rows = await resolver.occurrences(menu, undefined, '');
      return rows.map(({ task, occurrence }) => row(task.id, (occurrence! - monday) / day));
    };
    assert.deepEqual(await targets(row(first, 3)), [row(first, 3), row(second, 4)]);
    assert.deepEqual(await targets(row(first, 5)), [row(first, 5)], 'a row that is not selected');
  });

  it('are moved to a day, from one series and from two', async () => {
    const [first, second] = [await daily(), await daily()];
    await onTargets('dueline.dueTomorrow', [row(first, 2), row(first, 3), row(second, 4)]);
    assert.deepEqual(
      openDays(first),
      [tomorrow(), tomorrow(), ...without(2, 3)].sort((a, b) => a - b),
    );
    assert.deepEqual(
      openDays(second),
      [tomorrow(), ...without(4)].sort((a, b) => a - b),
    );
    await run('dueline.undo');
    assert.deepEqual(openDays(first), all);
    assert.deepEqual(openDays(second), all);
  });

  it('are completed, together with a task that does not repeat, in one step', async () => {
    const [series, once] = [await daily(), await add('Once')];
    await onTargets('dueline.complete', [row(series, 5), row(once), row(series, 3)]);
    assert.deepEqual(openDays(series), without(3, 5));
    assert.equal(engine.task(once)!.status, 2);
    await run('dueline.undo');
    assert.deepEqual(openDays(series), all);
    assert.equal(engine.task(once)!.status, 0);
  });

  it('are completed once if the next date counts from the completion', async () => {
    const series = await daily();
    await engine.setRepeat(series, 'FREQ=DAILY', 'completion');
    await onTargets('dueline.complete', [row(series, 1), row(series, 0)]);
    assert.equal(engine.task(series)!.status, 0);
  });

  it('are deleted alone, or with all of their series, after one question', async () => {
    const [series, once] = [await daily(), await add('Alone')];
    const targets = [row(series, 2), row(once), row(series, 4)];
    const running = onTargets('dueline.delete', targets);
    await accept();
    await running;
    assert.deepEqual(openDays(series), without(2, 4));
    assert.equal(engine.task(once), undefined);
    await run('dueline.undo');
    assert.deepEqual(openDays(series), all);
    assert.ok(engine.rows(list).some(({ title, isDeleted }) => title === 'Alone' && !isDeleted));
  });

  it('that are over are deleted themselves, not the next ones', async () => {
    const series = await daily();
    await engine.completeTask(series);
    const own = engine.rows(list).find(({ masterId }) => masterId === series)!;
    const running = run('dueline.delete', row(own.id));
    await accept();
    await running;
    assert.deepEqual(openDays(series), without(0));
    assert.equal(engine.task(own.id), undefined);
  });
});
