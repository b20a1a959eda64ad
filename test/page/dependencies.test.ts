import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { Editor } from '../support/vscode/editor';
import { axe } from './support/axe';
import { fitsEverySize, openTask } from './support/task';
import { becomes, clear, fill, openWidget, shows, taskNamed } from './support/widgets';

/** Tasks that wait for others: their rows, the picker, the page of a task, and the announcement after one is completed. */
describe('tasks that depend on others', () => {
  let editor: Editor;
  before(async () => {
    editor = await Editor.open({ size: { width: 1280, height: 1000 } });
  });
  after(() => editor?.close());
  beforeEach(async () => {
    await editor.command('workbench.action.closeAllEditors');
    await clear(editor);
    await fill(
      editor,
      ['Work'],
      [
        { list: 'Work', title: 'Build it', day: 0 },
        { list: 'Work', title: 'Ship it', day: 0, priority: 1 },
        { list: 'Work', title: 'Celebrate' },
      ],
    );
    await editor.tree().expand('Work');
    await editor.tree().row('Celebrate');
  });
  afterEach(function () {
    return editor.tidy(this.currentTest);
  });

  const press = async (...keys: string[]) => {
    for (const key of keys) await editor.page.keyboard.press(key);
  };
  const type = (text: string) => editor.page.keyboard.type(text);
  const idOf = (title: string) => taskNamed(editor, title)!.id;
  const blockersOf = (title: string) => editor.engine.blockersOf(idOf(title)).map(({ task }) => task?.title);
  const waitsFor = (title: string, ...on: string[]) =>
    editor.changes.until(`${title} after ${on}`, () => String(blockersOf(title)) === String(on));
  /** The words of a row of the tree, with those for a screen reader. */
  const wordsOf = (title: string) => {
    const row = editor.tree().rows.find(({ label }) => label.includes(title));
    return row && `${row.item.accessibilityInformation?.label} ${row.label} ${row.description}`;
  };
  const rowHas = (title: string, words: RegExp) =>
    editor.changes.until(`a row of ${title} that says ${words}`, () => words.test(wordsOf(title) ?? ''));
  const depend = async (title: string, ...on: string[]) => {
    await editor.engine.apply([{ type: 'blockers', id: idOf(title), add: on.map(idOf) }]);
    await rowHas(title, /blocked by/);
  };
  /** The rows of other tasks contain the title too, after which they come. */
  const rowOf = (page: Frame, title: string) =>
    page.locator('.row').filter({ has: page.locator('.title', { hasText: title }) });
  const colorOf = (page: Frame, title: string, part: string) =>
    rowOf(page, title)
      .locator(part)
      .evaluate(element => element.ownerDocument.defaultView!.getComputedStyle(element).color);
  const isDim = async (page: Frame, title: string) =>
    (await colorOf(page, title, '.title')) !== (await colorOf(page, title, '.words'));

  it('have a lock in trees and widgets and name what they wait for, until that is done', async () => {
    await depend('Ship it', 'Build it', 'Celebrate');
    await rowHas('Ship it', /blocked by .*Build it.*Celebrate/);
    await rowHas('Ship it', /blocked by .*Build it/);
    assert.deepEqual(await axe(await openWidget(editor, 'tasks', 'Ship it')), []);
    const page = await openWidget(editor, 'today', 'Ship it');
    const blocked = page.locator('.row.blocked');
    await blocked.locator('.fact.after', { hasText: /blocked by .*Build it.*Celebrate/ }).waitFor();
    assert.equal(await blocked.count(), 1);
    assert.match((await blocked.locator('.visually-hidden').textContent()) ?? '', /Ship it.*, blocked by .*Build it/);
    assert.equal(await isDim(page, 'Ship it'), true);
    assert.equal(await isDim(page, 'Build it'), false);
    await editor.command('dueline.complete', idOf('Build it'));
    await rowHas('Ship it', /blocked by (?!.*Build it).*Celebrate/);
    await blocked.locator('.fact.after', { hasText: /blocked by \W*Celebrate/ }).waitFor();
    await editor.command('dueline.complete', idOf('Celebrate'));
    await blocked.waitFor({ state: 'detached' });
    await editor.changes.until('a row that is ready', () => !/blocked|after/.test(wordsOf('Ship it') ?? 'after'));
    await editor.command('dueline.undo');
    await rowHas('Ship it', /blocked by \W*Celebrate/);
  });

  it('have their lock on the cards of Week and Month', async () => {
    await depend('Ship it', 'Build it');
    for (const kind of ['week', 'month'] as const) {
      const page = await openWidget(editor, kind, 'Ship it');
      await page.locator('.card.blocked .title .glyph').first().waitFor();
    }
  });

  it('are chosen in a picker with the present ones ticked, as one undo step', async () => {
    const choose = async (...titles: string[]) => {
      await editor.context('Ship it', 'Organize › Blocked By…');
      await editor.questions.pickMany(...titles);
    };
    await choose('Build it', 'Celebrate');
    await waitsFor('Ship it', 'Build it', 'Celebrate');
    void editor.command('dueline.blockedBy', idOf('Ship it'));
    await editor.questions.row('Build it');
    const { current } = editor.questions;
    assert.equal(current && 'selectedItems' in current && current.selectedItems.length, 2, 'the present ones ticked');
    await editor.questions.pickMany('Celebrate');
    await waitsFor('Ship it', 'Build it');
    await editor.command('dueline.undo');
    await waitsFor('Ship it', 'Build it', 'Celebrate');
  });

  it('are refused in a circle, with a message, and can be chosen again at once', async () => {
    await depend('Ship it', 'Build it');
    await editor.context('Build it', 'Organize › Blocked By…');
    await editor.questions.row('Ship it');
    await editor.questions.pickMany('Ship it');
    await editor.questions.asked(/in a circle: .Build it. → .Ship it. → .Build it./);
    assert.deepEqual(blockersOf('Build it'), []);
    await editor.questions.pickMany('Ship it', 'Celebrate');
    await waitsFor('Build it', 'Celebrate');
  });

  it('are on the page of a task, with its short ID', async () => {
    await depend('Ship it', 'Build it');
    await editor.command('dueline.open', idOf('Ship it'));
    const page = await editor.frame('dueline-task #title');
    await page.locator('.blocker', { hasText: 'Build it' }).waitFor();
    await page.locator('[data-chip=more]').click();
    await type('blocked');
    await press('Enter');
    await type('after:celeb');
    await page.locator('#chip-suggestions li.active', { hasText: 'Celebrate' }).waitFor();
    await press('Enter');
    await waitsFor('Ship it', 'Build it', 'Celebrate');
    await page.locator('.blocker', { hasText: 'Celebrate' }).waitFor();
    await page.getByRole('button', { name: 'Remove Build it' }).click();
    await waitsFor('Ship it', 'Celebrate');
    const shortId = page.getByRole('button', { name: /^dl-/ });
    await shortId.click();
    const shown = (await shortId.textContent())?.trim();
    await editor.changes.until('the short ID copied', () => editor.clipboard === shown);
    await editor.command('workbench.action.closeAllEditors');
    const other = await openTask(editor, idOf('Celebrate'));
    await shows(other, 'Celebrate', async () => (await other.locator('#title').inputValue()) === 'Celebrate');
    await other.locator('[data-chip=more]').click();
    await type('blocked');
    await press('Enter');
    await type('Ship it');
    await press('Enter');
    await other.locator('.problem', { hasText: 'in a circle' }).waitFor();
    assert.deepEqual(blockersOf('Celebrate'), []);
  });

  it('are rows on the page that are completed, opened, added and removed by keys', async () => {
    await depend('Ship it', 'Build it');
    await editor.command('dueline.open', idOf('Ship it'));
    const page = await editor.frame('.blocker', 'Build it');
    await fitsEverySize(editor, page);
    assert.deepEqual(await axe(page), []);
    await page.locator('.blocker .check').focus();
    await press('Space');
    await page.locator('.blocker.done .check[aria-checked=true]').waitFor();
    assert.equal(taskNamed(editor, 'Build it')!.status, 2);
    await press('Control+z');
    await page.locator('.blocker.open').waitFor();
    await page.locator('.blockers').getByRole('button', { name: 'Add a task…' }).focus();
    await press('Enter');
    await type('celeb');
    await page.locator('#chip-suggestions li.active', { hasText: 'Celebrate' }).waitFor();
    assert.deepEqual(await axe(page), []);
    await press('Enter');
    await waitsFor('Ship it', 'Build it', 'Celebrate');
    await page.locator('.blockers .section-head button:focus').waitFor();
    await press('Enter', 'Escape');
    await page.locator('.blockers .section-head button:focus').waitFor();
    await page.locator('.blocker', { hasText: 'Build it' }).locator('.title').focus();
    await press('Delete');
    await waitsFor('Ship it', 'Celebrate');
    await page.locator('.blocker', { hasText: 'Build it' }).waitFor({ state: 'detached' });
    await press('Control+z');
    await waitsFor('Ship it', 'Build it', 'Celebrate');
    await page.locator('.blocker', { hasText: 'Build it' }).locator('.title').focus();
    await press('Enter');
    await editor.changes.until('its page', () => editor.tabs.activePanel?.title === 'Build it');
  });

  it('completing one shows what is ready now, in trees, widgets and commands, with Undo', async () => {
    const message = /Completed .*Build it.* · Now ready: .*Ship it/;
    await depend('Ship it', 'Build it');
    await editor.command('dueline.complete', idOf('Build it'));
    await rowHas('Ship it', /^(?!.*blocked by)/);
    await editor.press('dueline.undo', message);
    await becomes(editor, 'Build it', { status: 0 });
    await rowHas('Ship it', /blocked by/);
    await editor.tree().tick(/^Build it/);
    await becomes(editor, 'Build it', { status: 2 });
    await editor.changes.until('the words', () => message.test(editor.status('dueline.undo') ?? ''));
    await editor.command('dueline.undo');
    await rowHas('Ship it', /blocked by/);
    const page = await openWidget(editor, 'today', 'Build it');
    await rowOf(page, 'Build it').locator('.check').click();
    await page.locator('.bottom.on', { hasText: message }).waitFor();
    await page.locator('.bottom.on').getByRole('button', { name: 'Undo' }).click();
    await page.locator('.row.blocked').waitFor();
  });
});
