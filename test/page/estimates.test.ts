import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { dataFolderOf } from '../../src/dataFolder';
import { openTaskStore } from '../../src/store/taskStore';
import { event } from '../core/meetings/fixtures';
import { calendar } from '../core/support/icalFile';
import { Editor } from '../support/vscode/editor';
import { axe, axeInThemes } from './support/axe';
import { clear, fill, shows } from './support/widgets';

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** The sums of estimates in widgets. */
describe('estimates', () => {
  let editor: Editor;
  before(async () => {
    editor = await Editor.open({ theme: 'light', size: { width: 1400, height: 900 } });
  });
  after(() => editor?.close());
  beforeEach(async () => {
    await clear(editor);
    await fill(editor, ['Work'], [{ list: 'Work', title: 'Anything', day: 0 }]);
    for (const line of [
      'Write today ~2h',
      'Read today ~1h',
      'Late yesterday ~30m',
      'Soon tomorrow ~45m',
      'Some day ~4h',
    ])
      await editor.engine.quickAdd(line);
  });
  afterEach(async function () {
    editor.settings.update('dueline.day.hours', undefined);
    return editor.tidy(this.currentTest);
  });

  const open = async (kind: string, selector: string, text: string): Promise<Frame> => {
    await editor.command('workbench.action.closeAllEditors');
    await editor.command('dueline.openWidget', kind);
    return editor.frame(selector, text);
  };
  const texts = (page: Frame, selector: string) => page.locator(selector).allTextContents();
  const hours = (count: number) =>
    editor.settings.update('dueline.day.hours', Object.fromEntries(weekdays.map(day => [day, count])));
  /** The line for the whole day, below the head of Today. */
  const ofDay = async (page: Frame) => (await texts(page, 'dueline-widget > .load'))[0]?.trim();

  it('are added up in Today, for each group and for the day', async () => {
    const page = await open('today', '.row', 'Write');
    await shows(page, 'the sum', async () => (await ofDay(page)) === '3 h 30 min');
    assert.deepEqual(await texts(page, '.group .load'), ['30 min', '3 h']);
    assert.equal(await page.locator('.load-bar').count(), 0);
    assert.match((await page.locator('.row', { hasText: 'Write' }).textContent()) ?? '', /2 h/);
    assert.deepEqual(await axe(page), []);
  });

  it('show how much of the day’s hours is free or exceeded', async () => {
    hours(8);
    const page = await open('today', '.row', 'Write');
    await shows(page, 'what is free', async () => (await ofDay(page)) === '3 h 30 min · 4 h 30 min free');
    assert.equal(await page.locator('.load-bar').count(), 1);
    hours(2);
    await shows(page, 'what is over', async () => (await ofDay(page)) === '3 h 30 min · 1 h 30 min over');
    hours(0);
    await shows(page, 'no hours', async () => (await ofDay(page)) === '3 h 30 min · 3 h 30 min over');
    assert.deepEqual(await axeInThemes(editor, page), []);
  });

  it('leave only what remains of today: not what was done, what meetings took, or what is past', async () => {
    const [begin, folder] = [editor.clock.time, mkdtempSync(join(tmpdir(), 'dueline-estimates-'))];
    hours(8);
    const page = await open('today', '.row', 'Write');
    const becomesFree = (label: string) => shows(page, label, async () => (await ofDay(page)) === label);
    const at = async (hour: number) => {
      editor.clock.time = begin + hour * 3_600_000;
      await editor.command('dueline.view.refresh');
    };
    try {
      await editor.engine.completeTask(editor.engine.query('"Read"')[0]!.task.id);
      await becomesFree('2 h 30 min · 4 h 30 min free');
      const path = join(folder, 'Team.ics');
      const meetings = ['10', '13'].flatMap(hour =>
        event(`at ${hour}`, 'SUMMARY:Call', `DTSTART:20260311T${hour}0000Z`, 'DURATION:PT1H'),
      );
      writeFileSync(path, calendar(...meetings));
      await editor.engine.meetings.add({ kind: 'file', name: 'Team', color: null, address: path });
      await becomesFree('2 h 30 min · 2 h 30 min free');
      // One of them is over, and the hours that it took are gone.
      await at(2);
      await becomesFree('2 h 30 min · 2 h 30 min free');
      await at(11);
      await becomesFree('2 h 30 min · 1 h free');
      await at(13);
      await becomesFree('2 h 30 min · 1 h over');
      editor.settings.update('dueline.day.startHour', 4);
      await becomesFree('2 h 30 min · 2 h 30 min free');
    } finally {
      editor.clock.time = begin;
      editor.settings.update('dueline.day.startHour', undefined);
      for (const { id } of editor.engine.meetings.calendars) await editor.engine.meetings.remove(id);
      rmSync(folder, { recursive: true });
    }
  });

  it('do not read the completed tasks of today again each time that they are drawn', async () => {
    hours(8);
    const { engine } = editor;
    await engine.completeTask(engine.query('"Read"')[0]!.task.id);
    const page = await open('today', '.row', 'Write');
    await shows(page, 'what is free', async () => (await ofDay(page)) === '2 h 30 min · 4 h 30 min free');
    const { query } = engine;
    const read: string[] = [];
    engine.query = (text, ...options) => {
      read.push(text);
      return query.call(engine, text, ...options);
    };
    try {
      await engine.quickAdd('More today ~1h');
      await shows(page, 'what is free then', async () => (await ofDay(page)) === '3 h 30 min · 3 h 30 min free');
    } finally {
      engine.query = query;
    }
    assert.deepEqual(
      read.filter(text => text.includes('done:today has:est')),
      [],
    );
  });

  it('do not call a day free whose meetings are not read', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dueline-estimates-'));
    hours(8);
    await editor.engine.quickAdd('Far 2026-05-20 ~1h');
    const page = await open('week', '.card', 'Write');
    const far = page.locator('[data-group="2026-05-20"] .load');
    const showsFar = (text: string) => shows(page, text, async () => (await far.allTextContents())[0]?.trim() === text);
    try {
      for (let weeks = 0; weeks < 10; weeks++) await page.locator('.control.next').click();
      await showsFar('1 h · 7 h free');
      const path = join(folder, 'Team.ics');
      writeFileSync(path, calendar(...event('a', 'DTSTART:20260311T100000Z', 'DURATION:PT1H')));
      await editor.engine.meetings.add({ kind: 'file', name: 'Team', color: null, address: path });
      await showsFar('1 h');
    } finally {
      for (const { id } of editor.engine.meetings.calendars) await editor.engine.meetings.remove(id);
      rmSync(folder, { recursive: true });
    }
  });

  it('count a task once in the sum of Today, also if it is in Here, Reminders or a group of a tag', async () => {
    const { engine } = editor;
    hours(8);
    const [task] = engine.query('"Write"');
    await engine.updateTask(task!.task.id, { tags: ['a', '2026-03-11'] });
    const later = await engine.createTask(engine.lists()[0]!.id, {
      ...{ title: 'Reminded', due: editor.clock.now() + 86_400_000, timezone: editor.clock.timeZone },
      ...{ estimate: '5h', alarms: [{ minutesBefore: 1440, reference: 'DUE' }] },
    });
    const page = await open('today', '.row', 'Reminded');
    // The task that is due tomorrow is not among today's.
    await shows(page, 'the sum', async () => (await ofDay(page)) === '3 h 30 min · 4 h 30 min free');
    editor.settings.update('dueline.widgets', { today: { group: 'tag' } });
    const grouped = await open('today', '.row', 'Write');
    await shows(grouped, 'the sums', async () => (await ofDay(grouped)) === '3 h 30 min · 4 h 30 min free');
    // A tag whose name is a date has no hours.
    assert.deepEqual(
      [...new Set(await texts(grouped, '.group .load'))].filter(text => text.includes('free')),
      [],
    );
    editor.settings.update('dueline.widgets', undefined);
    await engine.deleteTask(later);
  });

  it('leave a day its hours if a task of it has a tag named like the day', async () => {
    const { engine } = editor;
    hours(8);
    for (const { task } of engine.query('due:today')) await engine.updateTask(task.id, { tags: ['2026-03-11'] });
    const free = async (page: Frame) => (await texts(page, '.group .load')).filter(text => text.includes('free'));
    for (const [group, days] of [
      ['due', 1],
      ['tag', 0],
    ] as const) {
      editor.settings.update('dueline.widgets', { tasks: { group, filter: 'due:today' } });
      const page = await open('tasks', '.row', 'Write');
      await shows(page, `the sums by ${group}`, async () => (await texts(page, '.group .load')).length > 0);
      assert.equal((await free(page)).length, days, group);
    }
    editor.settings.update('dueline.widgets', undefined);
  });

  it('are added up for each day of Week and each column of Board', async () => {
    hours(8);
    const week = await open('week', '.card', 'Write');
    const today = week.locator('.column.accent .load');
    await shows(week, 'the sum of today', async () => (await today.textContent())?.trim() === '3 h · 5 h free');
    assert.deepEqual(
      (await texts(week, '.load')).filter(text => text.includes('30 min')).map(text => text.trim()),
      ['30 min'],
    );
    assert.deepEqual(await axeInThemes(editor, week), []);
    await editor.theme('light');
    const board = await open('board', '.row', 'Write');
    await shows(board, 'the sum of a column', async () => (await texts(board, '.column .load')).includes('8 h 15 min'));
  });

  it('and other facts are on lines of a card in Week and of the head of a day that do not begin with a dot', async () => {
    hours(8);
    const tasks = [
      { list: 'Work', title: 'Prepare slides', day: 0, time: 14 * 60 },
      { list: 'Work', title: 'Draw', parent: 'Prepare slides' },
      { list: 'Work', title: 'Practice', parent: 'Prepare slides' },
    ];
    await fill(editor, [], tasks);
    for (const { task } of editor.engine.query('slides'))
      await editor.engine.updateTask(task.id, { estimate: '1h30m' });
    const page = await open('week', '.card', 'Prepare');
    /** Counts the dots that are seen: those that begin a line, and those between words. */
    const dots = () =>
      page.locator('.column .load, .card .when').evaluateAll(all => {
        const found = { begin: 0, between: 0 };
        for (const part of all) {
          const { ownerDocument: page } = part;
          const texts = page.createTreeWalker(part, 4);
          while (texts.nextNode()) {
            const node = texts.currentNode;
            const at = node.data.indexOf('·');
            if (at < 0) continue;
            const range = page.createRange();
            range.setStart(node, at);
            range.setEnd(node, at + 1);
            const dot = range.getBoundingClientRect();
            const box = (node.parentElement.closest('.parts') ?? part).getBoundingClientRect();
            if (dot.right <= box.left) continue;
            found[dot.left - box.left < 8 ? 'begin' : 'between']++;
          }
        }
        return found;
      });
    let between = 0;
    for (const width of [880, 980, 1080, 1180, 1400]) {
      await editor.resize(width, 900);
      const found = await dots();
      assert.equal(found.begin, 0, `at ${width}`);
      between = found.between;
    }
    assert.ok(between > 0, 'dots in a wide window');
  });

  it('are added up again when tasks change', async () => {
    const page = await open('today', '.row', 'Write');
    await editor.engine.quickAdd('More today ~1h');
    await shows(page, 'a larger sum', async () => (await ofDay(page)) === '4 h 30 min');
    for (const { task } of editor.engine.query('has:est')) await editor.engine.updateTask(task.id, { estimate: null });
    await shows(page, 'no sum', async () => (await page.locator('.load').count()) === 0);
  });
});

describe('Plan Today', () => {
  let editor: Editor;
  before(async () => {
    editor = await Editor.open({});
  });
  after(() => editor?.close());
  beforeEach(async () => {
    await clear(editor);
    for (const line of [
      'Rent yesterday ~1h',
      'Post yesterday ~30m !low',
      'Some day ~2h !high',
      'Any day ~4h',
      'Pay today ~15m',
    ])
      await editor.engine.quickAdd(line);
    editor.settings.update('dueline.day.hours', Object.fromEntries(weekdays.map(day => [day, 4])));
  });
  afterEach(async function () {
    editor.settings.update('dueline.day.hours', undefined);
    return editor.tidy(this.currentTest);
  });
  const found = (query: string) =>
    editor.engine
      .query(query)
      .map(({ task }) => task.title)
      .sort();
  const tab = async (row: string) => {
    const item = await editor.questions.row(row);
    (editor.questions.current as unknown as { activeItems: readonly object[] }).activeItems = [item];
    await editor.command('dueline.takeSuggestion');
  };

  it('plans tasks with Enter and postpones them with Tab, against the free time, in one undo step', async () => {
    const running = editor.command('dueline.planToday');
    await editor.questions.asked('15 min · 3 h 45 min free');
    const rows = editor.questions.picks().map(({ label }) => label);
    assert.equal(rows.length, 5, String(rows));
    assert.match(rows[3]!, /Some day/);
    await editor.questions.pick('Rent');
    await editor.questions.asked('1 h 15 min · 2 h 45 min free');
    await editor.questions.pick('Any');
    await editor.questions.asked('5 h 15 min · 1 h 15 min over');
    await editor.questions.pick('Any');
    await editor.questions.asked('1 h 15 min · 2 h 45 min free');
    await tab('Post');
    await editor.questions.pick('Some');
    await editor.questions.asked('3 h 15 min · 45 min free');
    await editor.questions.pick('Apply the plan');
    await running;
    assert.deepEqual(found('due:today'), ['Pay', 'Rent', 'Some day']);
    assert.deepEqual(found('due:tomorrow'), ['Post']);
    await editor.engine.undo();
    assert.deepEqual(found('is:overdue'), ['Post', 'Rent']);
    assert.deepEqual(found('no:due'), ['Any day', 'Some day']);
  });

  it('shows how long each task takes, and counts what was due this morning', async () => {
    const { engine } = editor;
    const now = editor.clock.now();
    const [list] = engine.lists();
    await engine.createTask(list!.id, {
      ...{ title: 'Early', due: now - 3_600_000, timezone: editor.clock.timeZone },
      estimate: '20m',
    });
    const running = editor.command('dueline.planToday');
    await editor.questions.asked('35 min · 3 h 25 min free');
    const picks = editor.questions.picks() as readonly { label: string; description?: string }[];
    assert.ok(!picks.some(({ label }) => label.includes('Early')));
    assert.match(picks.find(({ label }) => label.includes('Rent'))?.description ?? '', /^1 h · /);
    editor.questions.escape();
    await running;
  });

  it('does not change what was completed elsewhere meanwhile, nor later occurrences of a series', async () => {
    const { engine } = editor;
    const day = 86_400_000;
    const [list] = engine.lists();
    const due = (Math.floor(editor.clock.now() / day) - 1) * day;
    const id = await engine.createTask(list!.id, { title: 'Water', due, isAllDay: true, rrule: 'FREQ=DAILY;COUNT=3' });
    const post = engine.query('"Post"')[0]!.task.id;
    const running = editor.command('dueline.planToday');
    await tab('Water');
    await tab('Post');
    await engine.completeTask(id);
    await engine.completeTask(post);
    await editor.questions.pick('Apply the plan');
    await running;
    assert.equal(engine.task(post)!.due, due);
    assert.deepEqual(found('due:today is:open'), ['Pay', 'Water']);
  });

  it('leaves out read-only lists, and counts the tasks that it does not list', async () => {
    const { engine, clock, storage } = editor;
    const theirs = await engine.createList({ name: 'Theirs' });
    await engine.createTask(theirs, { title: 'Of others' });
    const setReadOnly = async (isReadOnly: boolean) => {
      const store = await openTaskStore({ folder: dataFolderOf(storage), clock });
      await store.edit({ origin: 'sync' }, tx => tx.updateList(theirs, { isReadOnly }));
      await store.close();
      await engine.refresh();
    };
    await setReadOnly(true);
    await engine.quickAddLines(Array.from({ length: 205 }, (_, at) => ({ text: `Undated ${at}` })));
    const running = editor.command('dueline.planToday');
    await editor.questions.asked('Plan Today');
    const picks = editor.questions.picks().map(({ label }) => label);
    assert.ok(!picks.some(label => label.includes('Of others')));
    const { items } = editor.questions.current as unknown as { items: readonly { label: string }[] };
    assert.equal(items.at(-1)!.label, '7 more');
    editor.questions.escape();
    await running;
    await setReadOnly(false);
  });

  it('changes nothing if it is canceled', async () => {
    const running = editor.command('dueline.planToday');
    await editor.questions.pick('Rent', 'Plan Today');
    await editor.questions.asked('1 h 15 min');
    editor.questions.escape();
    await running;
    assert.deepEqual(found('is:overdue'), ['Post', 'Rent']);
  });
});
