import assert from 'node:assert/strict';
import type { DuelineEngine } from '../../../src/api';
import { type Texts, textOf } from '../../../src/core/fields/values';
import { Status, type Task, type TaskInput } from '../../../src/core/kernel/model';
import { pick } from '../../support/pick';
import { Devices, type SyncedList } from '../../sync/support/devices';
import type { Server } from './servers';

const at = (text: string) => Date.parse(`${text}Z`);

/** Two engines on one server: what one does, the other has after both have synced. */
export function roundTrips(open: () => Server): void {
  const devices = new Devices();
  let [one, two]: SyncedList[] = [];

  before(async () => {
    const name = `Round trips ${Date.now()}`;
    const first = await devices.open(open());
    const [account] = first.accounts();
    await first.createList({ name, accountId: account!.id });
    await first.sync();
    const second = await devices.open(open());
    one = devices.list(first, name);
    two = devices.list(second, name);
  });
  after(async () => {
    if (one) await one.engine.deleteList(one.id);
    await devices.close();
  });

  const exchange = async (from: SyncedList, to: SyncedList) => {
    await from.sync();
    await to.sync();
  };
  const both = async (input: TaskInput): Promise<[here: () => Task, there: () => Task]> => {
    const id = await one!.engine.createTask(one!.id, input);
    const { uid } = one!.engine.task(id)!;
    await exchange(one!, two!);
    return [() => one!.byUid(uid)!, () => two!.byUid(uid)!];
  };
  const changed = (edit: (engine: DuelineEngine, id: number) => Promise<void>, task: () => Task) =>
    edit(two!.engine, task().id).then(() => exchange(two!, one!));

  it('transfers dependencies, and leaves relations of other programs as they are', async () => {
    const other = 'RELATED-TO;RELTYPE=SIBLING:someone-else@example.org';
    const lines = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Other//EN', 'BEGIN:VTODO', 'UID:depends@example.org']
      .concat('SUMMARY:Ship', other, 'END:VTODO', 'END:VCALENDAR', '')
      .join('\r\n');
    await one!.engine.importTasks('ics', lines, one!.id);
    const ship = (device: SyncedList) => device.byUid('depends@example.org')!;
    const [build, there] = await both({ title: 'Build, then; ship' });
    await one!.engine.apply([{ type: 'blockers', id: ship(one!).id, add: [build().id] }]);
    await exchange(one!, two!);
    const blockers = (device: SyncedList) => device.engine.blockersOf(ship(device).id).map(({ task }) => task?.title);
    assert.deepEqual(blockers(two!), ['Build, then; ship']);
    assert.equal(two!.engine.isBlocked(ship(two!).id), true);
    await changed((engine, id) => engine.completeTask(id), there);
    assert.equal(one!.engine.isBlocked(ship(one!).id), false);
    await changed(
      (engine, id) => engine.apply([{ type: 'blockers', id, remove: [there().uid] }]).then(() => undefined),
      () => ship(two!),
    );
    assert.deepEqual(blockers(one!), []);
    const relations = (device: SyncedList) =>
      (JSON.parse(ship(device).unknownProperties ?? '[]') as string[]).filter(line => line.startsWith('RELATED-TO'));
    for (const device of [one!, two!]) assert.deepEqual(relations(device), [other]);
  });

  it('transfers every field of a task', async () => {
    const input: TaskInput = {
      title: 'Grüße 🌿; a, b\\c',
      description: 'First line\nsecond line, with; marks',
      location: 'Köln, Dom',
      url: 'https://example.com/?a=1,2;3',
      tags: ['home', 'a b', 'ünï'],
      priority: 3,
      percentComplete: 40,
      classification: 1,
      color: 0xffdc143c | 0,
      dtstart: at('2026-12-01T08:00'),
      due: at('2026-12-02T09:30'),
      timezone: 'UTC',
      alarms: [
        { minutesBefore: 15, reference: 'DUE', message: 'Soon' },
        { minutesBefore: 60, reference: 'START' },
      ],
    };
    const [, there] = await both(input);
    const { alarms, ...columns } = input;
    const task = there();
    for (const [field, value] of Object.entries(columns)) assert.deepEqual(task[field as keyof Task], value, field);
    assert.deepEqual(
      task.alarms.map(alarm => pick(alarm, 'minutesBefore', 'reference')),
      alarms!.map(alarm => pick(alarm, 'minutesBefore', 'reference')),
    );
    assert.equal(task.isDirty, false);
  });

  it('transfers estimates, and does not touch those that cannot be read', async () => {
    const odd = ['ESTIMATED-DURATION:-PT5M', 'X-CFAIT-ESTIMATED-DURATION-MAX:PT60M'];
    const lines = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Other//EN', 'BEGIN:VTODO', 'UID:estimate@example.org']
      .concat('SUMMARY:Odd', odd, 'END:VTODO', 'END:VCALENDAR', '')
      .join('\r\n');
    await one!.engine.importTasks('ics', lines, one!.id);
    const estimate = (text: string | null): Texts => ({ estimate: text });
    const [here, there] = await both({ title: 'Write', ...estimate('1h30m') });
    assert.equal(textOf(there(), 'estimate'), '1h30m');
    await changed((engine, id) => engine.updateTask(id, estimate('45m')), there);
    assert.equal(textOf(here(), 'estimate'), '45m');
    await changed((engine, id) => engine.updateTask(id, estimate(null)), there);
    assert.equal(textOf(here(), 'estimate'), null);
    const oddOn = (device: SyncedList) => device.byUid('estimate@example.org')!;
    await changed(
      (engine, id) => engine.updateTask(id, { title: 'Odd still' }),
      () => oddOn(two!),
    );
    assert.equal(oddOn(one!).title, 'Odd still');
    for (const device of [one!, two!]) {
      const kept = JSON.parse(oddOn(device).unknownProperties ?? '[]') as string[];
      assert.deepEqual(
        kept.filter(line => line.includes('DURATION')),
        odd,
      );
    }
  });

  it('transfers all-day and floating dates as they are', async () => {
    const [, allDay] = await both({ title: 'All day', due: at('2026-12-24T00:00'), isAllDay: true });
    assert.deepEqual(pick(allDay(), 'due', 'isAllDay', 'timezone'), {
      due: at('2026-12-24T00:00'),
      isAllDay: true,
      timezone: null,
    });
    const [, floating] = await both({ title: 'Floating', due: at('2026-12-24T18:00') });
    assert.deepEqual(pick(floating(), 'due', 'isAllDay', 'timezone'), {
      due: at('2026-12-24T18:00'),
      isAllDay: false,
      timezone: null,
    });
  });

  it('transfers an edit, a completion and a reopening back', async () => {
    const [here, there] = await both({ title: 'Draft', tags: ['keep', 'drop'], alarms: [{ minutesBefore: 5 }] });
    await changed(
      (engine, id) => engine.updateTask(id, { title: 'Final', tags: ['keep', 'new'], alarms: [{ minutesBefore: 10 }] }),
      there,
    );
    assert.equal(here().title, 'Final');
    assert.deepEqual(here().tags, ['keep', 'new']);
    assert.deepEqual(
      here().alarms.map(({ minutesBefore }) => minutesBefore),
      [10],
    );
    await changed((engine, id) => engine.completeTask(id), there);
    assert.deepEqual(pick(here(), 'status', 'percentComplete'), { status: Status.completed, percentComplete: 100 });
    assert.equal(here().completedAt, there().completedAt);
    await changed((engine, id) => engine.reopenTask(id), there);
    assert.deepEqual(pick(here(), 'status', 'completedAt'), { status: Status.needsAction, completedAt: null });
  });

  it('merges edits of different fields, and loses none', async () => {
    const [here, there] = await both({ title: 'Shared', description: 'Old' });
    await one!.engine.updateTask(here().id, { title: 'New title' });
    await two!.engine.updateTask(there().id, { description: 'New text', priority: 1 });
    await exchange(one!, two!);
    await one!.sync();
    for (const task of [here(), there()])
      assert.deepEqual(pick(task, 'title', 'description', 'priority', 'isDirty'), {
        title: 'New title',
        description: 'New text',
        priority: 1,
        isDirty: false,
      });
  });

  it('deletes there what was deleted here', async () => {
    const [here, there] = await both({ title: 'Short-lived' });
    await one!.engine.deleteTask(here().id);
    await exchange(one!, two!);
    assert.equal(here(), undefined);
    assert.equal(there(), undefined);
  });

  it('deletes here what was deleted there before the next sync', async () => {
    const parent = await one!.engine.createTask(one!.id, { title: 'Parent, made here' });
    const child = await one!.engine.createTask(one!.id, { title: 'Child, made here', parentId: parent });
    const { uid } = one!.engine.task(parent)!;
    await exchange(one!, two!);
    await two!.engine.deleteTask(two!.byUid(uid)!.id);
    await exchange(two!, one!);
    assert.deepEqual(
      { parent: one!.engine.task(parent), parentOfChild: one!.engine.task(child)?.parentId },
      { parent: undefined, parentOfChild: null },
    );
  });

  it('keeps subtasks under their parents', async () => {
    const [parent, parentThere] = await both({ title: 'Parent' });
    const [, child] = await both({ title: 'Child', parentId: parent().id });
    assert.equal(child().parentId, parentThere().id);
    const [other] = await both({ title: 'Other parent' });
    await changed((engine, id) => engine.moveTask(id, { parentId: two!.byUid(other().uid)!.id }), child);
    assert.equal(one!.byUid(child().uid)!.parentId, other().id);
    await changed((engine, id) => engine.moveTask(id, { parentId: null }), child);
    assert.equal(one!.byUid(child().uid)!.parentId, null);
  });

  it('keeps a series and its completed occurrence in one resource', async () => {
    const due = at('2026-12-07T08:00');
    const [here, there] = await both({ title: 'Weekly', due, timezone: 'Europe/Berlin', rrule: 'FREQ=WEEKLY;COUNT=5' });
    assert.deepEqual(pick(there(), 'rrule', 'due', 'timezone'), {
      rrule: 'FREQ=WEEKLY;COUNT=5',
      due,
      timezone: 'Europe/Berlin',
    });
    assert.equal(there().dtstart, null);
    await changed((engine, id) => engine.completeTask(id), there);
    const rows = one!.rows().filter(row => row.uid === here().uid);
    assert.equal(rows.length, 2);
    const override = rows.find(row => row.recurrenceId !== null)!;
    assert.deepEqual(pick(override, 'recurrenceId', 'status', 'masterId', 'href'), {
      recurrenceId: due,
      status: Status.completed,
      masterId: here().id,
      href: here().href,
    });
    assert.equal(here().status, Status.needsAction);
  });

  it('keeps an occurrence for following ones, and splits off the completed one', async () => {
    const text = [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Test//EN',
      ...[
        'BEGIN:VTODO',
        'UID:ranged',
        'DTSTART:20261207T080000Z',
        'RRULE:FREQ=DAILY;COUNT=5',
        'SUMMARY:Early',
        'END:VTODO',
      ],
      ...['BEGIN:VTODO', 'UID:ranged', 'RECURRENCE-ID;RANGE=THISANDFUTURE:20261209T080000Z'],
      ...['DTSTART:20261209T140000Z', 'SUMMARY:Late', 'END:VTODO'],
      'END:VCALENDAR',
    ].join('\r\n');
    await one!.engine.importTasks('ics', text, one!.id);
    await exchange(one!, two!);
    const late = two!.rows().find(({ title }) => title === 'Late')!;
    await two!.engine.completeTask(late.id);
    await exchange(two!, one!);
    for (const { engine } of [one!, two!])
      assert.deepEqual(
        engine.query('show:occurrences is:open (title:Early OR title:Late) sort:start').map(({ dtstart }) => dtstart),
        ['07T08', '08T08', '10T14', '11T14'].map(time => at(`2026-12-${time}:00`)),
      );
  });

  it('sends nothing if nothing has changed', async () => {
    await exchange(one!, two!);
    const reports = [await one!.sync(), await two!.sync()];
    for (const { pulled, pushed, deletedLocally, deletedRemotely, conflicts } of reports)
      assert.deepEqual(
        { pulled, pushed, deletedLocally, deletedRemotely, conflicts },
        { pulled: 0, pushed: 0, deletedLocally: 0, deletedRemotely: 0, conflicts: 0 },
      );
    const picture = ({ engine, id }: SyncedList) =>
      engine
        .rows(id)
        .map(row => [row.uid, row.recurrenceId, row.title, row.due, row.status, row.etag, row.isDirty])
        .toSorted();
    assert.deepEqual(picture(one!), picture(two!));
  });
}
