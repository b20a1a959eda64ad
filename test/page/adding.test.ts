import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { Editor } from '../support/vscode/editor';
import { becomes, clear, fill, openWidget, rowOfTask, rowsOf, shows, taskNamed } from './support/widgets';

/** The line that adds tasks in a widget, and the names that it completes; the same for tags in the form. */
describe('adding in a widget', () => {
  let editor: Editor;
  let page: Frame;
  before(async () => {
    editor = await Editor.open({ size: { width: 1000, height: 700 } });
  });
  after(() => editor?.close());
  beforeEach(async () => {
    await clear(editor);
    await fill(
      editor,
      ['Work', 'Family Shared'],
      [
        { list: 'Work', title: 'Alpha', day: 0, tags: ['hobby', 'home'] },
        { list: 'Work', title: 'Beta', day: 0, tags: ['hobby', 'two words'] },
      ],
    );
    page = await openWidget(editor, 'today', 'Beta');
    await field().click();
  });
  afterEach(function () {
    return editor.tidy(this.currentTest);
  });

  const press = (key: string) => editor.page.keyboard.press(key);
  const type = (text: string) => editor.page.keyboard.type(text);
  const field = () => page.locator('dueline-quick-add input');
  const suggestions = (text?: string) => page.locator('#line-suggestions li', { hasText: text });
  const active = (text: string) => page.locator('#line-suggestions li.active', { hasText: text });
  const holds = (text: string) => shows(page, `the line ${text}`, async () => (await field().inputValue()) === text);
  const toast = (words: RegExp) => page.locator('.bottom .said', { hasText: words }).waitFor();

  it('lists names after a sign alone, most used first, and completes the highlighted one with Enter or Tab', async () => {
    await type('Paint #');
    await active('#hobby').waitFor();
    assert.match((await suggestions().first().textContent()) ?? '', /#hobby.?2 tasks/);
    assert.equal(await field().getAttribute('aria-expanded'), 'true');
    await type('ho');
    await press('ArrowDown');
    await active('#home').waitFor();
    await press('Enter');
    await holds('Paint #home ');
    await type('@fam');
    await active('@Family Shared').waitFor();
    await press('Tab');
    await holds('Paint #home @Family Shared ');
    await type('!h');
    await active('!high').waitFor();
    await press('Enter');
    await holds('Paint #home @Family Shared !high ');
    await press('Enter');
    await toast(/Added .Paint. to .Family Shared. · Today/);
    const made = taskNamed(editor, 'Paint');
    assert.deepEqual(made, { ...made, tags: ['home'], priority: 1 });
  });

  it('keeps its names visible at 174 pixels, and from right to left', async () => {
    await editor.resize(174, 600);
    await type('#');
    await active('#hobby').waitFor();
    await page.evaluate(`document.documentElement.dir = 'rtl'`);
    const isInside = await page.evaluate<boolean>(`[...document.querySelectorAll('#line-suggestions li')].every(li => {
      const { left, right } = li.getBoundingClientRect();
      return left >= 0 && right <= innerWidth;
    })`);
    assert.ok(isInside);
    await editor.resize(1000, 700);
  });

  it('completes no name if Escape has closed the list, or if the typed text is one already', async () => {
    await type('Paint #hob');
    await active('#hobby').waitFor();
    await press('Escape');
    await suggestions().first().waitFor({ state: 'detached' });
    assert.equal(await field().inputValue(), 'Paint #hob');
    await press('Enter');
    await toast(/Added .Paint./);
    assert.deepEqual(taskNamed(editor, 'Paint')?.tags, ['hob']);
    await type('Sand #hobby');
    await page.locator('.chip', { hasText: '#hobby' }).waitFor();
    await press('Enter');
    await toast(/Added .Sand./);
  });

  it('keeps the list closed after Escape, even if a reply arrives later', async () => {
    await page.evaluate(`addEventListener('message', event => {
      if (event.data.type === 'parsed') globalThis.lastAnswer = event.data;
    })`);
    await type('Paint #hob');
    await active('#hobby').waitFor();
    await shows(page, 'the answer to the whole line', () =>
      page.evaluate<boolean>(`globalThis.lastAnswer?.chips.some(({ label }) => label.includes('hob'))`),
    );
    await press('Escape');
    await suggestions().first().waitFor({ state: 'detached' });
    await page.evaluate(`dispatchEvent(new MessageEvent('message', { data: globalThis.lastAnswer }))`);
    await press('Enter');
    await toast(/Added .Paint./);
    assert.deepEqual(taskNamed(editor, 'Paint')?.tags, ['hob']);
  });

  it('completes in the middle of a line by a click, and leaves the caret there', async () => {
    await type('Paint  tomorrow');
    for (let step = 0; step < ' tomorrow'.length; step++) await press('ArrowLeft');
    await type('#"two');
    await suggestions('two words').click();
    await holds('Paint #"two words" tomorrow');
    await type('!low ');
    await holds('Paint #"two words" !low tomorrow');
  });

  it('offers to create a list that does not exist, or to keep its name in the title', async () => {
    await type('Mow @Gar');
    await active('Create list “').waitFor();
    await type('age');
    await active('Garage').waitFor();
    await press('Enter');
    await toast(/Created list .Garage./);
    await page.locator('.chip.list', { hasText: 'Garage' }).waitFor();
    await press('Enter');
    await toast(/Added .Mow. to .Garage./);
    await type('Ask @anna');
    await suggestions('Keep').click();
    await page.locator('#recognized', { hasText: '@anna' }).waitFor({ state: 'hidden' });
    await suggestions().first().waitFor({ state: 'detached' });
    await press('Enter');
    await rowsOf(page, 'Ask @anna').waitFor();
  });

  it('asks what several pasted lines are', async () => {
    const paste = (text = '- [ ] Buy a rake\n  - Sharpen it\n- Buy seeds\n') =>
      page.evaluate(`(() => {
        const data = new DataTransfer();
        data.setData('text/plain', ${JSON.stringify(text)});
        const input = document.querySelector('dueline-quick-add input');
        input.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
      })()`);
    await paste();
    await active('Add 3 Tasks').waitFor();
    await page.locator('.hint', { hasText: 'Add 3 tasks?' }).waitFor();
    await press('Enter');
    await toast(/Added 3 tasks/);
    for (const title of ['Buy a rake', 'Sharpen it', 'Buy seeds']) await rowOfTask(page, title).waitFor();
    assert.equal(await field().inputValue(), '');
    await page.getByRole('button', { name: 'Undo' }).click();
    await rowsOf(page, 'Buy seeds').waitFor({ state: 'detached' });
    await field().click();
    await paste();
    await active('Add 3 Tasks').waitFor();
    await press('ArrowDown');
    await press('Enter');
    await toast(/Added .Buy a rake./);
    assert.equal(await rowsOf(page, 'Buy seeds').count(), 0);
    await field().click();
    await paste(
      Array.from({ length: 200 }, (_, at) => `- Buy the part with the number ${at}${' and paint it'.repeat(4)}`).join(
        '\n',
      ),
    );
    await active('Add 200 Tasks').waitFor();
    await press('Enter');
    await toast(/Added 200 tasks/);
  });

  const pasteHtml = (plain: string, html: string) =>
    page.evaluate(`(() => {
      const data = new DataTransfer();
      data.setData('text/plain', ${JSON.stringify(plain)});
      data.setData('text/html', ${JSON.stringify(html)});
      const input = document.querySelector('dueline-quick-add input');
      input.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    })()`);

  it('creates tasks with addresses from issues that are pasted from a browser', async () => {
    const html = `<li><a href="https://github.com/o/r/issues/12">Crash at start</a> <a href="https://github.com/o/r/issues/12#c">3</a></li>
      <li><a href="https://github.com/o/r/issues/13">Slow <b>list</b></a> by <a href="https://github.com/anna">anna</a></li>`;
    await pasteHtml('Crash at start\n3\n#12 opened by anna\nSlow list by anna', html);
    await active('Add 2 Tasks').waitFor();
    await press('Enter');
    await toast(/Added 2 tasks/);
    for (const [title, url] of [
      ['Crash at start', 'https://github.com/o/r/issues/12'],
      ['Slow list', 'https://github.com/o/r/issues/13'],
    ] as const)
      await becomes(editor, title, { url });
    await pasteHtml('Crash at start\n3\n#12 opened by anna\nSlow list by anna', html);
    await active('Add 2 Tasks').waitFor();
    await press('Enter');
    await toast(/2 links already have tasks/);
    assert.equal(editor.engine.query('has:url').length, 2);
  });

  it('keeps all lines of a pasted text that also mentions issues', async () => {
    const link = (number: number, title: string) => `<a href="https://github.com/o/r/issues/${number}">${title}</a>`;
    await pasteHtml(
      'Crash at start\nCall Bob\nSlow list',
      `<ul><li>${link(12, 'Crash at start')}</li><li>Call Bob</li><li>${link(13, 'Slow list')}</li></ul>`,
    );
    await active('Add 3 Tasks').waitFor();
    await press('Escape');
    await press('Escape');
  });

  it('also shows in the status bar what was added, with Undo for that task alone', async () => {
    await type('Gamma today');
    await press('Enter');
    await toast(/Added .Gamma./);
    await editor.engine.updateTask(taskNamed(editor, 'Alpha')!.id, { priority: 1 });
    await editor.press('dueline.undo', /Added .Gamma./);
    await rowsOf(page, 'Gamma').waitFor({ state: 'detached' });
    assert.equal(taskNamed(editor, 'Alpha')!.priority, 1);
  });

  it('shows what Quick Add has added that it has opened, with Undo next to the text', async () => {
    await clear(editor);
    await page.getByRole('button', { name: 'Plan tomorrow' }).click();
    await editor.questions.asked();
    editor.questions.type('tomorrow Gamma');
    await editor.questions.row('Add');
    editor.questions.accept();
    await toast(/Added .Gamma. to .* · Tomorrow/);
    await page.locator('.bottom.on').getByRole('button', { name: 'Undo' }).click();
    await editor.changes.until('no task', () => taskNamed(editor, 'Gamma') === undefined);
  });

  it('adds to the day or list of the line, even when that day is out of sight', async () => {
    const week = await openWidget(editor, 'week', 'Beta');
    await week.locator('.column.accent').hover();
    await week.locator('.column.accent').getByRole('button', { name: 'Add a task here' }).click();
    await week.locator('.chip.place').waitFor();
    await week.locator('.control[aria-label="Next week"]').click();
    await week.locator('.chip.place').waitFor({ state: 'detached' });
    await week.locator('dueline-quick-add input').click();
    await type('Some day');
    await press('Enter');
    // The placeholder names the first day of that week.
    const first = week.locator('.column').first();
    await first.locator('.card', { hasText: 'Some day' }).waitFor();
    // A time alone names no other day.
    const third = week.locator('.column').nth(2);
    await third.hover();
    await third.getByRole('button', { name: 'Add a task here' }).click();
    await type('Bake at 7pm');
    const dayOf = async (at: number) => (await week.locator('.column').nth(at).locator('.head .count').textContent())!;
    const chip = async (at: number) => week.locator('.chip:not(.place)', { hasText: await dayOf(at) });
    await (await chip(2)).waitFor();
    // The chip follows the group, which may change after the words were typed.
    await week.locator('.column').nth(3).hover();
    await week.locator('.column').nth(3).getByRole('button', { name: 'Add a task here' }).click();
    await (await chip(3)).waitFor();
    await third.hover();
    await third.getByRole('button', { name: 'Add a task here' }).click();
    await (await chip(2)).waitFor();
    await press('Enter');
    await third.locator('.card', { hasText: 'Bake' }).filter({ hasText: '7:00' }).waitFor();
  });

  it('completes tags in the form, in which Escape and a comma keep the typed text', async () => {
    const { id } = taskNamed(editor, 'Alpha')!;
    await editor.command('dueline.open', id);
    const form = await editor.frame('dueline-task #title');
    await form.locator('[data-chip=tags]').click();
    await type('#');
    await form.locator('#chip-suggestions [aria-selected=true]', { hasText: 'two words' }).waitFor();
    await type('tw');
    await press('Enter');
    await type('tw,');
    await becomes(editor, 'Alpha', { tags: ['hobby', 'home', 'two words', 'tw'] });
  });

  it('completes names in the filter of a widget by Enter', async () => {
    const tasks = await openWidget(editor, 'tasks', 'Beta');
    await tasks.locator('.body').focus();
    await press(',');
    const query = tasks.locator('dueline-query input');
    await query.click();
    await type('#tw');
    await tasks.locator('#suggestions li.active', { hasText: 'two words' }).waitFor();
    await press('Enter');
    await shows(tasks, 'the tag', async () => (await query.inputValue()) === '#"two words" ');
    await tasks.locator('.verdict', { hasText: '1 task matches' }).waitFor();
    await press('Enter');
    await rowsOf(tasks, 'Alpha').waitFor({ state: 'detached' });
  });
});
