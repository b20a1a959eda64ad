import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Locator } from 'playwright-core';
import { packageOnce } from '../../scripts/package/once.mjs';
import { Session } from './support/driver';
import { until } from './support/wait';
import type { Window } from './support/window';

const timeoutMs = 60_000;

/** What a person does all day in the Lists tree, by mouse and by keyboard alone. */
describe('the Lists tree in the window', () => {
  let session: Session;
  let window: Window;
  before(async () => {
    // As people have it: VS Code 1.90 refuses to ask in a window for development.
    const size = { width: 1280, height: 1000 };
    session = await Session.open({
      vsix: [await packageOnce('full')],
      theme: 'light',
      size,
      timezone: 'Europe/Berlin',
    });
    window = session.window;
    await window.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      const inbox = api.lists()[0].id;
      for (const title of ['Alpha', 'Bravo', 'Charlie', 'Delta']) await api.createTask(inbox, { title });
      await api.createList({ name: 'Errands' });
      const now = new Date();
      const today = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate());
      const days = await api.createList({ name: 'Days' });
      await api.createTask(days, { title: 'On this day', due: today, isAllDay: true });
      await api.createTask(days, { title: 'On the next', due: today + 86_400_000, isAllDay: true });
    });
    await window.view();
    await window.command('dueline.lists.focus');
    await window.rows('Inbox').first().click();
    await window.rows('Alpha').first().waitFor();
  });
  after(() => session?.close());
  afterEach(async function () {
    if (this.currentTest?.state !== 'failed') return;
    await window.shot(`failed-${this.currentTest.title.slice(0, 30)}`);
    await window.page.keyboard.press('Escape');
    await window.page.keyboard.press('Escape');
  });

  /** The titles below a list, in the order of the screen. */
  const shown = async (...titles: string[]) => {
    const all = await window.rows().allTextContents();
    return all.flatMap(text => titles.find(title => text.includes(title)) ?? []);
  };
  interface Known {
    status: number;
    priority: number;
    due: number;
    list: string;
    parent: string | null;
    tags: string[];
    lines: string | null;
  }
  const task = (title: string): Promise<Known | undefined> =>
    window.run(async (vscode, title) => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      const found = api.lists().flatMap((list: { id: number }) => api.rows(list.id));
      const row = found.find((row: { title: string; isDeleted: boolean }) => row.title === title && !row.isDeleted);
      const list = row && api.lists().find((list: { id: number }) => list.id === row.listId);
      const parent = row?.parentId == null ? null : api.task(row.parentId).title;
      const { status, priority, due, tags, unknownProperties: lines } = row ?? {};
      return row && { status, priority, due, list: list.name, parent, tags, lines };
    }, title) as Promise<Known | undefined>;
  const holds = (what: string, title: string, check: (task: Known) => boolean) =>
    until(what, timeoutMs, async () => {
      const found = await task(title);
      return found !== undefined && check(found);
    });

  const focused = () =>
    window.page.evaluate<string>(
      `(() => { const list = document.activeElement?.closest('.monaco-list'); const row = list?.querySelector('.monaco-list-row.focused'); return row?.textContent ?? ''; })()`,
    );

  /** By keys alone: from the top down until the row has the focus. */
  async function goTo(title: string): Promise<void> {
    const { keyboard } = window.page;
    await window.command('dueline.lists.focus');
    await keyboard.press('Home');
    let before = '';
    await until(`the focus on ${title}`, timeoutMs, async () => {
      const now = await focused();
      if (now.includes(title)) return true;
      // What the tree shows late can take the focus further down: from the end it begins again.
      await keyboard.press(now === before ? 'Home' : 'ArrowDown');
      before = now;
      return undefined;
    });
  }

  /** With the pauses that the tree needs to see a drag as one. */
  async function drag(from: Locator, to: Locator): Promise<void> {
    const { mouse } = window.page;
    const places = async () => [await from.boundingBox(), await to.boundingBox()] as const;
    let [start, end] = await places();
    // Rows that a change before is still moving would be missed.
    await until('rows that stay', timeoutMs, async () => {
      const before = JSON.stringify([start, end]);
      await pause(150);
      [start, end] = await places();
      return JSON.stringify([start, end]) === before;
    });
    assert.ok(start && end);
    await mouse.move(start.x + 60, start.y + start.height / 2);
    // The editor's hover of what the mouse was on before goes first.
    await pause(300);
    await mouse.down();
    await mouse.move(start.x + 70, start.y + start.height / 2 + 6, { steps: 4 });
    await mouse.move(end.x + 60, end.y + end.height / 2, { steps: 8 });
    await mouse.move(end.x + 62, end.y + end.height / 2 + 1, { steps: 2 });
    await mouse.up();
  }
  const row = (title: string) => window.rows(title).first();

  const dropMakes = (what: 'subtask' | undefined) =>
    window.run(async (vscode, what) => {
      const target = vscode.ConfigurationTarget.Global;
      await vscode.workspace.getConfiguration().update('dueline.tree.dropOnTask', what, target);
    }, what);

  it('moves a task above the one it is dropped on, says so and offers to undo it', async () => {
    const order = async () => (await shown('Alpha', 'Bravo', 'Charlie')).join();
    assert.equal(await order(), 'Alpha,Bravo,Charlie');
    await drag(row('Charlie'), row('Alpha'));
    await until('the new order', timeoutMs, async () => (await order()) === 'Charlie,Alpha,Bravo');
    await holds('no subtask', 'Charlie', ({ parent }) => parent === null);
    const undo = window.page.locator('.statusbar-item[id*="dueline.undo"]');
    await until('the words', timeoutMs, async () =>
      /Moved .Charlie. above .Alpha. · Undo/.test((await undo.textContent()) ?? ''),
    );
    await window.pictures('drag-undo');
    await undo.click();
    await until('the old order', timeoutMs, async () => (await order()) === 'Alpha,Bravo,Charlie');
  });

  it('makes a dropped task a subtask where that is set, and undo puts it back', async () => {
    await dropMakes('subtask');
    await drag(row('Bravo'), row('Alpha'));
    await holds('a subtask', 'Bravo', ({ parent }) => parent === 'Alpha');
    const undo = window.page.locator('.statusbar-item[id*="dueline.undo"]');
    await until('the words', timeoutMs, async () =>
      /Made .Bravo. a subtask of .Alpha. · Undo/.test((await undo.textContent()) ?? ''),
    );
    await undo.click();
    await holds('the top again', 'Bravo', ({ parent }) => parent === null);
    await dropMakes(undefined);
  });

  it('says so where a task that is dropped beside a subtask becomes one', async () => {
    const { keyboard } = window.page;
    await goTo('Bravo');
    await keyboard.press('Control+]');
    await holds('a subtask', 'Bravo', ({ parent }) => parent === 'Alpha');
    await drag(row('Charlie'), row('Bravo'));
    await holds('one beside it', 'Charlie', ({ parent }) => parent === 'Alpha');
    const undo = window.page.locator('.statusbar-item[id*="dueline.undo"]');
    await until('the words', timeoutMs, async () =>
      /Made .Charlie. a subtask of .Alpha., above .Bravo. · Undo/.test((await undo.textContent()) ?? ''),
    );
    for (const _ of ['the drop', 'the key']) await window.palette('Dueline: Undo Last Task Change');
    await holds('the top', 'Bravo', ({ parent }) => parent === null);
    await holds('the top', 'Charlie', ({ parent }) => parent === null);
  });

  it('moves a task into another list by drag', async () => {
    await drag(row('Delta'), row('Errands'));
    await holds('the other list', 'Delta', ({ list }) => list === 'Errands');
    await row('Delta').waitFor({ state: 'detached' });
  });

  it('moves by keyboard alone: up, down, below, out', async () => {
    const { keyboard } = window.page;
    await goTo('Charlie');
    await keyboard.press('Alt+ArrowUp');
    await until(
      'one up',
      timeoutMs,
      async () => (await shown('Alpha', 'Bravo', 'Charlie')).join() === 'Alpha,Charlie,Bravo',
    );
    assert.match(await focused(), /Charlie/, 'the focus stays on what was moved');
    const undo = window.page.locator('.statusbar-item[id*="dueline.undo"]');
    await until('the words', timeoutMs, async () =>
      /Moved .Charlie. above .Bravo. · Undo/.test((await undo.textContent()) ?? ''),
    );
    await keyboard.press('Alt+ArrowDown');
    await until(
      'one down',
      timeoutMs,
      async () => (await shown('Alpha', 'Bravo', 'Charlie')).join() === 'Alpha,Bravo,Charlie',
    );
    await keyboard.press('Control+]');
    await holds('a subtask', 'Charlie', ({ parent }) => parent === 'Bravo');
    await window.palette('Dueline: Undo Last Task Change');
    await holds('undone', 'Charlie', ({ parent }) => parent === null);
  });

  it('shows what is moved below or out of a folded task, with the focus on it', async () => {
    const { keyboard } = window.page;
    const isOn = window.page.locator('.monaco-list:focus-within .monaco-list-row.focused.selected');
    const hasFocus = (title: string, level: number) =>
      isOn
        .filter({ hasText: title })
        .and(window.page.locator(`[aria-level="${level}"]`))
        .waitFor();
    await goTo('Charlie');
    await keyboard.press('Control+]');
    await holds('a subtask', 'Charlie', ({ parent }) => parent === 'Bravo');
    await hasFocus('Charlie', 3);
    await goTo('Bravo');
    await keyboard.press('ArrowLeft');
    await row('Charlie').waitFor({ state: 'detached' });
    // Into a parent that is folded again.
    await goTo('Bravo');
    await keyboard.press('Control+]');
    await holds('a subtask', 'Bravo', ({ parent }) => parent === 'Alpha');
    await hasFocus('Bravo', 3);
    await keyboard.press('Control+[');
    await holds('the top', 'Bravo', ({ parent }) => parent === null);
    await hasFocus('Bravo', 2);
    await keyboard.press('ArrowRight');
    await row('Charlie').waitFor();
    await goTo('Charlie');
    await keyboard.press('Control+[');
    await holds('the top', 'Charlie', ({ parent }) => parent === null);
    await hasFocus('Charlie', 2);
  });

  it('shows what is dropped on a folded task and what is added below it', async () => {
    await dropMakes('subtask');
    await drag(row('Charlie'), row('Bravo'));
    await holds('a subtask', 'Charlie', ({ parent }) => parent === 'Bravo');
    await dropMakes(undefined);
    // Where it was before it may still be drawn.
    await row('Charlie').and(window.page.locator('[aria-level="3"]')).waitFor();
    await goTo('Bravo');
    await window.page.keyboard.press('ArrowLeft');
    await row('Charlie').waitFor({ state: 'detached' });
    await window.context('Bravo', 'Add Subtask…');
    await window.quickText.fill('Second step');
    await window.picks('Second step').first().waitFor();
    await window.page.keyboard.press('Enter');
    await row('Second step').waitFor();
    await row('Charlie').waitFor();
    for (const _ of ['the step', 'the drop']) await window.palette('Dueline: Undo Last Task Change');
    await holds('the top', 'Charlie', ({ parent }) => parent === null);
    await row('Second step').waitFor({ state: 'detached' });
  });

  it('continues with the next row where a task moves to another list', async () => {
    const { keyboard } = window.page;
    await goTo('Bravo');
    await window.palette('Dueline: Move to List…');
    await window.pick('Errands', 'Select a list to move to');
    await holds('the other list', 'Bravo', ({ list }) => list === 'Errands');
    await row('Bravo').waitFor({ state: 'detached' });
    await until('the focus on the next', timeoutMs, async () => (await focused()).includes('Charlie'));
    await keyboard.press('Control+z');
    await holds('the old list', 'Bravo', ({ list }) => list === 'Inbox');
    await row('Bravo').waitFor();
  });

  it('renames and deletes the row that has the focus, not one that was selected before', async () => {
    const { keyboard } = window.page;
    await window.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      await api.createTask(api.lists()[0].id, { title: 'Yankee' });
      await api.createTask(api.lists()[0].id, { title: 'Zulu' });
    });
    await row('Zulu').waitFor();
    await row('Alpha').click({ modifiers: ['Control'], position: { x: 200, y: 8 } });
    await goTo('Yankee');
    await keyboard.press('F2');
    await window.answer('Rename Task', 'X-ray');
    await holds('the new name', 'X-ray', () => true);
    await goTo('Zulu');
    await keyboard.press('Delete');
    await until('Zulu to be gone', timeoutMs, async () => (await task('Zulu')) === undefined);
    assert.ok(await task('Alpha'));
    await goTo('X-ray');
    await keyboard.press('Delete');
    await until('X-ray to be gone', timeoutMs, async () => (await task('X-ray')) === undefined);
    assert.ok(await task('Alpha'));
  });

  it('completes and reopens the row that has the focus by Space, which folds a list', async () => {
    const { keyboard } = window.page;
    await goTo('Bravo');
    await keyboard.press('Space');
    await until('Bravo to be done', timeoutMs, async () => (await shown('Bravo')).length === 0);
    assert.equal((await task('Bravo'))?.status, 2);
    assert.ok((await shown('Alpha', 'Charlie')).length === 2);
    await window.palette('Dueline: Undo Last Task Change');
    await row('Bravo').waitFor();
    // What earlier clicks selected together with the list would be meant with it.
    await row('Inbox').click();
    await row('Bravo').waitFor({ state: 'detached' });
    await goTo('Inbox');
    await keyboard.press('Space');
    await row('Bravo').waitFor();
    await keyboard.press('Space');
    await row('Bravo').waitFor({ state: 'detached' });
    await keyboard.press('Space');
    await row('Bravo').waitFor();
    assert.notEqual((await task('Bravo'))?.status, 2);
  });

  it('tells in quick add when what repeats is due first', async () => {
    await window.palette('Dueline: Quick Add Task');
    await window.quickText.fill('Standup every monday 9:00');
    await window.picks(/every week on Monday · .*9:00/).waitFor();
    await window.page.keyboard.press('Escape');
  });

  it('keeps its focus over a change from elsewhere', async () => {
    await goTo('Bravo');
    await window.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      await api.createTask(api.lists()[0].id, { title: 'Echo' });
    });
    await row('Echo').waitFor();
    assert.match(await focused(), /Bravo/);
  });

  it('completes, tags and deletes several selected rows, each as one step', async () => {
    await row('Alpha').click({ position: { x: 200, y: 8 } });
    await row('Bravo').click({ modifiers: ['Control'], position: { x: 200, y: 8 } });
    await row('Bravo').click({ button: 'right' });
    await window.menu('Edit Selected Tasks…');
    await window.pick('Edit tags…', /2 tasks/);
    await window.quickText.fill('both');
    await window.picks('both').first().waitFor();
    await window.picks('both').first().click();
    await window.quickInput.getByRole('button', { name: 'OK' }).click();
    await holds('the tag', 'Alpha', ({ tags }) => tags.includes('both'));
    await holds('the tag', 'Bravo', ({ tags }) => tags.includes('both'));
    await window.palette('Dueline: Undo Last Task Change');
    await holds('no tag', 'Alpha', ({ tags }) => tags.length === 0);
    assert.deepEqual((await task('Bravo'))?.tags, []);
  });

  it('is in groups of days, onto which tasks are dropped', async () => {
    await window.palette('Dueline: Group Tasks By…');
    await window.pick('By due date');
    await row('No date').waitFor();
    await row('Inbox').click();
    await row('Days').click();
    await row('Tomorrow').waitFor();
    const before = await task('On this day');
    const heading = window.page.getByRole('treeitem', { name: /^group .*Tomorrow/ });
    // A tree that is still opening its rows lets go of a drag: it is begun again.
    await until('the next day', timeoutMs, async () => {
      await drag(row('On this day'), heading);
      return until('the drop', 3000, async () => (await task('On this day'))?.due === before!.due + 86_400_000);
    });
    // Between the rows of a day a task is due on that day, and above the row it was dropped on.
    await window.command('dueline.undo');
    await holds('the old day', 'On this day', ({ due }) => due === before!.due);
    const undo = window.page.locator('.statusbar-item[id*="dueline.undo"]');
    const today = window.page.getByRole('treeitem', { name: /^group .*Today/ });
    // Dropped on a row that moves under the mouse, it is on another one: taken back, and begun again.
    await until('the row of the next day', timeoutMs, async () => {
      if ((await task('On this day'))?.due !== before!.due) await window.command('dueline.undo');
      await today.waitFor();
      await drag(row('On this day'), row('On the next'));
      return until('the words', 5000, async () =>
        /Moved .On this day. above .On the next.\. Rescheduled .On this day./.test((await undo.textContent()) ?? ''),
      );
    });
    assert.equal((await task('On this day'))?.due, before!.due + 86_400_000);
    await until('the order', timeoutMs, async () => {
      return (await shown('On this day', 'On the next')).join() === 'On this day,On the next';
    });
    for (const theme of ['light', 'dark', 'hc'] as const) {
      await window.theme(theme);
      await window.picture(`trees-groups-${theme}`);
    }
    await window.palette('Dueline: Group Tasks By…');
    await window.pick('No grouping');
    await window.page
      .getByRole('treeitem', { name: /^group/ })
      .first()
      .waitFor({ state: 'detached' });
    await row('Days').click();
    await row('Inbox').click();
    await row('Alpha').waitFor();
  });

  it('asks before moving up what is sorted otherwise, and sorts by hand where the person wants', async () => {
    await window.palette('Dueline: Sort Tasks By…');
    await window.pick('By title');
    await row('Echo').waitFor();
    // A tree that is still being sorted takes no key for the row that has just had the focus.
    await until('the question', timeoutMs, async () => {
      await goTo('Echo');
      await window.page.keyboard.press('Alt+ArrowUp');
      const asked = window.page.locator('.notification-toast').filter({ hasText: /not sorted manually/ });
      return asked.waitFor({ timeout: 3000 }).then(() => true);
    });
    await window.press(/not sorted manually/, 'Sort Manually');
    await until('Echo above', timeoutMs, async () => {
      const order = await shown('Charlie', 'Echo');
      return order.join() === 'Echo,Charlie';
    });
  });

  it('has a short menu, with what belongs together in submenus', async () => {
    const menu = await window.openSubmenu('Alpha', 'Due', 'Postpone…');
    assert.ok(
      (await menu.locator(':scope > .monaco-action-bar > .actions-container > .action-item:not(.disabled)').count()) <=
        12,
    );
    await window.pictures('task-menu');
    await window.page.keyboard.press('Escape');
    await window.page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    await window.context('Alpha', 'Priority › Set Low Priority');
    await holds('the priority', 'Alpha', ({ priority }) => priority === 9);
    await window.command('dueline.undo');
  });

  it('postpones by days or to a date that is typed, and says the date', async () => {
    const noon = Date.UTC(2031, 4, 5);
    await window.run(async (vscode, due) => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      const [found] = api.query('"Alpha"');
      await api.updateTask(found.task.id, { due, isAllDay: true });
    }, noon);
    await window.context('Alpha', 'Due › Postpone…');
    await window.picks('By 1 week').or(window.picks('By 7 days')).filter({ hasText: 'May 12, 2031' }).waitFor();
    await window.pictures('postpone');
    await window.quickText.fill('5');
    await window.picks('By 5 days').filter({ hasText: 'May 10, 2031' }).waitFor();
    await window.quickText.fill('2031-06-01');
    await window.picks('Jun 1, 2031').waitFor();
    await window.page.keyboard.press('Enter');
    await holds('the date', 'Alpha', ({ due }) => due === Date.UTC(2031, 5, 1));
    await window.command('dueline.undo');
    await window.command('dueline.undo');
  });

  it('shows which tags some of the selected tasks have, and leaves or removes them', async () => {
    await window.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      for (const [title, tags] of [
        ['Alpha', ['all', 'some', 'other']],
        ['Bravo', ['all']],
      ] as const)
        await api.updateTask(api.query(`"${title}"`)[0].task.id, { tags: [...tags] });
    });
    await window.rows('Alpha').first().click();
    await window
      .rows('Bravo')
      .first()
      .click({ modifiers: ['Control'] });
    await window.context('Bravo', 'Edit Tags…');
    await window.picks('some').filter({ hasText: '1 of 2 selected' }).waitFor();
    await window.pictures('tags-mixed');
    await window.picks('some').hover();
    await window.picks('some').getByRole('button', { name: 'Remove from All' }).click();
    await window.picks('some').filter({ hasText: 'Removed from all' }).waitFor();
    await window.quickInput.getByRole('button', { name: 'OK' }).click();
    await holds('the tags', 'Alpha', ({ tags }) => tags.join() === 'all,other');
    await holds('the tags', 'Bravo', ({ tags }) => tags.join() === 'all');
    for (let i = 0; i < 3; i++) await window.command('dueline.undo');
  });

  it('links a task to the line that is open, and opens it from the menu', async () => {
    // Several are selected still, which have no line in common.
    await row('Alpha').click();
    await window.run(async (vscode, folder) => {
      const file = vscode.Uri.joinPath(vscode.Uri.file(folder), 'notes.txt');
      await vscode.workspace.fs.writeFile(file, new TextEncoder().encode('one\ntwo\n'));
      const editor = await vscode.window.showTextDocument(file);
      editor.selection = new vscode.Selection(1, 0, 1, 0);
    }, session.folder);
    await window.context('Alpha', 'Copy and Link › Link Task to This Line');
    await holds('the link', 'Alpha', ({ lines }) => /X-DUELINE-ANCHOR.*LINE=2/.test(lines ?? ''));
    await row('Alpha').filter({ hasText: 'notes.txt:2' }).waitFor();
    await window.command('workbench.action.closeAllEditors');
    await window.context('Alpha', 'Copy and Link › Open Link');
    await window.page.locator('.tab', { hasText: 'notes.txt' }).waitFor();
  });

  it('asks about open subtasks when their parent is ticked, and shows the truth where the person leaves', async () => {
    await window.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      const list = api.lists()[0].id;
      const parent = await api.createTask(list, { title: 'Foxtrot' });
      await api.createTask(list, { title: 'Golf', parentId: parent });
    });
    await row('Foxtrot').filter({ hasText: '0/1' }).waitFor();
    const dialog = window.page.locator('.monaco-dialog-box');
    const tick = () =>
      until('the question', timeoutMs, async () => {
        // A row that is redrawn between a press and its release hears no click.
        if (!(await dialog.isVisible())) await window.checkbox('Foxtrot').click({ timeout: 3000 });
        return dialog.waitFor({ timeout: 5000 }).then(() => true);
      });
    await tick();
    assert.match((await dialog.textContent()) ?? '', /1 subtask is still open/);
    await window.picture('trees-ask');
    await window.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await until(
      'an empty box',
      timeoutMs,
      async () => (await window.checkbox('Foxtrot').getAttribute('aria-checked')) === 'false',
    );
    assert.equal((await task('Foxtrot'))?.status, 0);
    await tick();
    await dialog.getByRole('button', { name: 'Complete Subtasks Too' }).click();
    await holds('both done', 'Foxtrot', ({ status }) => status === 2);
    assert.equal((await task('Golf'))?.status, 2);
  });
});
