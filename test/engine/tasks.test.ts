import assert from 'node:assert/strict';
import type { DuelineEngine } from '../../src/api';
import { isDuelineError } from '../../src/core/kernel/errors';
import { standupOf } from '../../src/query/agenda/standup';
import { openTaskStore } from '../../src/store/taskStore';
import { pick } from '../support/pick';
import { engines } from './support/engine';

const day = (text: string) => Date.parse(`${text}T00:00:00Z`);
const rejects = (work: Promise<unknown>, kind: Parameters<typeof isDuelineError>[1]) =>
  assert.rejects(work, error => isDuelineError(error, kind));

describe('tasks through the engine', () => {
  const lab = engines();
  let engine: DuelineEngine;
  let inbox: number;

  beforeEach(async () => {
    engine = await lab.open();
    inbox = engine.lists()[0]!.id;
  });

  it('accepts dates in whole seconds from every caller', async () => {
    const due = day('2026-12-01') + 1234;
    const ids = [
      await engine.createTask(inbox, { title: 'a', due, dtstart: due - 60_000 }),
      ...(await engine.apply([{ type: 'create', listId: inbox, input: { title: 'b', due } }])),
    ];
    await engine.updateTask(ids[1]!, { due: due + 60_000 });
    const text = JSON.parse(engine.exportTasks('json')) as { tasks: { due: unknown; uid: string }[] };
    for (const task of text.tasks) Object.assign(task, { due, uid: `${task.uid}-again` });
    const other = await engine.createList({ name: 'Other' });
    await engine.importTasks('json', JSON.stringify(text), other);
    const rows = [...engine.rows(inbox), ...engine.rows(other)];
    assert.equal(rows.length, 4);
    for (const row of rows)
      assert.deepEqual({ due: row.due! % 1000, dtstart: (row.dtstart ?? 0) % 1000 }, { due: 0, dtstart: 0 });
  });

  it('starts with a local Inbox', () => {
    assert.deepEqual(
      engine.lists().map(list => ({ name: list.name, accountId: list.accountId, isDirty: list.isDirty })),
      [{ name: 'Inbox', accountId: null, isDirty: false }],
    );
  });

  it('creates a task with the defaults of the tables, and keeps it over a restart', async () => {
    const folder = lab.folder();
    const first = await lab.open({ folder });
    const id = await first.createTask(first.lists()[0]!.id, { title: 'Renew passport', tags: ['home', 'a,b', 'home'] });
    const made = first.task(id)!;
    assert.equal(made.title, 'Renew passport');
    assert.deepEqual(made.tags, ['home', 'a,b']);
    assert.deepEqual(pick(made, 'status', 'priority', 'isDirty', 'isDeleted', 'timezone'), {
      status: 0,
      priority: 0,
      isDirty: false,
      isDeleted: false,
      timezone: null,
    });
    assert.equal(made.createdAt, lab.clock.time);
    await first.close();
    const second = await lab.open({ folder });
    assert.deepEqual(second.task(id), made);
    assert.equal(second.lists().length, 1);
  });

  it('completes and reopens as decided', async () => {
    const id = await engine.createTask(inbox, { title: 'A', percentComplete: 40 });
    assert.equal(engine.task(id)!.status, 1);
    await engine.completeTask(id);
    const done = engine.task(id)!;
    assert.deepEqual(pick(done, 'status', 'percentComplete', 'completedAt'), {
      status: 2,
      percentComplete: 100,
      completedAt: lab.clock.time,
    });
    await engine.reopenTask(id);
    const open = engine.task(id)!;
    assert.deepEqual(pick(open, 'status', 'percentComplete', 'completedAt'), {
      status: 0,
      percentComplete: null,
      completedAt: null,
    });
  });

  it('completes one date of a series by its status or progress, and moves on to the next', async () => {
    const day = 86_400_000;
    const due = Date.UTC(2030, 4, 6);
    for (const patch of [{ status: 2 }, { percentComplete: 100 }] as const) {
      const id = await engine.createTask(inbox, { title: 'Feed', due, isAllDay: true, rrule: 'FREQ=DAILY' });
      await engine.updateTask(id, { ...patch, priority: 1 });
      assert.deepEqual(pick(engine.task(id), 'status', 'priority'), { status: 0, priority: 1 });
      const [next] = engine.query('Feed is:open');
      assert.deepEqual([next?.task.id, next?.due], [id, due + day]);
      await engine.deleteTask(id);
    }
  });

  it('canceling keeps percent and sets no completion time', async () => {
    const id = await engine.createTask(inbox, { title: 'A', percentComplete: 40 });
    await engine.updateTask(id, { status: 3 });
    assert.deepEqual(pick(engine.task(id), 'status', 'percentComplete', 'completedAt'), {
      status: 3,
      percentComplete: 40,
      completedAt: null,
    });
  });

  for (const [fault, input] of Object.entries({
    'a priority of 10': { priority: 10 },
    'a negative priority': { priority: -1 },
    'a fraction': { priority: 1.5 },
    NaN: { due: Number.NaN },
    'a year of five digits': { due: Date.UTC(10_000, 0, 1) },
    'an unknown zone': { due: 0, timezone: 'Mars/Olympus' },
    'a rule without FREQ': { due: 0, rrule: 'INTERVAL=2' },
    'a rule with an unknown FREQ': { due: 0, rrule: 'FREQ=FORTNIGHTLY' },
    'a URL with a line break': { url: 'https://x.example/\r\nX-EVIL:1' },
    'an all-day date with a time': { due: 3_600_000, isAllDay: true },
    'a reminder without a number': { alarms: [{ minutesBefore: Number.NaN }] },
    'a duration without a start': { duration: 'PT1H' },
  }))
    it(`refuses ${fault} and changes nothing`, async () => {
      const id = await engine.createTask(inbox, { title: 'A' });
      const before = engine.task(id);
      await rejects(engine.updateTask(id, input), 'invalid');
      await rejects(engine.createTask(inbox, input), 'invalid');
      assert.deepEqual(engine.task(id), before);
      assert.equal(engine.rows(inbox).length, 1);
    });

  it('a patch that changes nothing is no edit', async () => {
    const id = await engine.createTask(inbox, { title: 'A', due: day('2026-11-25'), isAllDay: true });
    let events = 0;
    engine.onDidChange(() => events++);
    await engine.updateTask(id, { title: 'A', due: day('2026-11-25'), isAllDay: true, tags: [], alarms: [] });
    assert.equal(events, 0);
  });

  it('setting a due date removes the duration', async () => {
    const id = await engine.createTask(inbox, {
      title: 'A',
      dtstart: day('2026-11-20'),
      duration: 'P2D',
      isAllDay: true,
    });
    await engine.updateTask(id, { due: day('2026-11-25') });
    assert.deepEqual(pick(engine.task(id), 'due', 'duration'), { due: day('2026-11-25'), duration: null });
  });

  it('deleting a parent keeps its children unless the caller includes them', async () => {
    const parent = await engine.createTask(inbox, { title: 'Parent' });
    const child = await engine.createTask(inbox, { title: 'Child', parentId: parent });
    await engine.deleteTask(parent);
    assert.equal(engine.task(parent), undefined);
    assert.equal(engine.task(child)!.parentId, null);
    const second = await engine.createTask(inbox, { title: 'Second', parentId: child });
    await engine.deleteTask(child, { children: 'delete' });
    assert.deepEqual(
      { child: engine.task(child), second: engine.task(second) },
      { child: undefined, second: undefined },
    );
    await rejects(engine.deleteTask(child), 'notFound');
  });

  it('refuses circles of parents', async () => {
    const a = await engine.createTask(inbox, { title: 'a' });
    const b = await engine.createTask(inbox, { title: 'b', parentId: a });
    await rejects(engine.updateTask(a, { parentId: b }), 'invalid');
    await rejects(engine.moveTask(a, { parentId: b }), 'invalid');
    await rejects(engine.updateTask(a, { parentId: a }), 'invalid');
    assert.equal(engine.task(a)!.parentId, null);
  });

  it('moves and deletes a parent with a partly completed series below it', async () => {
    const engine = await lab.open();
    engine.configure({ onCompleteRecurring: 'override' });
    const [inbox] = engine.lists();
    const other = await engine.createList({ name: 'Other' });
    const parent = await engine.createTask(inbox!.id, { title: 'Parent' });
    const dates = { dtstart: Date.UTC(2026, 10, 20, 8), due: Date.UTC(2026, 10, 20, 9), timezone: 'UTC' };
    const series = await engine.createTask(inbox!.id, { title: 'S', parentId: parent, ...dates, rrule: 'FREQ=DAILY' });
    await engine.completeTask(series);
    await engine.moveTask(parent, { listId: other });
    assert.deepEqual(
      engine.rows(other).map(({ parentId, masterId }) => ({ parentId, masterId })),
      [
        { parentId: null, masterId: null },
        { parentId: parent, masterId: null },
        { parentId: parent, masterId: series },
      ],
    );
    await engine.moveTask(series, { listId: inbox!.id });
    assert.deepEqual(
      engine.rows(inbox!.id).map(({ parentId }) => parentId),
      [null, null],
    );
    await engine.moveTask(series, { listId: other, parentId: parent });
    await engine.deleteTask(parent, { children: 'delete' });
    assert.deepEqual(engine.rows(other), []);
    await engine.undo();
    assert.equal(engine.rows(other).length, 3);
  });

  it('moves a whole subtree to another list', async () => {
    const other = await engine.createList({ name: 'Other' });
    const a = await engine.createTask(inbox, { title: 'a' });
    const b = await engine.createTask(inbox, { title: 'b', parentId: a });
    await engine.moveTask(a, { listId: other });
    assert.deepEqual(
      [a, b].map(id => ({ listId: engine.task(id)!.listId, parentId: engine.task(id)!.parentId })),
      [
        { listId: other, parentId: null },
        { listId: other, parentId: a },
      ],
    );
  });

  it('moves a series with a rescheduled occurrence, and puts tasks below and before it, by the row of either', async () => {
    const other = await engine.createList({ name: 'Other' });
    const due = day('2027-12-01');
    const id = await engine.createTask(inbox, { title: 'Water', due, isAllDay: true, rrule: 'FREQ=DAILY' });
    await engine.editOccurrence(id, due, 'this', { due: day('2027-12-03') });
    const moved = engine.rows(inbox).find(row => row.masterId === id)!.id;
    const step = await engine.createTask(inbox, { title: 'Fill the can', parentId: moved });
    const first = await engine.createTask(inbox, { title: 'First' });
    await engine.moveTask(first, { before: moved });
    assert.ok(engine.task(first)!.sortOrder < engine.task(id)!.sortOrder);
    // The row of the occurrence is the one that lists show.
    const shown = () => engine.query('-Fill sort:manual').map(({ task }) => [task.title, task.parentId]);
    await engine.moveTask(moved, { before: first });
    assert.deepEqual(shown(), [
      ['Water', null],
      ['First', null],
    ]);
    await engine.moveTask(moved, { parentId: first });
    assert.deepEqual(shown(), [
      ['Water', first],
      ['First', null],
    ]);
    await engine.moveTask(moved, { parentId: null });
    await engine.moveTask(first, { parentId: moved });
    assert.deepEqual([engine.task(step)!.parentId, engine.task(first)!.parentId], [id, id]);
    await engine.moveTask(moved, { listId: other });
    assert.deepEqual(
      [id, moved, step, first].map(row => engine.task(row)!.listId),
      [other, other, other, other],
    );
    assert.deepEqual([engine.task(moved)!.due, engine.task(moved)!.masterId], [day('2027-12-03'), id]);
    await engine.undo();
    assert.deepEqual(engine.rows(other), []);
  });

  for (const whole of [true, false])
    it(`restores a series ${whole ? 'with' : 'below'} its parent, its changed occurrence too`, async () => {
      const due = day('2027-12-01');
      const top = await engine.createTask(inbox, { title: 'Garden' });
      const id = await engine.createTask(inbox, {
        title: 'Water',
        due,
        isAllDay: true,
        rrule: 'FREQ=DAILY',
        parentId: top,
      });
      await engine.editOccurrence(id, due, 'this', { due: day('2027-12-03') });
      await engine.deleteTask(whole ? top : id, { children: 'delete' });
      await engine.restore((await engine.trash()).map(({ key }) => key));
      const titles = new Map(engine.rows(inbox).map(row => [row.id, row.title]));
      const water = engine.rows(inbox).filter(row => row.title === 'Water' && !row.isDeleted);
      assert.deepEqual(
        water.map(({ parentId }) => titles.get(parentId ?? 0)),
        ['Garden', 'Garden'],
      );
    });

  it('orders siblings as requested', async () => {
    const ids: number[] = [];
    for (const title of ['a', 'b', 'c', 'd']) ids.push(await engine.createTask(inbox, { title }));
    const order = () =>
      [...engine.rows(inbox)]
        .sort((x, y) => x.sortOrder - y.sortOrder || x.id - y.id)
        .map(task => task.title)
        .join('');
    await engine.moveTask(ids[3]!, { before: ids[0] });
    assert.equal(order(), 'dabc');
    await engine.moveTask(ids[0]!, { before: null });
    assert.equal(order(), 'dbca');
    await engine.moveTask(ids[2]!, { before: ids[1] });
    assert.equal(order(), 'dcba');
  });

  it('applies several changes as one step, all or none', async () => {
    const a = await engine.createTask(inbox, { title: 'a' });
    const made = await engine.apply([
      { type: 'create', listId: inbox, input: { title: 'x' } },
      { type: 'complete', id: a },
      { type: 'create', listId: inbox, input: { title: 'y' } },
    ]);
    assert.deepEqual(
      made.map(id => engine.task(id)!.title),
      ['x', 'y'],
    );
    await rejects(
      engine.apply([
        { type: 'delete', id: a },
        { type: 'complete', id: 999_999 },
      ]),
      'notFound',
    );
    assert.equal(engine.task(a)!.status, 2);
    assert.equal(await engine.undo(), true);
    assert.deepEqual(
      engine.rows(inbox).map(task => ({ title: task.title, status: task.status })),
      [{ title: 'a', status: 0 }],
    );
  });

  it('notifies every window that shows the trash if tasks are permanently deleted', async () => {
    const folder = lab.folder();
    const [one, other] = [await lab.open({ folder }), await lab.open({ folder })];
    const id = await one.quickAdd('Gone');
    await one.deleteTask(id);
    await other.refresh();
    const [entry] = await other.trash();
    let heard = 0;
    other.onDidChange(() => heard++);
    await one.purge([entry!.key]);
    await other.refresh();
    assert.equal(heard, 1);
    assert.deepEqual(await other.trash(), []);
  });

  it('restores a deleted task from the trash with its reminders', async () => {
    const id = await engine.createTask(inbox, {
      title: 'Gone',
      due: day('2026-11-25'),
      isAllDay: true,
      alarms: [{ minutesBefore: 30 }],
    });
    await engine.deleteTask(id);
    const [entry] = await engine.trash();
    assert.equal(entry!.task.title, 'Gone');
    const [back] = await engine.restore([entry!.key]);
    assert.deepEqual(
      engine.task(back!)!.alarms.map(alarm => alarm.minutesBefore),
      [30],
    );
    assert.deepEqual(await engine.trash(), []);
  });

  it('deletes the subtasks, too, even in a circle made by another program', async () => {
    const folder = lab.folder();
    engine = await lab.open({ folder });
    const [a, b] = [await engine.createTask(inbox, { title: 'a' }), await engine.createTask(inbox, { title: 'b' })];
    await engine.updateTask(b, { parentId: a });
    await engine.close();
    const store = await openTaskStore({ folder, clock: lab.clock });
    await store.edit({ origin: 'sync' }, tx => tx.updateTask(a, { parentId: b }));
    await store.close();
    engine = await lab.open({ folder });
    await engine.deleteTask(b, { children: 'delete' });
    assert.deepEqual(engine.rows(inbox), []);
    assert.equal((await engine.trash()).length, 2);
  });

  it('moves and deletes subtasks thousands of levels deep, and undoes that', async () => {
    const folder = lab.folder();
    engine = await lab.open({ folder });
    await engine.close();
    const store = await openTaskStore({ folder, clock: lab.clock });
    const levels = 6_000;
    const listId = store.lists()[0]!.id;
    const root = await store.edit({ origin: 'sync' }, tx => {
      let parentId: number | null = null;
      for (let level = 0; level < levels; level++) parentId = tx.insertTask({ listId, uid: `u${level}`, parentId });
      return tx.selectTasks('t.parent_id IS NULL')[0]!.id;
    });
    await store.close();
    engine = await lab.open({ folder });
    const other = await engine.createList({ name: 'Other' });
    const counts = () => ({ here: engine.rows(listId).length, other: engine.rows(other).length });
    await engine.moveTask(root, { listId: other });
    assert.deepEqual(counts(), { here: 0, other: levels });
    await engine.deleteTask(root, { children: 'delete' });
    assert.deepEqual(counts(), { here: 0, other: 0 });
    assert.equal((await engine.trash()).length, levels);
    await engine.undo();
    await engine.undo();
    assert.deepEqual(counts(), { here: levels, other: 0 });
    assert.equal(engine.rows(listId).filter(({ parentId }) => parentId === null).length, 1);
  });

  it('restores a parent with the subtasks that were deleted with it', async () => {
    const parent = await engine.createTask(inbox, { title: 'Parent' });
    const child = await engine.createTask(inbox, { title: 'Child', parentId: parent });
    await engine.createTask(inbox, { title: 'Grandchild', parentId: child });
    const earlier = await engine.createTask(inbox, { title: 'Earlier', parentId: parent });
    await engine.deleteTask(earlier);
    lab.clock.time += 1000;
    await engine.deleteTask(parent, { children: 'delete' });
    const [found] = (await engine.trash()).filter(({ task }) => task.title === 'Parent');
    assert.equal((await engine.restore([found!.key])).length, 3);
    assert.deepEqual(
      engine
        .rows(inbox)
        .map(({ title }) => title)
        .sort(),
      ['Child', 'Grandchild', 'Parent'],
    );
    assert.deepEqual(
      (await engine.trash()).map(({ task }) => task.title),
      ['Earlier'],
    );
    await engine.undo();
    assert.equal(engine.rows(inbox).length, 0);
  });

  it('restores many subtasks of one parent in one pass', async () => {
    const parent = await engine.createTask(inbox, { title: 'Parent' });
    const child = { type: 'create' as const, listId: inbox, input: { title: 'Child', parentId: parent } };
    await engine.apply(Array.from({ length: 99 }, () => child));
    await engine.deleteTask(parent, { children: 'delete' });
    const keys = (await engine.trash()).map(({ key }) => key);
    const { parse } = JSON;
    let reads = 0;
    const counted = (text: string) => {
      const value = parse(text) as { deletedAt?: number } | null;
      const at = value?.deletedAt;
      const get = () => {
        reads++;
        return at;
      };
      return at ? Object.defineProperty(value!, 'deletedAt', { get }) : value;
    };
    Object.assign(JSON, { parse: counted });
    try {
      assert.equal((await engine.restore(keys)).length, 100);
    } finally {
      Object.assign(JSON, { parse });
    }
    assert.ok(reads > 0 && reads < 1000, `${reads} reads`);
  });

  it('restores subtasks below their parent, with it or later', async () => {
    const parent = await engine.createTask(inbox, { title: 'Parent' });
    const child = await engine.createTask(inbox, { title: 'Child', parentId: parent });
    await engine.createTask(inbox, { title: 'Later', parentId: child });
    await engine.deleteTask(parent, { children: 'delete' });
    const keys = new Map((await engine.trash()).map(({ key, task }) => [task.title, key]));
    await engine.restore([keys.get('Child')!, keys.get('Parent')!]);
    await engine.restore([keys.get('Later')!]);
    const rows = engine.rows(inbox);
    const titleOf = (id: number | null) => rows.find(task => task.id === id)?.title;
    assert.deepEqual(
      new Map(rows.map(({ title, parentId }) => [title, titleOf(parentId)])),
      new Map([
        ['Parent', undefined],
        ['Child', 'Parent'],
        ['Later', 'Child'],
      ]),
    );
  });
});

describe('repeating tasks through the engine', () => {
  const lab = engines();
  let engine: DuelineEngine;
  let inbox: number;

  beforeEach(async () => {
    engine = await lab.open();
    inbox = engine.lists()[0]!.id;
  });

  const weekly = { title: 'Water', due: day('2026-11-16'), isAllDay: true, rrule: 'FREQ=WEEKLY' };
  const nextDue = (id: number) => engine.query('show:flat').find(({ task }) => (task.masterId ?? task.id) === id)?.due;

  it('completing shows the next occurrence, and undo restores the first one exactly', async () => {
    const id = await engine.createTask(inbox, weekly);
    const before = engine.rows(inbox);
    assert.equal(nextDue(id), day('2026-11-16'));
    await engine.completeTask(id);
    assert.equal(nextDue(id), day('2026-11-23'));
    assert.equal(await engine.undo(), true);
    assert.deepEqual(engine.rows(inbox), before);
  });

  it('skips, deletes and edits single occurrences', async () => {
    const id = await engine.createTask(inbox, weekly);
    await engine.skipOccurrence(id);
    assert.equal(nextDue(id), day('2026-11-23'));
    await engine.deleteOccurrence(id, day('2026-11-23'));
    assert.equal(nextDue(id), day('2026-11-30'));
    await engine.editOccurrence(id, day('2026-11-30'), 'this', { title: 'Water more', due: day('2026-12-01') });
    const shown = engine.query('water').map(({ task, due }) => ({ title: task.title, due }));
    assert.deepEqual(shown, [{ title: 'Water more', due: day('2026-12-01') }]);
  });

  it('names the series that starts with an occurrence, and no other task that arrives meanwhile', async () => {
    const id = await engine.createTask(inbox, weekly);
    const following = engine.editOccurrence(id, day('2026-11-23'), 'following', { title: 'Water all' });
    await engine.createTask(inbox, { title: 'Meanwhile' });
    assert.equal(engine.task((await following)!)!.title, 'Water all');
    assert.equal(await engine.editOccurrence(id, day('2026-11-16'), 'this', { title: 'Once' }), undefined);
  });

  it('a rule that names days begins on the first of them, whatever its interval', async () => {
    const datesOf = async (rrule: string, dates: object) => {
      const id = await engine.createTask(inbox, { title: 'Water', isAllDay: true, ...dates });
      await engine.setRepeat(id, rrule);
      const { dtstart, due } = engine.task(id)!;
      return [dtstart, due];
    };
    const saturday = { due: day('2026-12-05') };
    assert.deepEqual(await datesOf('FREQ=WEEKLY;INTERVAL=2;BYDAY=MO', saturday), [null, day('2026-12-07')]);
    assert.deepEqual(await datesOf('FREQ=WEEKLY;INTERVAL=2', saturday), [null, day('2026-12-05')]);
    assert.deepEqual(
      await datesOf('FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=1', { ...saturday, dtstart: day('2026-12-03') }),
      [day('2027-01-01'), day('2027-01-03')],
    );
  });

  it('stores no empty rule', async () => {
    const once = { title: 'Water', due: day('2026-12-01'), isAllDay: true };
    const created = await engine.createTask(inbox, { ...once, rrule: '' });
    const set = await engine.createTask(inbox, once);
    await engine.setRepeat(set, '');
    assert.deepEqual([engine.task(created)!.rrule, engine.task(set)!.rrule], [null, null]);
  });

  it('a repeat set on a moved occurrence changes its series', async () => {
    const id = await engine.createTask(inbox, {
      title: 'Water',
      due: day('2027-12-01'),
      isAllDay: true,
      rrule: 'FREQ=DAILY',
    });
    await engine.editOccurrence(id, day('2027-12-01'), 'this', { due: day('2027-12-03') });
    const moved = engine.rows(inbox).find(row => row.masterId === id)!;
    await engine.setRepeat(moved.id, 'FREQ=WEEKLY', 'completion');
    assert.deepEqual(
      { series: engine.task(id)!.rrule, moved: engine.task(moved.id)!.rrule },
      { series: 'FREQ=WEEKLY', moved: null },
    );
    assert.match(engine.task(id)!.unknownProperties ?? '', /REPEAT-FROM/);
    await rejects(engine.updateTask(moved.id, { rrule: 'FREQ=DAILY' }), 'invalid');
    await engine.undo();
    assert.deepEqual(
      { rrule: engine.task(id)!.rrule, due: engine.task(moved.id)!.due },
      { rrule: 'FREQ=DAILY', due: day('2027-12-03') },
    );
    await engine.setRepeat(moved.id, null);
    assert.equal(engine.task(id)!.rrule, null);
  });

  for (const [door, endRepeat] of [
    ['updateTask', (id: number) => engine.updateTask(id, { rrule: null })],
    ['setRepeat', (id: number) => engine.setRepeat(id, null)],
    ['an empty rule', (id: number) => engine.setRepeat(id, '')],
    ['updateTask with an empty rule', (id: number) => engine.updateTask(id, { rrule: '' })],
    ['apply', (id: number) => engine.apply([{ type: 'repeat', id, rrule: null, from: 'due' }])],
  ] as const)
    it(`ending a repeat by ${door} keeps the shown date and what is done, and is undone exactly`, async () => {
      const id = await engine.createTask(inbox, { ...weekly, dtstart: day('2026-11-15') });
      await engine.completeTask(id);
      await engine.editOccurrence(id, day('2026-11-22'), 'this', { title: 'Water more', due: day('2026-11-25') });
      await engine.editOccurrence(id, day('2026-12-06'), 'this', { title: 'Water late' });
      const before = engine.rows(inbox);
      await endRepeat(id);
      const { title, dtstart, due, rrule } = engine.task(id)!;
      const expected = { title: 'Water more', dtstart: day('2026-11-22'), due: day('2026-11-25'), rrule: null };
      assert.deepEqual({ title, dtstart, due, rrule }, expected);
      const lines = (query: string) => engine.query(query).map(line => [line.task.title, line.due]);
      assert.deepEqual(lines('is:open sort:due'), [
        ['Water more', day('2026-11-25')],
        ['Water late', day('2026-12-07')],
      ]);
      assert.deepEqual(lines('is:done'), [['Water', day('2026-11-16')]]);
      await engine.undo();
      assert.deepEqual(engine.rows(inbox), before);
      await engine.redo();
      const late = engine.query('"Water late"')[0]!.task.id;
      await engine.completeTask(late);
      await engine.deleteTask(late);
      assert.deepEqual(lines('is:open'), [['Water more', day('2026-11-25')]]);
      await engine.undo();
      await engine.reopenTask(late);
      await engine.deleteTask(late);
      assert.deepEqual(lines('is:open'), [['Water more', day('2026-11-25')]]);
    });

  it('closes a series that is continued by another one if none of it is open', async () => {
    const id = await engine.createTask(inbox, weekly);
    const other = await engine.createTask(inbox, weekly);
    await engine.completeTask(id);
    await engine.skipOccurrence(other);
    for (const series of [id, other])
      await engine.editOccurrence(series, day('2026-11-23'), 'following', { title: 'Water all' });
    assert.deepEqual([engine.task(id)!.status, engine.task(other)!.status], [2, 3]);
    assert.equal(engine.openCounts().get(inbox), engine.query('is:open', { lists: [inbox] }).length);
    const third = await engine.createTask(inbox, weekly);
    await engine.editOccurrence(third, day('2026-11-23'), 'following', { title: 'Water all' });
    assert.equal(engine.task(third)!.status, 0);
    assert.equal(engine.openCounts().get(inbox), engine.query('is:open', { lists: [inbox] }).length);
  });

  it('accepts dates and a status together with the end of a repeat', async () => {
    const id = await engine.createTask(inbox, weekly);
    await engine.completeTask(id);
    await engine.updateTask(id, { rrule: null, due: weekly.due, status: 2 });
    const { due, status, rrule } = engine.task(id)!;
    assert.deepEqual({ due, status, rrule }, { due: weekly.due, status: 2, rrule: null });
  });

  it('the last of a COUNT closes the series', async () => {
    const id = await engine.createTask(inbox, { ...weekly, rrule: 'FREQ=WEEKLY;COUNT=2' });
    await engine.completeTask(id);
    await engine.completeTask(id);
    assert.equal(engine.task(id)!.status, 2);
    assert.deepEqual(engine.query('water'), []);
  });

  it('closes a series if its last occurrence, which has values of its own, is closed by its status', async () => {
    for (const [patch, status] of [
      [{ status: 2 }, 2],
      [{ percentComplete: 100 }, 2],
      [{ status: 3 }, 3],
    ] as const) {
      const due = day('2026-12-01');
      const id = await engine.createTask(inbox, { title: 'a', due, isAllDay: true, rrule: 'FREQ=DAILY;COUNT=2' });
      await engine.editOccurrence(id, day('2026-12-02'), 'this', { title: 'last' });
      const { id: last } = engine.overridesOf(id)[0]!;
      await engine.skipOccurrence(id);
      await engine.updateTask(last, patch);
      assert.deepEqual([engine.task(last)!.status, engine.task(id)!.status], [status, status]);
      await engine.updateTask(last, { status: 0 });
      await engine.completeTask(last);
      assert.equal(engine.task(last)!.status, 2, 'an open occurrence of a closed series can be completed');
    }
  });

  it('completes by its status what was skipped or cancelled', async () => {
    const id = await engine.createTask(inbox, weekly);
    await engine.skipOccurrence(id);
    const [skipped] = engine.overridesOf(id);
    await engine.updateTask(skipped!.id, { status: 2 });
    assert.deepEqual([engine.task(skipped!.id)!.status, engine.task(id)!.status], [2, 0]);
    await engine.updateTask(id, { status: 3 });
    await engine.updateTask(id, { percentComplete: 100 });
    assert.equal(engine.task(id)!.status, 2);
  });

  it('moves a series on to the dates of its own completed occurrences, and back', async () => {
    for (const distance of [1, -1]) {
      const due = day('2026-11-16');
      const id = await engine.createTask(inbox, { title: 'a', due, isAllDay: true, rrule: 'FREQ=DAILY' });
      for (let count = 0; count < 3; count++) await engine.completeTask(id);
      const done = () =>
        engine
          .overridesOf(id)
          .map(({ recurrenceId }) => (recurrenceId! - due) / 86_400_000)
          .sort((a, b) => a - b);
      await engine.editOccurrence(id, day('2026-11-19'), 'all', { due: day('2026-11-19') + distance * 86_400_000 });
      assert.deepEqual(done(), [distance, distance + 1, distance + 2]);
      await engine.undo();
      assert.deepEqual(done(), [0, 1, 2]);
    }
  });

  it('counts each occurrence of a series once when the last one is done', async () => {
    const id = await engine.quickAdd('Standup every day until tomorrow 15:00');
    const dones = () => [
      engine.query('done:today').length,
      engine.lines('done:today').length,
      engine.widget('done').groups.flatMap(({ items }) => items).length,
      standupOf(engine, 'en')
        .parts.flatMap(({ items }) => items)
        .filter(({ task }) => task.status === 2).length,
    ];
    assert.deepEqual(dones(), [0, 0, 0, 0]);
    await engine.completeTask(id);
    assert.deepEqual(dones(), [1, 1, 1, 1]);
    await engine.completeTask(id);
    assert.equal(engine.task(id)!.status, 2);
    assert.deepEqual(dones(), [2, 2, 2, 2]);
    await engine.reopenTask(id);
    assert.deepEqual(dones(), [1, 1, 1, 1]);
  });

  it('repeats from completion if asked to', async () => {
    const id = await engine.quickAdd('Water plants 3 days after completion');
    await engine.completeTask(id);
    assert.equal(engine.task(id)!.due, day('2026-11-24'));
  });

  it('creates a task in a batch that repeats from its completion', async () => {
    const change = { type: 'create', listId: inbox, input: { ...weekly, rrule: 'FREQ=DAILY;INTERVAL=3' } } as const;
    const [one, other] = await engine.apply([{ ...change, from: 'completion' }, change]);
    await engine.apply([one!, other!].map(id => ({ type: 'complete', id })));
    assert.deepEqual(
      { one: nextDue(one!), other: nextDue(other!) },
      { one: day('2026-11-24'), other: day('2026-11-19') },
    );
    assert.equal(await engine.undo(), true);
  });

  it('deleting a series deletes its occurrences', async () => {
    const id = await engine.createTask(inbox, weekly);
    await engine.completeTask(id);
    await engine.deleteTask(id);
    assert.deepEqual(engine.rows(inbox), []);
  });

  it('finds the reminders of a window', async () => {
    const due = Date.UTC(2026, 10, 21, 12);
    const id = await engine.createTask(inbox, { title: 'Call', due, timezone: 'UTC', alarms: [{ minutesBefore: 10 }] });
    const found = engine.alarmsBetween(due - 3_600_000, due);
    assert.deepEqual(
      found.map(({ fireAt, task }) => ({ fireAt, id: task.id })),
      [{ fireAt: due - 600_000, id }],
    );
    assert.deepEqual(engine.alarmsBetween(due, due + 1), []);
  });
});

describe('import and export through the engine', () => {
  const lab = engines();

  it('exports one list whole, hidden or not, and nothing of another one with its name', async () => {
    const engine = await lab.open();
    const [one, other] = [await engine.createList({ name: 'Tasks' }), await engine.createList({ name: 'Tasks' })];
    const done = await engine.createTask(one, { title: 'Mine and done' });
    await engine.completeTask(done);
    await engine.createTask(other, { title: 'The other list’s' });
    await engine.updateList(one, { isVisible: false });
    assert.deepEqual(
      JSON.parse(engine.exportTasks('json', 'show:done', [one])).tasks.map((task: { title: string }) => task.title),
      ['Mine and done'],
    );
  });

  it('exports a series whole if its next occurrence has values of its own', async () => {
    const engine = await lab.open();
    const inbox = engine.lists()[0]!.id;
    const due = day('2026-11-23');
    const id = await engine.createTask(inbox, { title: 'Water', due, isAllDay: true, rrule: 'FREQ=DAILY' });
    await engine.editOccurrence(id, due, 'this', { title: 'Water twice' });
    for (const query of ['show:done', 'due:..2026-11-24']) {
      const { tasks } = JSON.parse(engine.exportTasks('json', query));
      assert.deepEqual(
        tasks.map(({ title, rrule }: { title: string; rrule: string | null }) => [title, rrule]),
        [
          ['Water', 'FREQ=DAILY'],
          ['Water twice', null],
        ],
      );
      assert.match(engine.exportTasks('markdown', query), /^- \[ \] Water .*FREQ=DAILY/);
    }
  });

  for (const format of ['ics', 'json', 'csv', 'todotxt', 'markdown'] as const)
    it(`imports its own ${format} without duplicates, as one undo step`, async () => {
      const engine = await lab.open();
      const inbox = engine.lists()[0]!.id;
      const parent = await engine.quickAdd('Plan trip tomorrow #travel !high');
      await engine.createTask(inbox, { title: 'Book train', parentId: parent });
      const text = engine.exportTasks(format);
      const other = await engine.createList({ name: 'Copy' });
      const first = await engine.importTasks(format, text, other);
      assert.deepEqual(pick(first, 'created', 'updated', 'skipped'), { created: 2, updated: 0, skipped: [] });
      const again = await engine.importTasks(format, text, other);
      assert.equal(again.created, 0);
      const rows = engine.rows(other);
      assert.deepEqual(rows.map(task => task.title).sort(), ['Book train', 'Plan trip']);
      const [child, root] = [
        rows.find(task => task.title === 'Book train')!,
        rows.find(task => task.title === 'Plan trip')!,
      ];
      if (format !== 'todotxt') assert.equal(child.parentId, root.id);
      // todo.txt names the list it came from as a project, which another list takes as a tag.
      const tags = format === 'todotxt' ? root.tags.filter(tag => tag !== 'Inbox') : root.tags;
      assert.deepEqual(
        { tags, due: root.due, isAllDay: root.isAllDay },
        { tags: ['travel'], due: day('2026-11-22'), isAllDay: true },
      );
      if (again.updated > 0) await engine.undo();
      await engine.undo();
      assert.deepEqual(engine.rows(other), []);
    });

  it('refuses a text that would block the editor for too long, and changes nothing', async () => {
    const engine = await lab.open();
    const list = engine.lists()[0]!.id;
    const large = `One task\n${' '.repeat(32 * 1024 * 1024)}`;
    await assert.rejects(engine.importTasks('todotxt', large, list), {
      kind: 'invalid',
      message: /^This file is 33 MB, but the limit is 32 MB\. Split the file/,
    });
    assert.deepEqual(engine.rows(list), []);
  });

  it('imports a deep chain of subtasks, and drops what would close a circle', async () => {
    const engine = await lab.open();
    const list = engine.lists()[0]!.id;
    const deep = 600;
    const task = (at: number) =>
      ['BEGIN:VTODO', `UID:u${at}`, `SUMMARY:${at}`, `RELATED-TO:u${(at + deep - 1) % deep}`, 'END:VTODO'].join('\r\n');
    const tasks = Array.from({ length: deep }, (_, at) => task(at));
    const text = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//x', ...tasks, 'END:VCALENDAR', ''].join('\r\n');
    await engine.importTasks('ics', text, list);
    const rows = new Map(engine.rows(list).map(row => [row.id, row]));
    const parents = [...rows.values()].map(row => (row.parentId === null ? null : rows.get(row.parentId)!.uid));
    assert.equal(parents.filter(uid => uid === null).length, 1);
    for (const { uid, parentId } of rows.values())
      if (parentId !== null) assert.equal(rows.get(parentId)!.uid, `u${(Number(uid.slice(1)) + deep - 1) % deep}`);
  });

  // If each exception reads all others, this takes minutes.
  it('imports a series with very many exceptions', async () => {
    const engine = await lab.open();
    const days = Array.from({ length: 5000 }, (_, at) => new Date(Date.UTC(2026, 0, 1 + at)).toISOString());
    const exceptions = days.flatMap(day => {
      const id = `RECURRENCE-ID;VALUE=DATE:${day.slice(0, 10).replaceAll('-', '')}`;
      return ['BEGIN:VTODO', 'UID:s', 'SUMMARY:Changed', id, 'END:VTODO'];
    });
    const series = ['BEGIN:VTODO', 'UID:s', 'SUMMARY:s', 'DUE;VALUE=DATE:20260101', 'RRULE:FREQ=DAILY', 'END:VTODO'];
    const text = ['BEGIN:VCALENDAR', ...series, ...exceptions, 'END:VCALENDAR', ''].join('\r\n');
    const list = engine.defaultListId();
    const again = async () => engine.importTasks('ics', text, list);
    const [first, second] = [await again(), await again()];
    assert.deepEqual([first.created, second.created, second.updated], [5001, 0, 0]);
  });

  it('gives tasks new UIDs if another list has theirs, the same ones each time, and keeps subtasks under their parents', async () => {
    const engine = await lab.open();
    const todo = (uid: string, ...lines: string[]) =>
      ['BEGIN:VTODO', `UID:${uid}`, `SUMMARY:${uid}`, ...lines, 'END:VTODO'].join('\r\n');
    const series = ['DTSTART:20261123T090000Z', 'RRULE:FREQ=DAILY'];
    const tasks = [
      todo('Bags'),
      todo('Passport', 'RELATED-TO:Bags'),
      todo('Socks', ...series),
      todo('Socks', 'RECURRENCE-ID:20261124T090000Z', 'STATUS:COMPLETED'),
    ];
    const text = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//x', ...tasks, 'END:VCALENDAR', ''].join('\r\n');
    const [first, second] = [engine.lists()[0]!.id, await engine.createList({ name: 'Second' })];
    for (const list of [first, second]) {
      assert.equal((await engine.importTasks('ics', text, list)).created, 4);
      assert.deepEqual((await engine.importTasks('ics', text, list)).created, 0);
      const rows = engine.rows(list);
      const [bags, passport] = ['Bags', 'Passport'].map(title => rows.find(row => row.title === title)!);
      assert.equal(passport!.parentId, bags!.id);
      const [master, occurrence] = rows.filter(row => row.title === 'Socks');
      assert.deepEqual(pick(occurrence, 'masterId', 'uid'), { masterId: master!.id, uid: master!.uid });
    }
    const [here, there] = [first, second].map(list => new Set(engine.rows(list).map(({ uid }) => uid)));
    assert.deepEqual([...here!].sort(), ['Bags', 'Passport', 'Socks']);
    assert.deepEqual(
      [...there!].filter(uid => here!.has(uid)),
      [],
    );
    for (const { id, masterId } of engine.rows(first)) if (masterId === null) await engine.deleteTask(id);
    assert.equal((await engine.importTasks('ics', text, second)).created, 0, 'its own stay its own');
  });

  it('reports what it skipped', async () => {
    const engine = await lab.open();
    const inbox = engine.lists()[0]!.id;
    const report = await engine.importTasks('ics', 'this is no calendar', inbox);
    assert.deepEqual(
      { created: report.created, updated: report.updated, skipped: report.skipped.length },
      { created: 0, updated: 0, skipped: 1 },
    );
    const vague = 'title,due,repeat\na,whenever,now and then\n,,\n';
    const { skipped, ...counts } = await engine.importReported('csv', vague, inbox);
    assert.deepEqual(counts, { created: 1, updated: 0, left: 1, partly: 1 }, 'a task with two faults is one');
    assert.equal(skipped.length, 3);
  });
});
