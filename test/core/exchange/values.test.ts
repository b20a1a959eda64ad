import assert from 'node:assert/strict';
import { exportTasks, readImport } from '../../../src/core/exchange/exchange';
import { ImportCollector } from '../../../src/core/exchange/importCollector';
import { maxTasks } from '../../../src/core/exchange/importSize';
import type { ExchangeFormat, ImportContext } from '../../../src/core/exchange/types';
import type { Task } from '../../../src/core/kernel/model';
import type { Clock } from '../../../src/core/time/clock';
import { textsOf } from '../../support/texts';
import { aTask as aRow } from '../support/series';

/** Wednesday, 18 November 2026, 10:30 in Berlin. */
const clock: Clock = { now: () => Date.UTC(2026, 10, 18, 9, 30), timeZone: 'Europe/Berlin' };
const into: ImportContext = { clock, listKey: '7', listName: 'Home', locale: 'en-US' };
const day = (year: number, month: number, date: number) => Date.UTC(year, month - 1, date);

const aTask = (patch: Partial<Task> = {}) => aRow({ title: 'Pay rent', ...patch });

const written = (format: ExchangeFormat, patch: Partial<Task>) => exportTasks(format, [aTask(patch)], { clock });
const read = (format: ExchangeFormat, text: string) => readImport(format, text, into);

describe('csv values', () => {
  const column = (name: string, ...values: string[]) =>
    read('csv', [`title,${name}`, ...values.map(value => `a,"${value}"`)].join('\n')).tasks.map(({ fields }) => fields);

  it('take priorities as letters, numbers and words', () => {
    const found = column('priority', '3', '(b)', 'C', 'urgent', 'mittel', 'baixa', 'whatever', '');
    assert.deepEqual(
      found.map(({ priority }) => priority),
      [3, 2, 3, 1, 5, 9, 0, 0],
    );
  });

  it('take percentages, and nothing else', () => {
    const found = column('percent', '40', '40 %', '400', 'half');
    assert.deepEqual(
      found.map(({ percentComplete }) => percentComplete),
      [40, 40, 100, null],
    );
  });

  it('take states in words', () => {
    const found = column('status', 'Done', 'in progress', 'abgebrochen', 'open');
    assert.deepEqual(
      found.map(({ status }) => status),
      [2, 1, 3, 0],
    );
  });

  it('read a completion date as done if no state is given', () => {
    const found = column('completed', '2026-11-17', 'yes', '');
    assert.deepEqual(
      found.map(({ status, completedAt }) => ({ status, completedAt })),
      [
        { status: 2, completedAt: Date.UTC(2026, 10, 16, 23) },
        { status: 2, completedAt: null },
        { status: 0, completedAt: null },
      ],
    );
  });

  it('take reminders, by default in minutes before the due date', () => {
    const [fields] = column('reminders', '10;START:5;nonsense');
    assert.deepEqual(fields?.alarms, [
      { minutesBefore: 10, reference: 'DUE' },
      { minutesBefore: 5, reference: 'START' },
    ]);
  });

  it('take dates and repeats in words, and report those that they cannot read', () => {
    const text = [
      'title,due,repeat',
      'a,tomorrow 9am,',
      'b,next Friday,',
      'c,whenever,',
      'd,,every Monday',
      'e,2026-11-20,every 2 weeks',
      'f,,now and then',
      'g,,FREQ=NEVER',
      'h,,RRULE:FREQ=DAILY',
    ].join('\n');
    const { tasks, skipped, left, partly } = read('csv', text);
    assert.deepEqual({ left, partly }, { left: 0, partly: 3 });
    assert.deepEqual(
      tasks.map(({ fields }) => ({
        title: fields.title,
        due: fields.due ?? null,
        isAllDay: fields.isAllDay,
        rrule: fields.rrule,
      })),
      [
        { title: 'a', due: Date.UTC(2026, 10, 19, 8), isAllDay: false, rrule: null },
        { title: 'b', due: day(2026, 11, 27), isAllDay: true, rrule: null },
        { title: 'c', due: null, isAllDay: false, rrule: null },
        { title: 'd', due: day(2026, 11, 23), isAllDay: true, rrule: 'FREQ=WEEKLY;BYDAY=MO' },
        { title: 'e', due: day(2026, 11, 20), isAllDay: true, rrule: 'FREQ=WEEKLY;INTERVAL=2' },
        { title: 'f', due: null, isAllDay: false, rrule: undefined },
        { title: 'g', due: null, isAllDay: false, rrule: null },
        { title: 'h', due: null, isAllDay: false, rrule: 'FREQ=DAILY' },
      ],
    );
    assert.equal(skipped.length, 3);
    assert.match(skipped[0]!.text, /Line 4: “whenever” is not a date/);
    assert.match(skipped[1]!.text, /Line 7: “now and then” is not a repeat/);
    assert.match(skipped[2]!.text, /Line 8: the repeat could not be imported/);
  });

  it('take a time after a date in digits as it is written, on a clock of 24 hours', () => {
    const dates = ['2026-11-19 5:30', '2026-11-19 5:30:00', '11/19/2026 5:30', '2026/11/19 5:30', '19.11.2026 5:30'];
    const halfPastFive = Date.UTC(2026, 10, 19, 4, 30);
    assert.deepEqual(
      column('due', ...dates, '11/19/2026 5:30 PM', 'Nov 19 at 5:30').map(({ due }) => due),
      [...dates.map(() => halfPastFive), halfPastFive + 12 * 3_600_000, halfPastFive + 12 * 3_600_000],
    );
    const todoist = (date: string) =>
      read('csv', `TYPE,CONTENT,DATE,DATE_LANG\ntask,a,${date},en`).tasks[0]!.fields.due;
    assert.deepEqual(
      dates.map(todoist),
      dates.map(() => halfPastFive),
    );
    assert.equal(todoist('Nov 19 at 5:30'), halfPastFive + 12 * 3_600_000);
  });

  it('take a zone, an offset, and a day beside a time as the edge of that day', () => {
    const dates = (due: string, start: string, zone: string) => {
      const { fields } = read('csv', `title,due,start,timezone\na,${due},${start},${zone}`).tasks[0]!;
      assert.equal(fields.isAllDay, false);
      return { due: fields.due, start: fields.dtstart, timezone: fields.timezone };
    };
    const nine = Date.UTC(2026, 10, 20, 8);
    assert.deepEqual(dates('2026-11-20T09:00', '', ''), { due: nine, start: null, timezone: 'UTC' });
    assert.deepEqual(dates('2026-11-20T03:00', '', 'America/New_York'), {
      due: nine,
      start: null,
      timezone: 'America/New_York',
    });
    assert.deepEqual(dates('2026-11-20T09:00', '', 'floating'), {
      due: Date.UTC(2026, 10, 20, 9),
      start: null,
      timezone: null,
    });
    assert.deepEqual(dates('2026-11-20T10:00+02:00', '2026-11-20', ''), {
      due: nine,
      start: Date.UTC(2026, 10, 19, 23),
      timezone: 'UTC',
    });
    assert.deepEqual(dates('2026-11-20', '2026-11-20T09:00', ''), {
      due: Date.UTC(2026, 10, 20, 22, 59),
      start: nine,
      timezone: 'UTC',
    });
    assert.deepEqual(dates('2026-02-30', '', ''), { due: null, start: null, timezone: null });
    assert.deepEqual(dates('0999-02-03', '', ''), { due: null, start: null, timezone: null });
  });

  it('write an unknown zone, and one with odd seconds, as an instant', () => {
    const due = (value: number, timezone: string) =>
      written('csv', { due: value, timezone }).split('\r\n')[1]!.split(',')[2];
    assert.equal(due(Date.UTC(2026, 10, 20, 8), 'Mars/Olympus'), '2026-11-20T08:00:00+00:00');
    assert.equal(due(Date.UTC(1880, 0, 1), 'Europe/Berlin'), '1880-01-01T00:00:00Z');
    assert.equal(due(Date.UTC(2026, 10, 20, 8), 'America/New_York'), '2026-11-20T03:00:00-05:00');
  });

  it('lose no task in a circle of parents', () => {
    const circle = [aTask({ id: 1, uid: 'a', parentId: 2 }), aTask({ id: 2, uid: 'b', parentId: 1 })];
    assert.equal(exportTasks('csv', circle, { clock }).trim().split('\r\n').length, 3);
  });

  it('write missing values as empty', () => {
    const [header, row] = written('csv', { title: null, percentComplete: 30 }).split('\r\n');
    const cell = (name: string) => row!.split(',')[header!.split(',').indexOf(name)];
    assert.deepEqual(
      { title: cell('title'), percent: cell('percent'), list: cell('list'), due: cell('due') },
      { title: '', percent: '30', list: '', due: '' },
    );
  });
});

describe('todo.txt values', () => {
  it('write completion, repeat and progress as the format does', () => {
    const times = { createdAt: Date.UTC(2026, 10, 1, 12), completedAt: Date.UTC(2026, 10, 17, 12) };
    assert.match(written('todotxt', { ...times, status: 2, priority: 1 }), /^x 2026-11-17 2026-11-01 Pay rent pri:A /);
    assert.match(written('todotxt', { createdAt: times.createdAt, status: 2 }), /^x Pay rent /);
    assert.match(written('todotxt', { rrule: 'FREQ=WEEKLY;INTERVAL=2' }), / rec:\+2w /);
    assert.match(written('todotxt', { rrule: 'FREQ=MONTHLY' }), / rec:\+1m /);
    assert.match(written('todotxt', { rrule: 'FREQ=WEEKLY;BYDAY=MO' }), / rrule:FREQ=WEEKLY;BYDAY=MO /);
    assert.match(written('todotxt', { percentComplete: 40, status: 1 }), / status:in-process progress:40 /);
    assert.match(written('todotxt', { title: null }), /^uid:uid-1/);
  });

  it('read them back', () => {
    const rule = (text: string) => {
      const [task] = read('todotxt', `a ${text}`).tasks;
      return { rrule: task?.fields.rrule, fromCompletion: task?.fromCompletion };
    };
    assert.deepEqual(rule('rec:+2w'), { rrule: 'FREQ=WEEKLY;INTERVAL=2', fromCompletion: false });
    assert.deepEqual(rule('rec:1m'), { rrule: 'FREQ=MONTHLY', fromCompletion: true });
    assert.deepEqual(rule('rec:1b'), { rrule: 'FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR', fromCompletion: true });
    assert.deepEqual(rule('rec:soon'), { rrule: null, fromCompletion: undefined });
    const progress = (text: string) => read('todotxt', `a ${text}`).tasks[0]?.fields.percentComplete;
    assert.deepEqual(
      { number: progress('progress:40'), word: progress('progress:much'), nothing: progress('') },
      { number: 40, word: null, nothing: null },
    );
  });
});

describe('markdown values', () => {
  it('read dates and repeats by sign, and count from the completion for "when done"', () => {
    const text = [
      '- [ ] Water ➕ 2026-11-01 📅 2026-11-20 🔁 every 3 days when done',
      '- [x] Pay ✅ 2026-11-17 [priority:: low]',
      '- [ ] Odd 🔁 now and then [priority:: constructor]',
    ].join('\n');
    const { tasks } = read('markdown', text);
    assert.deepEqual(
      tasks.map(({ fields, fromCompletion }) => ({ title: fields.title, rrule: fields.rrule, fromCompletion })),
      [
        { title: 'Water', rrule: 'FREQ=DAILY;INTERVAL=3', fromCompletion: true },
        { title: 'Pay', rrule: null, fromCompletion: undefined },
        { title: 'Odd', rrule: null, fromCompletion: undefined },
      ],
    );
    assert.equal(tasks[0]?.fields.createdAt, Date.UTC(2026, 9, 31, 23));
    assert.equal(tasks[1]?.fields.completedAt, Date.UTC(2026, 10, 16, 23));
    assert.deepEqual(
      tasks.map(({ fields }) => fields.priority),
      [0, 7, 0],
    );
  });

  it('write a completion, and tags with spaces in brackets', () => {
    const text = written('markdown', {
      status: 2,
      completedAt: Date.UTC(2026, 10, 17, 12),
      tags: ['home', 'big plans'],
    });
    assert.match(text, /- \[x\] Pay rent #home #\[big plans\].*✅ 2026-11-17/);
    assert.match(written('markdown', { title: null }), /- \[ \]/);
  });

  it('join the lines of a note', () => {
    const { tasks } = read('markdown', '- [ ] Pay\n  first\n  second\n');
    assert.equal(tasks[0]?.fields.description, 'first\nsecond');
  });
});

describe('json values', () => {
  const refused = (file: unknown) => read('json', JSON.stringify(file)).skipped.map(({ text }) => text);

  it('keep an unsupported rule, as every other format does', () => {
    const rules = ['DAILY', 'INTERVAL=2', 'FREQ=FORTNIGHTLY', 'RSCALE=CHINESE;FREQ=YEARLY'];
    const { tasks, skipped } = read('json', JSON.stringify(rules.map(rrule => ({ title: rrule, rrule }))));
    assert.deepEqual(
      tasks.map(({ fields }) => fields.rrule),
      rules,
    );
    assert.deepEqual(skipped, []);
    assert.match(
      refused([{ title: 'a', rrule: 'FREQ=DAILY\r\nX-EVIL:1' }]).join(),
      /“rrule” is not a rule on one line/,
    );
  });

  it('are refused if the file or an entry is invalid', () => {
    assert.match(refused('text')[0]!, /does not contain a list of tasks/);
    assert.match(refused({ tasks: 3 })[0]!, /does not contain a list of tasks/);
    assert.match(refused([{ title: 'a', parentUid: 3 }])[0]!, /Task 1: “parentUid” is not a string/);
    assert.match(refused([{ title: 'a', unknownProperties: 'no list' }])[0]!, /“unknownProperties” is not/);
    assert.match(refused([{ title: 'a', unknownProperties: '[1]' }])[0]!, /“unknownProperties” is not/);
    assert.match(refused([{ title: 'a', due: Number.MAX_SAFE_INTEGER }])[0]!, /“due” is not a time/);
    assert.match(refused(['task'])[0]!, /it is not an object/);
  });

  it('may be a bare list', () => {
    const { tasks } = read('json', JSON.stringify([{ title: 'a', unknownProperties: '["X-A:1"]', parentUid: null }]));
    assert.equal(tasks[0]?.fields.unknownProperties, '["X-A:1"]');
  });
});

describe('todoist values', () => {
  it('skip what is no task, and keep what has no field here', () => {
    const text = [
      'TYPE,CONTENT,PRIORITY,INDENT,DATE,DATE_LANG',
      'note,lost,,,,',
      'section,Later,,,,',
      ',odd,,,,',
      'task,@only,1,1,,',
      'task,Top,9,none,,',
      'note,one,,,,',
      'note,two,,,,',
      'task,Deep,1,4,jeden Montag,de',
      'task,Vague,1,1,sometime,en',
    ].join('\n');
    const { tasks, skipped, left, partly } = read('csv', text);
    assert.deepEqual({ left, partly }, { left: 3, partly: 1 });
    assert.deepEqual(textsOf(skipped), [
      'Line 2: the note does not belong to a task',
      'Line 4: a row without a type is not a task (“odd”)',
      'Line 5: the task has no title',
      'Line 10: “sometime” is not a date; the task was imported without it',
    ]);
    assert.deepEqual(
      tasks.map(({ fields, parentUid }) => ({
        title: fields.title,
        priority: fields.priority,
        rrule: fields.rrule,
        parentUid,
      })),
      [
        { title: 'Top', priority: 0, rrule: undefined, parentUid: null },
        { title: 'Deep', priority: 1, rrule: 'FREQ=WEEKLY;BYDAY=MO', parentUid: tasks[0]?.fields.uid },
        { title: 'Vague', priority: 1, rrule: undefined, parentUid: null },
      ],
    );
    assert.equal(tasks[0]?.fields.description, 'one\n\ntwo');
    assert.deepEqual(tasks[0]?.fields.tags, ['Later']);
  });
});

describe('what no import can read', () => {
  const ignored = { todotxt: '(A) @b\n', csv: ',x\n', markdown: 'words\n', json: '1,' } as const;
  const files = (format: ExchangeFormat, line: string, count: number) =>
    ({
      todotxt: line.repeat(count),
      csv: `title,due\n${line.repeat(count)}`,
      markdown: line.repeat(count),
      json: `[${line.repeat(count)}1]`,
      ics: `BEGIN:VCALENDAR\r\n${line.repeat(count)}END:VCALENDAR\r\n`,
    })[format];

  for (const format of ['todotxt', 'csv', 'markdown', 'json'] as const)
    it(`is reported for the first thousand lines of ${format}, and counted for the others`, () => {
      const { skipped, left } = read(format, files(format, ignored[format], 2_999));
      const all = format === 'json' ? 3_000 : 2_999;
      assert.deepEqual(
        { skipped: skipped.length, last: skipped.at(-1)?.text, left },
        { skipped: 1_001, last: `And ${all - 1_000} more.`, left: all },
      );
    });

  it('is reported for a file of more tasks than fit into memory, while they are read', () => {
    const gathered = new ImportCollector();
    const task = { fields: { uid: 'a' }, line: 1 };
    for (let count = 0; count < maxTasks; count++) gathered.add(task);
    assert.throws(() => gathered.add(task), { kind: 'invalid', message: /Split the file/ });
    const component = 'BEGIN:VTODO\nEND:VTODO\n';
    assert.throws(() => read('ics', `BEGIN:VCALENDAR\n${component.repeat(maxTasks + 1)}END:VCALENDAR`), {
      kind: 'invalid',
    });
  });
});
