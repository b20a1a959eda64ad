import assert from 'node:assert/strict';
import fc from 'fast-check';
import { exportTasks, readImport } from '../../../src/core/exchange/exchange';
import { fieldsOf } from '../../../src/core/exchange/fields';
import type { ExchangeFormat, ImportContext, ImportedTask } from '../../../src/core/exchange/types';
import type { TaskFields } from '../../../src/core/ical/row';
import type { Task } from '../../../src/core/kernel/model';
import type { Clock } from '../../../src/core/time/clock';
import { aTask as aRow } from '../support/series';

const clock: Clock = { now: () => Date.UTC(2026, 10, 18, 9, 30), timeZone: 'Europe/Berlin' };
const into: ImportContext = { clock, listKey: '7', listName: 'Home', locale: 'en-US' };
const out = { clock, listName: () => 'Home' };
const formats: readonly ExchangeFormat[] = ['ics', 'json', 'csv', 'todotxt', 'markdown'];

const aTask = (id: number, patch: Partial<Task> = {}) => aRow({ uid: `uid-${id}`, title: `Task ${id}`, id, ...patch });

const second = fc.integer({ min: 0, max: 4_000_000_000 }).map(n => n * 1000);
const day = fc.integer({ min: 0, max: 40_000 }).map(n => n * 86_400_000);
const words = fc
  .array(fc.stringMatching(/^[a-zA-Zäöüéß0-9*_.,;:"'\\()[\]{}<>|=+-]{1,8}$/u), { minLength: 1, maxLength: 5 })
  .map(list => list.join(' '));
const coding = fc.oneof(
  fc.record({ isAllDay: fc.constant(true), timezone: fc.constant(null), due: day, dtstart: fc.option(day) }),
  fc.record({ isAllDay: fc.constant(false), timezone: fc.constant(null), due: second, dtstart: fc.option(second) }),
  fc.record({
    isAllDay: fc.constant(false),
    timezone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/Los_Angeles', 'Asia/Kolkata'),
    due: second,
    dtstart: fc.option(second),
  }),
  fc.constant({ isAllDay: false, timezone: null, due: null, dtstart: null }),
);

const someTask = fc
  .tuple(
    fc.record({
      title: words,
      description: fc.option(fc.array(words, { minLength: 1, maxLength: 3 }).map(lines => lines.join('\n'))),
      location: fc.option(words),
      url: fc.option(fc.webUrl()),
      tags: fc.uniqueArray(fc.stringMatching(/^[a-z][a-z,;\\ö-]{0,6}$/), { maxLength: 3 }),
      status: fc.constantFrom(0, 1, 3) as fc.Arbitrary<Task['status']>,
      priority: fc.integer({ min: 0, max: 9 }),
      classification: fc.constantFrom(null, 0, 1, 2) as fc.Arbitrary<Task['classification']>,
      sequence: fc.nat(5),
      sortOrder: fc.integer({ min: 1, max: 900_000_000 }),
      createdAt: second,
      lastModified: second,
      alarms: fc.uniqueArray(fc.record({ minutesBefore: fc.integer({ min: 0, max: 5000 }) }), {
        maxLength: 2,
        selector: alarm => alarm.minutesBefore,
      }),
    }),
    coding,
  )
  .map(([texts, dates]) => ({ ...texts, ...dates }));

const forest = fc.array(someTask, { minLength: 1, maxLength: 6 }).map(patches =>
  patches.map(({ alarms, ...patch }, index) =>
    aTask(index + 1, {
      ...patch,
      parentId: index > 0 && index % 2 === 0 ? index : null,
      alarms: alarms.map((alarm, at) => ({
        id: at,
        taskId: index + 1,
        minutesBefore: alarm.minutesBefore,
        reference: 'DUE' as const,
        message: null,
      })),
    }),
  ),
);

const parentsOf = (tasks: readonly Task[]) =>
  new Map(tasks.map(task => [task.uid, task.parentId === null ? null : `uid-${task.parentId}`]));

function roundTrip(format: ExchangeFormat, tasks: readonly Task[]): Map<string, ImportedTask> {
  const { tasks: read, skipped } = readImport(format, exportTasks(format, tasks, out), into);
  assert.deepEqual(skipped, []);
  return new Map(read.map(task => [task.fields.uid, task]));
}

const pick = (fields: Partial<TaskFields>, keys: readonly (keyof TaskFields)[]) =>
  Object.fromEntries(keys.map(key => [key, fields[key]]));

describe('export and import', () => {
  it('keeps every column through json', () => {
    fc.assert(
      fc.property(forest, tasks => {
        const read = roundTrip('json', tasks);
        for (const task of tasks) assert.deepEqual(read.get(task.uid)!.fields, fieldsOf(task));
        assert.deepEqual(new Map([...read].map(([uid, { parentUid }]) => [uid, parentUid])), parentsOf(tasks));
      }),
      { numRuns: 60 },
    );
  });

  it('keeps every column through ics', () => {
    fc.assert(
      fc.property(forest, tasks => {
        const read = roundTrip('ics', tasks);
        for (const task of tasks) {
          const { alarms, unknownProperties, ...fields } = read.get(task.uid)!.fields;
          const { alarms: before, unknownProperties: none, ...expected } = fieldsOf(task);
          assert.deepEqual(fields, expected);
          assert.deepEqual(
            alarms!.map(alarm => alarm.minutesBefore),
            before.map(alarm => alarm.minutesBefore),
          );
        }
        assert.deepEqual(new Map([...read].map(([uid, { parentUid }]) => [uid, parentUid])), parentsOf(tasks));
      }),
      { numRuns: 60 },
    );
  });

  it('writes the other tasks if one has a time outside the calendar', () => {
    const far = { due: Number.MAX_SAFE_INTEGER, dtstart: -Number.MAX_SAFE_INTEGER, completedAt: 9e15, createdAt: 9e15 };
    // A zone's own description goes along, of the years that are known.
    for (const timezone of [null, 'Europe/Berlin'])
      for (const format of formats) {
        const text = exportTasks(format, [aTask(1, { ...far, timezone }), aTask(2)], out);
        assert.ok(
          readImport(format, text, into).tasks.some(({ fields }) => fields.title === 'Task 2'),
          format,
        );
      }
  });

  it('keeps everything that csv has columns for', () => {
    const keys = [
      'title',
      'description',
      'due',
      'dtstart',
      'isAllDay',
      'timezone',
      'tags',
      'status',
      'priority',
      'location',
      'url',
      'createdAt',
    ] as const;
    fc.assert(
      fc.property(forest, tasks => {
        const read = roundTrip('csv', tasks);
        for (const task of tasks) assert.deepEqual(pick(read.get(task.uid)!.fields, keys), pick(task, keys));
        assert.deepEqual(new Map([...read].map(([uid, { parentUid }]) => [uid, parentUid])), parentsOf(tasks));
      }),
      { numRuns: 60 },
    );
  });

  for (const format of ['markdown', 'todotxt'] as const) {
    it(`keeps title, day, state, priority and position in the tree through ${format}`, () => {
      const plain = fc
        .array(
          fc.record({
            title: fc.stringMatching(
              /^[a-zA-Zäöü0-9][a-zA-Zäöü0-9*_.,()[\]#<>\\-]{0,12}( [a-zäöü0-9\\[\]<#*-]{1,8}){0,3}$/u,
            ),
            tags: fc.uniqueArray(fc.stringMatching(/^[a-z]{1,6}$/), { maxLength: 3 }),
            priority: fc.integer({ min: 0, max: 9 }),
            due: fc.option(day),
            status: fc.constantFrom(0, 1, 2, 3) as fc.Arbitrary<Task['status']>,
          }),
          { minLength: 1, maxLength: 6 },
        )
        .map(rows =>
          rows.map((row, index) =>
            aTask(index + 1, {
              ...row,
              isAllDay: row.due !== null,
              parentId: index > 0 && index % 2 === 0 ? index : null,
            }),
          ),
        );
      const keys = ['title', 'tags', 'priority', 'due', 'isAllDay', 'status'] as const;
      fc.assert(
        fc.property(plain, tasks => {
          const usable = tasks.filter(({ title }) => format === 'markdown' || !/(^| )x( |$)/.test(title!));
          const read = roundTrip(format, usable);
          for (const task of usable) assert.deepEqual(pick(read.get(task.uid)!.fields, keys), pick(task, keys));
        }),
        { numRuns: 100 },
      );
    });
  }

  it('never throws, whatever the text', () => {
    const junk = fc.oneof(
      fc.string({ maxLength: 300 }),
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc
        .array(
          fc.constantFrom(
            'BEGIN:VTODO',
            'END:VTODO',
            'BEGIN:VCALENDAR',
            'UID:1',
            '\n',
            '"',
            ',',
            '- [ ] a',
            'due:2026-01-01',
            '{',
            '[',
            'title',
            'DUE:x',
            '`',
          ),
          { maxLength: 30 },
        )
        .map(parts => parts.join('\n')),
    );
    fc.assert(
      fc.property(fc.constantFrom(...formats), junk, (format, text) => {
        const { tasks, skipped } = readImport(format, text, into);
        for (const task of tasks) assert.ok(task.fields.uid !== '' && task.line >= 1);
        for (const reason of skipped) assert.match(reason.text, /^(Line|Task) \d+: /);
      }),
      { numRuns: 500 },
    );
  });

  it('gives the same UIDs when a file is read again after tasks were ticked or dated', () => {
    const before = readImport('markdown', '- [ ] Milk\n- [ ] Milk\n- [ ] Party\n  - [ ] Cake', into);
    const after = readImport('markdown', '- [x] Milk 📅 2026-12-01\n- [ ] Milk\n- [ ] Party #fun\n  - [x] Cake', into);
    assert.deepEqual(
      after.tasks.map(task => task.fields.uid),
      before.tasks.map(task => task.fields.uid),
    );
    assert.equal(new Set(before.tasks.map(task => task.fields.uid)).size, 4);
    const elsewhere = readImport('markdown', '- [ ] Milk', { ...into, listKey: '8' });
    assert.notEqual(elsewhere.tasks[0]!.fields.uid, before.tasks[0]!.fields.uid);
  });
});
