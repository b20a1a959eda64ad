import assert from 'node:assert/strict';
import fc from 'fast-check';
import { DuelineError } from '../../src/core/kernel/errors';
import type { EpochMs, Id, TaskInput } from '../../src/core/kernel/model';
import { defaultSettings, type EngineSettings } from '../../src/core/kernel/settings';
import { wallOf } from '../../src/core/time/dates';
import { Queries } from '../../src/engine/queries';
import { TaskCounts } from '../../src/engine/taskCounts';
import { TaskEditor } from '../../src/engine/taskEditor';
import { agendaOf } from '../../src/query/agenda/agenda';
import type { WidgetOptions } from '../../src/query/agenda/types';
import { type WidgetKind, widgetKinds } from '../../src/query/agenda/widgets';
import type { QueryContext } from '../../src/query/eval/context';
import { runQuery } from '../../src/query/eval/run';
import { openTaskStore, type TaskStore } from '../../src/store/taskStore';
import { aFilledStore } from '../core/support/filterStore';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Zones with a moment some hours before their clocks change, and some whose clocks never do. */
const places = [
  ['Europe/Berlin', '2026-03-28T20:00:00Z'],
  ['Europe/Berlin', '2026-10-24T20:00:00Z'],
  ['America/New_York', '2026-03-08T01:00:00Z'],
  ['America/New_York', '2026-11-01T01:00:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T10:00:00Z'],
  ['Africa/Cairo', '2026-04-23T16:00:00Z'],
  ['Asia/Kolkata', '2026-03-10T12:00:00Z'],
  ['Pacific/Kiritimati', '2026-03-10T05:00:00Z'],
  ['UTC', '2026-03-10T00:00:00Z'],
] as const;

const filters = [
  'is:overdue',
  'is:open sort:title',
  'is:open sort:-urgency,title limit:3',
  'due:<+3h',
  'due:today -is:overdue group:due',
  'show:done sort:-modified group:tag',
  'is:recurring show:occurrences due:<+3d',
  'has:child show:subtasks',
];

/** A widget, or the lines of a query in all lists or in the second one. */
type View = readonly ['widget', WidgetKind, WidgetOptions] | readonly ['lines', string, 'all' | 'second'];

const views: readonly View[] = [
  ...widgetKinds.flatMap(kind => [['widget', kind, {}] as const, ['widget', kind, { limit: 2 }] as const]),
  ['widget', 'today', { groupLimit: 1 }],
  ['widget', 'week', { filter: 'is:overdue OR #a' }],
  ['widget', 'upNext', { filter: '#a sort:title' }],
  ...filters.flatMap(filter => [
    ['widget', 'tasks', { filter }] as const,
    ['lines', filter, 'all'] as const,
    ['lines', filter, 'second'] as const,
  ]),
];

/** No more views are kept at a time than these, and Today for the boundary. */
const most = 20;

const rules = ['FREQ=HOURLY', 'FREQ=DAILY', 'FREQ=WEEKLY;COUNT=2', 'FREQ=DAILY;INTERVAL=2;COUNT=3'];

const aTask = fc.record({
  title: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  coding: fc.constantFrom('allDay', 'floating', 'zoned', 'elsewhere'),
  /** Minutes from now. */
  due: fc.option(fc.integer({ min: -60, max: 1800 }), { freq: 8 }),
  hasStart: fc.boolean(),
  rrule: fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, fc.constantFrom(...rules)),
  tags: fc.constantFrom([], ['a'], ['a', 'b']),
  priority: fc.constantFrom(0, 0, 1, 5),
});
type ATask = typeof aTask extends fc.Arbitrary<infer T> ? T : never;

const act = fc.constantFrom(
  ...(['create', 'create', 'complete', 'complete', 'reopen', 'skip', 'delete', 'edit', 'move'] as const),
  ...(['moveOccurrence', 'setRepeat', 'exclude', 'toList', 'hide'] as const),
);
const wait = fc.constantFrom('toDue', 'pastDue', 'toDue', 'pastDue', 'boundary', 'pastBoundary', 'midnight', 'hours');
type Wait = typeof wait extends fc.Arbitrary<infer W> ? W : never;
const number = fc.nat({ max: 999 });
const step = fc.oneof(
  fc.record({ act, which: number, other: number, task: aTask, elsewhere: fc.boolean() }),
  fc.record({ wait, which: number }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;
type Act = Extract<Step, { act: unknown }>;

describe('views that stay open while time passes', () => {
  it('show after every action and every wait what a fresh query shows', async function () {
    this.timeout(300_000);
    const settings = fc.record({
      dayStartHour: fc.constantFrom(0, 0, 4),
      onCompleteRecurring: fc.constantFrom('auto' as const, 'override' as const, 'advance' as const),
      sortDefault: fc.constantFrom('due,priority,title', '-due,priority', 'urgency'),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...places),
        settings,
        fc.shuffledSubarray([...views], { minLength: 8, maxLength: most }),
        fc.array(aTask, { minLength: 3, maxLength: 6 }),
        fc.array(step, { minLength: 6, maxLength: 16 }),
        async ([zone, start], some, shown, tasks, steps) => {
          const window = await OpenWindow.open(zone, Date.parse(start), { ...defaultSettings, ...some });
          try {
            for (const task of tasks) await window.act({ act: 'create', which: 1, other: 1, task, elsewhere: false });
            window.assertFresh(shown, 'at first');
            for (const [at, each] of steps.entries()) {
              if ('wait' in each) window.wait(each.wait, each.which, shown);
              else await window.act(each);
              window.assertFresh(shown, `after step ${at}`);
            }
          } finally {
            await window.close();
          }
        },
      ),
      { numRuns: 20 },
    );
  });
});

class OpenWindow {
  readonly #editorSettings: EngineSettings;
  #uid = 0;

  private constructor(
    readonly clock: { time: EpochMs; readonly timeZone: string; now(): EpochMs },
    readonly context: QueryContext,
    readonly store: TaskStore,
    readonly other: TaskStore,
    readonly lists: readonly Id[],
    readonly queries: Queries,
    readonly counts: TaskCounts,
    readonly closeAll: () => Promise<void>,
  ) {
    this.#editorSettings = context.settings;
  }

  static async open(timeZone: string, start: EpochMs, settings: EngineSettings): Promise<OpenWindow> {
    const clock = { time: start, timeZone, now: () => clock.time };
    const filled = await aFilledStore();
    const other = await openTaskStore({ folder: filled.folder, clock });
    const lists = [await filled.list('One'), await filled.list('Two')];
    await other.refresh();
    const context: QueryContext = { clock, settings, locale: settings.locale, active: () => new Set() };
    const queries = queriesOf(filled.store, context);
    filled.store.onDidChange(change => queries.update(change));
    const counts = new TaskCounts(filled.store);
    const closeAll = async () => {
      queries.dispose();
      counts.dispose();
      await other.close();
      await filled.close();
    };
    return new OpenWindow(clock, context, filled.store, other, lists, queries, counts, closeAll);
  }

  close = () => this.closeAll();

  wait(kind: Wait, which: number, shown: readonly View[]): void {
    const { clock } = this;
    const before = clock.time;
    const boundary = this.queries.nextBoundary();
    if (kind === 'hours') clock.time += (1 + (which % 30)) * hour;
    else if (kind === 'midnight') clock.time += day - (wallOf(clock.time, clock.timeZone) % day) - 1 + (which % 3);
    else if (kind === 'boundary' || kind === 'pastBoundary') clock.time = boundary - (kind === 'boundary' ? 1 : 0);
    else {
      const dues = this.#lines('is:open').flatMap(({ task, due }) => {
        if (due === null || task.isAllDay) return [];
        const time = task.timezone === null ? due + clock.time - wallOf(clock.time, clock.timeZone) : due;
        return time > clock.time ? [time] : [];
      });
      if (dues.length > 0) clock.time = dues.sort((a, b) => a - b)[0]! + (kind === 'pastDue' ? 1 : 0);
    }
    if (kind === 'boundary') {
      const then = clock.time;
      const fresh = () => shown.map(this.#fresh);
      const now = fresh();
      clock.time = before;
      assert.deepEqual(fresh(), now, `what is shown changes between ${before} and ${then}, before the boundary`);
      clock.time = then;
    }
  }

  async act({ elsewhere, ...step }: Omit<Act, 'elsewhere'> & { elsewhere: boolean }): Promise<void> {
    const store = elsewhere ? this.other : this.store;
    try {
      await store.edit({ origin: 'user' }, tx => {
        const editor = new TaskEditor(tx, this.clock, this.#editorSettings, () => `uid-${this.#uid++}`);
        this.#change(editor, step);
      });
    } catch (error) {
      if (!(error instanceof DuelineError)) throw error;
    }
    await this.store.refresh();
    await this.other.refresh();
  }

  #change(editor: TaskEditor, { act, which, other, task }: Omit<Act, 'elsewhere'>): void {
    const { tx } = editor;
    const lines = runQuery(tx, 'sort:manual', { ...this.context, isVisible: () => true });
    const line = lines[which % Math.max(1, lines.length)];
    const parent = tx.selectTasks(
      't.parent_id IS NULL AND t.master_id IS NULL AND t.is_deleted = 0',
      [],
      'ORDER BY t.id',
    )[other % 9];
    if (act === 'hide') {
      const list = tx.list(this.lists[1]!)!;
      tx.updateList(list.id, { isVisible: !list.isVisible });
    } else if (act === 'create' || !line) {
      const listId = other % 4 === 0 && parent ? parent.listId : this.lists[other % 2]!;
      const parentId = other % 4 === 0 && parent ? parent.id : null;
      editor.create(listId, { ...this.#input(task), parentId });
    } else {
      const { id, masterId } = line.task;
      const series = masterId ?? id;
      const occurrence = line.dtstart ?? line.due ?? 0;
      const { due, dtstart, title, priority } = this.#input(task);
      if (act === 'complete') editor.complete(id, other % 2 === 0 ? {} : { occurrence });
      else if (act === 'reopen') this.#reopenOne(editor, which);
      else if (act === 'skip') editor.skip(series);
      else if (act === 'delete') editor.delete(series, other % 2 === 0 ? 'keep' : 'delete');
      else if (act === 'edit') editor.update(id, { title: title!, priority: priority! });
      else if (act === 'move') editor.update(id, { due: due ?? null, ...(dtstart && { dtstart }) });
      else if (act === 'moveOccurrence')
        editor.editOccurrence(series, occurrence, (['this', 'following', 'all'] as const)[other % 3]!, {
          title: title!,
          due: due ?? null,
        });
      else if (act === 'setRepeat') editor.setRepeat(id, task.rrule, other % 3 === 0 ? 'completion' : 'due');
      else if (act === 'exclude') editor.exclude(series, occurrence);
      else if (act === 'toList') editor.touch(line.task, { listId: this.lists[other % 2]! });
    }
  }

  #reopenOne(editor: TaskEditor, which: number): void {
    const closed = editor.tx.selectTasks('t.status > 1 AND t.is_deleted = 0', [], 'ORDER BY t.id');
    const task = closed[which % Math.max(1, closed.length)];
    if (task) editor.reopen(task.id);
  }

  #input({ title, coding, due: minutes, hasStart, rrule, tags, priority }: ATask): TaskInput {
    const { time, timeZone } = this.clock;
    const own = { title, tags, priority, rrule: minutes === null ? null : rrule };
    if (minutes === null) return own;
    const instant = Math.floor(time / minute + minutes) * minute;
    const wall = wallOf(instant, timeZone);
    const dates =
      coding === 'allDay'
        ? { due: Math.floor(wall / day) * day, isAllDay: true, timezone: null }
        : coding === 'floating'
          ? { due: wall, timezone: null }
          : { due: instant, timezone: coding === 'zoned' ? timeZone : 'America/Los_Angeles' };
    return { ...own, ...dates, ...(hasStart && { dtstart: dates.due - (coding === 'allDay' ? day : hour) }) };
  }

  #kept = (view: View) =>
    view[0] === 'widget'
      ? this.queries.widget(view[1], view[2])
      : this.queries.lines(view[1], view[2] === 'all' ? {} : { lists: [this.lists[1]!] });

  #fresh = (view: View) =>
    view[0] === 'widget'
      ? agendaOf(view[1], this.store, view[2], this.context)
      : this.#lines(view[1], view[2] === 'all' ? {} : { lists: [this.lists[1]!] });

  #lines = (query: string, options: { lists?: readonly Id[] } = {}) =>
    runQuery(this.store, query, { ...this.context, ...options });

  assertFresh(shown: readonly View[], when: string): void {
    const { clock, store, context, queries, counts } = this;
    const message = (subject: unknown) =>
      `${JSON.stringify(subject)} ${when}, ${clock.timeZone} ${new Date(clock.time).toISOString()}`;
    for (const view of shown) assert.deepEqual(this.#kept(view), this.#fresh(view), message(view));
    const fresh = queriesOf(store, context);
    assert.deepEqual(queries.childProgress(), fresh.childProgress(), message('childProgress'));
    fresh.dispose();
    const counted = new TaskCounts(store);
    for (const count of ['open', 'done', 'tags'] as const)
      assert.deepEqual(counts[count](), counted[count](), message(count));
    counted.dispose();
  }
}

const queriesOf = (store: TaskStore, context: QueryContext) =>
  new Queries(
    store,
    context.clock,
    () => context.settings,
    {
      snoozed: () => new Set(),
      done: () => [],
      active: () => new Set(),
      claimed: () => new Map(),
      codeLocations: () => ({}),
    },
    undefined,
    () => {},
  );
