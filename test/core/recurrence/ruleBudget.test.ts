import assert from 'node:assert/strict';
import type { Id } from '../../../src/core/kernel/model';
import { alarmsBetween } from '../../../src/core/reminders/alarms';
import { agendaOf } from '../../../src/query/agenda/agenda';
import { LiveAgenda } from '../../../src/query/agenda/liveAgenda';
import type { WidgetSnapshot } from '../../../src/query/agenda/types';
import { aContext, aFilledStore, at, civil, type Filled } from '../support/filterStore';
import { anAlarm, aTask } from '../support/series';

const linesOf = ({ groups }: WidgetSnapshot) => groups.flatMap(({ items }) => items.map(({ task }) => task.title));

describe('tasks that repeat very often', () => {
  let filled: Filled;
  let list: Id;
  beforeEach(async () => {
    filled = await aFilledStore();
    list = await filled.list('L');
  });
  afterEach(() => filled.close());

  const everySecond = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      title: `fast${index}`,
      due: at('2026-03-16T00:00:00Z'),
      timezone: 'UTC',
      rrule: 'FREQ=SECONDLY',
    }));
  const daily = { title: 'daily', due: at('2026-01-01T09:00:00Z'), timezone: 'UTC', rrule: 'FREQ=DAILY' };

  for (const [name, week] of [
    ['a week', () => agendaOf('week', filled.store, {}, aContext())],
    ['a week that stays open', () => new LiveAgenda(filled.store, () => aContext()).snapshot('week')],
    [
      'a query',
      () => new LiveAgenda(filled.store, () => aContext()).snapshot('tasks', { filter: 'show:occurrences due:<=+7d' }),
    ],
  ] as const) {
    it(`leave their further dates out of ${name}, which reports it, and displace no other task`, async () => {
      await filled.tasks(list, ...everySecond(40), daily);
      const shot = week();
      const titles = linesOf(shot);
      assert.ok(titles.length < 100_000, `${titles.length} lines`);
      assert.ok(titles.filter(title => title === 'daily').length >= 7);
      for (const { title } of everySecond(40)) assert.ok(titles.includes(title), title);
      assert.equal(shot.isCut, true);
    });
  }

  it('are shown completely if there is room, and nothing is reported', async () => {
    await filled.tasks(list, { ...daily, title: 'quarter hours', rrule: 'FREQ=MINUTELY;INTERVAL=15' }, daily);
    const live = new LiveAgenda(filled.store, () => aContext());
    const shot = live.snapshot('week');
    assert.equal(linesOf(shot).filter(title => title === 'quarter hours').length, 7 * 96);
    assert.ok(!('isCut' in shot));
  });

  it('are no longer reported once their rule is fixed', async () => {
    const ids = await filled.tasks(list, ...everySecond(12), daily);
    const live = new LiveAgenda(filled.store, () => aContext(), filled.store.onDidChange);
    const views = [['week'], ['tasks', { filter: 'show:occurrences due:<=+7d' }]] as const;
    for (const [kind, options] of views) assert.equal(live.snapshot(kind, options).isCut, true);
    await filled.store.edit({ origin: 'user' }, tx => {
      for (const id of ids) tx.updateTask(id, { rrule: 'FREQ=DAILY' });
    });
    for (const [kind, options] of views) assert.equal(live.snapshot(kind, options).isCut, undefined);
  });

  it('are still shown if their rule is too costly to expand', async () => {
    const never = Array.from({ length: 60 }, (_, index) => ({
      title: `never${index}`,
      due: at('2026-01-01T09:00:00Z'),
      timezone: 'UTC',
      rrule: 'FREQ=DAILY;BYSETPOS=5',
    }));
    await filled.tasks(list, ...never);
    const cut = new Set<Id>();
    const live = new LiveAgenda(filled.store, () => aContext({ onCut: id => cut.add(id) }));
    assert.equal(linesOf(live.snapshot('today')).length, 60);
    assert.ok(cut.size > 0);
  });
});

describe('alarms of tasks that repeat very often', () => {
  const context = { zone: 'UTC', allDayAlarmTime: '09:00' };
  const window = [at('2026-03-18T00:00:00Z'), at('2026-03-19T00:00:00Z')] as const;
  const ordinary = aTask({ id: 9000, due: civil('2026-03-18T12:00'), timezone: 'UTC', alarms: [anAlarm(5)] });
  const weekly = { ...ordinary, id: 9001, due: civil('2024-03-20T12:00'), rrule: 'FREQ=WEEKLY;COUNT=500' };

  for (const [name, tasks] of [
    [
      'since the year 1',
      Array.from({ length: 60 }, (_, id) =>
        aTask({
          id,
          due: Date.parse('0001-01-01T12:00:00Z'),
          timezone: 'UTC',
          rrule: 'FREQ=DAILY;COUNT=999999999',
          alarms: [anAlarm(0)],
        }),
      ),
    ],
    [
      'each second, with hundreds of alarms',
      [
        aTask({
          due: civil('2026-03-18T00:00'),
          timezone: 'UTC',
          rrule: 'FREQ=SECONDLY',
          alarms: Array.from({ length: 300 }, (_, id) => anAlarm(0, { id })),
        }),
      ],
    ],
  ] as const) {
    it(`${name} are skipped, those of other tasks are not`, () => {
      const cut = new Set<Id>();
      const found = alarmsBetween([...tasks, ordinary, weekly], ...window, { ...context, onCut: id => cut.add(id) });
      assert.ok(found.length < 500_000, `${found.length} alarms`);
      assert.deepEqual(
        found.map(({ task }) => task.id).filter(id => id >= 9000),
        [9000, 9001],
      );
      assert.ok(cut.size > 0);
      assert.ok(!cut.has(9001));
    });
  }
});
