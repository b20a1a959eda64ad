import assert from 'node:assert/strict';
import type { DuelineEngine, Reminder } from '../../src/api';
import type { Task, TaskInput } from '../../src/core/kernel/model';
import { engines } from './support/engine';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

describe('reminders', () => {
  const lab = engines();
  const titles = (reminders: readonly Reminder[]) => reminders.map(({ task }) => task.title);
  const start = Date.UTC(2026, 10, 21, 9, 30);
  let folder: string;
  let engine: DuelineEngine;
  let inbox: number;

  beforeEach(async () => {
    lab.clock.time = start;
    folder = lab.folder();
    engine = await window();
    inbox = engine.lists()[0]!.id;
  });

  /** Another window on the folder; it leads if no other does. */
  async function window() {
    const opened = await lab.open({ folder });
    await opened.reminders.open();
    opened.reminders.takeLead();
    return opened;
  }
  const add = (title: string, due: number, more: TaskInput = {}) =>
    engine.createTask(inbox, { title, due, timezone: 'UTC', alarms: [{ minutesBefore: 0 }], ...more });
  const fired = async (mode?: 'show' | 'quiet' | 'off', who = engine) => titles(await who.reminders.fire(mode));
  const pending = (who = engine) => titles(who.reminders.pending());

  it('fire at their time, once, and wait for an answer', async () => {
    await add('Call', start + 10 * minute);
    assert.equal(engine.reminders.nextAt(), start + 10 * minute);
    assert.deepEqual(await fired(), []);
    lab.clock.time = start + 10 * minute - 1;
    assert.deepEqual(await fired(), []);
    lab.clock.time++;
    assert.deepEqual(await fired(), ['Call']);
    for (let checks = 0; checks < 3; checks++) {
      lab.clock.time += minute;
      assert.deepEqual(await fired(), []);
    }
    assert.deepEqual(pending(), ['Call']);
    await engine.reminders.dismiss(engine.reminders.pending());
    assert.deepEqual(pending(), []);
    assert.deepEqual(await fired(), []);
  });

  it('also fire for what became due between the start and their first use', async () => {
    const first = await lab.open();
    await first.createTask(first.lists()[0]!.id, {
      title: 'At once',
      due: start + 1500,
      timezone: 'UTC',
      alarms: [{ minutesBefore: 0 }],
    });
    lab.clock.time = start + 4000;
    await first.reminders.open();
    first.reminders.takeLead();
    assert.deepEqual(await fired('show', first), ['At once']);
  });

  it('fire in one of two windows, whichever asks first and whichever holds the lease', async () => {
    const other = await window();
    for (let at = 1; at <= 20; at++) await add(`Task ${at}`, start + at * minute);
    const shown: (string | null)[] = [];
    for (let round = 0; round < 10; round++) {
      lab.clock.time += 2 * minute;
      const [first, second] = round % 2 === 0 ? [engine, other] : [other, engine];
      first.reminders.takeLead(true);
      await Promise.all([first.refresh(), second.refresh()]);
      // The second takes the lead between the first's check and its step: both believe that they lead.
      const one = first.reminders.fire();
      second.reminders.takeLead(true);
      for (const reminders of await Promise.all([one, second.reminders.fire()])) shown.push(...titles(reminders));
    }
    assert.deepEqual([...shown].sort(), [...new Set(shown)].sort(), 'none twice');
    assert.equal(shown.length, 20, 'none lost');
    await Promise.all([engine.refresh(), other.refresh()]);
    assert.deepEqual(pending(other), pending());
    assert.equal(pending().length, 20);
  });

  it('stay silent in the window without the lease, and continue there when the other one closes', async () => {
    const other = await window();
    await add('Later', start + minute);
    await other.refresh();
    lab.clock.time += minute;
    assert.deepEqual(await fired('show', other), []);
    await engine.close();
    other.reminders.takeLead();
    assert.deepEqual(await fired('show', other), ['Later']);
  });

  it('of a time that has passed are shown if a program has set it, which shows none itself', async () => {
    lab.clock.time += hour;
    assert.deepEqual(await fired(), []);
    const program = await lab.open({ folder });
    await program.reminders.open();
    await program.createTask(program.lists()[0]!.id, {
      ...{ title: 'By an agent', due: lab.clock.time - 30 * minute, timezone: 'UTC', alarms: [{ minutesBefore: 0 }] },
    });
    await engine.refresh();
    assert.deepEqual(await fired(), ['By an agent']);
  });

  it('are shown at the next start if they passed while no window was open, once per series', async () => {
    await add('Once', start + hour);
    await add('Daily', start + 2 * hour, { rrule: 'FREQ=DAILY' });
    assert.deepEqual(await fired(), []);
    await engine.close();
    lab.clock.time += 20 * day;
    engine = await window();
    assert.deepEqual(await fired(), ['Once', 'Daily']);
    const [, daily] = engine.reminders.pending();
    assert.equal(daily?.fireAt, start + 19 * day + 2 * hour);
    assert.deepEqual(await fired(), []);
  });

  it('stay pending across a restart, and are not shown again', async () => {
    await add('Wait', start + minute);
    lab.clock.time += minute;
    assert.deepEqual(await fired(), ['Wait']);
    await engine.close();
    engine = await window();
    assert.deepEqual(pending(), ['Wait']);
    assert.deepEqual(await fired(), []);
  });

  it('wait during quiet hours, and are shown together when these end', async () => {
    await add('One', start + minute);
    await add('Two', start + 2 * minute);
    lab.clock.time += minute;
    assert.deepEqual(await fired('quiet'), []);
    lab.clock.time += minute;
    assert.deepEqual(await fired('quiet'), []);
    assert.deepEqual(pending(), ['One', 'Two']);
    assert.deepEqual(await fired(), ['One', 'Two']);
    assert.deepEqual(await fired(), []);
  });

  it('are not shown later if they passed while they were off', async () => {
    await add('Off', start + minute);
    assert.deepEqual(await fired('off'), []);
    lab.clock.time += 2 * minute;
    assert.deepEqual(await fired('off'), []);
    await add('On', start + 3 * minute);
    assert.deepEqual(await fired(), []);
    lab.clock.time += minute;
    assert.deepEqual(await fired(), ['On']);
  });

  it('fire when they were snoozed to, in any window, and can be snoozed again', async () => {
    await add('Report', start + minute);
    lab.clock.time += minute;
    await engine.reminders.snooze(await engine.reminders.fire(), lab.clock.time + 10 * minute);
    assert.deepEqual(pending(), []);
    assert.deepEqual(engine.query('is:snoozed').length, 1);
    assert.equal(engine.reminders.nextAt(), lab.clock.time + 10 * minute);
    await engine.close();
    engine = await window();
    assert.deepEqual(await fired(), []);
    lab.clock.time += 10 * minute;
    const again = await engine.reminders.fire();
    assert.deepEqual(titles(again), ['Report']);
    assert.equal(engine.query('is:snoozed').length, 0);
    await engine.reminders.snooze(again, lab.clock.time + hour);
    assert.deepEqual(await fired(), []);
    lab.clock.time += hour;
    assert.deepEqual(await fired(), ['Report']);
    assert.deepEqual(await fired(), []);
  });

  it('lose their snooze if the task is done, gone, or gets another date', async () => {
    const ids = [
      await add('Done', start + minute),
      await add('Gone', start + minute),
      await add('Moved', start + minute),
    ];
    lab.clock.time += minute;
    await engine.reminders.snooze(await engine.reminders.fire(), lab.clock.time + 10 * minute);
    await engine.completeTask(ids[0]!);
    await engine.deleteTask(ids[1]!);
    await engine.updateTask(ids[2]!, { due: start + 2 * hour });
    lab.clock.time += 10 * minute;
    assert.deepEqual(await fired(), []);
    lab.clock.time = start + 2 * hour;
    assert.deepEqual(await fired(), ['Moved']);
  });

  const edits: readonly (readonly [string, (id: number) => Promise<unknown>])[] = [
    ['its occurrence is edited', id => engine.editOccurrence(id, start + minute, 'this', { priority: 1 })],
    [
      'that edit is undone',
      async id => {
        await engine.editOccurrence(id, start + minute, 'this', { title: 'Edited' });
        await engine.undo();
      },
    ],
    ['its task no longer repeats', id => engine.setRepeat(id, null)],
  ];
  for (const [what, edit] of edits)
    it(`are still pending, and come when they were snoozed to, if ${what}`, async () => {
      const id = await add('Stand up', start + minute, { rrule: 'FREQ=DAILY' });
      lab.clock.time += minute;
      const shown = await engine.reminders.fire();
      await edit(id);
      assert.equal(pending().length, 1);
      await engine.reminders.snooze(shown, lab.clock.time + hour);
      assert.deepEqual(pending(), []);
      lab.clock.time += hour;
      assert.equal((await fired()).length, 1);
    });

  it('come when they were snoozed to if their occurrence is edited after that', async () => {
    const id = await add('Stand up', start + minute, { rrule: 'FREQ=DAILY' });
    lab.clock.time += minute;
    await engine.reminders.snooze(await engine.reminders.fire(), lab.clock.time + hour);
    await engine.editOccurrence(id, start + minute, 'this', { status: 1 });
    assert.equal(engine.query('is:snoozed').length, 1);
    assert.deepEqual(await fired(), []);
    lab.clock.time += hour;
    assert.deepEqual(await fired(), ['Stand up']);
  });

  it('come when they were snoozed to if their task returns from the trash', async () => {
    const id = await add('Call', start + minute);
    lab.clock.time += minute;
    await engine.reminders.snooze(await engine.reminders.fire(), lab.clock.time + hour);
    await engine.deleteTask(id);
    await engine.restore((await engine.trash()).map(({ key }) => key));
    assert.deepEqual(titles(engine.reminders.pending()), []);
    assert.equal(engine.query('is:snoozed').length, 1);
    lab.clock.time += hour;
    assert.deepEqual(await fired(), ['Call']);
  });

  it('come when an earlier version has snoozed them to', async () => {
    const id = await add('Stand up', start + minute, { rrule: 'FREQ=DAILY' });
    await engine.editOccurrence(id, start + minute, 'this', { title: 'Stand' });
    const [{ id: row, alarms }] = engine.overridesOf(id) as [Task];
    lab.clock.time += minute;
    await engine.reminders.dismiss(await engine.reminders.fire());
    const ownTime = start + minute;
    const snooze = { taskId: row, alarmId: alarms[0]!.id, recurrenceId: ownTime, ownTime, until: ownTime + hour };
    await (await engine.sidecar()).put('snoozes', [[`${row}/${alarms[0]!.id}/${ownTime}/${ownTime}`, snooze]]);
    assert.equal(engine.query('is:snoozed').length, 1);
    lab.clock.time += hour;
    assert.deepEqual(await fired(), ['Stand']);
  });

  it('are pending again if the task is restored from the trash', async () => {
    const id = await add('Call', start + minute);
    lab.clock.time += minute;
    await fired();
    await engine.deleteTask(id);
    assert.deepEqual(pending(), []);
    await engine.restore((await engine.trash()).map(({ key }) => key));
    assert.deepEqual(pending(), ['Call']);
    assert.deepEqual(await fired(), []);
  });

  it('are no longer pending once the task is done, deleted, or gets another date; and are again after undo', async () => {
    const ids = [
      await add('Done', start + minute),
      await add('Gone', start + minute),
      await add('Moved', start + minute),
    ];
    lab.clock.time += minute;
    assert.equal((await fired()).length, 3);
    await engine.completeTask(ids[0]!);
    await engine.deleteTask(ids[1]!);
    await engine.updateTask(ids[2]!, { due: start + hour });
    assert.deepEqual(pending(), []);
    await engine.undo();
    assert.deepEqual(pending(), ['Moved']);
    assert.deepEqual(await fired(), []);
  });

  it('end with their occurrence, and the next one fires', async () => {
    const id = await add('Stand up', start + minute, { rrule: 'FREQ=DAILY' });
    lab.clock.time += minute;
    const [first] = await engine.reminders.fire();
    assert.equal(first?.due, start + minute);
    await engine.completeTask(id, { occurrence: first!.recurrenceId! });
    assert.deepEqual(pending(), []);
    lab.clock.time += day;
    assert.deepEqual(await fired(), ['Stand up']);
  });

  it('stay silent for a date that the user sets in the past', async () => {
    const id = await add('Plan', start + 3 * day, { alarms: [{ minutesBefore: 24 * 60 }] });
    assert.deepEqual(await fired(), []);
    lab.clock.time += minute;
    await engine.updateTask(id, { due: lab.clock.time + hour });
    await add('Late already', start - hour);
    assert.deepEqual(await fired(), []);
    assert.deepEqual(pending(), []);
  });

  it('are shown for a task that arrives late from another device', async () => {
    const elsewhere = await lab.open({ folder });
    lab.clock.time += hour;
    assert.deepEqual(await fired(), []);
    await elsewhere.createTask(inbox, {
      title: 'From the phone',
      due: start + 30 * minute,
      timezone: 'UTC',
      alarms: [{ minutesBefore: 0 }],
    });
    await engine.refresh();
    assert.deepEqual(await fired(), ['From the phone']);
  });

  it('are not shown for times before the first start, and survive a clock set back', async () => {
    assert.deepEqual(await fired(), []);
    lab.clock.time = start - 3 * hour;
    await engine.close();
    engine = await window();
    await add('After', start - 2 * hour);
    lab.clock.time = start - 2 * hour;
    assert.deepEqual(await fired(), ['After']);
  });

  it('include the next one of a task', async () => {
    const id = await add('Weekly', start + hour, { rrule: 'FREQ=WEEKLY' });
    assert.equal(engine.reminders.upcoming(id)?.fireAt, start + hour);
    await engine.reminders.snooze([engine.reminders.upcoming(id)!], start + 2 * hour);
    lab.clock.time += hour;
    assert.deepEqual(await fired(), []);
    lab.clock.time += hour;
    assert.deepEqual(await fired(), ['Weekly']);
    assert.equal(engine.reminders.upcoming(inbox + 999), undefined);
  });

  it('include one that was snoozed, which can be snoozed again before it comes', async () => {
    for (const rrule of [null, 'FREQ=WEEKLY']) {
      const at = lab.clock.time + hour;
      const id = await add(`Tea ${rrule}`, at, { rrule });
      lab.clock.time = at;
      const [shown] = await engine.reminders.fire();
      await engine.reminders.snooze([shown!], at + hour);
      assert.equal(engine.reminders.upcoming(id)?.fireAt, at + hour);
      await engine.reminders.snooze([engine.reminders.upcoming(id)!], at + 2 * hour);
      lab.clock.time = at + hour;
      assert.deepEqual(await fired(), []);
      lab.clock.time = at + 2 * hour;
      assert.deepEqual(await fired(), [`Tea ${rrule}`]);
      await engine.deleteTask(id);
    }
  });
});
