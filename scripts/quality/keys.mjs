// How many keys and clicks a job takes, counted by the events of a real window: a key that types into a field is text,
// a modifier is none of its own.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../paths.mjs';

/** @typedef {{key: number, click: number, text: number}} Counts */
/** @typedef {{window: any, page: any, press: (...keys: string[]) => Promise<void>, type: (text: string) => Promise<void>}} Hands */

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
    name: 'take a tag name in Quick Add',
    goal: { events: 1, text: true },
    before: ({ window }) => {
      // It answers when the question is answered.
      void window.command('dueline.quickAdd', 'Pay the fine ').catch(() => undefined);
      return window.quickInput.waitFor();
    },
    work: async ({ window, page, press, type }) => {
      await type('#mo');
      await window.picks('money').first().waitFor();
      await press('Tab');
      for (let tries = 0; tries < 50 && !/#money/.test(await window.quickText.inputValue()); tries++)
        await page.waitForTimeout(100);
    },
  },
  {
    name: 'due tomorrow, from a row of a tree',
    goal: { events: 2, text: true },
    before: async hands => {
      await hands.page.keyboard.press('Escape');
      await atRow(hands, 'Call the bank');
    },
    work: async hands => {
      await hands.press('d');
      await hands.window.quickInput.waitFor();
      await hands.type('tomorrow');
      await hands.window.picks('Tomorrow').first().waitFor();
      await hands.page.waitForTimeout(1000);
      await hands.press('Enter');
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
    name: 'find and open, from a tree',
    goal: { events: 1, text: true },
    before: hands => atRow(hands, 'Sign the lease'),
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
  await withSession({ size: { width: 1280, height: 900 } }, async (/** @type {any} */ { window }) => {
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
