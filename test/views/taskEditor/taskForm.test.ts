import assert from 'node:assert/strict';
import type { Task } from '../../../src/core/kernel/model';
import { readFromForm } from '../../../src/shared/readFromForm';
import { commonRules, repeatText } from '../../../src/ui/text/ruleText';
import { durationText, readDuration } from '../../../src/views/taskEditor/durationText';
import { dated, inZone, wallFields, withoutTimes } from '../../../src/views/taskEditor/formDates';

type Dates = Pick<Task, 'due' | 'dtstart' | 'isAllDay' | 'timezone' | 'rrule' | 'rdate'>;
const none: Dates = { due: null, dtstart: null, isAllDay: false, timezone: null, rrule: null, rdate: null };
const berlin = 'Europe/Berlin';
const at = (text: string) => Date.parse(`${text}Z`);

describe('a rule in a form', () => {
  for (const [rule, words] of [
    ['FREQ=DAILY', 'Every day'],
    ['FREQ=DAILY;INTERVAL=3;COUNT=4', 'Every 3 days, 4 times'],
    ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', 'Every weekday'],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH', 'Every 2 weeks on Monday and Thursday'],
    ['FREQ=MONTHLY;BYDAY=-1FR', 'Every month on the last Friday'],
    ['FREQ=MONTHLY;BYDAY=2TU', 'Every month on the second Tuesday'],
    ['FREQ=MONTHLY;BYDAY=-2TU', 'Every month on the second-to-last Tuesday'],
    ['FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU', 'Every year on the last Sunday in March'],
    ['FREQ=MONTHLY;BYDAY=FR;BYSETPOS=-1', 'Every month on the last Friday'],
    ['FREQ=MONTHLY;BYMONTHDAY=-1', 'Every month on the last day'],
    ['FREQ=DAILY;BYHOUR=9', 'FREQ=DAILY;BYHOUR=9'],
    ['FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=3;UNTIL=20300503', 'Every year on May 3 until May 3, 2030'],
    ['FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-1', 'FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-1'],
    ['nonsense', 'nonsense'],
  ] as const)
    it(rule, () => assert.equal(repeatText(rule), words));

  it('says that the next date counts from the completion', () => {
    assert.equal(repeatText('FREQ=DAILY;INTERVAL=3', true), 'Every 3 days after completion');
  });

  it('is offered to suit the day', () => {
    const rules = commonRules('2026-11-21' as never).map(({ rule }) => rule);
    assert.ok(rules.includes('FREQ=WEEKLY;BYDAY=SA'));
    assert.ok(rules.includes('FREQ=MONTHLY;BYMONTHDAY=21'));
    assert.ok(rules.includes('FREQ=MONTHLY;BYDAY=3SA'));
    assert.ok(!rules.includes('FREQ=MONTHLY;BYMONTHDAY=-1'));
    const last = commonRules('2026-11-30' as never).map(({ rule }) => rule);
    assert.ok(last.includes('FREQ=MONTHLY;BYDAY=-1MO') && last.includes('FREQ=MONTHLY;BYMONTHDAY=-1'));
  });
});

describe('durations in a form', () => {
  for (const [text, duration] of [
    ['45m', 'PT45M'],
    ['1h 30m', 'PT1H30M'],
    ['1.5h', 'PT1H30M'],
    ['2d', 'P2D'],
    ['0,5d', 'PT12H'],
    ['pt90m', 'PT90M'],
    [' ', null],
  ] as const)
    it(`reads ${text}`, () => assert.equal(readDuration(text), duration));

  for (const text of ['soon', '5', '1h x', 'P'])
    it(`refuses ${text}`, () => assert.throws(() => readDuration(text), /is not a duration/));

  it('show what they read', () => {
    assert.equal(durationText('P1DT1H30M'), '1d 1h 30m');
    assert.equal(durationText('-PT5M'), '-PT5M');
    assert.equal(durationText(null), '');
  });
});

describe('dates in a form', () => {
  it('a new time is a fixed moment, and in a series in the user’s zone', () => {
    assert.deepEqual(dated('due', '2026-07-01T09:00', none, berlin), {
      due: at('2026-07-01T07:00'),
      isAllDay: false,
      timezone: 'UTC',
    });
    assert.equal(dated('due', '2026-07-01T09:00', { ...none, rrule: 'FREQ=DAILY' }, berlin).timezone, berlin);
  });

  it('a floating task stays floating', () => {
    const floating = { ...none, due: at('2026-07-01T09:00') };
    assert.deepEqual(dated('due', '2026-07-02T10:00', floating, berlin), {
      due: at('2026-07-02T10:00'),
      isAllDay: false,
      timezone: null,
    });
  });

  it('the other date gets the same kind, and is moved along if it would be after the due date', () => {
    const days = { ...none, isAllDay: true, dtstart: at('2026-07-01T00:00'), due: at('2026-07-03T00:00') };
    assert.deepEqual(dated('due', '2026-07-03T17:00', days, 'UTC'), {
      due: at('2026-07-03T17:00'),
      dtstart: at('2026-07-01T00:00'),
      isAllDay: false,
      timezone: 'UTC',
    });
    assert.deepEqual(dated('dtstart', '2026-07-05', days, 'UTC'), {
      dtstart: at('2026-07-05T00:00'),
      due: at('2026-07-05T00:00'),
      isAllDay: true,
      timezone: null,
    });
  });

  it('a day next to a time becomes the edge of its day, and neither date loses its time', () => {
    const due = { ...none, due: at('2026-07-03T17:00'), timezone: 'UTC' };
    const timed = { isAllDay: false, timezone: 'UTC' };
    assert.deepEqual(dated('dtstart', '2026-07-01', due, 'UTC'), {
      dtstart: at('2026-07-01T00:00'),
      due: due.due,
      ...timed,
    });
    const start = { ...none, dtstart: at('2026-07-01T09:00'), timezone: 'UTC' };
    assert.deepEqual(dated('due', '2026-07-03', start, 'UTC'), {
      due: at('2026-07-03T23:59'),
      dtstart: start.dtstart,
      ...timed,
    });
    const day = { ...none, due: at('2026-07-03T00:00'), isAllDay: true };
    assert.deepEqual(dated('dtstart', '2026-07-01T09:00', day, 'UTC'), {
      dtstart: at('2026-07-01T09:00'),
      due: at('2026-07-03T23:59'),
      ...timed,
    });
    const both = { ...start, due: at('2026-07-03T17:00') };
    assert.equal(dated('due', '2026-07-04', both, 'UTC').due, at('2026-07-04T17:00'));
    assert.equal(dated('dtstart', '2026-07-05T09:00', both, 'UTC').due, at('2026-07-05T17:00'));
    assert.equal(dated('due', '2026-07-01', due, 'UTC').isAllDay, true);
  });

  it('both dates lose their times together', () => {
    const both = { ...none, dtstart: at('2026-07-01T22:30'), due: at('2026-07-03T07:00'), timezone: 'UTC' };
    assert.deepEqual(withoutTimes(both, berlin), {
      dtstart: at('2026-07-02T00:00'),
      due: at('2026-07-03T00:00'),
      isAllDay: true,
      timezone: null,
    });
  });

  it('the other date keeps its day before 1970 too', () => {
    const days = { ...none, isAllDay: true, dtstart: at('1969-07-16T00:00'), due: at('1969-07-24T00:00') };
    assert.equal(dated('due', '1969-07-24T16:50', days, 'UTC').dtstart, at('1969-07-16T00:00'));
  });

  it('another zone keeps the wall clock', () => {
    const task = { ...none, due: at('2026-07-01T07:00'), timezone: 'UTC' };
    assert.deepEqual(wallFields(task.due, task, berlin), ['2026-07-01', '09:00']);
    const moved = inZone(task, 'America/New_York', berlin);
    assert.deepEqual(moved, { timezone: 'America/New_York', due: at('2026-07-01T13:00') });
    assert.deepEqual(wallFields(moved.due!, { ...task, ...moved } as Dates, berlin), ['2026-07-01', '09:00']);
    assert.equal(inZone(task, null, berlin).due, at('2026-07-01T09:00'));
  });

  for (const text of ['tomorrow', '2026-02-30', '2026-07-01T25:00'])
    it(`refuses ${text}`, () => assert.throws(() => dated('due', text, none, berlin), /is not a date/));
});

describe('messages of the form', () => {
  it('are accepted only as specified', () => {
    assert.deepEqual(readFromForm({ type: 'field', field: 'title', value: 'x', more: 1 }), {
      type: 'field',
      field: 'title',
      value: 'x',
    });
    const notes = { type: 'field', field: 'notes', value: 'x', base: 'y' };
    assert.deepEqual(readFromForm(notes), notes);
    // Another program may have written more than is taken here: they can be shortened.
    const long = { ...notes, base: 'y'.repeat(1_000_001) };
    assert.deepEqual(readFromForm(long), long);
    const line = {
      type: 'take',
      changes: [{ type: 'addTags', tags: ['a'] }, { type: 'dropLastTag' }, { type: 'dropTag', tag: 'b' }],
    };
    assert.deepEqual(readFromForm(line), line);
    for (const bad of [
      null,
      'ready',
      { type: 'field', field: 'id', value: '1' },
      { type: 'field', field: 'title', value: 1 },
      { type: 'act', act: 'workbench.action.quit' },
      { type: 'suggest', chip: 'repeat', text: 'FREQ=DAILY', request: '1' },
      { type: 'suggest', chip: 'id', text: '', request: 1 },
      { type: 'scope', scope: null },
      { type: 'addTags', tags: [1] },
      { type: 'dropTag' },
      { type: 'repeat', rule: 'FREQ=DAILY', from: 'never' },
      { type: 'open', id: 1.5 },
      { type: 'take', changes: 'all' },
      { type: 'take', changes: [{ type: 'dropLastTag' }, { type: 'open', id: 1 }] },
      { type: 'dropAlarm', alarm: { minutesBefore: 10, reference: 'DUE' } },
    ])
      assert.equal(readFromForm(bad), undefined);
  });
});
