import assert from 'node:assert/strict';
import { packageOnce } from '../../scripts/package/once.mjs';
import { Session } from './support/driver';
import { until } from './support/wait';
import type { Window } from './support/window';

const timeoutMs = 30_000;

/** The first of the month after a day. */
const nextFirst = (day: string) =>
  new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)), 1)).toISOString().slice(0, 10);

/** Getting tasks in and finding them again, by keyboard alone. */
describe('capture and find', () => {
  let session: Session;
  let window: Window;
  before(async () => {
    // As people have it: VS Code 1.90 refuses to ask in a window for development.
    const size = { width: 1100, height: 1200 };
    session = await Session.open({
      vsix: [await packageOnce('full')],
      theme: 'light',
      size,
      timezone: 'Europe/Berlin',
    });
    window = session.window;
    await window.view();
  });
  after(() => session?.close());
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await window.shot(`failed-${this.currentTest.title.slice(0, 30)}`);
    await window.page.keyboard.press('Escape');
  });

  interface Known {
    title: string;
    tags: string[];
    due: number | null;
    dtstart: number | null;
    isAllDay: boolean;
    rrule: string | null;
    unknownProperties: string | null;
    priority: number;
    status: number;
    alarms: { minutesBefore: number; reference: string }[];
  }
  const tasks = () =>
    window.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      return api.lists().flatMap((list: { id: number }) => api.rows(list.id)) as Known[];
    });
  const named = (title: string) =>
    until(`the task ${title}`, timeoutMs, async () => (await tasks()).find(task => task.title === title));
  const addTagged = (...wanted: [title: string, ...tags: string[]][]) =>
    window.run(async (vscode, wanted) => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      for (const [title, ...tags] of wanted) await api.createTask(api.lists()[0].id, { title, tags });
    }, wanted);
  const type = (text: string) => window.page.keyboard.type(text);
  const press = (key: string) => window.page.keyboard.press(key);

  /** Reveals and focuses a task's row. */
  async function goTo(title: string): Promise<void> {
    await window.palette('Dueline: Go to Task…');
    await window.quickInput.getByPlaceholder(/Select a task to go to/).waitFor({ timeout: timeoutMs });
    await type(title);
    await window.picks(title).first().waitFor();
    await press('Enter');
    const list = window.page.locator('.pane-body .monaco-list.element-focused');
    await list.locator('.monaco-list-row.focused', { hasText: title }).first().waitFor({ timeout: timeoutMs });
  }

  it('quick add shows what it understood, and a key makes words of it again', async () => {
    await window.command('dueline.lists.focus');
    await press('Control+k');
    await press('Control+;');
    await window.quickInput.getByPlaceholder(/Call the bank/).waitFor({ timeout: timeoutMs });
    await type('Read Monday news every week #paper !high');
    await window.picks('#paper').first().waitFor();
    await window
      .picks(/every|weekly/i)
      .first()
      .waitFor();
    await window.picture('quick-add-chips');
    const labels = async () => (await window.picks().allTextContents()).join('\n');
    const rowOf = async (text: RegExp) => (await window.picks().allTextContents()).findIndex(row => text.test(row));
    const at = await rowOf(/#paper/);
    for (let step = 0; step < at; step++) await press('ArrowDown');
    await press('Enter');
    await until('the tag to be words', timeoutMs, async () => !/from .*#paper/.test(await labels()));
    assert.match(await labels(), /Read news #paper|#paper/);
    await press('Enter');
    await until('the line to go', timeoutMs, async () => !(await window.quickInput.isVisible()));
    const made = (await tasks()).find(task => task.title.includes('#paper'));
    assert.ok(made, 'the words stay in the title');
    assert.deepEqual(made.tags, []);
    assert.equal(made.priority, 1);
    assert.match(made.rrule ?? '', /WEEKLY/);
  });

  /** Its dates on the clock of the window, and what else was read of a line. */
  const read = ({ title, due, dtstart, isAllDay, rrule, priority }: Known) => {
    const clock = { timeZone: isAllDay ? 'UTC' : 'Europe/Berlin', dateStyle: 'short', timeStyle: 'short' } as const;
    const moment = (ms: number | null) => (ms === null ? '' : new Intl.DateTimeFormat('sv-SE', clock).format(ms));
    const [from, to] = [moment(dtstart), moment(due)].map(text => (isAllDay ? text.slice(0, 10) : text));
    return [title, from, to, rrule ?? '', priority].join('|');
  };

  it('quick add reads dates and times as they are written in the United States, or leaves all of them in the title', async () => {
    const days = (after: number) =>
      new Date(Date.now() + after * 86_400_000).toLocaleDateString('sv-SE', { timeZone: 'Europe/Berlin' });
    const [today, tomorrow, last] = [days(0), days(1), days(13).replaceAll('-', '')];
    const year = Number(today.slice(0, 4)) + (today.slice(5) > '12-24' ? 1 : 0);
    const eve = `${year}-12-24`;
    const first = today.endsWith('-01') ? today : nextFirst(today);
    for (const [line, wanted] of [
      ['Lunch 12/24 3pm to 4pm', `Lunch|${eve} 15:00|${eve} 16:00||0`],
      ['Walk 12/24 3-4pm', `Walk|${eve} 15:00|${eve} 16:00||0`],
      ['Dentist tmr 3p', `Dentist||${tomorrow} 15:00||0`],
      ['Pay rent on the 1st monthly', `Pay rent||${first}|FREQ=MONTHLY;BYMONTHDAY=1|0`],
      ['Stretch every day for 2 weeks', `Stretch||${today}|FREQ=DAILY;UNTIL=${last}|0`],
      ['Fix p1 bug', 'Fix p1 bug||||0'],
      ['Fix !! bug', 'Fix !! bug||||0'],
      ['Meeting from 3pm to', 'Meeting from 3pm to||||0'],
    ] as const) {
      await window.palette('Dueline: Quick Add Task');
      await window.quickText.fill(line);
      await window.picks(wanted.split('|')[0]!).first().waitFor({ timeout: timeoutMs });
      await press('Enter');
      await window.quickInput.waitFor({ state: 'hidden' });
      assert.equal(read(await named(wanted.split('|')[0]!)), wanted, line);
    }
  });

  it('quick add offers to make a list that is not there, which never stays in the title unsaid', async () => {
    await window.palette('Dueline: Quick Add Task');
    await window.quickText.fill('Fix the mower @Garage !urgnt');
    await window.picks(/Create list .*Garage/).waitFor({ timeout: timeoutMs });
    await window.picks(/Keep .*@Garage.* in the title/).waitFor();
    await window.picks(/!urgnt.* is not a priority/).waitFor();
    await window.pictures('quick-add-unknown', window.quickInput);
    await press('Enter');
    await window.picks(/to .*Garage/).waitFor({ timeout: timeoutMs });
    assert.equal(await window.picks(/Create list/).count(), 0);
    await window.quickText.fill('Fix the mower #pay');
    await window.picks(/#pay.*new tag/).waitFor();
    await window.quickText.fill('Fix the mower @Garage');
    await press('Enter');
    await named('Fix the mower');
  });

  it('quick add takes the highlighted name by Enter or Tab, and then adds', async () => {
    await addTagged(['One', 'hobby'], ['Two', 'home', 'hobby']);
    await window.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      await api.createList({ name: 'Garden' });
    });
    await window.palette('Dueline: Quick Add Task');
    await window.quickInput.getByPlaceholder(/Call the bank/).waitFor({ timeout: timeoutMs });
    await type('Mow the lawn #');
    await window.picks(/home.*1 task/).waitFor({ timeout: timeoutMs });
    assert.match((await window.picks().first().textContent()) ?? '', /hobby.*2 tasks/, 'most used first');
    await window.pictures('quick-add-names', window.quickInput);
    await type('hom');
    await until('only the one', timeoutMs, async () => /home/.test((await window.picks().first().textContent()) ?? ''));
    await press('Enter');
    await until('the name', timeoutMs, async () => (await window.quickText.inputValue()) === 'Mow the lawn #home ');
    await type('@gard');
    await window.picks('Garden').first().waitFor({ timeout: timeoutMs });
    await press('Tab');
    await until('the list', timeoutMs, async () => /#home @Garden $/.test(await window.quickText.inputValue()));
    await type('!h');
    await window.picks('high').first().waitFor({ timeout: timeoutMs });
    await press('Enter');
    await until('the priority', timeoutMs, async () => /!high $/.test(await window.quickText.inputValue()));
    await press('Enter');
    const made = await named('Mow the lawn');
    assert.deepEqual(made, { ...made, tags: ['home'], priority: 1 });
  });

  for (const [choice, titles] of [
    ['Add 3 Tasks', ['Buy a rake', 'Sharpen it', 'Buy seeds']],
    ['Add as one task with notes', ['Buy a rake']],
  ] as const)
    it(`quick add asks what several pasted lines are: ${choice}`, async () => {
      const before = (await tasks()).length;
      await window.run(vscode =>
        vscode.env.clipboard.writeText('- [ ] Buy a rake\n  - Sharpen it\n- Buy seeds #home\n'),
      );
      await window.palette('Dueline: Quick Add Task');
      await window.quickInput.getByPlaceholder(/Call the bank/).waitFor({ timeout: timeoutMs });
      await press('Control+v');
      await window.quickInput.getByText('Add 3 tasks?').waitFor({ timeout: timeoutMs });
      await window.pictures('quick-add-lines', window.quickInput);
      await window.picks(choice).click();
      await until('the tasks', timeoutMs, async () => (await tasks()).length === before + titles.length);
      for (const title of titles) await named(title);
      await window.palette('Dueline: Undo Last Task Change');
      await until('none of them', timeoutMs, async () => (await tasks()).length === before);
    });

  it('a filter line takes the highlighted name by Enter, counts, and then filters', async () => {
    await addTagged(['Stripes', 'zebra', 'zephyr'], ['Breeze', 'zephyr']);
    await window.palette('Dueline: Filter Tasks…');
    await window.quickInput.getByText('Type text or a query').waitFor({ timeout: timeoutMs });
    await type('#ze');
    await window.picks('zephyr').first().waitFor({ timeout: timeoutMs });
    await window.pictures('filter-names', window.quickInput);
    await press('Enter');
    await until('the name', timeoutMs, async () => (await window.quickText.inputValue()) === '#zephyr ');
    await window.picks('2 tasks match').waitFor({ timeout: timeoutMs });
    await type('-#zeb');
    await window.picks('zebra').first().waitFor({ timeout: timeoutMs });
    await press('Tab');
    await until('both names', timeoutMs, async () => (await window.quickText.inputValue()) === '#zephyr -#zebra ');
    await window.picks('1 task matches').waitFor({ timeout: timeoutMs });
    await press('Enter');
    await window.quickInput.waitFor({ state: 'hidden', timeout: timeoutMs });
    await window.rows('1 of').first().waitFor({ timeout: timeoutMs });
    await window.palette('Dueline: Clear Filter');
  });

  it('counts tasks beside filters and tags, and in the picker of tags', async () => {
    const counted = (name: string, count: number) =>
      window
        .rows(new RegExp(`^.?${name}.?${count || ''}$`))
        .first()
        .waitFor({ timeout: timeoutMs });
    await addTagged(['Quiet', 'aardvark']);
    await window.expand('Tags');
    await counted('aardvark', 1);
    const high = (await tasks()).filter(({ priority }) => priority === 1).length;
    await counted('High Priority', high);
    await addTagged(['Loud', 'aardvark']);
    await counted('aardvark', 2);
    await window.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      const [row] = api.query('title:Loud');
      await api.updateTask(row.task.id, { priority: 1 });
    });
    await counted('High Priority', high + 1);
    await window.pictures('filter-counts');
    await goTo('Loud');
    await window.palette('Dueline: Edit Tags…');
    await window.picks(/aardvark.*2 tasks/).waitFor({ timeout: timeoutMs });
    await press('Escape');
  });

  it('reads or in lower case between conditions, says so, and takes it for a word in quotes', async () => {
    await addTagged(['Northern', 'arctic'], ['Southern', 'antarctic'], ['Make or break']);
    await window.palette('Dueline: Search Tasks…');
    await window.quickInput.getByPlaceholder(/Type text or a query/).waitFor({ timeout: timeoutMs });
    await window.quickText.fill('#arctic or #antarctic');
    await window.picks('Northern').first().waitFor({ timeout: timeoutMs });
    await window.picks('Southern').first().waitFor();
    await window.quickInput.getByText('“or” is read as OR').waitFor();
    await window.pictures('search-or', window.quickInput);
    await window.quickText.fill('make "or"');
    await window.picks('Make or break').first().waitFor({ timeout: timeoutMs });
    await window.quickInput.getByText('“or” is read as OR').waitFor({ state: 'detached' });
    await press('Escape');
    await window.palette('Dueline: Save Filter…');
    await window.quickText.fill('#arctic or #antarctic');
    await window.picks('2 tasks match').waitFor({ timeout: timeoutMs });
    await window.picks('“or” is read as OR').waitFor();
    await press('Escape');
  });

  it('makes tasks of many lines of the clipboard, but those that are unticked, as one step', async () => {
    const before = (await tasks()).length;
    await window.run(vscode =>
      vscode.env.clipboard.writeText(
        '- [ ] Wash the car\n* Water plants 3 days after completion #garden\n\n3. Not this one\n',
      ),
    );
    await window.palette('Dueline: Add Tasks from Clipboard');
    await window.picks('Not this one').first().waitFor({ timeout: timeoutMs });
    await window.picture('clipboard-lines');
    for (let step = 0; step < 3; step++) await press('ArrowDown');
    await press('Space');
    await window.quickInput.getByText('2 Selected').waitFor();
    await press('Enter');
    await named('Wash the car');
    const watered = await named('Water plants');
    assert.deepEqual(watered.tags, ['garden']);
    assert.notEqual(watered.due, null);
    assert.match(watered.unknownProperties ?? '', /REPEAT-FROM:COMPLETION/);
    assert.equal((await tasks()).length, before + 2);
    await window.palette('Dueline: Undo Last Task Change');
    await until('none of them', timeoutMs, async () => (await tasks()).length === before);
    await window.palette('Dueline: Redo Task Change');
    await until('both again', timeoutMs, async () => (await tasks()).length === before + 2);
  });

  it('keeps what is typed in quick add at a click elsewhere', async () => {
    await window.palette('Dueline: Quick Add Task');
    await window.quickInput.getByPlaceholder(/Call the bank/).waitFor({ timeout: timeoutMs });
    await type('Half a tho');
    await window.picks('Add').first().waitFor();
    await window.page.locator('.statusbar').click({ position: { x: 400, y: 5 } });
    await window.page.waitForTimeout(500);
    assert.ok(await window.quickText.isVisible());
    assert.equal(await window.quickText.inputValue(), 'Half a tho');
    await window.quickText.fill('');
    await window.picks('Add').first().waitFor({ state: 'hidden' });
    await window.page.locator('.statusbar').click({ position: { x: 400, y: 5 } });
    await window.quickInput.waitFor({ state: 'hidden' });
  });

  it('adds the line of the editor, without what makes it a comment', async () => {
    await window.run(async vscode => {
      const document = await vscode.workspace.openTextDocument({ content: 'let x;\n  // Rename x friday\n' });
      const editor = await vscode.window.showTextDocument(document);
      editor.selection = new vscode.Selection(1, 4, 1, 4);
    });
    await window.palette('Dueline: Add Task from Selection');
    await until('the line', timeoutMs, async () => (await window.quickText.inputValue()) === 'Rename x friday');
    await window.picks('Add').first().waitFor();
    await press('Enter');
    assert.notEqual((await named('Rename x')).due, null);
    // Closed in any other way, what is not saved asks.
    await window.command('workbench.action.revertAndCloseActiveEditor');
  });

  it('goes to a task in the tree, opening what is around it', async () => {
    await window.palette('Dueline: Go to Task…');
    await window.quickInput.getByPlaceholder(/Select a task to go to/).waitFor({ timeout: timeoutMs });
    await type('Wash');
    await window.picks('Wash the car').first().waitFor();
    await press('Enter');
    await window.page
      .locator('.pane-body .monaco-list-row.focused', { hasText: 'Wash the car' })
      .first()
      .waitFor({ timeout: timeoutMs });
  });

  it('goes to one of thousands of tasks, found while it is typed, and shows what looks like an icon as words', async () => {
    const many = await window.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      const list = await api.createList({ name: 'Thousands' });
      const input = (at: number) => ({ type: 'create', listId: list, input: { title: `One of many ${at}` } });
      await api.apply(Array.from({ length: 1100 }, (_, at) => input(at)));
      await api.createTask(list, { title: 'Take out $(trash) today', tags: ['$(flame)'] });
      return list as number;
    });
    await window.palette('Dueline: Go to Task…');
    await window.quickInput.getByPlaceholder(/Select a task to go to/).waitFor({ timeout: timeoutMs });
    await window.picks().nth(3).waitFor();
    await type('take out');
    const found = window.picks(/Take out \$.?\(trash\) today/).first();
    await found.waitFor({ timeout: timeoutMs });
    assert.match((await found.textContent()) ?? '', /#\$.?\(flame\)/);
    assert.equal(await found.locator('.codicon-trash, .codicon-flame').count(), 0);
    await window.pictures('go-to-many', window.quickInput);
    await press('Enter');
    await window.page
      .locator('.pane-body .monaco-list-row.focused', { hasText: '(trash)' })
      .first()
      .waitFor({ timeout: timeoutMs });
    await window.run(async (vscode, list) => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      await api.deleteList(list);
    }, many);
  });

  it('searches while it is typed, says what is wrong with a query, and opens what is found', async () => {
    await window.palette('Dueline: Search Tasks…');
    await window.quickInput.getByPlaceholder(/Type text or a query/).waitFor({ timeout: timeoutMs });
    await type('#garden');
    // It begins with today's tasks, both of them.
    await window.picks('Wash the car').first().waitFor({ state: 'detached' });
    await window.picks('Water plants').first().waitFor();
    await window.quickText.fill('dew:today');
    await window
      .picks(/dew|due/)
      .first()
      .waitFor();
    await window.picture('search-fault');
    await window.quickText.fill('nothing like this');
    await window.picks('No tasks found.').first().waitFor();
    await window.quickText.fill('plants');
    await window.picks('Water plants').first().waitFor();
    await press('Enter');
    await window.page.locator('.tab', { hasText: 'Water plants' }).first().waitFor({ timeout: timeoutMs });
  });

  it('opens by one key in code, which does nothing else there', async () => {
    const defaults = await window.run(async vscode => {
      const uri = vscode.Uri.parse('vscode://defaultsettings/keybindings.json');
      return (await vscode.workspace.openTextDocument(uri)).getText() as string;
    });
    const others = [...defaults.matchAll(/"key": "ctrl\+alt\+enter",[^}]*?"command": "([^"]*)"[^}]*/g)];
    const elsewhere =
      /findWidgetVisible|inSearchEditor|searchViewletVisible|[nN]otebook|[cC]hat|isInDiffEditor|[iI]nQuickInput|quickInput/;
    const ids = others.map(([, id]) => id);
    assert.ok(ids.includes('dueline.quickAdd'), String(ids));
    const inCode = others.filter(([text, id]) => id !== 'dueline.quickAdd' && !elsewhere.test(text));
    assert.deepEqual(
      inCode.map(([, id]) => id),
      [],
    );
    await window.command('workbench.action.files.newUntitledFile');
    await window.page.locator('.monaco-editor.focused').first().waitFor({ timeout: timeoutMs });
    await press('Control+Alt+Enter');
    await window.quickInput.getByPlaceholder(/./).first().waitFor({ timeout: timeoutMs });
    await press('Escape');
    await window.command('workbench.action.revertAndCloseActiveEditor');
  });

  it('search has a key that is free, and starts with today’s tasks and those changed last', async () => {
    const defaults = await window.run(async vscode => {
      const uri = vscode.Uri.parse('vscode://defaultsettings/keybindings.json');
      return (await vscode.workspace.openTextDocument(uri)).getText() as string;
    });
    const others = [...defaults.matchAll(/"key": "ctrl\+k ctrl\+'",[^}]*?"command": "([^"]*)"/g)].map(([, id]) => id);
    assert.deepEqual(others, ['dueline.search']);
    await window.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      const now = new Date();
      const due = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate());
      await api.createTask(api.lists()[0].id, { title: 'Noon call', due, isAllDay: true, priority: 1 });
      await api.createTask(api.lists()[0].id, { title: 'Somewhen' });
    });
    // A chord can be swallowed while the focus moves.
    await until('search by its key', timeoutMs, async () => {
      await window.command('dueline.lists.focus');
      await press('Control+k');
      await press("Control+'");
      await window.picks(/Noon call.*Today.*Inbox.*high priority/).waitFor({ timeout: 10_000 });
      return true;
    });
    await window.picks('Somewhen').waitFor();
    const headings = window.quickInput.locator('.quick-input-list-separator');
    await headings.filter({ hasText: 'Recently changed' }).first().waitFor();
    assert.match((await window.picks().first().textContent()) ?? '', /Today/);
    await window.pictures('search-start', window.quickInput);
    await press('Escape');
    await goTo('Somewhen');
    await press('/');
    await window.picks('Noon call').waitFor({ timeout: timeoutMs });
    await press('Escape');
    await until('the row again', timeoutMs, () =>
      window.page.evaluate<boolean>(`document.activeElement?.closest('.pane-body') !== null`),
    );
  });

  it('search takes a mistyped letter, and completes and shows what is found by its buttons', async () => {
    await addTagged(['Rotate the tyres'], ['Rotate the crops']);
    await window.palette('Dueline: Search Tasks…');
    await window.quickInput.getByPlaceholder(/Type text or a query/).waitFor({ timeout: timeoutMs });
    await window.quickText.fill('roatte tyers');
    await window.quickInput.getByText('No exact match; these are similar').waitFor({ timeout: timeoutMs });
    await window.picks('Rotate the tyres').waitFor();
    assert.equal(await window.picks('Rotate the crops').count(), 0);
    await window.pictures('search-similar', window.quickInput);
    await window.picks('Rotate the tyres').hover();
    await window.picks('Rotate the tyres').getByRole('button', { name: 'Complete' }).click();
    await until('the task done', timeoutMs, async () => (await named('Rotate the tyres')).status === 2);
    await window.quickText.fill('crops');
    await window.picks('Rotate the crops').waitFor({ timeout: timeoutMs });
    await window.picks('Rotate the crops').hover();
    await window.picks('Rotate the crops').getByRole('button', { name: 'Show in Lists' }).click();
    await window.page
      .locator('.pane-body .monaco-list-row.focused', { hasText: 'Rotate the crops' })
      .first()
      .waitFor({ timeout: timeoutMs });
  });

  it('edits all that match, asking above the set number what is to happen to how many', async () => {
    await window.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      const list = api.lists()[0].id;
      const input = (at: number) => ({
        type: 'create',
        listId: list,
        input: { title: `Bulk ${at}`, tags: ['bulk'], priority: at ? 0 : 1 },
      });
      await api.apply(Array.from({ length: 12 }, (_, at) => input(at)));
    });
    // What takes the focus late, such as the form that the test before opened, closes the question.
    await until('the query to be taken', timeoutMs, async () => {
      await window.palette('Dueline: Edit Tasks Matching Query…');
      await window.quickInput.getByText('Edit Tasks Matching Query').waitFor({ timeout: 5000 });
      await window.quickText.fill('#bulk', { timeout: 3000 });
      await window.quickInput.getByText('12 tasks match').waitFor({ timeout: 5000 });
      await press('Enter');
      return window
        .picks('Set priority…')
        .first()
        .click({ timeout: 5000 })
        .then(() => true);
    });
    await window.pick('High', 'Priority');
    const dialog = window.page.locator('.monaco-dialog-box');
    await dialog.waitFor({ timeout: timeoutMs });
    const asked = (await dialog.textContent()) ?? '';
    assert.match(asked, /Change 11 tasks\?/, 'one is so already');
    assert.match(asked, /Priority: High/);
    assert.match(asked, /1 task already has this value/);
    await window.pictures('bulk-confirm', dialog);
    await dialog.getByRole('button', { name: 'Change 11 tasks' }).click();
    const bulk = async () => (await tasks()).filter(({ title }) => title.startsWith('Bulk'));
    await until('all of them', timeoutMs, async () => (await bulk()).every(({ priority }) => priority === 1));
    await window.palette('Dueline: Undo Last Task Change');
    await until('only the first', timeoutMs, async () => (await bulk()).filter(one => one.priority === 1).length === 1);
  });

  it('sets a repeat in two steps, and goes back from the second', async () => {
    await goTo('Wash the car');
    await window.palette('Dueline: Set Repeat…');
    await window.quickInput.getByText('(1/2)').waitFor({ timeout: timeoutMs });
    await type('every 3 days');
    await window
      .picks(/3 days/)
      .first()
      .waitFor();
    await press('Enter');
    await window.quickInput.getByText('(2/2)').waitFor({ timeout: timeoutMs });
    await window.picture('repeat-second-step');
    await window.quickInput.getByRole('button', { name: /Back/ }).click();
    await window.quickInput.getByText('(1/2)').waitFor({ timeout: timeoutMs });
    await type('every 4 days');
    await window
      .picks(/4 days/)
      .first()
      .waitFor();
    await press('Enter');
    await window.pick('From the completion date', /counts from/);
    await until('the rule', timeoutMs, async () => (await named('Wash the car')).rrule === 'FREQ=DAILY;INTERVAL=4');
  });

  it('sets a reminder at a moment, going back to the presets in between', async () => {
    await goTo('Wash the car');
    await window.palette('Dueline: Add Reminder…');
    await window.pick('At a date and time…');
    await window.quickInput.getByRole('button', { name: /Back/ }).click({ timeout: timeoutMs });
    await window.pick('1 day before it is due');
    await until('the reminder', timeoutMs, async () =>
      (await named('Wash the car')).alarms.some(({ minutesBefore }) => minutesBefore === 1440),
    );
  });

  it('quick add makes a list on this computer where there is none to write to', async () => {
    await window.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      for (const { id } of api.lists()) await api.deleteList(id);
    });
    await window.palette('Dueline: Quick Add Task');
    await window.quickText.fill('First of all');
    await window.picks(/to .Inbox., a new list on this computer/).waitFor({ timeout: timeoutMs });
    await window.page.mouse.move(700, 600); // its words would lie over the line
    await window.pictures('quick-add-no-list', window.quickInput);
    await press('Enter');
    await named('First of all');
    await window.rows('Inbox').first().waitFor({ timeout: timeoutMs });
  });
});
