import assert from 'node:assert/strict';
import type { Task, TaskInput } from '../../src/core/kernel/model';
import { hasWords, type Words } from '../support/vscode/changes';
import { Editor } from '../support/vscode/editor';
import { clear } from './support/widgets';

const dayMs = 86_400_000;

/** The first of the month after a day. */
const nextFirst = (day: string) =>
  new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)), 1)).toISOString().slice(0, 10);

/** Getting tasks in and finding them again, by keyboard alone. */
describe('capture and search', () => {
  let editor: Editor;
  let now: number;
  before(async () => {
    editor = await Editor.open({ timeZone: 'Europe/Berlin' });
    now = editor.clock.now();
  });
  after(() => editor?.close());
  beforeEach(async () => {
    const before = new Set(tasks().map(({ title }) => title));
    await clear(editor);
    const { engine } = editor;
    for (const { id, name } of engine.lists()) if (name !== 'Inbox') await engine.deleteList(id);
    if (engine.lists().length === 0) await engine.createList({ name: 'Inbox' });
    await until('a tree without the tasks before', () => editor.tree().rows.every(({ label }) => !before.has(label)));
  });
  afterEach(async function () {
    await editor.tidy(this.currentTest);
    await editor.command('workbench.action.closeAllEditors');
  });

  const inbox = () => editor.engine.lists()[0]!.id;
  const tasks = () =>
    editor.engine.lists().flatMap(({ id }) => editor.engine.rows(id).filter(({ isDeleted }) => !isDeleted));
  const until = <T>(subject: string, check: () => T | undefined | false) => editor.changes.until(subject, check);
  const named = (title: string): Promise<Task> =>
    until(`the task ${title}`, () => tasks().find(task => task.title === title));
  const add = (...inputs: TaskInput[]) =>
    editor.engine.apply(inputs.map(input => ({ type: 'create' as const, listId: inbox(), input })));
  const addTagged = (...added: [title: string, ...tags: string[]][]) =>
    add(...added.map(([title, ...tags]) => ({ title, tags })));
  const { asked, row, picks } = {
    asked: (words: Words) => editor.questions.asked(words),
    row: (text: Words) => editor.questions.row(text),
    picks: (text?: Words) => editor.questions.picks(text),
  };
  const line = () => editor.questions.current?.line;
  const lineIs = (text: string | RegExp) =>
    until(`the line ${text}`, () => (typeof text === 'string' ? line() === text : text.test(line() ?? '')));
  /** Types at the end of the line. */
  const type = (text: string) => editor.questions.type(line() + text);
  const fill = (text: string) => editor.questions.type(text);
  const enter = () => editor.questions.accept();
  const tab = () => editor.commands.key('tab', { inQuickInput: true });
  const noRow = (text: Words) => until(`no row ${text}`, () => picks(text).length === 0);
  const over = () => until('the question to be over', () => editor.questions.current === undefined);
  const textOf = ({ label, description = '', detail = '' }: { label: string; description?: string; detail?: string }) =>
    [label, description, detail].join('\n');

  async function quickAdd(): Promise<void> {
    editor.palette('Dueline: Quick Add Task…');
    await asked(/Call the bank/);
  }

  const hasFocus = (title: string) =>
    until(`the focus on ${title}`, () => hasWords(editor.tree().focused?.label, title));

  /** Reveals and focuses a task's row. */
  async function goTo(title: string): Promise<void> {
    editor.palette('Dueline: Go to Task…');
    await asked(/Select a task to go to/);
    type(title);
    await row(title);
    enter();
    await hasFocus(title);
  }

  it('quick add keeps the letters that are typed as soon as it is shown', async () => {
    const isShown = editor.changes.until('the line', () => editor.questions.current);
    editor.palette('Dueline: Quick Add Task…');
    await isShown;
    fill('W');
    await editor.questions.drawn();
    assert.equal(line(), 'W');
    await row('Add');
  });

  it('quick add leaves the title out of the label of its first line, where the editor would mark it with each key', async () => {
    await quickAdd();
    fill('Buy milk #shop');
    await row(/Buy milk.* to /s);
    const [first] = picks();
    assert.equal(first!.label, 'Add Task');
    assert.match(first!.description ?? '', /Buy milk.* · to .*Inbox/);
    editor.questions.escape();
    await over();
  });

  it('quick add keeps what is typed before it shows the words that it is opened with', async () => {
    const isShown = editor.changes.until('the line', () => editor.questions.current);
    const added = editor.command('dueline.quickAdd', 'Call Ana');
    await isShown;
    fill(' ');
    fill(' #');
    await editor.questions.drawn();
    await editor.questions.drawn();
    assert.equal(line(), 'Call Ana #');
    type('home');
    await row('#home');
    assert.equal(line(), 'Call Ana #home');
    enter();
    await added;
    assert.deepEqual((await named('Call Ana')).tags, ['home']);
  });

  it('quick add suggests the day for a misspelled word, and keeps the word in the title otherwise', async () => {
    await quickAdd();
    fill('Call Ana tomorow');
    assert.match(textOf(await row('instead of')), /tomorrow.*\n.*tomorow/);
    enter();
    assert.equal((await named('Call Ana tomorow')).due, null);
    await over();
    await quickAdd();
    fill('Call Ben tomorow');
    await editor.questions.pick('instead of');
    await lineIs('Call Ben tomorrow ');
    enter();
    assert.equal(typeof (await named('Call Ben')).due, 'number');
  });

  it('quick add shows what it recognized, and a key turns that back into words', async () => {
    editor.commands.key('ctrl+k ctrl+;', {});
    await asked(/Call the bank/);
    type('Read Monday news every week #paper !high');
    await row('#paper');
    await row(/every|weekly/i);
    await editor.questions.pick(/#paper/);
    const labels = () => picks().map(textOf).join('\n');
    await until('the tag to be words', () => !/from .*#paper/.test(labels()));
    assert.match(labels(), /Read news #paper|#paper/);
    enter();
    await over();
    const made = tasks().find(({ title }) => title?.includes('#paper'));
    assert.ok(made, 'the words stay in the title');
    assert.deepEqual(made.tags, []);
    assert.equal(made.priority, 1);
    assert.match(made.rrule ?? '', /WEEKLY/);
  });

  it('quick add announces what it has added, with its undo, even if it is left while the task is written', async () => {
    const added = editor.command('dueline.quickAdd');
    await asked(/Call the bank/);
    type('Water the plants');
    await row('Water the plants');
    enter();
    editor.questions.escape();
    const done = (await added) as { readonly text: string; readonly step?: string } | undefined;
    assert.match(done?.text ?? '', /Added/);
    assert.ok(await editor.engine.undoStep(done!.step!));
    assert.deepEqual(
      tasks().map(({ title }) => title),
      [],
    );
  });

  /** Its dates on the clock of the window, and what else was read of a line. */
  const read = ({ title, due, dtstart, isAllDay, rrule, priority }: Task) => {
    const clock = { timeZone: isAllDay ? 'UTC' : 'Europe/Berlin', dateStyle: 'short', timeStyle: 'short' } as const;
    const moment = (ms: number | null) => (ms === null ? '' : new Intl.DateTimeFormat('sv-SE', clock).format(ms));
    const [from, to] = [moment(dtstart), moment(due)].map(text => (isAllDay ? text.slice(0, 10) : text));
    return [title, from, to, rrule ?? '', priority].join('|');
  };

  it('quick add reads dates and times as written in the United States, or leaves all of them in the title', async () => {
    const days = (after: number) =>
      new Date(now + after * dayMs).toLocaleDateString('sv-SE', { timeZone: 'Europe/Berlin' });
    const [today, tomorrow, last] = [days(0), days(1), days(13).replaceAll('-', '')];
    for (const [text, expected] of [
      ['Lunch 12/24 3pm to 4pm', 'Lunch|2026-12-24 15:00|2026-12-24 16:00||0'],
      ['Walk 12/24 3-4pm', 'Walk|2026-12-24 15:00|2026-12-24 16:00||0'],
      ['Dentist tmr 3p', `Dentist||${tomorrow} 15:00||0`],
      ['Pay rent on the 1st monthly', `Pay rent||${nextFirst(today!)}|FREQ=MONTHLY;BYMONTHDAY=1|0`],
      ['Stretch every day for 2 weeks', `Stretch||${today}|FREQ=DAILY;UNTIL=${last}|0`],
      ['Fix p1 bug', 'Fix p1 bug||||0'],
      ['Fix !! bug', 'Fix !! bug||||0'],
      ['Meeting from 3pm to', 'Meeting from 3pm to||||0'],
    ] as const) {
      const title = expected.split('|')[0]!;
      await quickAdd();
      fill(text);
      await row(title);
      enter();
      await over();
      assert.equal(read(await named(title)), expected, text);
    }
  });

  it('quick add adds to a missing list in one step, which never stays in the title without a hint', async () => {
    const lists = () => editor.engine.lists().map(({ name }) => name);
    await quickAdd();
    fill('@Garage');
    await row(/Keep .*@Garage.* in the title/);
    assert.equal(picks(/New List/).length, 0, 'no list without a task');
    fill('Fix the mower @Garage !urgnt');
    await row(/Add Task to New List .*Garage.*Fix the mower !urgnt/s);
    await row(/Keep .*@Garage.* in the title/);
    await row(/!urgnt.* is not a priority/);
    enter();
    await over();
    const { listId } = await named('Fix the mower !urgnt');
    assert.equal(editor.engine.lists().find(({ id }) => id === listId)?.name, 'Garage');
    await editor.changes.until('the message', () =>
      hasWords(editor.status('dueline.undo'), /Added .Fix the mower !urgnt. to .Garage. · new list/),
    );
    await editor.command('dueline.undo');
    assert.ok(!lists().includes('Garage'), 'one undo takes both back');
    await quickAdd();
    fill('Fix the mower #pay');
    await row(/#pay.*new tag/s);
    fill('Fix the mower');
    enter();
    await named('Fix the mower');
  });

  it('quick add names the task that a subtask is added to', async () => {
    const parent = await editor.engine.createTask(inbox(), { title: 'Build a shelf' });
    void editor.command('dueline.addSubtask', parent);
    await editor.changes.until('the title', () =>
      hasWords(editor.questions.current?.title ?? '', /Add Subtask to .Build a shelf./),
    );
    fill('Buy screws tomorrow');
    await row(/Add Task.*Buy screws.* · subtask of .Build a shelf./s);
    enter();
    await over();
    assert.equal((await named('Buy screws')).parentId, parent);
  });

  it('quick add suggests a priority instead of one as Todoist writes it, which else stays in the title', async () => {
    for (const [typed, take, expected] of [
      ['Fix p1 bug', false, { title: 'Fix p1 bug', priority: 0 }],
      ['Pay the rent p1', true, { title: 'Pay the rent', priority: 1 }],
      ['Pay the bill !!', true, { title: 'Pay the bill', priority: 5 }],
    ] as const) {
      await quickAdd();
      fill(typed);
      const word = typed.includes('p1') ? 'p1' : '!!';
      await row(new RegExp(`instead of .*${word}`, 's'));
      assert.match(textOf(picks()[0]!), /Add/, 'Enter adds');
      assert.equal(picks(/is not a priority/).length, 0);
      if (take) {
        await editor.questions.pick(expected.priority === 1 ? 'high' : 'medium');
        await lineIs(`${expected.title} ${expected.priority === 1 ? '!high' : '!medium'} `);
      }
      enter();
      await over();
      const made = await named(expected.title);
      assert.deepEqual(made, { ...made, ...expected });
    }
  });

  it('quick add completes the highlighted name with Enter or Tab, and then adds', async () => {
    await addTagged(['One', 'hobby'], ['Two', 'home', 'hobby']);
    await editor.engine.createList({ name: 'Garden' });
    await quickAdd();
    type('Mow the lawn #');
    await row(/home.*1 task/s);
    assert.match(textOf(picks()[0]!), /hobby.*2 tasks/s, 'most used first');
    type('hom');
    await until('only the one', () => /home/.test(textOf(picks()[0]!)));
    enter();
    await lineIs('Mow the lawn #home ');
    type('@gard');
    await row('Garden');
    tab();
    await lineIs(/#home @Garden $/);
    type('!h');
    await row('high');
    enter();
    await lineIs(/!high $/);
    enter();
    const made = await named('Mow the lawn');
    assert.deepEqual(made, { ...made, tags: ['home'], priority: 1 });
  });

  for (const [choice, titles] of [
    ['Add 3 Tasks', ['Buy a rake', 'Sharpen it', 'Buy seeds']],
    ['Add as one task with notes', ['Buy a rake']],
  ] as const)
    it(`quick add asks what several pasted lines are: ${choice}`, async () => {
      const before = tasks().length;
      editor.clipboard = '- [ ] Buy a rake\n  - Sharpen it\n- Buy seeds #home\n';
      await quickAdd();
      // A field of one line drops line ends.
      fill(editor.clipboard.replaceAll('\n', ''));
      await asked('Add 3 tasks?');
      await editor.questions.pick(choice);
      await until('the tasks', () => tasks().length === before + titles.length);
      for (const title of titles) await named(title);
      editor.palette('Dueline: Undo Last Task Change');
      await until('none of them', () => tasks().length === before);
    });

  it('a filter line completes the highlighted name with Enter, counts, and then filters', async () => {
    await addTagged(['Stripes', 'zebra', 'zephyr'], ['Breeze', 'zephyr']);
    editor.palette('Dueline: Filter Tasks…');
    await row('Type text or a query');
    type('#ze');
    await row('zephyr');
    enter();
    await lineIs('#zephyr ');
    await row('2 tasks match');
    type('-#zeb');
    await row('zebra');
    tab();
    await lineIs('#zephyr -#zebra ');
    await row('1 task matches');
    enter();
    await over();
    await editor.tree().row('1 of');
    editor.palette('Dueline: Clear Filter');
    await editor.tree().gone('1 of');
  });

  it('counts tasks next to filters and tags, and in the tag picker', async () => {
    const tree = editor.tree('dueline.filters');
    const counted = (name: string, count: number) => tree.row(new RegExp(`^.?${name}.? ${count || ''}$`));
    await addTagged(['Quiet', 'aardvark']);
    await tree.expand('Tags');
    await counted('aardvark', 1);
    await counted('High Priority', 0);
    await addTagged(['Loud', 'aardvark']);
    await counted('aardvark', 2);
    await editor.engine.updateTask((await named('Loud')).id, { priority: 1 });
    await counted('High Priority', 1);
    await goTo('Loud');
    editor.palette('Dueline: Edit Tags…');
    await row(/aardvark.*2 tasks/s);
  });

  it('reads or in lower case between conditions, shows that, and searches for the word in quotes', async () => {
    await addTagged(['Northern', 'arctic'], ['Southern', 'antarctic'], ['Make or break']);
    editor.palette('Dueline: Search Tasks…');
    await asked(/Type text or a query/);
    fill('#arctic or #antarctic');
    await row('Northern');
    await row('Southern');
    await asked('“or” is read as OR');
    fill('make "or"');
    await row('Make or break');
    assert.doesNotMatch(editor.questions.current!.words, /is read as OR/);
    editor.questions.escape();
    editor.palette('Dueline: Save Filter…');
    await asked('Save Filter');
    fill('#arctic or #antarctic');
    await row('2 tasks match');
    await row('“or” is read as OR');
  });

  it('creates tasks from many lines of the clipboard, except unticked ones, in one step', async () => {
    const before = tasks().length;
    editor.clipboard = '- [ ] Wash the car\n* Water plants 3 days after completion #garden\n\n3. Not this one\n';
    editor.palette('Dueline: Paste as Tasks');
    await editor.questions.pickMany('Not this one');
    await named('Wash the car');
    const watered = await named('Water plants');
    assert.deepEqual(watered.tags, ['garden']);
    assert.notEqual(watered.due, null);
    assert.match(watered.unknownProperties ?? '', /REPEAT-FROM:COMPLETION/);
    assert.equal(tasks().length, before + 2);
    editor.palette('Dueline: Undo Last Task Change');
    await until('none of them', () => tasks().length === before);
    editor.palette('Dueline: Redo Task Change');
    await until('both again', () => tasks().length === before + 2);
  });

  it('adds the line of the editor, without its comment marks', async () => {
    await editor.run(async vscode => {
      const document = await vscode.workspace.openTextDocument({ content: 'let x;\n  // Rename x friday\n' });
      const shown = await vscode.window.showTextDocument(document);
      shown.selection = new vscode.Selection(1, 4, 1, 4);
    });
    void editor.palette('Dueline: Add Task from Selection');
    await lineIs('Rename x friday');
    await row('Add');
    enter();
    assert.notEqual((await named('Rename x')).due, null);
  });

  it('starts with the words that are selected in the editor', async () => {
    await editor.run(async vscode => {
      const document = await vscode.workspace.openTextDocument({ content: 'Water it\nFeed it\n' });
      const shown = await vscode.window.showTextDocument(document);
      shown.selection = new vscode.Selection(0, 0, 0, 8);
    });
    void editor.command('dueline.quickAdd', { fromEditor: true });
    await lineIs('Water it');
    editor.questions.escape();
    await over();
  });

  it('finds a subtask, with the name of its parent next to it', async () => {
    await add({ title: 'Call Zoe' });
    await add({ title: 'Print it', parentId: (await named('Call Zoe')).id });
    editor.palette('Dueline: Search Tasks…');
    await asked(/Type text or a query/);
    fill('print');
    await row(/Print it.? › .?Call Zoe/);
    editor.questions.escape();
  });

  it('keeps what is typed in quick add after a click elsewhere', async () => {
    await quickAdd();
    type('Half a tho');
    await row('Add');
    editor.questions.leave();
    assert.equal(line(), 'Half a tho');
    fill('');
    await noRow('Add');
    editor.questions.leave();
    await over();
  });

  it('goes to a task in the tree, and expands its parents', async () => {
    await add({ title: 'Wash the car' }, { title: 'Water plants' });
    await editor.tree().collapse('Inbox');
    editor.palette('Dueline: Go to Task…');
    await asked(/Select a task to go to/);
    type('Wash');
    await row('Wash the car');
    enter();
    await hasFocus('Wash the car');
  });

  it('goes to one of thousands of tasks, found while typing, and shows icon codes as plain text', async () => {
    const { engine } = editor;
    const list = await engine.createList({ name: 'Thousands' });
    const input = (at: number) => ({ type: 'create' as const, listId: list, input: { title: `One of many ${at}` } });
    await engine.apply(Array.from({ length: 1100 }, (_, at) => input(at)));
    await engine.createTask(list, { title: 'Take out $(trash) today', tags: ['$(flame)'] });
    editor.palette('Dueline: Go to Task…');
    await asked(/Select a task to go to/);
    await until('rows', () => picks().length > 3);
    type('take out');
    const found = textOf(await row(/Take out \$.?\(trash\) today/));
    assert.match(found, /#\$.?\(flame\)/);
    // The editor would draw these as icons.
    assert.doesNotMatch(found, /\$\(\w+\)/);
    await until('what is typed to be found', () => picks().length === 1);
    enter();
    await hasFocus('(trash)');
  });

  it('searches while typing, reports what is wrong with a query, and opens what is found', async () => {
    const due = Math.floor(now / dayMs) * dayMs;
    await add(
      { title: 'Wash the car', due, isAllDay: true },
      { title: 'Water plants', due, isAllDay: true, tags: ['garden'] },
    );
    editor.palette('Dueline: Search Tasks…');
    await asked(/Type text or a query/);
    // It begins with today's tasks, both of them.
    await row('Wash the car');
    type('#garden');
    await noRow('Wash the car');
    await row('Water plants');
    fill('dew:today');
    await row(/dew|due/);
    fill('nothing like this');
    await row('No tasks found.');
    fill('plants');
    await row('Water plants');
    enter();
    await until('its tab', () => editor.tabs.titles.includes('Water plants'));
  });

  it('search starts with today’s tasks and those changed last', async () => {
    const due = Math.floor(now / dayMs) * dayMs;
    await add({ title: 'Noon call', due, isAllDay: true, priority: 1 }, { title: 'Somewhen' });
    editor.commands.key("ctrl+k ctrl+'", {});
    await row(/Noon call.*Today.*Inbox.*high priority/s);
    await row('Somewhen');
    const { items } = editor.questions.current as { items: readonly { label: string; kind?: number }[] };
    const { Separator } = editor.api.QuickPickItemKind;
    assert.ok(items.some(({ label, kind }) => kind === Separator && label === 'Recently changed'));
    assert.match(textOf(picks()[0]!), /Today/);
    editor.questions.escape();
    await goTo('Somewhen');
    editor.key('/');
    await row('Noon call');
    editor.questions.escape();
    await hasFocus('Somewhen');
  });

  it('search tolerates a mistyped letter, and its buttons complete and reveal what is found', async () => {
    await addTagged(['Rotate the tyres'], ['Rotate the crops']);
    editor.palette('Dueline: Search Tasks…');
    await asked(/Type text or a query/);
    fill('roatte tyers');
    await asked('No exact match; these are similar');
    await row('Rotate the tyres');
    assert.equal(picks('Rotate the crops').length, 0);
    await editor.questions.press('Complete', 'Rotate the tyres');
    await until('the task done', () => tasks().find(({ title }) => title === 'Rotate the tyres')?.status === 2);
    fill('crops');
    await noRow('Rotate the tyres');
    await editor.questions.press('Show in Lists', 'Rotate the crops');
    await hasFocus('Rotate the crops');
  });

  it('edits all matches, and asks above the set number what to do to how many', async () => {
    await add(
      ...Array.from({ length: 12 }, (_, at) => ({ title: `Bulk ${at}`, tags: ['bulk'], priority: at ? 0 : 1 })),
    );
    // No task is selected.
    await editor.tree().click('Inbox');
    editor.palette('Dueline: Edit Tasks…');
    await asked('Edit Tasks Matching Query');
    fill('#bulk');
    await row('12 tasks match');
    enter();
    await editor.questions.pick('Set priority…');
    await editor.questions.pick('High', 'Priority');
    const dialog = await editor.notices.dialog();
    const text = [dialog.message, dialog.detail].join('\n');
    assert.match(text, /Change 11 tasks\?/, 'one is so already');
    assert.match(text, /Priority: High/);
    assert.match(text, /1 task already has this value/);
    dialog.close('Change 11 tasks');
    const high = () => tasks().filter(({ title, priority }) => title?.startsWith('Bulk') && priority === 1).length;
    await until('all of them', () => high() === 12);
    editor.palette('Dueline: Undo Last Task Change');
    await until('only the first', () => high() === 1);
  });

  const step = (at: number) =>
    until(`step ${at} of 2`, () => editor.questions.current?.step === at && editor.questions.current.totalSteps === 2);

  it('takes a repeat as the due date of a task without one, and elsewhere names the command for it', async () => {
    await add({ title: 'Wash the car', due: now });
    await goTo('Wash the car');
    editor.palette('Dueline: Postpone…');
    await asked(/Select how far/);
    fill('every other mon');
    await row(/every other mon.* is a repeat. To set it, use .Set Repeat…./);
    editor.questions.escape();
    await over();
    editor.palette('Dueline: Set Due Date…');
    await asked(/Select a date/);
    fill('every other mon 9am');
    await row(/every 2 weeks on Monday.*Mon/is);
    enter();
    await over();
    await until('the series', () => tasks()[0]?.rrule === 'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO');
    const { due, isAllDay } = tasks()[0]!;
    const [day, time] = new Date(due!)
      .toLocaleString('en-GB', { timeZone: 'Europe/Berlin', weekday: 'short', hour: '2-digit', minute: '2-digit' })
      .split(' ');
    assert.deepEqual([day, time, isAllDay], ['Mon', '09:00', false]);
    editor.palette('Dueline: Set Due Date…');
    await asked(/Select a date/);
    fill('every day');
    await row(/every day.* is a repeat/);
    editor.questions.escape();
    await over();
  });

  it('keeps the time of a task that a repeat is typed for, and takes no repeat for one with a start', async () => {
    const due = Date.UTC(2031, 0, 1, 15, 30);
    await add({ title: 'Water the plants', due }, { title: 'Visit Ana', due, dtstart: due - 7 * dayMs });
    await goTo('Water the plants');
    editor.palette('Dueline: Set Due Date…');
    await asked(/Select a date/);
    fill('every other mon');
    await row(/every 2 weeks on Monday/i);
    enter();
    await over();
    const first = await until('the series', () => tasks().find(({ rrule }) => rrule !== null));
    assert.match(new Date(first.due!).toUTCString(), /^Mon, .* 15:30:00 GMT$/);
    assert.equal(first.isAllDay, false);
    await goTo('Visit Ana');
    editor.palette('Dueline: Set Due Date…');
    await asked(/Select a date/);
    fill('every other mon');
    await row(/every other mon.* is a repeat/);
    editor.questions.escape();
    await over();
  });

  it('sets a repeat in two steps, and goes back from the second', async () => {
    await add({ title: 'Wash the car' });
    await goTo('Wash the car');
    editor.palette('Dueline: Set Repeat…');
    await step(1);
    fill('every 3 days');
    await row(/3 days/);
    enter();
    await step(2);
    await editor.questions.press('Back');
    await step(1);
    fill('every 4 days');
    await row(/4 days/);
    enter();
    await editor.questions.pick('From the completion date', /counts from/);
    await until('the rule', () => tasks()[0]?.rrule === 'FREQ=DAILY;INTERVAL=4');
  });

  it('sets a reminder by its name, a duration or a moment, in one question', async () => {
    await add({ title: 'Wash the car', due: now + dayMs });
    await goTo('Wash the car');
    const reminds = (subject: string, minutes: number) =>
      until(subject, () => tasks()[0]?.alarms.some(({ minutesBefore }) => minutesBefore === minutes));
    editor.palette('Dueline: Add Reminder…');
    await editor.questions.pick('1 day before it is due');
    await reminds('a day before', 1440);
    editor.palette('Dueline: Add Reminder…');
    await editor.questions.asked();
    fill('45 min before');
    await row('45 minutes before it is due');
    enter();
    await reminds('45 minutes before', 45);
    editor.palette('Dueline: Add Reminder…');
    await editor.questions.asked();
    fill('in 3 hours');
    enter();
    await reminds('in three hours', -(editor.clock.now() + 3 * 3_600_000) / 60_000);
    editor.palette('Dueline: Add Reminder…');
    await editor.questions.asked();
    fill('yesterday 9am');
    await row('Type a time in the future.');
    editor.questions.escape();
  });

  it('reads a duration in every question about a date, and shows the complete date', async () => {
    await add({ title: 'Wash the car', due: now + 2 * dayMs });
    await goTo('Wash the car');
    const day = () => Math.round((tasks()[0]!.due! - now) / dayMs);
    editor.palette('Dueline: Set Due Date…');
    await editor.questions.asked();
    fill('next friday 5pm');
    await row(/^\w{3}, \w{3} \d+, (\d{4}, )?5:00\sPM/);
    fill('3d');
    enter();
    await until('three days on', () => day() === 3);
    editor.palette('Dueline: Postpone…');
    await editor.questions.asked();
    fill('1 week');
    await row(/^By 7 days/);
    assert.equal(picks(/^By 7 days/).length, 1, 'the preset is not offered a second time');
    enter();
    await until('a week later than its date', () => day() === 10);
  });

  it('reads a time for several tasks, and for a series, without the day of the first one', async () => {
    const from = now - 30 * dayMs;
    await add({ title: 'One', due: now + 2 * dayMs }, { title: 'Two', due: now + 5 * dayMs });
    await add({ title: 'Series', due: from, rrule: 'FREQ=DAILY' });
    const at = (title: string) =>
      tasks()
        .find(task => task.title === title)
        ?.alarms.find(({ reference }) => reference === 'ABSOLUTE')?.minutesBefore;
    const remind = async (text: string, ...ids: number[]) => {
      const rows = ids.map(taskId => ({ taskId }));
      void editor.command('dueline.addAlarm', rows[0], rows);
      await editor.questions.asked();
      fill(text);
      await row(/ 11:00\sPM/);
      enter();
    };
    // Today in Berlin, while the first one is due in two days.
    const eleven = -Date.UTC(2026, 2, 11, 22) / 60_000;
    await remind('11pm', (await named('One')).id, (await named('Two')).id);
    await until('today for both', () => at('One') === eleven && at('Two') === eleven);
    await remind('11pm', (await named('Series')).id);
    await until('today for one that is overdue', () => at('Series') === eleven);
  });

  it('postpones a floating time from that time', async () => {
    await add({ title: 'Floating', due: now + 2 * dayMs, isAllDay: false, timezone: null });
    await goTo('Floating');
    editor.palette('Dueline: Postpone…');
    await editor.questions.asked();
    fill('3h');
    await row(/^By 3 hours/);
    enter();
    await until('three hours later', () => tasks()[0]?.due === now + 2 * dayMs + 3 * 3_600_000);
    assert.equal(tasks()[0]!.timezone, null);
  });

  it('adds the typed tag with Enter, whether it is known or new', async () => {
    await add({ title: 'Wash the car' });
    await add({ title: 'Tagged', tags: ['Race'] });
    await goTo('Wash the car');
    const tags = () =>
      tasks()
        .find(({ title }) => title === 'Wash the car')
        ?.tags.join();
    editor.palette('Dueline: Edit Tags…');
    await editor.questions.asked();
    fill('race');
    enter();
    await until('the tag that there is', () => tags() === 'Race');
    editor.palette('Dueline: Edit Tags…');
    await editor.questions.asked();
    fill('#fresh');
    enter();
    await until('a new one', () => tags() === 'Race,fresh');
  });

  it('quick add creates a list on this computer if none is writable', async () => {
    for (const { id } of editor.engine.lists()) await editor.engine.deleteList(id);
    await quickAdd();
    fill('First of all');
    await row(/to .Inbox., a new list on this computer/);
    enter();
    await named('First of all');
    await editor.tree().row('Inbox');
  });
});
