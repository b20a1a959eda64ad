import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { packageOnce } from '../../scripts/package/once';
import type { Session } from './support/driver';
import { sharedSession } from './support/shared';
import { until } from './support/wait';
import { clear } from './support/widgetPages';
import type { Window } from './support/window';

const timeoutMs = 60_000;

/** The editor's own part in a day's work in the Lists tree: its drags, its focus, its keys and its text. */
describe('the Lists tree in the window', () => {
  let session: Session;
  let window: Window;
  before(async () => {
    // The installed package, as users have it: VS Code 1.90 refuses to ask in a window for development.
    const size = { width: 1280, height: 1000 };
    session = await sharedSession(
      {
        isFirst: true, // the sidebar keeps the width of the first size
        theme: 'light',
        size,
      },
      await packageOnce('full'),
    );
    window = session.window;
    await window.view();
    // The first test begins in a window that is drawn.
    await window.frame('.empty', 'Nothing due today.');
  });
  beforeEach(async () => {
    await window.command('workbench.action.closeAllEditors');
    await clear(window);
    for (const title of ['Alpha', 'X-ray']) await row(title).waitFor({ state: 'detached' });
    await window.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      const inbox = api.lists()[0].id;
      const titles = ['Alpha', 'Bravo', 'Charlie', 'Delta'];
      await api.apply(titles.map(title => ({ type: 'create', listId: inbox, input: { title } })));
    });
    await window.command('dueline.lists.focus');
    await window.expand('Inbox');
    await row('Delta').waitFor();
  });
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
  const holds = (subject: string, title: string, check: (task: Known) => boolean) =>
    until(subject, timeoutMs, async () => {
      const found = await task(title);
      return found !== undefined && check(found);
    });

  const focused = (which = '') =>
    window.page.evaluate<string>(
      `document.activeElement?.closest('.monaco-list')?.querySelector('.monaco-list-row.focused${which}')?.textContent ?? ''`,
    );

  /** By keys alone: from the top down to the row. */
  async function goTo(title: string): Promise<void> {
    const { keyboard } = window.page;
    await window.command('dueline.lists.focus');
    const list = window.pane('Lists').locator('.monaco-list:focus');
    await list.waitFor({ timeout: timeoutMs });
    await keyboard.press('Home');
    await list.locator('.monaco-list-row.focused[data-index="0"]').waitFor({ timeout: timeoutMs });
    const below = Number(await row(title).getAttribute('data-index'));
    for (let at = 0; at < below; at++) await keyboard.press('ArrowDown');
    await focusIs(title);
  }

  const focusIs = (title: string) =>
    until(`the focus on ${title}`, timeoutMs, async () => (await focused()).includes(title));

  /** Waits until both rows stay in place, with nothing over them. */
  async function drag(from: Locator, to: Locator): Promise<void> {
    const { mouse } = window.page;
    await from.hover();
    await mouse.down();
    // The first move begins the drag, and the second is over the row.
    await to.hover();
    await window.pane('Lists').locator('.monaco-list.dragging').waitFor({ timeout: timeoutMs });
    await to.hover({ position: { x: 60, y: 10 } });
    await mouse.up();
  }
  const row = (title: string) => window.rows(title).first();

  it('moves a task above the one it is dropped on, announces it and offers to undo it', async () => {
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
    // It is shown below its parent, with the focus, before anything else is asked.
    await until('the focus below Bravo', timeoutMs, async () => /Charlie/.test(await focused('[aria-level="3"]')));
    await window.palette('Dueline: Undo Last Task Change');
    await holds('undone', 'Charlie', ({ parent }) => parent === null);
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
    await focusIs('X-ray');
    await goTo('Zulu');
    await keyboard.press('Delete');
    await until('Zulu to be gone', timeoutMs, async () => (await task('Zulu')) === undefined);
    // The row that follows gets the focus, which would take it away from the next key's row.
    await focusIs('X-ray');
    assert.ok(await task('Alpha'));
    await goTo('X-ray');
    await keyboard.press('Delete');
    await until('X-ray to be gone', timeoutMs, async () => (await task('X-ray')) === undefined);
    assert.ok(await task('Alpha'));
  });

  it('completes and reopens the row that has the focus by Space, which collapses a list', async () => {
    const { keyboard } = window.page;
    await goTo('Bravo');
    await keyboard.press('Space');
    await until('Bravo to be done', timeoutMs, async () => (await shown('Bravo')).length === 0);
    assert.equal((await task('Bravo'))?.status, 2);
    assert.ok((await shown('Alpha', 'Charlie')).length === 2);
    await until('the focus on the next row', timeoutMs, async () => /Charlie/.test(await focused()));
    await window.palette('Dueline: Undo Last Task Change');
    await row('Bravo').waitFor();
    // The rows that earlier clicks selected together with the list would be meant with it.
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

  it('links a task to the open line, and opens it from the menu', async () => {
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
});
