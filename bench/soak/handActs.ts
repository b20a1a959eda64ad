import type { Locator } from 'playwright-core';
import type { Task } from '../../src/api';
import { until } from '../../test/ui/support/wait';
import { openKinds, openWidget } from '../../test/ui/support/widgetPages';
import type { Window } from '../../test/ui/support/window';
import { look, mastersIn, type Seen } from './seen';
import type { Turn } from './turn';

const timeoutMs = 30_000;

/** What a person does in a window; each ends when the window's engine has it. Undefined where there was nothing to act on. */
type HandAct = (window: Window, turn: Turn) => Promise<string | undefined>;

/** Each as often as it is here. */
export const handActs: readonly HandAct[] = [
  addByPalette,
  addByPalette,
  tick,
  tick,
  renameByKey,
  deleteByKey,
  completeByKey,
  moveByKey,
  drag,
  fillForm,
  tickInWidget,
  addInWidget,
  setPriority,
  moveOnBoard,
  addInCode,
  editCode,
  filter,
  search,
];

const nowOf = async (window: Window, uid: string): Promise<Task | undefined> =>
  mastersIn(await look(window)).find(task => task.uid === uid);

/** Until the task is another than before. */
const changed = (
  what: string,
  window: Window,
  task: Task,
  isSo: (now: Task | undefined) => boolean,
  limit = timeoutMs,
) => until(`${what} of “${task.title}”`, limit, async () => isSo(await nowOf(window, task.uid)));

/**
 * Does it up to three times, as long as nothing comes of it: a row that is redrawn between press and release takes no
 * click, and what takes the focus late closes a question. Gives the act's name, which says where once was not enough.
 */
async function untilDone(name: string, act: () => Promise<unknown>, come: (limit: number) => Promise<unknown>) {
  for (let tries = 1; ; tries++) {
    // The row may be gone by now, since the first time did it after all.
    await act().catch(error => {
      if (tries === 1) throw error;
    });
    try {
      await come(tries < 3 ? 10_000 : timeoutMs);
      return tries === 1 ? name : `${name}, done again`;
    } catch (error) {
      if (tries === 3) throw error;
    }
  }
}

/** Until it was completed, or an occurrence of it was, whichever row says so. */
async function ticked(window: Window, turn: Turn, task: Task, limit = timeoutMs): Promise<void> {
  const states = ({ tasks }: Seen) =>
    JSON.stringify(
      tasks.filter(({ uid }) => uid === task.uid).map(({ status, due, exdate, rrule }) => [status, due, exdate, rrule]),
    );
  const before = states(turn.seen);
  await until(`the tick of “${task.title}”`, limit, async () => states(await look(window)) !== before);
}

async function added(window: Window, turn: Turn, title: string): Promise<void> {
  const task = await until(`the new task “${title}”`, timeoutMs, async () =>
    mastersIn(await look(window)).find(one => one.title === title),
  );
  turn.ledger.add(task, turn.by);
}

/** Runs a command that asks for words, and types them; once more where what takes the focus late closes the question. */
async function answer(window: Window, command: string, words: string): Promise<void> {
  await until(`the question of ${command}`, 2 * timeoutMs, async () => {
    // Else a question that is still open takes the command's name for its answer.
    await window.page.keyboard.press('Escape');
    await window.palette(command);
    await window.page.waitForTimeout(300);
    await window.quickText.fill(words, { timeout: 5000 });
    return true;
  });
}

async function addByPalette(window: Window, turn: Turn): Promise<string> {
  const title = turn.title();
  const words = turn.one(['tomorrow', 'every friday', '!high #home', '']);
  await answer(window, 'Dueline: Quick Add Task', `${title} ${words}`.trim());
  await window.picks(title).first().waitFor();
  await window.page.keyboard.press('Enter');
  await added(window, turn, title);
  return 'hand: quick add';
}

/** A row of the Lists tree that is on the screen, with its task. */
async function rowOnScreen(window: Window, turn: Turn): Promise<{ row: Locator; task: Task } | undefined> {
  await window.view();
  const pane = window.pane('Lists');
  await unfold(window);
  const known = (await wholeRows(window)).filter(text => / n\d+\./.test(text));
  if (known.length === 0) return undefined;
  const task = turn.named(turn.one(known));
  const number = / n\d+\./.exec(task?.title ?? '')?.[0];
  return task && number
    ? { row: pane.locator('.monaco-list-row').filter({ hasText: number }).first(), task }
    : undefined;
}

/** What the rows of the Lists tree say that are not hidden in part. */
const wholeRows = (window: Window) =>
  window.page.evaluate<string[]>(`(() => {
    const list = document.querySelector('.pane-body .monaco-list:has([aria-level="2"])');
    const bounds = list?.getBoundingClientRect();
    const isWhole = ({ top, bottom }) => top >= bounds.top + 44 && bottom <= bounds.bottom;
    const rows = [...(list?.querySelectorAll('.monaco-list-row') ?? [])];
    return rows.filter(row => isWhole(row.getBoundingClientRect())).map(row => row.textContent);
  })()`);

/** A reload or a person may have folded the lists. */
async function unfold(window: Window): Promise<void> {
  const folded = window.pane('Lists').locator('.monaco-list-row[aria-level="2"][aria-expanded=false]');
  for (let tries = 0; tries < 3 && (await folded.count()) > 0; tries++) {
    // The rows of a list that was unfolded before may just have pushed this one off the screen.
    await folded
      .first()
      .locator('.monaco-tl-twistie')
      .click({ timeout: 3000 })
      .catch(() => undefined);
    await window.page.waitForTimeout(200);
  }
}

async function tick(window: Window, turn: Turn): Promise<string | undefined> {
  const found = await rowOnScreen(window, turn);
  if (!found || turn.family(found.task).length > 1) return undefined;
  const box = found.row.locator('.custom-view-tree-node-item-checkbox');
  return untilDone(
    'hand: checkbox',
    () => box.click({ timeout: 10_000 }),
    limit => ticked(window, turn, found.task, limit),
  );
}

/** By keys from the top of the tree to the row of a task; undefined where they lead to none that is free. */
async function focusByKey(window: Window, turn: Turn): Promise<Task | undefined> {
  await window.view();
  await unfold(window);
  await window.command('dueline.lists.focus');
  const { keyboard } = window.page;
  await keyboard.press('Home');
  for (let steps = Math.floor(turn.random() * 12) + 2; steps > 0; steps--) await keyboard.press('ArrowDown');
  await window.page.waitForTimeout(100);
  const row = window.pane('Lists').locator('.monaco-list-row.focused');
  return (await row.count()) > 0 ? turn.named((await row.first().textContent()) ?? '') : undefined;
}

async function renameByKey(window: Window, turn: Turn): Promise<string | undefined> {
  const task = await focusByKey(window, turn);
  if (!task) return undefined;
  const title = turn.title();
  await window.page.keyboard.press('F2');
  await window.answer('Rename Task', title);
  await changed('the new title', window, task, now => now?.title === title);
  turn.ledger.wrote(task.uid, title, turn.by);
  return 'hand: rename by key';
}

async function deleteByKey(window: Window, turn: Turn): Promise<string | undefined> {
  const task = await focusByKey(window, turn);
  if (!task || task.rrule !== null || turn.family(task).length > 1) return undefined;
  turn.ledger.deleted(task.uid, turn.by);
  await window.page.keyboard.press('Delete');
  await changed('the deletion', window, task, now => now === undefined);
  return 'hand: delete by key';
}

async function completeByKey(window: Window, turn: Turn): Promise<string | undefined> {
  const task = await focusByKey(window, turn);
  if (!task || turn.family(task).length > 1) return undefined;
  await window.page.keyboard.press('Space');
  await ticked(window, turn, task);
  return 'hand: complete by key';
}

/** Whether there is a place to move to depends on the row: nothing is waited for. */
async function moveByKey(window: Window, turn: Turn): Promise<string | undefined> {
  const task = await focusByKey(window, turn);
  if (!task) return undefined;
  const key = turn.one(['Alt+ArrowUp', 'Alt+ArrowDown', 'Control+]', 'Control+[']);
  turn.ledger.putSomewhere(task.uid, `${turn.by} presses ${key}`);
  await window.page.keyboard.press(key);
  await turn.arranged(window);
  return 'hand: move by key';
}

async function drag(window: Window, turn: Turn): Promise<string | undefined> {
  const [from, to] = [await rowOnScreen(window, turn), await rowOnScreen(window, turn)];
  if (!from || !to) return undefined;
  const [start, end] = [await from.row.boundingBox(), await to.row.boundingBox()];
  if (!start || !end) return undefined;
  turn.ledger.putSomewhere(from.task.uid, `${turn.by} drags it onto ${to.task.uid}`);
  const { mouse } = window.page;
  await mouse.move(start.x + 80, start.y + start.height / 2);
  await mouse.down();
  await mouse.move(start.x + 90, start.y + start.height / 2 + 6, { steps: 4 });
  await mouse.move(end.x + 80, end.y + end.height / 2, { steps: 8 });
  await mouse.move(end.x + 82, end.y + end.height / 2 + 1, { steps: 2 });
  await mouse.up();
  await turn.arranged(window);
  return 'hand: drag';
}

async function fillForm(window: Window, turn: Turn): Promise<string | undefined> {
  const task = turn.take(({ status }) => status !== 2);
  if (!task) return undefined;
  const title = turn.title();
  await window.command('workbench.action.closeAllEditors');
  await window.command('dueline.open', task.id);
  const page = await window.frame('dueline-task #title');
  await until('the form’s title', timeoutMs, async () => (await page.locator('#title').inputValue()) === task.title);
  await page.locator('#title').fill(title);
  await page.locator('#notes').fill(`Written by hand, ${title}`);
  await page.locator('[data-chip=priority]').first().click({ timeout: 10_000 });
  const line = page.locator('dueline-chip-line input');
  await line.fill(turn.one(['high', 'medium', 'low']));
  await line.press('Enter');
  await changed(
    'the form',
    window,
    task,
    now => now?.title === title && now.description === `Written by hand, ${title}`,
  );
  turn.ledger.wrote(task.uid, title, turn.by);
  await window.command('workbench.action.closeAllEditors');
  return 'hand: form';
}

async function tickInWidget(window: Window, turn: Turn): Promise<string | undefined> {
  const page = await openWidget(window, turn.one(openKinds), / n\d+\./);
  const texts = await page
    .locator('.row, .card')
    .filter({ has: page.locator('.check') })
    .allTextContents();
  const task = texts.length > 0 ? turn.named(turn.one(texts)) : undefined;
  if (!task || task.status === 2 || turn.family(task).length > 1) return undefined;
  const number = / n\d+\./.exec(task.title ?? '')![0];
  const check = page.locator('.row, .card').filter({ hasText: number }).first().locator('.check').first();
  return untilDone(
    'hand: widget’s check',
    () => check.click({ timeout: 10_000 }),
    limit => ticked(window, turn, task, limit),
  );
}

async function moveOnBoard(window: Window, turn: Turn): Promise<string | undefined> {
  const page = await openWidget(window, 'board', / n\d+\./);
  const texts = await page.locator('.board .row').allTextContents();
  const task = texts.length > 0 ? turn.named(turn.one(texts)) : undefined;
  // A series is moved on, and what is below a task is completed with it.
  if (!task || task.rrule !== null || turn.family(task).length > 1) return undefined;
  const number = / n\d+\./.exec(task.title ?? '')![0];
  turn.ledger.note(task.uid, `${turn.by} moves its card`);
  await page.locator('.board .row').filter({ hasText: number }).first().click({ timeout: 10_000 });
  await window.page.keyboard.press(turn.one(['Alt+ArrowRight', 'Alt+ArrowLeft']));
  await turn.arranged(window);
  return 'hand: card to another column by key';
}

async function addInWidget(window: Window, turn: Turn): Promise<string | undefined> {
  const page = await openWidget(window, turn.one(['today', 'tasks', 'lists'] as const), / n\d+\./);
  await window.page.waitForTimeout(500); // The tab takes the focus late, and the page may be the sidebar's.
  const title = turn.title();
  const field = page.locator('dueline-quick-add input').first();
  await field.fill(`${title} today`);
  await field.press('Enter');
  await added(window, turn, title);
  return 'hand: widget’s quick add';
}

async function setPriority(window: Window, turn: Turn): Promise<string | undefined> {
  const found = await rowOnScreen(window, turn);
  if (!found) return undefined;
  const number = / n\d+\./.exec(found.task.title!)![0];
  const { priority } = found.task;
  const isOther = (now: Task | undefined) => now !== undefined && now.priority !== priority;
  return untilDone(
    'hand: priority by menu',
    async () => {
      const word = priority < 5 ? 'Low' : 'High';
      const menu = await window.openSubmenu(number, 'Priority', word);
      await menu.getByRole('menuitem', { name: word }).first().click({ timeout: 5000 });
    },
    limit => changed('the priority', window, found.task, isOther, limit),
  );
}

/** Shows a file of the workspace in the window, made where there is none. */
async function showCode(window: Window): Promise<void> {
  await window.run(async vscode => {
    const [root] = vscode.workspace.workspaceFolders!;
    const file = vscode.Uri.joinPath(root!.uri, 'soak.py');
    const exists = await vscode.workspace.fs.stat(file).then(
      () => true,
      () => false,
    );
    if (!exists) {
      const lines = Array.from({ length: 40 }, (_, at) => `value_${at} = compute_number(${at})\n`);
      await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(lines.join('')));
    }
    await vscode.window.showTextDocument(file);
  });
}

async function addInCode(window: Window, turn: Turn): Promise<string> {
  const title = turn.title();
  const line = Math.floor(turn.random() * 40);
  await showCode(window);
  await window.run(async (vscode, line) => {
    vscode.window.activeTextEditor!.selection = new vscode.Selection(line, 0, line, 0);
  }, line);
  await answer(window, 'Dueline: Add Task Here', title);
  await window.picks('soak.py').first().waitFor();
  await window.page.keyboard.press('Enter');
  await added(window, turn, title);
  await window.command('workbench.action.closeAllEditors');
  return 'hand: add in code';
}

/** Lines come and go above the linked ones, and are saved. */
async function editCode(window: Window, turn: Turn): Promise<string> {
  await showCode(window);
  const adds = turn.random() < 0.5;
  await window.run(async (vscode, adds) => {
    const editor = vscode.window.activeTextEditor!;
    await editor.edit(edit => {
      if (adds) edit.insert(new vscode.Position(0, 0), '# A comment that came later\n');
      else if (editor.document.lineAt(0).text.startsWith('#')) edit.delete(new vscode.Range(0, 0, 1, 0));
    });
    await editor.document.save();
  }, adds);
  await window.command('workbench.action.closeAllEditors');
  return 'hand: edit code';
}

async function filter(window: Window, turn: Turn): Promise<string> {
  await answer(window, 'Dueline: Filter Tasks', turn.one(['#home', 'due:<=today', '!high OR is:recurring']));
  await window.page.keyboard.press('Enter');
  await window.page.waitForTimeout(300);
  await window.palette('Dueline: Clear Filter');
  return 'hand: filter';
}

async function search(window: Window, turn: Turn): Promise<string> {
  await answer(window, 'Dueline: Search Tasks', turn.one(['someone', 'due:week', '#home -is:recurring']));
  await window
    .picks(/someone|Brought|from elsewhere|No tasks found/)
    .first()
    .waitFor();
  await window.page.keyboard.press('Escape');
  return 'hand: search';
}
