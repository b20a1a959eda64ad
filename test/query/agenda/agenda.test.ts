import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { NewRow } from '../../../src/core/kernel/rowEdit';
import { defaultSettings } from '../../../src/core/kernel/settings';
import { agendaOf } from '../../../src/query/agenda/agenda';
import { LiveAgenda } from '../../../src/query/agenda/liveAgenda';
import type { WidgetOptions, WidgetSnapshot } from '../../../src/query/agenda/types';
import { type WidgetKind, widgetKinds } from '../../../src/query/agenda/widgets';
import type { QueryContext } from '../../../src/query/eval/context';
import { runQuery } from '../../../src/query/eval/run';
import type { Writer } from '../../../src/store/types';
import { aContext, aFilledStore, at, civil, type Filled, wednesday } from '../../core/support/filterStore';
import { taskRow } from '../../core/support/randomTasks';

const outline = ({ groups }: WidgetSnapshot) =>
  Object.fromEntries(groups.map(group => [group.key, group.items.map(({ task }) => task.title)]));

describe('agenda', () => {
  let filled: Filled;
  beforeEach(async () => {
    filled = await aFilledStore();
  });
  afterEach(() => filled.close());

  it('Today: due today or earlier, or starting today; only open ones', async () => {
    const list = await filled.list('L');
    await filled.tasks(
      list,
      { title: 'late', due: civil('2026-03-10'), isAllDay: true },
      { title: 'all day', due: civil('2026-03-18'), isAllDay: true },
      { title: 'earlier today', due: at('2026-03-18T08:00:00Z'), timezone: 'UTC' },
      { title: 'starts', dtstart: civil('2026-03-18'), due: civil('2026-03-30'), isAllDay: true },
      { title: 'started', dtstart: civil('2026-03-17'), isAllDay: true },
      { title: 'done', due: civil('2026-03-18'), isAllDay: true, status: 2 },
      { title: 'trash', due: civil('2026-03-18'), isAllDay: true, isDeleted: true },
      { title: 'important', due: civil('2026-03-18'), isAllDay: true, priority: 1 },
    );
    const snapshot = agendaOf('today', filled.store, {}, aContext());
    assert.deepEqual(outline(snapshot), {
      overdue: ['late', 'earlier today'],
      today: ['important', 'all day', 'starts'],
    });
    assert.equal(snapshot.openCount, 5);
  });

  it('Up Next: by day, higher priority first, past the chosen days only while there are few tasks', async () => {
    const list = await filled.list('L');
    await filled.tasks(
      list,
      { title: 'past', due: civil('2026-03-10'), isAllDay: true },
      { title: 'far', due: civil('2026-05-01'), isAllDay: true },
      { title: 'tomorrow', due: civil('2026-03-19'), isAllDay: true },
      { title: 'tomorrow!', due: at('2026-03-19T20:00:00Z'), timezone: 'UTC', priority: 2 },
      { title: 'begins', dtstart: civil('2026-03-20'), isAllDay: true },
    );
    assert.deepEqual(outline(agendaOf('upNext', filled.store, {}, aContext())), {
      '2026-03-19': ['tomorrow!', 'tomorrow'],
      '2026-03-20': ['begins'],
      '2026-05-01': ['far'],
    });
    const more = Array.from({ length: 12 }, (_, index) => ({
      title: `n${index}`,
      due: civil('2026-03-21'),
      isAllDay: true,
    }));
    await filled.tasks(list, ...more);
    assert.ok(!('2026-05-01' in outline(agendaOf('upNext', filled.store, {}, aContext()))));
    assert.deepEqual(Object.keys(outline(agendaOf('upNext', filled.store, { limit: 2 }, aContext()))), ['2026-03-19']);
  });

  it('Week: seven days from the first day of the week', async () => {
    const list = await filled.list('L');
    await filled.tasks(
      list,
      { title: 'monday', due: civil('2026-03-16'), isAllDay: true },
      { title: 'sunday', due: civil('2026-03-22'), isAllDay: true },
      { title: 'before', due: civil('2026-03-15'), isAllDay: true },
    );
    const keys = (locale: string) =>
      agendaOf('week', filled.store, {}, aContext({ locale })).groups.map(group => group.key);
    assert.deepEqual(keys('en-GB').slice(0, 1).concat(keys('en-GB').slice(6)), ['2026-03-16', '2026-03-22']);
    assert.equal(keys('en-US')[0], '2026-03-15');
    assert.equal(keys('pt-BR')[0], '2026-03-15');
    assert.equal(keys('de-DE')[0], '2026-03-16');
    assert.equal(keys('ar')[0], '2026-03-14');
    const week = outline(agendaOf('week', filled.store, {}, aContext()));
    assert.deepEqual(week['2026-03-16'], ['monday']);
    assert.deepEqual(week['2026-03-22'], ['sunday']);
    assert.equal(agendaOf('week', filled.store, {}, aContext()).openCount, 2);
  });

  it('Month: six weeks from the one in which the month starts, with every date of a series', async () => {
    const list = await filled.list('L');
    await filled.tasks(
      list,
      { title: 'first', due: civil('2026-02-23'), isAllDay: true },
      { title: 'last', due: civil('2026-04-05'), isAllDay: true },
      { title: 'after', due: civil('2026-04-06'), isAllDay: true },
      { title: 'weekly', due: civil('2026-03-20'), isAllDay: true, rrule: 'FREQ=WEEKLY' },
    );
    const context = aContext({ locale: 'de-DE' });
    const live = new LiveAgenda(filled.store, () => context);
    for (const snapshot of [agendaOf('month', filled.store, {}, context), live.snapshot('month')]) {
      const { groups, openCount } = snapshot;
      assert.equal(groups.length, 42);
      const days = Object.entries(outline(snapshot)).filter(([, titles]) => titles.length > 0);
      assert.deepEqual(Object.fromEntries(days), {
        '2026-02-23': ['first'],
        '2026-03-20': ['weekly'],
        '2026-03-27': ['weekly'],
        '2026-04-03': ['weekly'],
        '2026-04-05': ['last'],
      });
      assert.equal(openCount, 3);
    }
    live.dispose();
  });

  it('Lists: one group per list, hidden ones if chosen; Tasks: a filter with its groups', async () => {
    const work = await filled.list('Work', { sortOrder: 1 });
    const home = await filled.list('Home', { sortOrder: 2 });
    const secret = await filled.list('Secret', { isVisible: false, sortOrder: 3 });
    await filled.tasks(work, { title: 'a', tags: ['x', 'Ärger'] }, { title: 'b', status: 2 });
    await filled.tasks(home, { title: 'c', tags: ['X'] });
    await filled.tasks(secret, { title: 'd' });
    assert.deepEqual(outline(agendaOf('lists', filled.store, {}, aContext())), { [work]: ['a'], [home]: ['c'] });
    assert.deepEqual(outline(agendaOf('lists', filled.store, { lists: [secret, home] }, aContext())), {
      [secret]: ['d'],
      [home]: ['c'],
    });
    const tags = agendaOf('tasks', filled.store, { filter: 'group:tag' }, aContext());
    assert.deepEqual(outline(tags), { arger: ['a'], x: ['a', 'c'] });
    assert.equal(tags.openCount, 2);
    const settings = { filters: [{ id: '1', name: 'Äll of Work', query: '@Work show:done sort:title' }] };
    const saved = agendaOf('tasks', filled.store, { filter: 'all of work' }, aContext({ settings }));
    assert.deepEqual(outline(saved), { all: ['a', 'b'] });
    assert.equal(saved.openCount, 1);
  });

  it('puts an all-day task on its date in every zone', async () => {
    const list = await filled.list('L');
    await filled.tasks(list, { title: 'day', due: civil('2026-03-18'), isAllDay: true });
    const noon = {
      'Pacific/Honolulu': '2026-03-18T22:00:00Z',
      UTC: '2026-03-18T12:00:00Z',
      'Pacific/Kiritimati': '2026-03-17T22:00:00Z',
    };
    for (const [zone, now] of Object.entries(noon)) {
      const context = aContext({ zone, now: at(now) });
      assert.deepEqual(outline(agendaOf('today', filled.store, {}, context)), { overdue: [], today: ['day'] }, zone);
      assert.deepEqual(filled.titles('due:today', context), ['day'], zone);
      assert.deepEqual(filled.titles('due:2026-03-18', context), ['day'], zone);
      assert.deepEqual(filled.titles('due:<2026-03-18 OR due:>2026-03-18 OR is:overdue', context), [], zone);
    }
  });
});

describe('live agenda', () => {
  const views: [WidgetKind, WidgetOptions][] = [
    ['today', {}],
    ['today', { limit: 3 }],
    ['today', { groupLimit: 1 }],
    ['today', { filter: 'title 1 OR !high' }],
    ['today', { filter: 'is:overdue OR due:<+3h' }],
    ['upNext', {}],
    ['upNext', { filter: '-#work sort:title' }],
    ['week', {}],
    ['week', { filter: 'has:child' }],
    ['month', {}],
    ['lists', {}],
    ['lists', { filter: '#work OR due:month', limit: 2 }],
    ['tasks', { filter: 'due:week group:due' }],
    ['tasks', { filter: 'show:done sort:-modified,title limit:4' }],
    ['tasks', { filter: 'is:recurring show:occurrences due:<+9d' }],
    ['tasks', { filter: 'is:deleted OR is:overdue group:priority' }],
    ['tasks', { filter: 'title show:subtasks' }],
  ];

  const queries = [
    '(is:open OR is:subtask) show:done sort:manual',
    'is:open group:tag sort:-due,title limit:3',
    'has:child',
    'title show:subtasks',
  ];

  it('always equals a fresh query', async function () {
    this.timeout(120_000);
    const zones = fc.constantFrom('Pacific/Honolulu', 'UTC', 'Pacific/Kiritimati');
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ act: fc.constant('insert' as const), row: taskRow }) },
      { weight: 4, arbitrary: fc.record({ act: fc.constant('update' as const), which: fc.nat(), row: taskRow }) },
      { weight: 3, arbitrary: fc.record({ act: fc.constant('override' as const), which: fc.nat(), row: taskRow }) },
      { weight: 1, arbitrary: fc.record({ act: fc.constant('delete' as const), which: fc.nat() }) },
      {
        weight: 2,
        arbitrary: fc.record({ act: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 900 }) }),
      },
      { weight: 1, arbitrary: fc.record({ act: fc.constant('hide' as const) }) },
    );
    await fc.assert(
      fc.asyncProperty(
        zones,
        fc.constantFrom(0, 4),
        fc.array(step, { minLength: 3, maxLength: 14 }),
        async (timeZone, hour, steps) => {
          const filled = await aFilledStore();
          try {
            let now = wednesday;
            const settings = { ...defaultSettings, dayStartHour: hour };
            const context: QueryContext = { clock: { now: () => now, timeZone }, settings, locale: 'de-DE' };
            const lists = [await filled.list('Work'), await filled.list('Home')];
            const live = new LiveAgenda(filled.store, () => context, filled.store.onDidChange);
            for (const each of steps) {
              if (each.act === 'wait') now += each.minutes * 60_000;
              else await filled.store.edit({ origin: 'user' }, tx => change(tx, each, lists));
              for (const [kind, options] of views)
                assert.deepEqual(
                  live.snapshot(kind, options),
                  agendaOf(kind, filled.store, options, context),
                  `${kind} ${JSON.stringify(options)}`,
                );
              for (const query of queries) {
                const options = { lists: [lists[0]!] };
                const fresh = runQuery(filled.store, query, { ...context, ...options });
                assert.deepEqual(live.lines(query, options), fresh, query);
              }
            }
            live.dispose();
          } finally {
            await filled.close();
          }
        },
      ),
      { numRuns: 12 },
    );
  });

  it('shows a task once when it becomes overdue in an open view', async () => {
    const filled = await aFilledStore();
    let now = at('2026-03-18T00:00:00Z');
    const context = { ...aContext(), clock: { now: () => now, timeZone: 'UTC' } };
    const live = new LiveAgenda(filled.store, () => context, filled.store.onDidChange);
    const list = await filled.list('L');
    const hours = [1, 2, 3, 4].map(hour => ({
      title: `at ${hour}`,
      due: now + hour * 3_600_000,
      timezone: 'UTC',
    }));
    const [first] = await filled.tasks(list, ...hours);
    const assertFresh = (moment: string) => {
      for (const kind of widgetKinds)
        for (const options of [{}, { limit: 2 }, { filter: 'is:open sort:title', limit: 3 }])
          assert.deepEqual(
            live.snapshot(kind, options),
            agendaOf(kind, filled.store, options, context),
            `${kind} ${JSON.stringify(options)} ${moment}`,
          );
      assert.deepEqual(live.lines('is:open'), runQuery(filled.store, 'is:open', context), moment);
    };
    assertFresh('before');
    now += 90 * 60_000;
    assertFresh('when one is overdue');
    await filled.store.edit({ origin: 'user' }, tx => tx.updateTask(first!, { status: 2 }));
    assertFresh('when it is completed');
    live.dispose();
    await filled.close();
  });

  it('shows tasks that became overdue beyond the limit once more are requested', async () => {
    const filled = await aFilledStore();
    let now = at('2026-03-18T00:00:00Z');
    const context = { ...aContext(), clock: { now: () => now, timeZone: 'UTC' } };
    const live = new LiveAgenda(filled.store, () => context, filled.store.onDidChange);
    const list = await filled.list('L');
    const hours = [1, 2, 3].map(hour => ({ title: `${4 - hour}`, due: now + hour * 3_600_000, timezone: 'UTC' }));
    await filled.tasks(list, ...hours);
    const overdue = (limit: number) =>
      live.snapshot('tasks', { filter: 'sort:title', limit }).groups[0]!.items.map(item => item.isOverdue);
    assert.deepEqual(overdue(1), [false]);
    now += 90 * 60_000;
    assert.deepEqual(overdue(3), [false, false, true]);
    live.dispose();
    await filled.close();
  });

  it('shows a floating task as overdue at once when the clocks skip its time', async () => {
    const filled = await aFilledStore();
    let now = at('2026-03-28T20:00:00Z');
    const clock = { now: () => now, timeZone: 'Europe/Berlin' };
    const context = { ...aContext(), clock };
    const live = new LiveAgenda(filled.store, () => context, filled.store.onDidChange);
    await filled.tasks(await filled.list('L'), { title: 'early', due: civil('2026-03-29T02:30') });
    now = at('2026-03-28T23:30:00Z');
    assert.deepEqual(outline(live.snapshot('today')), { overdue: [], today: ['early'] });
    assert.equal(live.nextBoundary(), at('2026-03-29T01:00:00Z'));
    now = live.nextBoundary();
    assert.deepEqual(outline(live.snapshot('today')), { overdue: ['early'], today: [] });
    live.dispose();
    await filled.close();
  });

  it('lists a task by is:overdue from the moment after its due time', async () => {
    const filled = await aFilledStore();
    let now = at('2026-03-18T15:00:00Z');
    const context = { ...aContext(), clock: { now: () => now, timeZone: 'UTC' } };
    const live = new LiveAgenda(filled.store, () => context, filled.store.onDidChange);
    await filled.tasks(await filled.list('L'), { title: 'soon', due: now, timezone: 'UTC' });
    assert.deepEqual(live.lines('is:overdue'), []);
    assert.equal(live.nextBoundary(), now + 1);
    now = live.nextBoundary();
    assert.equal(live.lines('is:overdue').length, 1);
    live.dispose();
    await filled.close();
  });

  it('includes a large import', async () => {
    const filled = await aFilledStore();
    const live = new LiveAgenda(filled.store, () => context, filled.store.onDidChange);
    const context = aContext();
    const list = await filled.list('L');
    assert.equal(live.snapshot('today').openCount, 0);
    const rows = Array.from({ length: 2500 }, (_, index) => ({
      title: `${index}`,
      due: civil('2026-03-18'),
      isAllDay: true,
    }));
    await filled.tasks(list, ...rows);
    assert.equal(live.snapshot('today').openCount, 2500);
    live.dispose();
    await filled.close();
  });

  it('returns the same lines of a query until one of them changes', async () => {
    const filled = await aFilledStore();
    const live = new LiveAgenda(filled.store, aContextOnce(), filled.store.onDidChange);
    const [one, other] = [await filled.list('One'), await filled.list('Other')];
    const [first] = await filled.tasks(one, { title: 'first' }, { title: 'second' });
    const lines = () => live.lines('sort:title', { lists: [one] });
    const before = lines();
    await filled.tasks(other, { title: 'elsewhere' });
    assert.equal(lines(), before);
    await filled.store.edit({ origin: 'user' }, tx => tx.updateTask(first!, { title: 'third' }));
    assert.deepEqual(
      lines().map(({ task }) => task.title),
      ['second', 'third'],
    );
    assert.equal(lines()[0], before[1]);
    assert.throws(() => live.lines('due:soonish'), { kind: 'query' });
    live.dispose();
    await filled.close();
  });

  it('returns the same snapshot until something in it changes', async () => {
    const filled = await aFilledStore();
    let now = wednesday;
    const context = { ...aContext(), clock: { now: () => now, timeZone: 'UTC' } };
    const live = new LiveAgenda(filled.store, () => context, filled.store.onDidChange);
    const list = await filled.list('L');
    const [soon] = await filled.tasks(list, { title: 'soon', due: at('2026-03-18T15:00:00Z'), timezone: 'UTC' });
    const first = live.snapshot('today');
    assert.deepEqual(outline(first), { overdue: [], today: ['soon'] });
    await filled.tasks(list, { title: 'far', due: at('2026-04-18T15:00:00Z'), timezone: 'UTC' });
    assert.equal(live.snapshot('today'), first);
    assert.equal(live.nextBoundary(), at('2026-03-18T15:00:00Z') + 1);
    now = live.nextBoundary();
    assert.deepEqual(outline(live.snapshot('today')), { overdue: ['soon'], today: [] });
    await filled.store.edit({ origin: 'user' }, tx => tx.updateTask(soon!, { status: 2 }));
    assert.deepEqual(outline(live.snapshot('today')), { overdue: [], today: [] });
    await filled.close();
  });
});

function aContextOnce(): () => QueryContext {
  const context = aContext();
  return () => context;
}

type Step =
  | { act: 'insert'; row: Partial<NewRow> }
  | { act: 'update'; which: number; row: Partial<NewRow> }
  | { act: 'delete'; which: number }
  | { act: 'override'; which: number; row: Partial<NewRow> }
  | { act: 'hide' };

let uid = 0;

function change(tx: Writer, step: Step, lists: readonly number[]): void {
  const ids = tx.select<{ id: number }>('SELECT id FROM tasks ORDER BY id').map(row => row.id);
  const pick = (which: number) => ids[which % ids.length]!;
  if (step.act === 'hide') {
    const list = tx.list(lists[1]!)!;
    tx.updateList(list.id, { isVisible: !list.isVisible });
  } else if (step.act === 'override') {
    const master = tx.selectTasks('t.rrule IS NOT NULL', [], 'ORDER BY t.id')[step.which % 3];
    const start = master?.dtstart ?? master?.due;
    if (!master || start === undefined || start === null) return;
    const recurrenceId = start + (step.which % 5) * 86_400_000;
    if (tx.selectTasks('t.master_id = ? AND t.recurrence_id = ?', [master.id, recurrenceId]).length > 0) return;
    const { listId, uid } = master;
    tx.insertTask({ ...step.row, rrule: null, listId, uid, masterId: master.id, recurrenceId });
  } else if (step.act === 'insert') {
    tx.insertTask({
      ...step.row,
      listId: lists[uid % 2]!,
      uid: `u${uid++}`,
      parentId: ids.length > 0 && uid % 3 === 0 ? pick(uid) : null,
    });
  } else if (ids.length > 0) {
    if (step.act === 'update') tx.updateTask(pick(step.which), step.row);
    else tx.deleteTask(pick(step.which));
  }
}
