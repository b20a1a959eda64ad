import assert from 'node:assert/strict';
import type { DuelineEngine, ExchangeFormat } from '../../src/api';
import { templateOf } from '../../src/core/exchange/template';
import { wholeTemplates } from '../../src/core/exchange/wholeTemplates';
import { openOccurrences } from '../../src/core/recurrence/instances';
import { repeatsFromCompletion } from '../../src/core/recurrence/repeatFrom';
import { taskLines } from '../../src/core/text/taskLines';
import { wallOf } from '../../src/core/time/dates';
import { engines } from './support/engine';

const formats: readonly ExchangeFormat[] = ['ics', 'json', 'csv', 'todotxt', 'markdown'];

describe('capture through the engine', () => {
  const lab = engines();
  let engine: DuelineEngine;
  let inbox: number;

  beforeEach(async () => {
    engine = await lab.open();
    inbox = engine.lists()[0]!.id;
  });

  it('keeps a repeat from completion', async () => {
    const id = await engine.quickAdd('Water plants 3 days after completion');
    const task = engine.task(id)!;
    assert.deepEqual(
      { title: task.title, rrule: task.rrule, fromCompletion: repeatsFromCompletion(task) },
      { title: 'Water plants', rrule: 'FREQ=DAILY;INTERVAL=3', fromCompletion: true },
    );
    await engine.importTasks('todotxt', 'Feed cat rec:2d', inbox);
    const [imported] = engine.query('feed');
    assert.equal(repeatsFromCompletion(imported!.task), true);
  });

  it('adds the tags of the group that a task is added in to those in its text', async () => {
    const id = await engine.quickAdd('Card #now', { defaults: { tags: ['board/doing'], status: 1, priority: 5 } });
    const { tags, status, priority } = engine.task(id)!;
    assert.deepEqual({ tags: [...tags], status, priority }, { tags: ['board/doing', 'now'], status: 1, priority: 5 });
  });

  it('puts a time without a day on the day of the group that a task is added in', async () => {
    const dueOf = async (text: string, day: number) => {
      const defaults = { due: Date.UTC(2026, 10, day), isAllDay: true, timezone: null };
      const { due } = engine.task(await engine.quickAdd(text, { defaults }))!;
      return new Date(wallOf(due!, engine.clock.timeZone)).toISOString();
    };
    assert.equal(await dueOf('Bake 7pm', 24), '2026-11-24T19:00:00.000Z');
    assert.equal(await dueOf('Bake 7am', 24), '2026-11-24T07:00:00.000Z');
    assert.equal(await dueOf('Bake fri 7pm', 24), '2026-11-27T19:00:00.000Z');
    assert.equal(await dueOf('Rent every month 9am', 24), '2026-11-24T09:00:00.000Z');
    // On the day of today, it is the next such time.
    assert.equal(await dueOf('Bake 7am', 21), '2026-11-22T07:00:00.000Z');
  });

  it('uses the last name that exists, and reads a line no more often for names that do not', async () => {
    let times = 0;
    const clock = { ...engine.clock, timeZone: 'UTC', now: () => times++ && 0 };
    const counted = await lab.open({ clock });
    await counted.createList({ name: 'Work' });
    const readings = (text: string) => {
      times = 0;
      const { title, listId, noList } = counted.parseQuickAdd(text);
      return { title, listId, noList: noList?.name, times };
    };
    const few = readings('Call @Work @a @b');
    assert.deepEqual({ ...few, times: 0 }, { title: 'Call @a @b', listId: 2, noList: 'b', times: 0 });
    const many = Array.from({ length: 400 }, (_, at) => `@no${at} after:no${at}`).join(' ');
    const reading = readings(`Call @Work ${many}`);
    assert.deepEqual(reading, { title: `Call ${many}`, listId: 2, noList: 'no399', times: few.times });
  });

  it('refuses a line that is too long, but takes it as text among others', async () => {
    const long = `${'@Inbox #a after:x tomorrow '.repeat(400)}end`;
    await assert.rejects(engine.quickAdd(long), { kind: 'invalid', message: /at most 10,?000 characters.*notes/ });
    assert.equal(engine.query('').length, 0);
    const [, second] = await engine.quickAddLines([{ text: 'One' }, { text: long, parent: 0 }]);
    assert.equal(engine.task(second!)!.title, long);
    const id = await engine.quickAdd(`Short\n${long}`);
    assert.equal(engine.task(id)!.description, long);
  });

  describe('with a template', () => {
    const release = {
      name: 'Big Release',
      title: 'Release',
      due: '+7d 17:00',
      tags: ['release'],
      priority: 5,
      subtasks: [
        { title: 'Freeze', due: '+0d', subtasks: [{ title: 'Check' }] },
        { title: 'Notes', notes: '- [ ] thanks' },
      ],
    };
    const made = (title: string) => engine.query(`title:"${title}" show:subtasks`)[0]!.task;
    const days = (title: string) => {
      const { due } = made(title);
      return due === null ? null : new Date(due).toISOString().slice(0, 10);
    };
    beforeEach(() => engine.configure({ templates: [release] }));

    it('creates the task with all its subtasks in one step, starting today', async () => {
      const { title, template, problem } = engine.parseQuickAdd(':big release');
      assert.deepEqual({ title, template, problem }, { title: 'Release', template: 'Big Release', problem: undefined });
      const id = await engine.quickAdd(':big release');
      const today = new Date(engine.clock.now()).toISOString().slice(0, 10);
      assert.equal(days('Freeze'), today);
      assert.equal(made('Release').due! - made('Freeze').due! > 6 * 86_400_000, true);
      assert.equal(made('Freeze').parentId, id);
      assert.equal(made('Check').parentId, made('Freeze').id);
      assert.equal(made('Notes').parentId, id);
      assert.equal(made('Notes').description, '- [ ] thanks');
      const { tags, priority } = made('Release');
      assert.deepEqual({ tags: [...tags], priority }, { tags: ['release'], priority: 5 });
      await engine.undo();
      assert.equal(engine.query('show:subtasks').length, 0);
    });

    it('keeps which of its tasks wait for others of it, by their titles', async () => {
      const list = engine.defaultListId();
      const create = (title: string, parentId?: number) =>
        engine.createTask(list, { title, ...(parentId === undefined ? {} : { parentId }) });
      const root = await create('Deploy');
      const [build, first, second] = [
        await create('Build', root),
        await create('Test', root),
        await create('Test', root),
      ];
      const other = await create('Elsewhere');
      await engine.apply([
        { type: 'blockers', id: root, add: [build] },
        { type: 'blockers', id: first, add: [build, other] },
        { type: 'blockers', id: build, add: [second] },
      ]);
      const rows = engine.rows(list);
      const kept = templateOf('deploy', engine.task(root)!, id => rows.filter(row => row.parentId === id), 'UTC');
      const [template] = wholeTemplates(JSON.parse(JSON.stringify([kept])));
      assert.deepEqual(template!.after, ['Build']);
      assert.deepEqual(
        template!.subtasks!.map(({ title, after }) => ({ title, after })),
        [
          { title: 'Build', after: undefined },
          { title: 'Test', after: ['Build'] },
          { title: 'Test', after: undefined },
        ],
        'nothing outside of it, and no second task of a title',
      );
      engine.configure({ templates: [template!] });
      const id = await engine.quickAdd(':deploy Deploy 2');
      const waits = (task: number) => engine.blockersOf(task).map(({ task: blocker }) => blocker!.id);
      const [newBuild, newTest] = engine.rows(list).filter(row => row.parentId === id);
      assert.deepEqual([newBuild!.title, newTest!.title], ['Build', 'Test']);
      assert.deepEqual([id, newTest!.id].map(waits), [[newBuild!.id], [newBuild!.id]]);
      await engine.undo();
      assert.equal(engine.task(id), undefined);
    });

    it('leaves out what a template written by hand waits for if there is no such task', async () => {
      const subtasks = [{ title: 'Test', after: ['Nothing', 'Test', 'Build'] }, { title: 'Build' }];
      engine.configure({ templates: [{ name: 'own', title: 'Own', subtasks }] });
      await engine.quickAdd(':own');
      assert.deepEqual(
        engine.blockersOf(made('Test')).map(({ task }) => task!.title),
        ['Build'],
      );
    });

    it('leaves out the words with which tasks of a template would wait for each other', async () => {
      const subtasks = [
        { title: 'Build', after: ['Test'] },
        { title: 'Test', after: ['Ship'] },
        { title: 'Ship', after: ['Build', 'Own'] },
      ];
      engine.configure({ templates: [{ name: 'own', title: 'Own', subtasks }] });
      await engine.quickAdd(':own');
      assert.deepEqual(
        ['Build', 'Test', 'Ship'].map(title => engine.blockersOf(made(title)).map(({ task }) => task!.title)),
        [['Test'], ['Ship'], ['Own']],
      );
    });

    it('takes title, date, tags and list from the line, and moves the other dates along', async () => {
      const work = await engine.createList({ name: 'Work' });
      engine.configure({ defaultPriority: 9 });
      await engine.quickAdd(':"Big Release" Two 2031-03-20 #soon @Work');
      assert.equal(days('Two'), '2031-03-20');
      assert.equal(days('Freeze'), '2031-03-13');
      const { tags, priority, isAllDay, listId } = made('Two');
      assert.deepEqual(
        { tags: [...tags], priority, isAllDay, listId },
        { tags: ['release', 'soon'], priority: 5, isAllDay: false, listId: work },
      );
      assert.equal(made('Check').listId, work);
      await engine.quickAdd(':Big Release Three 2031-03-20 8am');
      const eight = made('Three').due! - made('Two').due!;
      assert.equal(eight, -9 * 3_600_000, 'a time of the line overrides that of the template');
    });

    it('repeats on the weekday of the given date', async () => {
      const repeat = 'FREQ=WEEKLY;INTERVAL=2;BYDAY=WE';
      engine.configure({ templates: [{ name: 'weekly', title: 'Weekly', due: '+0d 16:00', repeat }] });
      // A Thursday.
      const task = engine.task(await engine.quickAdd(':weekly 2031-03-20'))!;
      assert.equal(new Date(task.due!).toISOString().slice(0, 10), '2031-03-20');
      assert.equal(task.rrule, 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TH');
      const repeated = engine.task(await engine.quickAdd(':weekly 2031-03-20 every day'))!;
      assert.equal(repeated.rrule, 'FREQ=DAILY');
    });

    it('starts on the given date and time in every time zone', async () => {
      const clock = { ...engine.clock, timeZone: 'America/Los_Angeles', now: () => Date.UTC(2031, 2, 17, 20) };
      const west = await lab.open({ clock });
      const repeat = 'FREQ=WEEKLY;INTERVAL=2;BYDAY=WE';
      west.configure({ templates: [{ name: 'weekly', title: 'Weekly', due: '+0d 16:00', repeat }] });
      // A Tuesday there, and Wednesday in UTC.
      const task = west.task(await west.quickAdd(':weekly tomorrow 5pm'))!;
      const [first] = openOccurrences(task, [], clock.timeZone);
      assert.equal(new Date(first!.due!).toISOString(), '2031-03-19T00:00:00.000Z');
      assert.deepEqual([task.rrule, task.timezone], ['FREQ=WEEKLY;INTERVAL=2;BYDAY=TU', clock.timeZone]);
    });

    it('keeps the months and weekdays of a rule that a date alone does not determine', async () => {
      const ruleFor = async (repeat: string) => {
        engine.configure({ templates: [{ name: 'kept', title: 'Kept', due: '+0d', repeat }] });
        return engine.task(await engine.quickAdd(':kept 2031-03-20'))!.rrule;
      };
      for (const rule of [
        'FREQ=DAILY;BYMONTH=6',
        'FREQ=YEARLY;BYMONTH=11;BYDAY=4TH',
        'FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13',
      ])
        assert.equal(await ruleFor(rule), rule);
      assert.equal(await ruleFor('FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=25'), 'FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=20');
    });

    it('leaves words in the title that name no template', async () => {
      const { title, template } = engine.parseQuickAdd('Note :unknown and 9:30 :D');
      assert.deepEqual({ title, template }, { title: 'Note :unknown and :D', template: undefined });
      assert.equal(engine.parseQuickAdd(':Big Releases').template, undefined);
      assert.equal(engine.parseQuickAdd(':Big Release', { rejected: [[0, 12]] }).template, undefined);
    });
  });

  it('adds the usual reminders to a task with a due date, from its text or from where it is added', async () => {
    engine.configure({ defaultAlarms: [{ minutesBefore: 15 }] });
    const day = { due: Date.UTC(2026, 10, 22), isAllDay: true, timezone: null };
    const rings = async (text: string, defaults = {}) => {
      const id = await engine.quickAdd(text, { defaults });
      return engine.task(id)!.alarms.map(({ minutesBefore }) => minutesBefore);
    };
    assert.deepEqual(await rings('Said tomorrow'), [15]);
    assert.deepEqual(await rings('Placed', day), [15]);
    assert.deepEqual(await rings('Placed, and starts ^today', day), []);
    assert.deepEqual(await rings('Said tomorrow *5 min', day), [5]);
    const meeting = engine.task(await engine.quickAdd('Meeting tomorrow 3pm to 4pm'))!;
    assert.deepEqual(
      meeting.alarms.map(({ minutesBefore, reference }) => ({ minutesBefore, reference })),
      [{ minutesBefore: 15, reference: 'START' }],
    );
    assert.equal(meeting.due! - meeting.dtstart!, 3_600_000);
    assert.deepEqual(await rings('Undated'), []);
  });

  it('links new tasks to their code locations in the same undo step', async () => {
    const at = (line: number) => ({ repo: '0123456789ab', path: 'a.ts', line });
    const places = () => engine.anchored().map(({ task, anchor }) => `${engine.task(task)?.title} ${anchor.line}`);
    await engine.quickAdd('Fix race tomorrow', { anchors: [at(3)] });
    assert.deepEqual(places(), ['Fix race 3']);
    await engine.quickAddLines([
      { text: 'One', own: { anchors: [at(5)] } },
      { text: 'Two', own: { anchors: [at(6)] } },
      { text: 'Three' },
    ]);
    assert.deepEqual(places(), ['Fix race 3', 'One 5', 'Two 6']);
    await engine.undo();
    await engine.undo();
    assert.deepEqual(places(), []);
  });

  it('reads several lines as tasks and subtasks in one undo step, and uses the whole line if no title is left', async () => {
    const day = { due: Date.UTC(2026, 10, 22), isAllDay: true, timezone: null };
    const work = await engine.createList({ name: 'Work' });
    const lines = [{ text: 'Move @Work !high' }, { text: 'Pack tomorrow', parent: 0 }, { text: '#home' }];
    const ids = await engine.quickAddLines(lines, { listId: inbox, defaults: day });
    const [move, pack, untitled] = ids.map(id => engine.task(id)!);
    assert.deepEqual(move, { ...move, title: 'Move', listId: work, priority: 1, due: day.due });
    assert.deepEqual(pack, { ...pack, title: 'Pack', listId: work, parentId: move!.id, due: day.due });
    assert.deepEqual(untitled, { ...untitled, title: '#home', listId: inbox });
    await engine.undo();
    assert.equal(engine.query('').length, 0);
  });

  it('keeps a subtask in the list of its parent, and reports that in advance', async () => {
    await engine.createList({ name: 'Work' });
    const parentId = await engine.quickAdd('Move house');
    const { title, listId, noList } = engine.parseQuickAdd('Pack @Work', { parentId });
    assert.deepEqual(
      { title, listId, noList },
      { title: 'Pack @Work', listId: undefined, noList: { name: 'Work', from: 5, to: 10, why: 'subtask' } },
    );
    const packed = engine.task(await engine.quickAdd('Pack @Work', { parentId, listId: inbox }))!;
    assert.deepEqual(packed, { ...packed, title: 'Pack @Work', listId: inbox, parentId });
    const loaded = engine.task(await engine.quickAdd('Load @Inbox', { parentId, listId: inbox }))!;
    assert.deepEqual(loaded, { ...loaded, title: 'Load', listId: inbox, parentId });
  });

  it('leaves a list name in the title unless it is the list of the task', async () => {
    const work = await engine.createList({ name: 'Work' });
    const { title, listId, noList } = engine.parseQuickAdd('Report @Work ask @bob and @ann');
    assert.deepEqual(
      { title, listId, noList },
      {
        title: 'Report ask @bob and @ann',
        listId: work,
        noList: { name: 'ann', from: 26, to: 30, why: 'unknown' },
      },
    );
    const parentId = await engine.quickAdd('Move house');
    const below = engine.parseQuickAdd('Pack @Work @Inbox @Work', { parentId });
    assert.deepEqual(
      { title: below.title, listId: below.listId, why: below.noList?.why },
      { title: 'Pack @Work @Work', listId: inbox, why: 'subtask' },
    );
    assert.equal(engine.parseQuickAdd('Pack @Work @Work', { parentId }).title, 'Pack @Work @Work');
  });

  it('leaves the list name of an indented line in its title, unless it is the list of the line above', async () => {
    await engine.createList({ name: 'Work' });
    const lines = taskLines('Trip @Work\n  Pack @Inbox\n    Socks @Work\n  #x @Inbox');
    const ids = await engine.quickAddLines(lines, { listId: inbox });
    assert.deepEqual(
      ids.map(id => engine.task(id)!.title),
      ['Trip', 'Pack @Inbox', 'Socks', '@Inbox'],
    );
    assert.equal(new Set(ids.map(id => engine.task(id)!.listId)).size, 1);
  });

  for (const format of formats) {
    it(`imports its own ${format} export without a change, and again elsewhere without duplicates`, async () => {
      const parent = await engine.quickAdd('Move house Friday 5pm #home !high');
      await engine.createTask(inbox, { title: 'Pack books', parentId: parent, description: 'all of them' });
      await engine.quickAdd('Bins every other Tuesday');
      const text = engine.exportTasks(format);
      const back = await engine.importTasks(format, text, inbox);
      assert.deepEqual(back, { created: 0, updated: 0, skipped: [] });
      assert.equal(engine.rows(inbox).length, 3);

      const other = await engine.createList({ name: 'Other' });
      assert.deepEqual(await engine.importTasks(format, text, other), { created: 3, updated: 0, skipped: [] });
      const again = await engine.importTasks(format, text, other);
      assert.deepEqual({ created: again.created, rows: engine.rows(other).length }, { created: 0, rows: 3 });
      const child = engine.rows(other).find(({ title }) => title === 'Pack books')!;
      assert.equal(engine.task(child.parentId!)?.title, 'Move house');
    });
  }
});
