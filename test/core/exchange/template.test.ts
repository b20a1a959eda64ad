import assert from 'node:assert/strict';
import { firstDayFor, restoreTemplates, rowsOfTemplate, templateOf } from '../../../src/core/exchange/template';
import { isWholeTemplate, wholeTemplates } from '../../../src/core/exchange/wholeTemplates';
import type { Task } from '../../../src/core/kernel/model';
import type { TemplateTask } from '../../../src/core/kernel/settings';
import type { Day } from '../../../src/core/time/dates';
import { blankTask } from '../../../src/engine/taskRow';

const zone = 'Europe/Berlin';
const day = (text: string) => Date.parse(`${text}T00:00Z`);
const task = (id: number, more: Partial<Task>): Task => ({ ...blankTask(1, `uid-${id}`, 0), id, ...more });

describe('templates', () => {
  const root = task(1, {
    title: 'Release',
    due: day('2026-12-10'),
    isAllDay: true,
    tags: ['release'],
    priority: 1,
    description: 'Steps\n- [x] tag\n- [ ] notes',
    alarms: [
      { id: 1, taskId: 1, minutesBefore: 30, reference: 'DUE', message: null },
      { id: 2, taskId: 1, minutesBefore: -99, reference: 'ABSOLUTE', message: null },
    ],
  });
  const freeze = task(2, {
    title: 'Freeze',
    parentId: 1,
    due: Date.parse('2026-12-03T08:00Z'),
    timezone: zone,
    status: 2,
    rrule: 'FREQ=DAILY;COUNT=3',
    alarms: [
      {
        id: 3,
        taskId: 2,
        minutesBefore: -Date.parse('2026-12-03T07:15Z') / 60_000,
        reference: 'ABSOLUTE',
        message: null,
      },
    ],
  });
  const check = task(3, {
    title: 'Check',
    parentId: 2,
    dtstart: day('2026-12-04'),
    isAllDay: true,
    rrule: 'FREQ=DAILY;UNTIL=20261206',
    description: '1. [x] first\n> - [X] quoted\ntext [x] stays',
  });
  const all = [root, freeze, check];
  const saved = templateOf('Release', root, id => all.filter(({ parentId }) => parentId === id), zone);

  it('keep the end of a task that has a length in place of a due date', () => {
    const dtstart = Date.parse('2026-12-03T08:00Z');
    const long = task(4, { title: 'Travel', dtstart, duration: 'P1DT2H', timezone: zone });
    const { start, due } = templateOf('Travel', long, () => [], zone);
    assert.deepEqual({ start, due }, { start: '+0d 09:00', due: '+1d 11:00' });
  });

  it('keep a task with its subtasks as not done, with dates relative to the first one', () => {
    assert.deepEqual(saved, {
      name: 'Release',
      title: 'Release',
      notes: 'Steps\n- [ ] tag\n- [ ] notes',
      tags: ['release'],
      priority: 1,
      due: '+7d',
      reminders: [{ minutesBefore: 30, reference: 'DUE', message: null }],
      subtasks: [
        {
          title: 'Freeze',
          due: '+0d 09:00',
          repeat: 'FREQ=DAILY;COUNT=3',
          reminders: [{ minutesBefore: 45, reference: 'DUE', message: null }],
          subtasks: [
            {
              title: 'Check',
              notes: '1. [ ] first\n> - [ ] quoted\ntext [x] stays',
              start: '+1d',
              repeat: 'FREQ=DAILY',
              until: '+3d',
            },
          ],
        },
      ],
    });
  });

  it('become tasks again, parents first, from one day on or up to one', () => {
    const rows = rowsOfTemplate(saved, '2027-03-26' as Day, zone);
    assert.deepEqual(
      rows.map(({ input: { title, due, isAllDay }, parent }) => ({ title, due, isAllDay, parent })),
      [
        { title: 'Release', due: day('2027-04-02'), isAllDay: true, parent: undefined },
        { title: 'Freeze', due: Date.parse('2027-03-26T08:00Z'), isAllDay: false, parent: 0 },
        { title: 'Check', due: undefined, isAllDay: true, parent: 1 },
      ],
    );
    assert.deepEqual(
      rows.map(({ input: { rrule } }) => rrule),
      [undefined, 'FREQ=DAILY;COUNT=3', 'FREQ=DAILY;UNTIL=20270329'],
    );
    const timed = { title: 'Call', due: '+0d 09:00', repeat: 'FREQ=DAILY', until: '+2d' };
    const [call] = rowsOfTemplate(timed, '2027-03-26' as Day, zone);
    assert.equal(call?.input.rrule, 'FREQ=DAILY;UNTIL=20270328T215959Z', 'the whole last day, in summer time by then');
    assert.equal(firstDayFor(saved, '2027-04-02' as Day), '2027-03-26');
  });

  it('survive JSON, and are read as far as possible if written by hand', () => {
    assert.deepEqual(wholeTemplates(JSON.parse(JSON.stringify([saved]))), [saved]);
    const deep = { name: 'Deep', title: 'Deep' } as Record<string, unknown>;
    let at = deep;
    for (let depth = 0; depth < 100; depth++) {
      const next = { title: `${depth}` };
      at.subtasks = [next];
      at = next;
    }
    const strange = [
      null,
      7,
      { title: 'No name' },
      { name: ' ' },
      {
        name: 'Bare',
        title: 5,
        due: 'tomorrow',
        priority: 12,
        tags: 'a',
        reminders: [{ minutesBefore: 'x' }],
        repeat: 'FREQ=SOMETIMES',
        more: 1,
      },
      deep,
    ];
    const [bare, bounded, ...others] = wholeTemplates(strange);
    assert.deepEqual(bare, { name: 'Bare', title: '' });
    const [row] = rowsOfTemplate({ title: 'Late', start: '+3d', due: '+0d' }, '2027-03-26' as Day, zone);
    assert.equal(row?.input.dtstart, undefined, 'a start after the due date');
    assert.equal(row?.input.due, day('2027-03-26'));
    assert.ok(JSON.stringify(bounded).length < 600);
    assert.deepEqual(others, []);
  });

  it('are complete if reading them would drop nothing', () => {
    const wide = (tasks: number) => ({
      title: 'Wide',
      subtasks: Array.from({ length: tasks - 1 }, () => ({ title: 'One' })),
    });
    const deep = (levels: number): TemplateTask =>
      levels === 0 ? { title: 'Last' } : { title: 'Deep', subtasks: [deep(levels - 1)] };
    for (const [task, isWhole] of [
      [wide(1000), true],
      [wide(1001), false],
      [deep(20), true],
      [deep(21), false],
    ] as const) {
      assert.equal(isWholeTemplate(task), isWhole);
      const named = { name: 'One', ...task };
      assert.equal(JSON.stringify(wholeTemplates([named])[0]) === JSON.stringify(named), isWhole);
    }
  });

  it('are removed by name, and the others stay', () => {
    const one = (name: string, title = name) => ({ name, title });
    const [before, now] = [
      [one('A', 'old'), one('B')],
      [one('B2'), one('C'), one('a', 'new')],
    ];
    const isNamed = (name: string) => (it: { name: string }) => it.name.toLowerCase() === name;
    assert.deepEqual(restoreTemplates(now, before, isNamed('a')), [one('A', 'old'), one('B2'), one('C')]);
    assert.deepEqual(restoreTemplates([one('C'), one('D')], [], isNamed('c')), [one('D')]);
    assert.deepEqual(restoreTemplates([one('C')], before, isNamed('b')), [one('C'), one('B')]);
  });
});
