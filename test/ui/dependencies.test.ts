import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { axe } from './support/axe';
import { Session } from './support/driver';
import { fitsEverySize } from './support/taskPage';
import { until } from './support/wait';
import { clear, fill, openWidget, taskNamed } from './support/widgetPages';
import type { Window } from './support/window';

const timeoutMs = 20_000;

/** Tasks that wait for others: their rows, the picker, the page of a task, and what completing one says. */
describe('tasks that depend on others', () => {
  let session: Session;
  let window: Window;
  before(async () => {
    session = await Session.open({ theme: 'dark', size: { width: 1280, height: 1000 } });
    window = session.window;
    await window.view();
  });
  after(() => session?.close());
  beforeEach(async () => {
    await window.command('workbench.action.closeAllEditors');
    await clear(window);
    // The same titles are added again: a row of the test before would be taken for one of them.
    await window.rows('Ship it').first().waitFor({ state: 'detached' });
    await fill(
      window,
      ['Work'],
      [
        { list: 'Work', title: 'Build it', day: 0 },
        { list: 'Work', title: 'Ship it', day: 0, priority: 1 },
        { list: 'Work', title: 'Celebrate' },
      ],
    );
    await window.command('dueline.lists.focus');
    const list = window.rows('Work').first();
    if ((await list.getAttribute('aria-expanded')) !== 'true') await list.locator('.monaco-tl-twistie').click();
    await window.rows('Celebrate').first().waitFor();
  });
  afterEach(function () {
    return window.tidy(this.currentTest);
  });

  const row = (title: string) => window.pane('Lists').locator('.monaco-list-row', { hasText: title }).first();
  const press = async (...keys: string[]) => {
    for (const key of keys) await window.page.keyboard.press(key);
  };
  const idOf = async (title: string) => (await taskNamed(window, title))!.id;
  const blockersOf = async (title: string) =>
    window.run(
      (vscode, id) =>
        vscode.extensions
          .getExtension('dueline.dueline')
          ?.exports.blockersOf(id)
          .map(({ task }: { task: { title: string } }) => task.title),
      await idOf(title),
    ) as Promise<string[]>;
  const becomes = (title: string, ...on: string[]) =>
    until(`${title} after ${on}`, timeoutMs, async () => String(await blockersOf(title)) === String(on));
  const says = (title: string, words: RegExp) =>
    until(`a row of ${title} that says ${words}`, timeoutMs, async () =>
      words.test(`${await row(title).getAttribute('aria-label')} ${await row(title).textContent()}`),
    );
  /** The row is drawn again then: a menu that is opened meanwhile closes. */
  const depend = async (title: string, ...on: string[]) => {
    await window.run(
      async (vscode, id, add) =>
        vscode.extensions.getExtension('dueline.dueline')?.exports.apply([{ type: 'blockers', id, add }]),
      await idOf(title),
      await Promise.all(on.map(idOf)),
    );
    await says(title, /blocked by/);
  };
  /** Others say the title too, after which they come. */
  const rowOf = (page: Frame, title: string) =>
    page.locator('.row').filter({ has: page.locator('.title', { hasText: title }) });
  const colorOf = (page: Frame, title: string, part: string) =>
    rowOf(page, title)
      .locator(part)
      .evaluate(element => element.ownerDocument.defaultView!.getComputedStyle(element).color);
  const isDim = async (page: Frame, title: string) =>
    (await colorOf(page, title, '.title')) !== (await colorOf(page, title, '.words'));

  it('have a lock in trees and widgets and say what they wait for, until that is done', async () => {
    await depend('Ship it', 'Build it', 'Celebrate');
    await says('Ship it', /blocked by .*Build it.*Celebrate/);
    await says('Ship it', /after .*Build it/);
    assert.deepEqual(await axe(await openWidget(window, 'tasks', 'Ship it')), []);
    const page = await openWidget(window, 'today', 'Ship it');
    const blocked = page.locator('.row.blocked');
    await blocked.locator('.fact.after', { hasText: /after .*Build it.*Celebrate/ }).waitFor();
    assert.equal(await blocked.count(), 1);
    assert.match((await blocked.locator('.unseen').textContent()) ?? '', /Ship it.*, blocked by .*Build it/);
    assert.equal(await isDim(page, 'Ship it'), true);
    assert.equal(await isDim(page, 'Build it'), false);
    await window.pictures('dependencies-rows');
    await window.command('dueline.complete', await idOf('Build it'));
    await says('Ship it', /after (?!.*Build it).*Celebrate/);
    await blocked.locator('.fact.after', { hasText: /after \W*Celebrate/ }).waitFor();
    await window.command('dueline.complete', await idOf('Celebrate'));
    await blocked.waitFor({ state: 'detached' });
    await until(
      'a row that is ready',
      timeoutMs,
      async () => !/blocked|after/.test((await row('Ship it').getAttribute('aria-label')) ?? ''),
    );
    await window.command('dueline.undo');
    await says('Ship it', /blocked by \W*Celebrate/);
  });

  it('have their lock on the cards of Week and Month', async () => {
    await depend('Ship it', 'Build it');
    for (const kind of ['week', 'month'] as const) {
      const page = await openWidget(window, kind, 'Ship it');
      await page.locator('.card.blocked .title .glyph').first().waitFor();
      await window.picture(`dependencies-${kind}`);
    }
  });

  it('are chosen in a picker that has the present ones ticked, as one step to undo', async () => {
    const choose = async (...titles: string[]) => {
      await window.context('Ship it', 'Status › Blocked By…');
      await window.pickMany(...titles);
    };
    await choose('Build it', 'Celebrate');
    await becomes('Ship it', 'Build it', 'Celebrate');
    void window.command('dueline.blockedBy', await idOf('Ship it'));
    const checked = window.picks().locator('input[type=checkbox]:checked, .monaco-checkbox[aria-checked=true]');
    await until('the present ones ticked', timeoutMs, async () => (await checked.count()) === 2);
    await window.pictures('dependencies-picker');
    await window.pickMany('Celebrate');
    await becomes('Ship it', 'Build it');
    await window.command('dueline.undo');
    await becomes('Ship it', 'Build it', 'Celebrate');
  });

  it('are refused in a circle, with a sentence, and can be chosen otherwise at once', async () => {
    await depend('Ship it', 'Build it');
    await window.context('Build it', 'Status › Blocked By…');
    await window.picks('Ship it').first().waitFor();
    await window.pickMany('Ship it');
    await window.quickInput.getByText(/in a circle: .Build it. → .Ship it. → .Build it./).waitFor();
    assert.deepEqual(await blockersOf('Build it'), []);
    await window.pickMany('Ship it', 'Celebrate');
    await becomes('Build it', 'Celebrate');
  });

  it('are on the page of a task, with its short ID', async () => {
    await depend('Ship it', 'Build it');
    await window.command('dueline.open', await idOf('Ship it'));
    const page = await window.frame('dueline-task #title');
    await page.locator('.blocker', { hasText: 'Build it' }).waitFor();
    await page.locator('[data-chip=more]').click();
    await window.page.keyboard.type('after');
    await press('Enter');
    await window.page.keyboard.type('after:celeb');
    await page.locator('#chip-offers li.active', { hasText: 'Celebrate' }).waitFor();
    await window.pictures('dependencies-page');
    await press('Enter');
    await becomes('Ship it', 'Build it', 'Celebrate');
    await page.locator('.blocker', { hasText: 'Celebrate' }).waitFor();
    await page.getByRole('button', { name: 'Remove Build it' }).click();
    await becomes('Ship it', 'Celebrate');
    const shortId = page.getByRole('button', { name: /^dl-/ });
    await shortId.click();
    const copied = () => window.run(vscode => vscode.env.clipboard.readText()) as Promise<string>;
    const shown = (await shortId.textContent())?.trim();
    await until('the short ID copied', timeoutMs, async () => (await copied()) === shown);
    await window.command('workbench.action.closeAllEditors');
    await window.command('dueline.open', await idOf('Celebrate'));
    const other = await window.frame('dueline-task #title');
    await until(
      'the page of Celebrate',
      timeoutMs,
      async () => (await other.locator('#title').inputValue()) === 'Celebrate',
    );
    await other.locator('[data-chip=more]').click();
    await window.page.keyboard.type('after');
    await press('Enter');
    await window.page.keyboard.type('Ship it');
    await press('Enter');
    await other.locator('.problem', { hasText: 'in a circle' }).waitFor();
    assert.deepEqual(await blockersOf('Celebrate'), []);
  });

  it('are rows on the page that complete, open, add and remove them by keys', async () => {
    await depend('Ship it', 'Build it');
    await window.command('dueline.open', await idOf('Ship it'));
    const page = await window.frame('.blocker', 'Build it');
    await fitsEverySize(window, page, 'dependencies-page');
    assert.deepEqual(await axe(page), []);
    await page.locator('.blocker .check').focus();
    await press('Space');
    await page.locator('.blocker.done .check[aria-checked=true]').waitFor();
    assert.equal((await taskNamed(window, 'Build it'))!.status, 2);
    await press('Control+z');
    await page.locator('.blocker.open').waitFor();
    await page.locator('.blockers').getByRole('button', { name: 'Add a task…' }).focus();
    await press('Enter');
    await window.page.keyboard.type('celeb');
    await page.locator('#chip-offers li.active', { hasText: 'Celebrate' }).waitFor();
    assert.deepEqual(await axe(page), []);
    await press('Enter');
    await becomes('Ship it', 'Build it', 'Celebrate');
    await page.locator('.blockers .section-head button:focus').waitFor();
    await press('Enter', 'Escape');
    await page.locator('.blockers .section-head button:focus').waitFor();
    await page.locator('.blocker', { hasText: 'Build it' }).locator('.title').focus();
    await press('Delete');
    await becomes('Ship it', 'Celebrate');
    await page.locator('.blocker', { hasText: 'Build it' }).waitFor({ state: 'detached' });
    await press('Control+z');
    await becomes('Ship it', 'Build it', 'Celebrate');
    await page.locator('.blocker', { hasText: 'Build it' }).locator('.title').focus();
    await press('Enter');
    await window.page.locator('.tab.active', { hasText: 'Build it' }).waitFor();
  });

  it('completing one says what is ready now, in trees, widgets and commands, with Undo', async () => {
    const said = /Completed .*Build it.* · Now ready: .*Ship it/;
    const inBar = window.page.locator('.statusbar-item[id*="dueline.undo"]', { hasText: said });
    await depend('Ship it', 'Build it');
    await window.command('dueline.complete', await idOf('Build it'));
    await inBar.click();
    await says('Ship it', /blocked by/);
    await window.checkbox('Build it').click();
    // What is said in the bar may be what was said before.
    await until('it to be completed', timeoutMs, async () => (await taskNamed(window, 'Build it'))!.status === 2);
    await inBar.waitFor();
    await window.command('dueline.undo');
    await says('Ship it', /blocked by/);
    const page = await openWidget(window, 'today', 'Build it');
    await rowOf(page, 'Build it').locator('.check').click();
    await page.locator('.bottom.on', { hasText: said }).waitFor();
    await window.pictures('dependencies-ready');
    await page.locator('.bottom.on').getByRole('button', { name: 'Undo' }).click();
    await page.locator('.row.blocked').waitFor();
  });
});
