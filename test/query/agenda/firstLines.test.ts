import assert from 'node:assert/strict';
import fc from 'fast-check';
import { momentOf } from '../../../src/core/time/dates';
import { agendaOf } from '../../../src/query/agenda/agenda';
import { onlyParts } from '../../../src/query/agenda/groups';
import { LiveAgenda } from '../../../src/query/agenda/liveAgenda';
import type { WidgetOptions } from '../../../src/query/agenda/types';
import { type WidgetKind, widgetKinds } from '../../../src/query/agenda/widgets';
import type { QueryContext } from '../../../src/query/eval/context';
import { aContext, aFilledStore, type Filled, wednesday } from '../../core/support/filterStore';
import { taskRow } from '../../core/support/randomTasks';

/** Far more than are told apart by their titles, and most of them equal in whatever they are sorted by. */
const count = 2400;

const orders = [
  '',
  'sort:due,priority,title',
  'sort:-due,priority',
  'sort:title',
  'sort:-title,due',
  'sort:start,-title',
  'sort:-created',
  'sort:modified,title',
  'sort:manual',
  'sort:list,urgency,title',
  'sort:urgency',
  'sort:-priority,done',
];
const conditions = ['', 'title', 'café', '-#work', 'is:recurring show:occurrences', 'show:done has:due'];

describe('the first lines of very many tasks', () => {
  let filled: Filled;
  let lists: readonly number[];
  before(async function () {
    this.timeout(60_000);
    filled = await aFilledStore();
    lists = [await filled.list('Work'), await filled.list('Home'), await filled.list('Hidden', { isVisible: false })];
    const odd = fc.sample(taskRow, { numRuns: 300, seed: 7 });
    const usual = Array.from({ length: count }, (_, at) => ({
      title: `title ${at % 40 === 0 ? at : 'same'} ${'abcde'[at % 5]}`,
      due: at % 3 === 0 ? null : wednesday - (wednesday % 86_400_000) + ((at % 4) - 2) * 86_400_000,
      isAllDay: at % 2 === 0,
      priority: at % 7 === 0 ? 1 : 0,
    }));
    for (const [at, list] of lists.entries())
      await filled.tasks(
        list,
        ...[...usual, ...odd].filter((_, which) => which % 3 === at).map(row => ({ ...row, title: row.title ?? '' })),
      );
  });
  after(() => filled.close());

  const contexts: readonly QueryContext[] = [
    aContext(),
    aContext({ zone: 'Pacific/Kiritimati', settings: { dayStartHour: 4 }, locale: 'de-DE' }),
    aContext({ zone: 'Pacific/Honolulu', settings: { sortDefault: 'title' } }),
  ];

  for (const kind of widgetKinds) {
    it(`of ${kind} are those of the complete result`, function () {
      this.timeout(120_000);
      for (const [at, context] of contexts.entries())
        for (const [place, order] of orders.entries()) {
          const filter = `${conditions[(place + at) % conditions.length]} ${order}`.trim();
          const options = { ...(filter && { filter }), ...(place % 4 === 3 && { lists: [lists[2]!, lists[0]!] }) };
          assertSame(kind, { ...options, limit: place % 2 === 0 ? 37 : 1 }, context);
        }
    });
  }

  it('of some parts of Today are those of the complete result', () => {
    const todayIncludes = ['overdue', 'startingToday'] as const;
    const context = aContext({ settings: { todayIncludes } });
    const live = new LiveAgenda(filled.store, () => context);
    const moment = momentOf(context.clock, 0);
    const whole = agendaOf('today', filled.store, {}, context);
    const none = Number.POSITIVE_INFINITY;
    for (const options of [
      { limit: 0 },
      { limit: 3 },
      { limit: 900 },
      {},
      { groupLimit: 2 },
      { limit: 5, groupLimit: 4 },
    ])
      assert.deepEqual(
        live.snapshot('today', options),
        onlyParts(whole, todayIncludes, moment, { limit: none, groupLimit: none, ...options }),
      );
    live.dispose();
  });

  it('stay those of the complete result through edits', async function () {
    this.timeout(60_000);
    const context = aContext();
    const live = new LiveAgenda(filled.store, () => context, filled.store.onDidChange);
    const views: readonly [WidgetKind, WidgetOptions][] = [
      ['today', { limit: 9 }],
      ['today', {}],
      ['today', { groupLimit: 3 }],
      ['lists', { limit: 9 }],
      ['tasks', { limit: 9, filter: 'sort:title' }],
    ];
    for (let round = 0; round < 40; round++) {
      for (const [kind, options] of views)
        assert.deepEqual(live.snapshot(kind, options), fresh(kind, options, context));
      const first = live.snapshot('lists', { limit: 9 }).groups[0]!.items.map(({ task }) => task.id);
      await filled.store.edit({ origin: 'user' }, tx => {
        for (const id of first.slice(0, 1 + (round % 9)))
          if (round % 3 === 0) tx.updateTask(id, { status: 2 });
          else tx.updateTask(id, { title: `title ${round}`, due: round % 2 === 0 ? null : wednesday });
        tx.insertTask({
          listId: lists[round % 2]!,
          uid: `new-${round}`,
          title: 'a',
          due: wednesday - round * 86_400_000,
        });
      });
    }
    live.dispose();
  });

  const fresh = (kind: WidgetKind, options: WidgetOptions, context: QueryContext) =>
    agendaOf(kind, filled.store, options, context);

  function assertSame(kind: WidgetKind, options: WidgetOptions, context: QueryContext): void {
    const live = new LiveAgenda(filled.store, () => context);
    const message = `${kind} ${JSON.stringify(options)} ${context.clock.timeZone}`;
    assert.deepEqual(live.snapshot(kind, options), fresh(kind, options, context), message);
    live.dispose();
  }
});
