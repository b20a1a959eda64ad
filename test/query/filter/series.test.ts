import assert from 'node:assert/strict';
import { agendaOf } from '../../../src/query/agenda/agenda';
import { LiveAgenda } from '../../../src/query/agenda/liveAgenda';
import { runQuery } from '../../../src/query/eval/run';
import { aContext, aFilledStore, at, civil, type Filled } from '../../core/support/filterStore';

describe('filter: recurring tasks', () => {
  let filled: Filled;
  let list: number;
  beforeEach(async () => {
    filled = await aFilledStore();
    list = await filled.list('L');
  });
  afterEach(() => filled.close());

  const days = (query: string) =>
    runQuery(filled.store, query, aContext()).map(
      ({ task, due }) => `${task.title} ${new Date(due!).toISOString().slice(0, 10)}`,
    );
  const occurrence = (day: string) => ({ listId: list, recurrenceId: civil(day), due: civil(day), isAllDay: true });

  it('are shown as their next open occurrence', async () => {
    const [daily] = await filled.tasks(list, {
      title: 'daily',
      uid: 'd',
      due: civil('2026-03-16'),
      isAllDay: true,
      rrule: 'FREQ=DAILY;COUNT=10',
    });
    assert.deepEqual(days(''), ['daily 2026-03-16']);
    await filled.tasks(
      list,
      {
        title: 'was done',
        uid: 'd',
        masterId: daily!,
        ...occurrence('2026-03-16'),
        status: 2,
        completedAt: at('2026-03-16T10:00:00Z'),
      },
      {
        title: 'was done too',
        uid: 'd',
        masterId: daily!,
        ...occurrence('2026-03-17'),
        status: 2,
        completedAt: at('2026-03-17T10:00:00Z'),
      },
    );
    assert.deepEqual(days('due:today'), ['daily 2026-03-18']);
    assert.deepEqual(days('due:<today'), []);
    assert.deepEqual(days('done:week'), ['was done 2026-03-16', 'was done too 2026-03-17']);
    assert.deepEqual(days('is:recurring'), ['daily 2026-03-18']);
    assert.equal(days('due:<=+2d show:occurrences').length, 3);
    assert.equal(days('due:month show:occurrences').length, 8);
  });

  it('are replaced by an open changed occurrence, listed once', async () => {
    const [weekly] = await filled.tasks(list, {
      title: 'weekly',
      uid: 'w',
      due: civil('2026-03-19'),
      isAllDay: true,
      rrule: 'FREQ=WEEKLY',
    });
    await filled.tasks(list, {
      title: 'moved',
      uid: 'w',
      masterId: weekly!,
      ...occurrence('2026-03-19'),
      due: civil('2026-03-18'),
      tags: ['special'],
      priority: 1,
    });
    assert.deepEqual(days(''), ['moved 2026-03-18']);
    assert.deepEqual(days('#special !high due:today'), ['moved 2026-03-18']);
    assert.deepEqual(days('weekly'), []);
    const today = agendaOf('today', filled.store, {}, aContext());
    assert.deepEqual(
      today.groups.map(group => group.items.map(({ task }) => task.title)),
      [[], ['moved']],
    );
    assert.deepEqual(days('show:occurrences due:month'), ['moved 2026-03-18', 'weekly 2026-03-26']);
  });

  it('get a line of their own once they are over, unless a row has their first occurrence', async () => {
    const series = { due: civil('2026-03-16'), isAllDay: true, rrule: 'FREQ=DAILY;COUNT=3', status: 2 } as const;
    const done = { status: 2, completedAt: at('2026-03-18T10:00:00Z') } as const;
    const [whole, excluded, other, deleted] = await filled.tasks(
      list,
      { title: 'whole', uid: 'w', ...series, ...done },
      { title: 'excluded', uid: 'e', ...series, ...done, exdate: 'EXDATE;VALUE=DATE:20260316' },
      { title: 'other', uid: 'o', ...series, ...done },
      { title: 'deleted', uid: 'd', ...series, ...done },
    );
    const rows = [
      { title: 'whole 1', uid: 'w', masterId: whole!, ...occurrence('2026-03-16'), ...done },
      { title: 'whole 3', uid: 'w', masterId: whole!, ...occurrence('2026-03-18'), ...done },
      { title: 'excluded 2', uid: 'e', masterId: excluded!, ...occurrence('2026-03-17'), ...done },
      { title: 'other 2', uid: 'o', masterId: other!, ...occurrence('2026-03-17'), ...done },
      { title: 'deleted 1', uid: 'd', masterId: deleted!, ...occurrence('2026-03-16'), ...done },
    ];
    const ids = await filled.tasks(list, ...rows);
    const expected = ['whole 1', 'whole 3', 'excluded 2', 'other', 'other 2', 'deleted 1'].sort();
    assert.deepEqual(filled.titles('done:today sort:title').sort(), expected);
    assert.deepEqual(filled.titles('is:done whole sort:title'), ['whole 1', 'whole 3']);
    await filled.store.edit({ origin: 'user' }, tx => tx.updateTask(whole!, { description: 'later words' }));
    assert.deepEqual(filled.titles('is:done "later words"'), ['whole'], 'no other row has them');
    await filled.store.edit({ origin: 'user' }, tx => {
      tx.updateTask(ids[0]!, { isDeleted: true });
      tx.updateTask(deleted!, { isDeleted: true });
    });
    assert.deepEqual(filled.titles('is:done sort:title'), ['excluded 2', 'other', 'other 2', 'whole', 'whole 3']);
    assert.deepEqual(filled.titles('is:deleted is:done'), ['deleted']);
  });

  it('expand in the week, one line per day', async () => {
    await filled.tasks(list, {
      title: 'timed',
      dtstart: at('2026-03-02T07:00:00Z'),
      due: at('2026-03-02T08:00:00Z'),
      timezone: 'Europe/Berlin',
      rrule: 'FREQ=WEEKLY;BYDAY=MO,WE',
    });
    const week = agendaOf('week', filled.store, {}, aContext());
    const filledDays = week.groups.filter(group => group.items.length > 0).map(group => group.key);
    assert.deepEqual(filledDays, ['2026-03-16', '2026-03-18']);
    assert.equal(week.openCount, 1);
    const live = new LiveAgenda(filled.store, () => context);
    const context = aContext();
    assert.deepEqual(live.snapshot('week'), agendaOf('week', filled.store, {}, context));
  });

  it('do not disappear without a date or a readable rule', async () => {
    await filled.tasks(
      list,
      { title: 'dateless', rrule: 'FREQ=DAILY' },
      { title: 'odd', due: civil('2026-03-18'), isAllDay: true, rrule: 'FREQ=SOMETIMES' },
    );
    assert.deepEqual(filled.titles(''), ['odd', 'dateless']);
    assert.deepEqual(filled.titles('show:occurrences'), ['odd', 'dateless']);
  });
});
