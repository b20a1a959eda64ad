import assert from 'node:assert/strict';
import { Status } from '../../../src/core/kernel/model';
import { repeatsFromCompletion } from '../../../src/core/recurrence/repeatFrom';
import { sizesOf } from '../support/serverLists';
import { calendar, linesOf, todo } from '../support/texts';
import { aWorld } from '../support/world';

describe('a series on the server', () => {
  const world = aWorld();
  const berlin = 'DTSTART;TZID=Europe/Berlin:20261123T090000';
  const put = (...components: string[][]) => world.list.put('s.ics', calendar(...components));
  const master = (...lines: string[]) => todo('s', 'SUMMARY:Series', ...lines);
  const lines = () => linesOf(world.list.get('s.ics'));
  const count = (text: string) => lines().filter(line => line === text).length;
  const day = (date: string, hour = 8) => Date.parse(`${date}T0${hour}:00:00Z`);

  it('A51 is two rows in one resource with its override, and one PUT of three with another one', async () => {
    put(
      master(berlin, 'RRULE:FREQ=WEEKLY'),
      todo('s', 'RECURRENCE-ID;TZID=Europe/Berlin:20261123T090000', berlin, 'SUMMARY:Series', 'STATUS:COMPLETED'),
    );
    const device = await world.device();
    assert.equal(device.rows().length, 2);
    assert.equal(new Set(device.rows().map(({ href }) => href)).size, 1);
    await device.engine.completeTask(device.byUid('s')!.id);
    await device.sync();
    assert.equal(world.server.sent('PUT').length, 1);
    assert.equal(count('BEGIN:VTODO'), 3);
    assert.ok(lines().includes('RECURRENCE-ID;TZID=Europe/Berlin:20261130T090000'));
  });

  it('A52 is completed with its last occurrence', async () => {
    put(master(berlin, 'RRULE:FREQ=WEEKLY;COUNT=1'));
    const device = await world.device();
    await device.engine.completeTask(device.byUid('s')!.id);
    await device.sync();
    assert.equal(device.byUid('s')!.status, Status.completed);
    assert.ok(count('STATUS:COMPLETED') > 0);
    assert.deepEqual(device.engine.query(''), []);
  });

  it('A53 of 29 February recurs in 2028, and one of every minute blocks nothing', async () => {
    put(master('DTSTART;VALUE=DATE:20240229', 'DUE;VALUE=DATE:20240229', 'RRULE:FREQ=YEARLY'));
    world.put('m', 'SUMMARY:Minutely', 'DTSTART:20200101T000000Z', 'RRULE:FREQ=MINUTELY');
    const device = await world.device();
    await device.engine.completeTask(device.byUid('s')!.id);
    const next = device.engine.query('').find(({ task }) => task.title === 'Series');
    assert.equal(next?.due, Date.UTC(2028, 1, 29));
    assert.ok(device.engine.widget('upNext').groups.length > 0);
  });

  it('A54 stays at nine by the clock when the clocks change', async () => {
    put(
      master(
        'DTSTART;TZID=Europe/Berlin:20270326T090000',
        'DUE;TZID=Europe/Berlin:20270326T090000',
        'RRULE:FREQ=DAILY',
      ),
    );
    const device = await world.device();
    const dues: (number | null | undefined)[] = [];
    for (let at = 0; at < 4; at++) {
      dues.push(device.engine.query('')[0]?.due);
      await device.engine.completeTask(device.byUid('s')!.id);
    }
    assert.deepEqual(dues, [day('2027-03-26'), day('2027-03-27'), day('2027-03-28', 7), day('2027-03-29', 7)]);
    await device.sync();
    assert.ok(lines().includes('RECURRENCE-ID;TZID=Europe/Berlin:20270328T090000'));
  });

  it('shows the server and every device what the next date counts from', async () => {
    put(master(berlin, 'RRULE:FREQ=WEEKLY', 'X-OTHER:kept'));
    const [device, other] = [await world.device(), await world.device()];
    const isMarked = (one: typeof device) => repeatsFromCompletion(one.byUid('s')!);
    await device.engine.setRepeat(device.byUid('s')!.id, 'FREQ=WEEKLY', 'completion');
    await device.sync();
    assert.equal(count('X-DUELINE-REPEAT-FROM:COMPLETION'), 1);
    await other.sync();
    assert.equal(isMarked(other), true);
    // An edit of the other device in between does not undo it.
    await other.engine.updateTask(other.byUid('s')!.id, { title: 'Renamed' });
    await other.sync();
    await device.engine.setRepeat(device.byUid('s')!.id, 'FREQ=WEEKLY', 'due');
    await device.sync();
    await other.sync();
    assert.deepEqual(
      { title: device.byUid('s')!.title, here: isMarked(device), there: isMarked(other) },
      { title: 'Renamed', here: false, there: false },
    );
    assert.equal(count('X-DUELINE-REPEAT-FROM:COMPLETION'), 0);
    assert.equal(count('X-OTHER:kept'), 1);
  });

  it('A55 excludes a deleted occurrence by a date of its own kind', async () => {
    put(master(berlin, 'RRULE:FREQ=WEEKLY'));
    world.list.put('d.ics', calendar(todo('d', 'SUMMARY:Days', 'DUE;VALUE=DATE:20261123', 'RRULE:FREQ=DAILY')));
    const device = await world.device();
    await device.engine.deleteOccurrence(device.byUid('s')!.id, day('2026-11-30'));
    await device.engine.deleteOccurrence(device.byUid('d')!.id, Date.UTC(2026, 10, 24));
    await device.sync();
    assert.ok(lines().includes('EXDATE;TZID=Europe/Berlin:20261130T090000'), lines().join('\n'));
    assert.ok(linesOf(world.list.get('d.ics')).includes('EXDATE;VALUE=DATE:20261124'));
  });

  it('A56 gets one override if two devices complete the same occurrence', async () => {
    put(master(berlin, 'RRULE:FREQ=WEEKLY'));
    const [one, two] = [await world.device(), await world.device()];
    for (const device of [one, two]) await device.engine.completeTask(device.byUid('s')!.id);
    await one.sync();
    assert.equal((await two.sync()).conflicts, 0);
    await one.sync();
    assert.equal(count('BEGIN:VTODO'), 2);
    assert.equal(count('RECURRENCE-ID;TZID=Europe/Berlin:20261123T090000'), 1);
    for (const device of [one, two]) assert.equal(device.rows().length, 2);
  });

  const override = (...lines: string[]) =>
    todo('s', 'RECURRENCE-ID;TZID=Europe/Berlin:20261130T090000', berlin, ...lines);

  it('is removed if it is gone there, with an occurrence that was completed here', async () => {
    put(master(berlin, 'RRULE:FREQ=WEEKLY'));
    const device = await world.device();
    await device.engine.completeTask(device.byUid('s')!.id);
    world.list.remove('s.ics');
    await device.sync();
    assert.deepEqual(device.rows(), []);
  });

  it('is recreated if it is gone there, and one of its occurrences was edited here', async () => {
    put(master(berlin, 'RRULE:FREQ=WEEKLY'), override('SUMMARY:Other place'));
    const device = await world.device();
    const changed = device.rows().find(({ recurrenceId }) => recurrenceId !== null)!;
    await device.engine.updateTask(changed.id, { title: 'My words' });
    world.list.remove('s.ics');
    await device.sync();
    assert.equal(device.rows().length, 2);
    assert.ok(lines().includes('SUMMARY:My words'));
  });

  for (const isEdited of [false, true])
    it(`loses an occurrence’s own values that were removed there${isEdited ? ', and keeps an edit of the series' : ''}`, async () => {
      put(master(berlin, 'RRULE:FREQ=WEEKLY'), override('SUMMARY:Other place'));
      const device = await world.device();
      assert.equal(device.rows().length, 2);
      if (isEdited) await device.engine.updateTask(device.byUid('s')!.id, { description: 'Ours' });
      put(master(berlin, 'RRULE:FREQ=WEEKLY'));
      await device.sync();
      assert.deepEqual(
        device.rows().map(({ title, description }) => ({ title, description })),
        [{ title: 'Series', description: isEdited ? 'Ours' : null }],
      );
      assert.equal(count('BEGIN:VTODO'), 1);
    });

  it('restores an occurrence with its own values, deleted and restored before a sync', async () => {
    put(
      master('DTSTART:20261101T080000Z', 'DUE:20261101T090000Z', 'RRULE:FREQ=DAILY'),
      todo('s', 'RECURRENCE-ID:20261103T080000Z', 'DTSTART:20261103T100000Z', 'SUMMARY:Later'),
    );
    const device = await world.device();
    const before = device.rows();
    await device.engine.deleteOccurrence(device.byUid('s')!.id, day('2026-11-03'));
    await device.engine.undo();
    await device.sync();
    assert.deepEqual(device.rows(), before);
    assert.deepEqual(world.server.sent('PUT'), []);
  });

  it('has each occurrence completed once, here and on the server, even with fractions of seconds in its date', async () => {
    const device = await world.device();
    const due = day('2026-11-24') + 123;
    const { engine } = device;
    const id = await engine.createTask(device.id, { title: 'R', due, timezone: 'Europe/Berlin', rrule: 'FREQ=DAILY' });
    assert.equal(engine.task(id)!.due, due - 123);
    const next = () => engine.query('is:open')[0]!.due! - due;
    await device.sync();
    await engine.completeTask(id, { occurrence: due });
    await device.sync();
    await device.sync();
    assert.equal(next(), 86_400_000 - 123);
    await engine.completeTask(id);
    await device.sync();
    await device.sync();
    assert.equal(next(), 2 * 86_400_000 - 123);
    const [item] = [...world.list.items.values()];
    const ids = linesOf(item!.text).filter(line => line.startsWith('RECURRENCE-ID'));
    assert.equal(new Set(ids).size, 2);
    assert.equal(ids.length, 2);
    await engine.reopenTask(device.rows().find(({ recurrenceId }) => recurrenceId === due - 123)!.id);
    assert.equal(next(), -123);
  });

  const moved = (date: string) => [`DUE;VALUE=DATE:${date}`, 'RRULE:FREQ=DAILY'];
  const dues = () => lines().filter(line => /^(DUE|RECURRENCE-ID|PRODID)/.test(line));

  it('advances with each completion if its program does so, and stays in that style', async () => {
    world.list.put('s.ics', calendar(master(...moved('20261123'))).replace('-//Peer//Peer 1.0//EN', 'Tasks.org'));
    const device = await world.device();
    for (const date of ['20261124', '20261125', '20261126']) {
      if (date === '20261125') await device.engine.apply([{ type: 'complete', id: device.byUid('s')!.id }]);
      else await device.engine.completeTask(device.byUid('s')!.id);
      await device.sync();
      assert.deepEqual(dues(), ['PRODID:Tasks.org', `DUE;VALUE=DATE:${date}`]);
    }
  });

  it('is at the same date in Evolution and here after completions here, there and here', async () => {
    const both = (date: string) => [`DTSTART;VALUE=DATE:${date}`, `DUE;VALUE=DATE:${date}`, 'RRULE:FREQ=DAILY;COUNT=9'];
    const text = calendar(master(...both('20261123')));
    world.list.put('s.ics', text.replace('-//Peer//Peer 1.0//EN', '-//Ximian//NONSGML Evolution Calendar//EN'));
    const device = await world.device();
    const complete = async () => {
      await device.engine.completeTask(device.byUid('s')!.id);
      await device.sync();
    };
    await complete();
    // Evolution moves both dates, and counts down.
    const there = world.list.get('s.ics').replaceAll('20261124', '20261125').replace('COUNT=8', 'COUNT=7');
    world.list.put('s.ics', there);
    await device.sync();
    await complete();
    assert.deepEqual(dues().slice(1), ['DUE;VALUE=DATE:20261126']);
    assert.ok(lines().includes('RRULE:FREQ=DAILY;COUNT=6') && lines().includes('DTSTART;VALUE=DATE:20261126'));
  });

  it('advances from the moment another program has advanced it, whichever program created it', async () => {
    put(master(...moved('20261123')));
    const [device, other] = [await world.device(), await world.device()];
    await device.sync();
    put(master(...moved('20261124')));
    for (const date of ['20261125', '20261126']) {
      await device.sync();
      await device.engine.completeTask(device.byUid('s')!.id);
      await device.sync();
      assert.deepEqual(dues().slice(1), [`DUE;VALUE=DATE:${date}`]);
    }
    await other.sync();
    assert.equal(other.byUid('s')!.due, Date.UTC(2026, 10, 26));
  });

  it('does not count as advanced if its date was changed elsewhere to one that its rule does not generate', async () => {
    const weekly = (date: string) => [`DUE;VALUE=DATE:${date}`, 'RRULE:FREQ=WEEKLY'];
    put(master(...weekly('20261123')));
    const device = await world.device();
    put(master(...weekly('20261124')));
    await device.sync();
    await device.engine.completeTask(device.byUid('s')!.id);
    await device.sync();
    assert.ok(lines().includes('RECURRENCE-ID;VALUE=DATE:20261124'), lines().join());
  });

  it('keeps the time of an occurrence with following ones, whatever happens to one of them', async () => {
    const at = (name: string, text: string) => `${name};TZID=Europe/Berlin:202611${text}0000`;
    put(
      master(at('DTSTART', '23T09'), 'RRULE:FREQ=DAILY;COUNT=5'),
      todo('s', at('RECURRENCE-ID;RANGE=THISANDFUTURE', '25T09'), at('DTSTART', '25T15'), 'SUMMARY:Later'),
    );
    const [device, other] = [await world.device(), await world.device()];
    const hours = (one: typeof device) =>
      one.engine
        .query('show:occurrences sort:start')
        .map(({ task, dtstart }) => [task.title, new Date(dtstart!).getUTCHours()]);
    assert.deepEqual(
      device.engine
        .query('show:occurrences title:Later sort:start')
        .map(({ dtstart }) => new Date(dtstart!).toISOString()),
      ['2026-11-25T14:00:00.000Z', '2026-11-26T14:00:00.000Z', '2026-11-27T14:00:00.000Z'],
    );
    const { id } = world.titled(device, 'Later');
    await device.engine.completeTask(id);
    await device.engine.completeTask(device.byUid('s')!.id, { occurrence: day('2026-11-27') });
    await device.sync();
    await other.sync();
    const left = [
      ['Series', 8],
      ['Series', 8],
      ['Later', 14],
    ];
    assert.deepEqual({ device: hours(device), other: hours(other) }, { device: left, other: left });
    const names = lines().filter(line => line.startsWith('RECURRENCE-ID'));
    assert.deepEqual(names.sort(), [
      'RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20261126T090000',
      at('RECURRENCE-ID', '25T09'),
      at('RECURRENCE-ID', '27T09'),
    ]);
    await other.engine.updateTask(other.rows().find(({ title, status }) => title === 'Later' && status === 0)!.id, {
      title: 'Alone',
    });
    await other.sync();
    await device.sync();
    assert.deepEqual(
      lines().filter(line => line.includes('RANGE')),
      [],
    );
    assert.ok(device.rows().every(({ isDirty }) => !isDirty));
  });

  it('continues without an occurrence whose own values are deleted here', async () => {
    put(master(berlin, 'RRULE:FREQ=WEEKLY'), override('SUMMARY:Other place'));
    const device = await world.device();
    await device.engine.deleteTask(world.titled(device, 'Other place').id);
    await device.sync();
    assert.equal(count('SUMMARY:Other place'), 0);
    assert.deepEqual(
      device.rows().map(({ title, isDirty, isDeleted }) => ({ title, isDirty, isDeleted })),
      [{ title: 'Series', isDirty: false, isDeleted: false }],
    );
  });

  it('keeps the losing values of an occurrence edited on both sides with that occurrence', async () => {
    put(master(berlin, 'RRULE:FREQ=WEEKLY'), override('SUMMARY:Other place'));
    const device = await world.device();
    const { id } = world.titled(device, 'Other place');
    await device.engine.updateTask(id, { title: 'My place' });
    put(master(berlin, 'RRULE:FREQ=WEEKLY'), override('SUMMARY:Their place'));
    await device.sync();
    const [conflict] = await world.devices.conflictsOf(device.engine);
    assert.equal(conflict?.taskId, id);
    assert.match(conflict.mine, /My place/);
    assert.equal(device.engine.task(id)?.title, 'Their place');
  });

  for (const again of ['skipped', 'completed', 'edited'] as const)
    it(`undoes a decision about an occurrence, and has it ${again} before the next sync`, async () => {
      put(master(berlin, 'RRULE:FREQ=WEEKLY'));
      const device = await world.device();
      const { engine } = device;
      const { id } = device.byUid('s')!;
      const occurrence = day('2026-11-23');
      await engine.skipOccurrence(id, occurrence);
      await device.sync();
      await engine.undo();
      if (again === 'skipped') await engine.skipOccurrence(id, occurrence);
      else if (again === 'completed') await engine.completeTask(id, { occurrence });
      else await engine.editOccurrence(id, occurrence, 'this', { title: 'Alone' });
      await device.sync();
      const expected = { skipped: 'STATUS:CANCELLED', completed: 'STATUS:COMPLETED', edited: 'SUMMARY:Alone' }[again];
      assert.deepEqual({ todos: count('BEGIN:VTODO'), decided: count(expected) }, { todos: 2, decided: 1 });
      assert.deepEqual(
        device.rows().map(({ isDirty, isDeleted }) => ({ isDirty, isDeleted })),
        [
          { isDirty: false, isDeleted: false },
          { isDirty: false, isDeleted: false },
        ],
      );
    });

  it('takes along an occurrence that another device completed meanwhile when its move is undone', async () => {
    const other = world.server.addList('other');
    put(master(berlin, 'RRULE:FREQ=WEEKLY'));
    const [a, b] = [await world.device(), await world.device()];
    const there = world.devices.list(a.engine, 'other');
    await a.engine.moveTask(a.byUid('s')!.id, { listId: there.id });
    const syncAll = async () => {
      for (const { engine } of [a, b, a]) assert.equal((await world.report(engine)).error, null);
    };
    await syncAll();
    await b.engine.completeTask(world.devices.list(b.engine, 'other').byUid('s')!.id);
    await syncAll();
    await a.engine.undo();
    await syncAll();
    assert.deepEqual(sizesOf({ list: world.list, other }), { list: 1, other: 0 });
    assert.deepEqual({ todos: count('BEGIN:VTODO'), completed: count('STATUS:COMPLETED') }, { todos: 2, completed: 1 });
    for (const device of [a, b]) assert.equal(device.rows().length, 2);
  });
});
