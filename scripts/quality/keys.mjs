// How many keys and clicks a job takes, counted by the events of a real window: a key that types into a field is text,
// a modifier is none of its own.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../paths.mjs';

/** @typedef {{key: number, click: number, text: number}} Counts */
/** @typedef {{window: any, page: any, press: (...keys: string[]) => Promise<void>, type: (text: string) => Promise<void>, folder: string}} Hands */

/** May run twice in a page: the same listener is added once, and again where a page that is written to has lost it. */
const counting = `(() => {
  const isField = at => at instanceof HTMLInputElement || at instanceof HTMLTextAreaElement;
  window.duelineKey ??= event => {
    if (!event.isTrusted || ['Control', 'Shift', 'Alt', 'Meta'].includes(event.key)) return;
    const types = event.key.length === 1 && !event.ctrlKey && !event.metaKey && isField(document.activeElement);
    duelineCount(types ? 'text' : 'key');
  };
  window.duelineClick ??= event => event.isTrusted && duelineCount('click');
  addEventListener('keydown', window.duelineKey, true);
  addEventListener('mousedown', window.duelineClick, true);
})()`;

const seed = (/** @type {any} */ vscode) =>
  vscode.extensions
    .getExtension('dueline.dueline')
    .activate()
    .then(async (/** @type {any} */ api) => {
      const list = await api.createList({ name: 'Work' });
      for (const title of ['Call the bank', 'Sign the lease'])
        await api.createTask(list, { title, tags: title === 'Call the bank' ? ['money'] : [] });
      const now = new Date();
      const due = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate());
      for (const title of ['Feed the cat', 'Water the plants'])
        await api.createTask(list, { title, due, isAllDay: true });
    });

const found = (/** @type {any} */ vscode, /** @type {string} */ query) =>
  vscode.extensions
    .getExtension('dueline.dueline')
    .activate()
    .then((/** @type {any} */ api) =>
      api
        .query(query)
        .map((/** @type {any} */ { task }) => ({ priority: task.priority, alarms: task.alarms.length, due: task.due })),
    );

/** Waits until a query finds a task. @param {Hands} hands @param {string} query */
async function until({ window, page }, query) {
  for (let tries = 0; tries < 200; tries++) {
    const tasks = await window.run(found, query);
    if (tasks.length > 0) return tasks[0];
    await page.waitForTimeout(100);
  }
  throw new Error(`Nothing matches ${query}.`);
}

/** The row of a task has the focus in the Lists tree. @param {Hands} hands @param {string} title */
async function atRow({ window, page }, title) {
  await window.command('workbench.action.closeAllEditors');
  await window.command('dueline.lists.focus');
  await window.pane('Lists').locator('.monaco-list-row', { hasText: title }).first().click();
  await window.frame('dueline-task #title');
  await page.waitForTimeout(500);
}

/** A file of the folder is in front, with the cursor on a line of code. @param {Hands} hands */
async function atLine({ window, folder }) {
  const file = join(folder, 'session.ts');
  writeFileSync(file, ['class Session {', '  refresh() {', '    return this.request();', '  }', '}', ''].join('\n'));
  await window.run(async (/** @type {any} */ vscode, /** @type {string} */ path) => {
    const editor = await vscode.window.showTextDocument(vscode.Uri.file(path));
    editor.selection = new vscode.Selection(2, 0, 2, 0);
  }, file);
  await window.page.locator('.monaco-editor.focused').first().waitFor();
}

/** Quick Add is open: again where what takes the focus late has closed it. @param {Hands} hands */
async function atQuickAdd({ window, page }) {
  for (let tries = 0; tries < 10; tries++) {
    await page.keyboard.press('Escape');
    await window.quickInput.waitFor({ state: 'hidden' });
    await page.waitForTimeout(1000);
    // It answers when the question is answered.
    void window.command('dueline.quickAdd', 'Pay the fine ').catch(() => undefined);
    await window.quickInput.waitFor();
    await page.waitForTimeout(1500);
    if (await window.quickText.evaluate((/** @type {any} */ line) => line === line.ownerDocument.activeElement)) return;
  }
  throw new Error('Quick Add does not keep the focus.');
}

/** @param {Hands} hands @param {string} begun @param {string} name @param {string} taken */
async function takeName({ window, page, press, type }, begun, name, taken) {
  await type(begun);
  await window.picks(name).first().waitFor();
  await press('Tab');
  for (let tries = 0; tries < 50; tries++) {
    if ((await window.quickText.inputValue()).includes(taken)) return;
    await page.waitForTimeout(100);
  }
  throw new Error(`${taken} was not taken.`);
}

/** The row of a task has the focus in Today, which is an editor tab. @param {Hands} hands @param {string} title */
async function atWidgetRow({ window, page }, title) {
  await page.keyboard.press('Escape');
  await window.command('workbench.action.closeAllEditors');
  await window.command('dueline.openWidget', 'today');
  const widget = await window.frame(`body[data-boot*='"kind":"today"'] .row`, title);
  await widget.locator('.row', { hasText: title }).locator('.title').click();
  await page.waitForTimeout(500);
}

/** A line of Dueline is answered. @param {Hands} hands @param {string} key @param {string} text @param {string} choice */
async function answer({ window, page, press, type }, key, text, choice) {
  await press(key);
  await window.quickInput.waitFor();
  await type(text);
  await window.picks(choice).first().waitFor();
  await page.waitForTimeout(1000);
  await press('Enter');
}

/** @type {{name: string, goal: {events: number, text?: true}, before?: (hands: Hands) => Promise<unknown>, work: (hands: Hands) => Promise<unknown>}[]} */
const jobs = [
  {
    name: 'capture from code',
    goal: { events: 2, text: true },
    before: async ({ window }) => {
      await window.command('workbench.action.files.newUntitledFile');
      await window.page.locator('.monaco-editor.focused').first().waitFor();
    },
    work: async hands => {
      await hands.press('Control+Alt+Enter');
      await hands.window.quickInput.waitFor();
      await hands.type('Buy stamps tomorrow 9:00');
      await hands.window.picks('Buy stamps').first().waitFor();
      await hands.press('Enter');
      await until(hands, '"Buy stamps"');
    },
  },
  {
    name: 'reminder for a task with a time',
    goal: { events: 0 },
    work: async hands => {
      const { alarms } = await until(hands, '"Buy stamps"');
      if (alarms === 0) throw new Error('There is no reminder.');
    },
  },
  {
    name: 'task for this line of code, which the task follows',
    goal: { events: 2, text: true },
    before: atLine,
    work: async hands => {
      await hands.press('Control+Alt+Shift+Enter');
      await hands.window.picks('session.ts:3').first().waitFor();
      await hands.type('Ask only once');
      await hands.window.picks('Ask only once').first().waitFor();
      await hands.press('Enter');
      await until(hands, '"Ask only once" link:file:session.ts');
    },
  },
  {
    name: 'take a tag name in Quick Add',
    goal: { events: 1, text: true },
    before: atQuickAdd,
    work: hands => takeName(hands, '#mo', 'money', '#money'),
  },
  {
    name: 'take a list name in Quick Add',
    goal: { events: 1, text: true },
    before: atQuickAdd,
    work: hands => takeName(hands, '@Wo', 'Work', '@Work'),
  },
  {
    name: 'due tomorrow, from a row of a tree',
    goal: { events: 2, text: true },
    before: async hands => {
      await hands.page.keyboard.press('Escape');
      await atRow(hands, 'Call the bank');
    },
    work: async hands => {
      await answer(hands, 'd', 'tomorrow', 'Tomorrow');
      await until(hands, '"Call the bank" due:tomorrow');
    },
  },
  {
    name: 'undo in a tree',
    goal: { events: 1 },
    work: async hands => {
      await hands.press('Control+z');
      await until(hands, '"Call the bank" no:due');
    },
  },
  {
    name: 'priority, from a row of a tree',
    goal: { events: 1 },
    work: async hands => {
      await hands.press('1');
      await until(hands, '"Call the bank" !high');
    },
  },
  {
    name: 'write a note, from a row of a tree',
    goal: { events: 2, text: true },
    before: hands => atRow(hands, 'Sign the lease'),
    work: async hands => {
      await hands.press('Enter');
      await hands.window.frame('#title:focus');
      await hands.press('Tab');
      await hands.window.frame('#notes:focus');
      await hands.type('Ask for the plan');
      await until(hands, '"Ask for the plan"');
    },
  },
  {
    name: 'from the title of the task page to its notes',
    goal: { events: 1 },
    before: async hands => {
      await atRow(hands, 'Call the bank');
      await hands.page.keyboard.press('Enter');
      await hands.window.frame('#title:focus');
    },
    work: async hands => {
      await hands.press('Tab');
      await hands.window.frame('#notes:focus');
    },
  },
  {
    name: 'complete, in a widget',
    goal: { events: 1 },
    before: hands => atWidgetRow(hands, 'Feed the cat'),
    work: async hands => {
      await hands.press('Space');
      await until(hands, '"Feed the cat" is:done');
    },
  },
  {
    name: 'undo in a widget',
    goal: { events: 1 },
    work: async hands => {
      await hands.press('Control+z');
      await until(hands, '"Feed the cat" is:open');
    },
  },
  {
    name: 'due tomorrow, in a widget',
    goal: { events: 2, text: true },
    before: hands => atWidgetRow(hands, 'Feed the cat'),
    work: async hands => {
      await answer(hands, 'd', 'tomorrow', 'Tomorrow');
      await until(hands, '"Feed the cat" due:tomorrow');
    },
  },
  {
    name: 'add a task, in a widget',
    goal: { events: 2, text: true },
    before: hands => atWidgetRow(hands, 'Water the plants'),
    work: async hands => {
      await hands.press('n');
      await hands.window.frame('dueline-quick-add input:focus');
      await hands.type('Sweep the yard');
      await hands.press('Enter');
      await until(hands, '"Sweep the yard" due:today');
    },
  },
  {
    name: 'move to a list, in a widget',
    goal: { events: 2, text: true },
    before: hands => atWidgetRow(hands, 'Water the plants'),
    work: async hands => {
      await answer(hands, 'm', 'inb', 'Inbox');
      await until(hands, '"Water the plants" list:Inbox');
    },
  },
  {
    name: 'find and open, from a tree',
    goal: { events: 1, text: true },
    before: async hands => {
      await hands.page.keyboard.press('Escape');
      await atRow(hands, 'Sign the lease');
    },
    work: async ({ window, press, type }) => {
      await press('/');
      await window.quickInput.waitFor();
      await type('bank');
      await window.picks('Call the bank').first().waitFor();
      await press('Enter');
      await window.page.locator('.tab', { hasText: 'Call the bank' }).first().waitFor();
    },
  },
];

/** @returns {Promise<{name: string, goal: string, measured: string, good: boolean}[]>} */
export async function countKeys() {
  const { withSession } = createRequire(import.meta.url)(join(root, 'out/test/ui/support/driver.js'));
  /** @type {{name: string, goal: string, measured: string, good: boolean}[]} */
  const rows = [];
  await withSession({ size: { width: 1280, height: 900 } }, async (/** @type {any} */ { window, folder }) => {
    const { page } = window;
    /** @type {Counts} */
    let counts = { key: 0, click: 0, text: 0 };
    await page.exposeBinding('duelineCount', (/** @type {unknown} */ _, /** @type {keyof Counts} */ kind) => {
      counts[kind]++;
    });
    await page.addInitScript(counting);
    await page.evaluate(counting);
    /** @type {Hands} */
    const hands = {
      window,
      page,
      press: async (...keys) => {
        for (const key of keys) await page.keyboard.press(key);
      },
      type: text => page.keyboard.type(text),
      folder,
    };
    await window.run(seed);
    await window.view();
    await window.command('dueline.lists.focus');
    await window.rows('Work').first().locator('.monaco-tl-twistie').click();
    for (const { name, goal, before, work } of jobs) {
      await before?.(hands);
      // Pages that were there before the script that counts in new ones.
      for (const frame of page.frames()) await frame.evaluate(counting).catch(() => undefined);
      await page.waitForTimeout(300);
      counts = { key: 0, click: 0, text: 0 };
      await work(hands);
      const { key, click, text } = counts;
      const measured = [
        ...(key > 0 || click === 0 ? [`${key} key${key === 1 ? '' : 's'}`] : []),
        ...(click > 0 ? [`${click} click${click === 1 ? '' : 's'}`] : []),
        ...(text > 0 ? ['text'] : []),
      ].join(' + ');
      const good = key + click <= goal.events;
      rows.push({ name, goal: `${goal.events}${goal.text ? ' + text' : ''}`, measured, good });
      console.log(`${name}: ${measured}`);
    }
  });
  return rows;
}
