import assert from 'node:assert/strict';
import { exportTasks, readImport } from '../../../src/core/exchange/exchange';
import type { ImportContext, ImportedTask } from '../../../src/core/exchange/types';
import type { Task } from '../../../src/core/kernel/model';
import type { Clock } from '../../../src/core/time/clock';
import { pick } from '../../support/pick';
import { textsOf } from '../../support/texts';
import { aTask as aRow } from '../support/series';

/** Wednesday, 18 November 2026, 10:30 in Berlin. */
const clock: Clock = { now: () => Date.UTC(2026, 10, 18, 9, 30), timeZone: 'Europe/Berlin' };
const into: ImportContext = { clock, listKey: '7', listName: 'Home chores', locale: 'en-US' };
const out = { clock, listName: () => 'Home chores' };
const day = (year: number, month: number, date: number) => Date.UTC(year, month - 1, date);

const aTask = (id: number, patch: Partial<Task> = {}) => aRow({ uid: `uid-${id}`, title: `Task ${id}`, id, ...patch });

const titles = (tasks: readonly ImportedTask[]) => tasks.map(({ fields }) => fields.title);

describe('ics files', () => {
  it('skip and report a task with more lines than a task can have', () => {
    const whole = 'BEGIN:VTODO\r\nUID:a\r\nSUMMARY:Whole\r\nEND:VTODO\r\n';
    const endless = `BEGIN:VCALENDAR\r\n${whole}BEGIN:VTODO\r\n${'X-A:b\r\n'.repeat(100_000)}`;
    const { tasks, skipped, left } = readImport('ics', endless, into);
    assert.deepEqual(titles(tasks), ['Whole']);
    assert.equal(left, 1);
    assert.match(textsOf(skipped).join('\n'), /^Line 6: the task could not be read$/m);
  });

  it('write overrides, raw lines and one time zone description for all tasks', () => {
    const master = aTask(1, {
      due: Date.UTC(2026, 11, 1, 8),
      dtstart: Date.UTC(2026, 11, 1, 8),
      timezone: 'Europe/Berlin',
      rrule: 'FREQ=DAILY',
      unknownProperties: JSON.stringify(['X-FOO;A=b:c\\,d', 'GEO:1;2']),
    });
    const override = aTask(2, {
      ...master,
      id: 2,
      rrule: null,
      recurrenceId: Date.UTC(2026, 11, 2, 8),
      masterId: 1,
      title: 'Moved',
    });
    const other = aTask(3, {
      due: Date.UTC(2026, 11, 5, 8),
      dtstart: Date.UTC(2026, 11, 5, 8),
      timezone: 'Europe/Berlin',
      rrule: 'FREQ=WEEKLY',
    });
    const text = exportTasks('ics', [master, override, other], out);
    assert.equal(text.match(/BEGIN:VTIMEZONE/g)?.length, 1);
    assert.equal(text.match(/BEGIN:VCALENDAR/g)?.length, 1);
    const { tasks, skipped } = readImport('ics', text, into);
    assert.deepEqual(skipped, []);
    assert.deepEqual(
      tasks.map(({ fields }) => ({
        uid: fields.uid,
        title: fields.title,
        recurrenceId: fields.recurrenceId,
        due: fields.due,
      })),
      [
        { uid: 'uid-1', title: 'Task 1', recurrenceId: null, due: master.due },
        { uid: 'uid-1', title: 'Moved', recurrenceId: override.recurrenceId, due: override.due },
        { uid: 'uid-3', title: 'Task 3', recurrenceId: null, due: other.due },
      ],
    );
    assert.deepEqual(JSON.parse(tasks[0]!.fields.unknownProperties!), ['X-FOO;A=b:c\\,d', 'GEO:1;2']);
  });

  it('report everything that is no task, with its line', () => {
    const text = [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'BEGIN:VEVENT',
      'UID:e',
      'END:VEVENT',
      'BEGIN:VTODO',
      'SUMMARY:No UID',
      'DUE;VALUE=DATE:20261201',
      'END:VTODO',
      'BEGIN:VTODO',
      'UID:b',
      'SUMMARY:Bad due',
      'DUE:tomorrow',
      'END:VTODO',
      'END:VCALENDAR',
    ].join('\n');
    const { tasks, skipped, left, partly } = readImport('ics', text, into);
    assert.deepEqual(titles(tasks), ['No UID', 'Bad due']);
    assert.deepEqual({ left, partly }, { left: 1, partly: 1 }, 'the event, and the task without its date');
    assert.equal(tasks[0]!.fields.due, day(2026, 12, 1));
    assert.match(skipped[0]!.text, /^Line 3: VEVENT/);
    assert.match(skipped[1]!.text, /^Line 13: /);
    assert.equal(readImport('ics', text, into).tasks[0]!.fields.uid, tasks[0]!.fields.uid);
  });

  it('report that there is nothing to read', () => {
    assert.match(readImport('ics', 'hello', into).skipped[0]!.text, /^Line 1: /);
    assert.match(readImport('ics', '', into).skipped[0]!.text, /^Line 1: /);
  });
});

describe('ics files with tasks that do not end', () => {
  const unended = (count: number) => `BEGIN:VCALENDAR\r\n${'BEGIN:VTODO\r\nSUMMARY:a\r\n'.repeat(count)}`;

  it('are read as far as possible if one or a few do not end', () => {
    const { tasks, skipped } = readImport('ics', unended(3), into);
    assert.deepEqual(titles(tasks), ['a']);
    assert.match(textsOf(skipped).join(), /the end of the task “a” is missing/);
  });

  it('are refused at that line, before all is in memory, if many do not end', () => {
    assert.deepEqual(textsOf(readImport('ics', unended(500_000), into).skipped), [
      'Line 200: more than 100 components begin inside one another, so nothing was imported; the lines that end them may be missing',
    ]);
  });
});

describe('json files', () => {
  it('are refused entry by entry', () => {
    const text = JSON.stringify({
      version: 1,
      tasks: [{ title: 'Good', priority: 3 }, { uid: 'x', priority: 12 }, 5, { uid: 'y', due: 1.5 }, {}],
    });
    const { tasks, skipped } = readImport('json', text, into);
    assert.deepEqual(titles(tasks), ['Good']);
    assert.deepEqual(
      skipped.map(({ text }) => text.slice(0, 8)),
      ['Task 2: ', 'Task 3: ', 'Task 4: ', 'Task 5: '],
    );
    assert.match(readImport('json', '{"version":2,"tasks":[]}', into).skipped[0]!.text, /newer/);
  });
});

describe('csv files', () => {
  it('read a quote that is never closed as a character, and keep the rows after it', () => {
    const { tasks, skipped } = readImport('csv', 'Title,Due\r\nA,\r\n"5"" pipe,2026-12-02\r\nC,2026-12-03\r\n', into);
    assert.deepEqual(titles(tasks), ['A', '"5"" pipe', 'C']);
    assert.deepEqual(skipped, []);
  });

  it('escape formulas for spreadsheets, and remove the escape again', () => {
    const text = exportTasks('csv', [aTask(1, { title: '=1+1' }), aTask(2, { title: "'=2" })], out);
    assert.match(text, /^'=1\+1,/m);
    assert.deepEqual(titles(readImport('csv', text, into).tasks), ['=1+1', "'=2"]);
    const blanks = [' ', '\u00a0', '\u3000', '\u200b', '\ufeff', '\u00ad', ' \u00a0 '].map(blank => `${blank}=`);
    for (const sign of ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠', ...blanks]) {
      const guarded = exportTasks('csv', [aTask(1, { title: 'T', description: `${sign}A1` })], out);
      assert.ok(guarded.includes(`'${sign}A1`), JSON.stringify(sign));
      assert.equal(readImport('csv', guarded, into).tasks[0]!.fields.description, `${sign}A1`);
    }
  });

  it('are read with other names, separators and dates', () => {
    const text =
      '\ufeffTask name;Deadline;Labels;Done;Prio\r\n"Buy ""milk""\nand eggs";24.12.2026;a,b;;high\r\nPay;2026-12-31 18:00;;x;\r\n;2026-01-01;;;\r\n';
    const { tasks, skipped } = readImport('csv', text, { ...into, locale: 'en-GB' });
    assert.deepEqual(titles(tasks), ['Buy "milk"\nand eggs', 'Pay']);
    const [milk, pay] = tasks.map(task => task.fields);
    assert.deepEqual(pick(milk, 'due', 'isAllDay', 'tags', 'priority', 'status'), {
      due: day(2026, 12, 24),
      isAllDay: true,
      tags: ['a', 'b'],
      priority: 1,
      status: 0,
    });
    assert.deepEqual(pick(pay, 'due', 'timezone', 'status'), {
      due: Date.UTC(2026, 11, 31, 17),
      timezone: 'UTC',
      status: 2,
    });
    assert.deepEqual(textsOf(skipped), ['Line 5: the task has no title']);
  });

  it('do not change what they have no column for', () => {
    const [task] = readImport('csv', 'uid,title\n1,A\n', into).tasks;
    assert.deepEqual(task!.fields, { uid: '1', title: 'A' });
    assert.equal(task!.parentUid, undefined);
  });

  // If the notes are joined again for each one, this takes minutes.
  it('take any number of notes from Todoist', () => {
    const rows = (count: number, name: string) => `task,${name}\r\n${'note,x\r\nnote,\r\nsection,\r\n'.repeat(count)}`;
    const text = `TYPE,CONTENT,DESCRIPTION\r\n${rows(400_000, 'A')}${rows(2, 'B')}task,C,d\r\nnote,e\r\n`;
    const { tasks } = readImport('csv', text, into);
    assert.equal(tasks[0]!.fields.description!.length, 400_000 * 3 - 2);
    assert.deepEqual(
      tasks.slice(1).map(({ fields }) => fields.description),
      ['x\n\nx', 'd\n\ne'],
    );
  });

  it('read no priority from Todoist that is a word that every object has', () => {
    const { tasks } = readImport('csv', 'TYPE,CONTENT,PRIORITY\ntask,A,constructor\ntask,B,1\n', into);
    assert.deepEqual(
      tasks.map(({ fields }) => fields.priority),
      [0, 1],
    );
  });

  it('keep sections, durations and deadlines from Todoist', () => {
    const text = [
      'TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,DATE,DATE_LANG,DURATION,DURATION_UNIT,DEADLINE,DEADLINE_LANG',
      'meta,view_style=board,,,,,,,,,',
      'task,Write report,,1,1,2026-12-04,en,90,minute,2026-12-11,en',
      'section,This week,,,,,,,,,',
      'task,Call Bob @phone,Ask him,4,1,,,,,2026-12-09,en',
      'task,Find the number,,4,2,,,,None,,',
      'section,Later,,,,,,,,,',
      'task,Ideas,,4,1,2026-12-24,en,1,day,,',
    ].join('\n');
    const { tasks, skipped } = readImport('csv', text, into);
    assert.deepEqual(
      tasks.map(({ fields, lineTexts }) => [fields.title, fields.tags, fields.due, fields.description, lineTexts]),
      [
        ['Write report', [], day(2026, 12, 4), 'DEADLINE 2026-12-11', { estimate: 'PT1H30M' }],
        ['Call Bob', ['phone', 'This week'], day(2026, 12, 9), 'Ask him', undefined],
        ['Find the number', ['This week'], undefined, undefined, undefined],
        ['Ideas', ['Later'], day(2026, 12, 24), undefined, undefined],
      ],
    );
    assert.deepEqual(skipped, []);
  });

  it('read depth, labels, notes and dates in words from Todoist', () => {
    const text = [
      'TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE',
      'section,Garden,,,,,,,,',
      'task,Water plants @home,Not too much,1,1,,,every! 3 days,en,Europe/Berlin',
      'task,Fill can,,4,2,,,jeden Montag um 9 Uhr,de,',
      'note,With rain,,,,,,,,',
      'task,Harvest,,2,1,,,someday soon,en,',
    ].join('\n');
    const { tasks, skipped } = readImport('csv', text, into);
    assert.deepEqual(titles(tasks), ['Water plants', 'Fill can', 'Harvest']);
    const [water, fill, harvest] = tasks;
    assert.deepEqual(
      {
        rrule: water!.fields.rrule,
        fromCompletion: water!.fromCompletion,
        tags: water!.fields.tags,
        priority: water!.fields.priority,
      },
      { rrule: 'FREQ=DAILY;INTERVAL=3', fromCompletion: true, tags: ['home', 'Garden'], priority: 1 },
    );
    assert.equal(fill!.parentUid, water!.fields.uid);
    assert.equal(fill!.fields.description, 'With rain');
    assert.equal(harvest!.parentUid, null);
    assert.deepEqual(
      skipped.map(({ text }) => text.slice(0, 7)),
      ['Line 6:'],
    );
  });
});

describe('todo.txt files', () => {
  it('may be a single line of very many words', () => {
    const title = 'a '.repeat(200_000).trim();
    assert.deepEqual(titles(readImport('todotxt', title, into).tasks), [title]);
  });

  it('may name what every object of JavaScript has', () => {
    const { tasks } = readImport('todotxt', 'Fix constructor:private\n', into);
    assert.deepEqual(titles(tasks), ['Fix constructor:private']);
  });

  it('are read as the format specifies', () => {
    const text = [
      '(A) 2026-11-01 Call Mum +Family @phone due:2026-12-01',
      'x 2026-11-10 2026-11-01 Pay rent pri:B +Home_chores',
      'xylophone lesson t:2026-11-20 rec:1w due:2026-11-27',
      'x (C) Old style',
      'Water rec:+2m note:this at 10:30',
      '',
      'x 2026-11-10',
    ].join('\r\n');
    const { tasks, skipped } = readImport('todotxt', text, into);
    assert.deepEqual(titles(tasks), [
      'Call Mum',
      'Pay rent',
      'xylophone lesson',
      'Old style',
      'Water note:this at 10:30',
      '2026-11-10',
    ]);
    const [mum, rent, lesson, old, water] = tasks.map(task => task.fields);
    assert.deepEqual(pick(mum, 'priority', 'tags', 'due', 'isAllDay'), {
      priority: 1,
      tags: ['Family', 'phone'],
      due: day(2026, 12, 1),
      isAllDay: true,
    });
    assert.deepEqual(pick(rent, 'status', 'priority', 'tags', 'completedAt'), {
      status: 2,
      priority: 2,
      tags: [],
      completedAt: Date.UTC(2026, 10, 9, 23),
    });
    assert.deepEqual(
      { rrule: lesson!.rrule, fromCompletion: tasks[2]!.fromCompletion, dtstart: lesson!.dtstart },
      { rrule: 'FREQ=WEEKLY', fromCompletion: true, dtstart: day(2026, 11, 20) },
    );
    assert.deepEqual(pick(old, 'status', 'priority'), { status: 2, priority: 3 });
    assert.deepEqual(
      { rrule: water!.rrule, fromCompletion: tasks[4]!.fromCompletion },
      { rrule: 'FREQ=MONTHLY;INTERVAL=2', fromCompletion: false },
    );
    assert.deepEqual(skipped, []);
  });
});

describe('markdown files', () => {
  it('nest, carry notes and report other lines', () => {
    const text = [
      '# Plans',
      '',
      '- [ ] Trip #travel 📅 2026-12-01 ⏫',
      '    Bring a map',
      '  - [x] Tickets ✅ 2026-11-10',
      '    1. [/] Seats',
      '\t* [ ] Deep',
      '- plain item',
      '* [-] Dropped [due:: 2026-12-05] \\#notatag',
      '```',
      '- [ ] code',
      '```',
      '- [ ] ',
    ].join('\n');
    const { tasks, skipped } = readImport('markdown', text, into);
    assert.deepEqual(titles(tasks), ['Trip', 'Tickets', 'Seats', 'Deep', 'Dropped #notatag']);
    const [trip, tickets, seats, deep, dropped] = tasks;
    assert.deepEqual(pick(trip!.fields, 'tags', 'due', 'priority', 'description'), {
      tags: ['travel'],
      due: day(2026, 12, 1),
      priority: 2,
      description: 'Bring a map',
    });
    assert.deepEqual(
      { tickets: tickets!.parentUid, seats: seats!.parentUid, deep: deep!.parentUid, dropped: dropped!.parentUid },
      { tickets: trip!.fields.uid, seats: tickets!.fields.uid, deep: tickets!.fields.uid, dropped: null },
    );
    assert.deepEqual(
      { tickets: tickets!.fields.status, seats: seats!.fields.status, dropped: dropped!.fields.status },
      { tickets: 2, seats: 1, dropped: 3 },
    );
    assert.equal(dropped!.fields.due, day(2026, 12, 5));
    assert.deepEqual(
      skipped.map(({ text }) => text.slice(0, 8)),
      ['Line 1: ', 'Line 8: ', 'Line 11:', 'Line 13:'],
    );
  });
});
