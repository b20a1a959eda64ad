import assert from 'node:assert/strict';
import type { DuelineEngine, ExchangeFormat } from '../../src/api';
import type { TaskInput } from '../../src/core/kernel/model';
import { engines } from './support/engine';

const due = Date.UTC(2026, 10, 24, 20, 15, 30);

describe('a file that is imported into the list that it is from', () => {
  const lab = engines();
  let engine: DuelineEngine;
  let inbox: number;

  beforeEach(async () => {
    engine = await lab.open();
    inbox = engine.lists()[0]!.id;
  });

  const add = (input: TaskInput) => engine.createTask(inbox, input);
  const here = () =>
    engine.rows(inbox).map(({ lastModified, alarms, ...row }) => ({
      ...row,
      alarms: alarms.map(({ id, ...alarm }) => alarm),
    }));

  for (const format of ['ics', 'csv', 'todotxt', 'markdown'] satisfies ExchangeFormat[])
    it(`changes nothing that only ${format} writes differently`, async () => {
      const series = await add({
        title: 'Ask @ana about due:2026-01-01',
        due,
        timezone: 'America/New_York',
        rrule: 'FREQ=WEEKLY',
        tags: ['a b', '[x', '1'],
        alarms: [{ minutesBefore: 10, reference: 'START', message: 'Now, please' }],
        color: 0xff123456 | 0,
      });
      await engine.setRepeat(series, 'FREQ=WEEKLY', 'completion');
      await add({ title: '  Floating', due, timezone: null, description: '  two\n\n    lines', parentId: series });
      const before = here();
      const { created, updated } = await engine.importTasks(format, engine.exportTasks(format), inbox);
      assert.deepEqual({ created, updated }, { created: 0, updated: 0 });
      assert.deepEqual(here(), before);
    });

  it('moves a date that it has changed on the clock of the task', async () => {
    const id = await add({ title: 'Call', due, timezone: 'America/New_York', rrule: 'FREQ=WEEKLY' });
    const text = engine.exportTasks('todotxt').replace('due:2026-11-24', 'due:2026-11-25');
    await engine.importTasks('todotxt', text, inbox);
    const { due: moved, timezone } = engine.task(id)!;
    assert.deepEqual({ moved, timezone }, { moved: Date.UTC(2026, 10, 25, 20, 15), timezone: 'America/New_York' });
  });

  const dated = { title: 'Call', due, dtstart: due, timezone: 'Asia/Tokyo' };
  const dropped = { title: 'Call', status: 3, percentComplete: 50 } as const;
  const edits: readonly (readonly [ExchangeFormat, TaskInput, RegExp, string, TaskInput])[] = [
    ['todotxt', { title: 'x Ask @ana \\+1 now', tags: ['a b'] }, /now/, 'later', { title: 'x Ask @ana \\+1 later' }],
    ['markdown', { title: 'Ask now', tags: ['1', '[x', 'a\\,b'] }, /now/, 'later', { title: 'Ask later' }],
    ['todotxt', dated, / t:\S+ ttime:\S+/, '', { dtstart: null }],
    ['markdown', dated, /🛫 \S+ \S+/u, '', { dtstart: null }],
    ['todotxt', dropped, / status:cancelled/, '', { status: 0 }],
    ['csv', dropped, /,cancelled,/, ',needs-action,', { status: 0 }],
    ['ics', dropped, /STATUS:CANCELLED/, 'STATUS:NEEDS-ACTION', { status: 0 }],
  ];
  for (const [format, input, from, to, changes] of edits)
    it(`changes only the ${Object.keys(changes)} if only that is edited in ${format}`, async () => {
      await add(input);
      const before = here();
      await engine.importTasks(format, engine.exportTasks(format).replace(from, to), inbox);
      assert.deepEqual(
        here(),
        before.map(row => ({ ...row, ...changes })),
      );
    });

  it('leaves a start without a column as it is, unless the due date turns into a day', async () => {
    const id = await add({ title: 'Call', due, dtstart: due - 3_600_000, timezone: 'Europe/Berlin' });
    const { uid } = engine.task(id)!;
    const imported = async (day: string) => {
      await engine.importTasks('csv', `uid,title,due\n${uid},Call,${day}\n`, inbox);
      const { dtstart, isAllDay, timezone } = engine.task(id)!;
      return { dtstart, isAllDay, timezone };
    };
    const timed = { dtstart: due - 3_600_000, isAllDay: false, timezone: 'Europe/Berlin' };
    assert.deepEqual(await imported('2026-11-26T10:00:00Z'), timed);
    assert.deepEqual(await imported('2026-11-26'), { dtstart: null, isAllDay: true, timezone: null });
  });
});

describe('a file that is imported elsewhere', () => {
  const lab = engines();

  it('has an occurrence in its series, whichever comes first', async () => {
    const engine = await lab.open();
    const inbox = engine.lists()[0]!.id;
    const first = Date.UTC(2026, 10, 24);
    const id = await engine.createTask(inbox, { title: 'Water', due: first, isAllDay: true, rrule: 'FREQ=DAILY' });
    await engine.editOccurrence(id, first, 'this', { title: 'Water twice' });
    const file = JSON.parse(engine.exportTasks('json'));
    const other = await engine.createList({ name: 'Other' });
    await engine.importTasks('json', JSON.stringify({ ...file, tasks: file.tasks.toReversed() }), other);
    const [master, override] = engine.rows(other).toSorted((a, b) => a.title!.localeCompare(b.title!));
    assert.equal(override?.masterId, master?.id);
  });

  it('has the tasks whose titles look like marks of todo.txt', async () => {
    const engine = await lab.open();
    const inbox = engine.lists()[0]!.id;
    const parent = await engine.createTask(inbox, { title: 'uid:abc one' });
    await engine.createTask(inbox, { title: 'uid:abc parent:x two', parentId: parent });
    const other = await engine.createList({ name: 'Other' });
    await engine.importTasks('todotxt', engine.exportTasks('todotxt'), other);
    const [one, two] = engine.rows(other);
    assert.deepEqual([one?.title, two?.title, two?.parentId], ['uid:abc one', 'uid:abc parent:x two', one?.id]);
  });

  for (const format of ['todotxt', 'markdown'] satisfies ExchangeFormat[])
    it(`has the titles and tags that look like marks of ${format}`, async () => {
      const engine = await lab.open();
      const titles = ['x done', '(A) pri', '2026-01-01 day', 'Ask @ana +1', 'rec:1d #12 [a]', '\\@home \\#a'];
      const tags = format === 'markdown' ? ['1', '[x', '#y', 'a\\,b', 'c]d', '📅'] : ['1', '[x', '#y'];
      for (const title of titles) await engine.createTask(engine.lists()[0]!.id, { title, tags });
      const other = await engine.createList({ name: 'Inbox' });
      await engine.importTasks(format, engine.exportTasks(format), other);
      assert.deepEqual(
        engine.rows(other).map(task => [task.title, task.tags]),
        titles.map(title => [title, tags]),
      );
    });
});
