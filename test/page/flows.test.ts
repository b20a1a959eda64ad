import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { Editor } from '../support/vscode/editor';
import { becomes, clear, endless, fill, layoutKinds, openWidget, rowsOf, shows, taskNamed } from './support/widgets';

const dayMs = 86_400_000;

/** All that can be done to rows, the same in each layout. */
describe('every widget', () => {
  let editor: Editor;
  before(async () => {
    editor = await Editor.open({ size: { width: 1200, height: 800 } });
  });
  after(() => editor?.close());
  beforeEach(() => alphaAndBeta());
  afterEach(function () {
    return editor.tidy(this.currentTest);
  });

  const press = async (...keys: string[]) => {
    for (const key of keys) await editor.page.keyboard.press(key);
  };
  const toast = (page: Frame, words: string) => page.locator('.bottom', { hasText: words });
  const alphaAndBeta = async () => {
    await clear(editor);
    const tasks = ['Alpha', 'Beta'].map(title => ({ list: 'Work', title, day: 0 }));
    await fill(editor, ['Work'], tasks);
  };

  for (const kind of layoutKinds)
    describe(kind, () => {
      let page: Frame;
      beforeEach(async () => {
        page = await openWidget(editor, kind, 'Beta');
      });

      it('completes by click, announces it, and undoes next to the message', async () => {
        await rowsOf(page, 'Alpha').locator('.check').click();
        await toast(page, 'Completed').waitFor();
        assert.equal(taskNamed(editor, 'Alpha')?.status, 2);
        await page.getByRole('button', { name: 'Undo' }).click();
        await rowsOf(page, 'Alpha').and(page.locator('.open')).waitFor();
      });

      it('has all keys: priority, delete with undo, select several, pickers, form', async () => {
        await rowsOf(page, 'Alpha').click();
        await press('1');
        await rowsOf(page, 'Alpha').locator('.check.high').waitFor();
        await press('0');
        await rowsOf(page, 'Alpha').locator('.check.none').waitFor();
        await press('Shift+ArrowDown', '2');
        await shows(page, 'both of medium priority', async () => (await page.locator('.check.medium').count()) === 2);
        await press('Escape', 'Delete');
        await toast(page, 'Deleted').waitFor();
        await press('Control+z');
        await rowsOf(page, 'Beta').waitFor();
        for (const [key, words] of [
          ['p', 'High'],
          ['d', 'Tomorrow'],
          ['r', 'Every day'],
          ['m', 'Inbox'],
        ] as const) {
          await rowsOf(page, 'Alpha').click();
          await press(key);
          await editor.questions.row(words);
          editor.questions.escape();
        }
        await rowsOf(page, 'Alpha').click();
        await press('F2');
        await editor.questions.answer('Rename Task', 'Alpha renamed');
        await rowsOf(page, 'Alpha renamed').waitFor();
        await rowsOf(page, 'Alpha renamed').click();
        await press('Enter');
        await editor.frame('dueline-task #title');
      });

      it('adds in place, with chips that Backspace turns back into words', async () => {
        const field = page.locator('dueline-quick-add input');
        await field.fill('Fresh milk today !high #chip');
        await page.locator('.chip', { hasText: '#chip' }).waitFor();
        assert.equal(await page.locator('.chip').count(), 3);
        await field.press('End');
        await field.press('Backspace');
        await shows(page, 'the chip is words again', async () => (await page.locator('.chip').count()) === 2);
        await field.fill('Fresh milk today !high');
        await page.locator('.chip').nth(1).waitFor();
        await field.press('Enter');
        await toast(page, 'Added').waitFor();
        await rowsOf(page, 'Fresh milk').locator('.check.high').waitFor();
        assert.equal(await field.inputValue(), '');
        await field.press('ArrowDown');
        await shows(
          page,
          'the rows have the focus',
          () => page.evaluate(`document.activeElement.getAttribute('role') === 'tree'`) as Promise<boolean>,
        );
      });

      it('turns back exactly the words whose chip was chosen, even if they occur twice', async () => {
        const field = page.locator('dueline-quick-add input');
        await field.fill('Ask #paper about #paper');
        await shows(page, 'both are chips', async () => (await page.locator('.chip').count()) === 2);
        await field.press('End');
        await field.press('Backspace');
        await shows(page, 'one is words again', async () => (await page.locator('.chip').count()) === 1);
        await field.press('Enter');
        await rowsOf(page, 'Ask about #paper').waitFor();
        await editor.command('dueline.undo');
        await rowsOf(page, 'Ask about #paper').waitFor({ state: 'detached' });
      });

      it('leaves nothing of a line in the next one, however fast Enter is pressed', async () => {
        const field = page.locator('dueline-quick-add input');
        // The host answers neither before both: only what is done at the end of an event comes between them.
        await page.evaluate(`(async () => {
          const line = document.querySelector('dueline-quick-add');
          const input = line.querySelector('input');
          input.value = 'Quick tea today #haste';
          input.dispatchEvent(new InputEvent('input', { bubbles: true }));
          await line.updateComplete;
          input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
        })()`);
        await rowsOf(page, 'Quick tea').waitFor();
        // The host's answer about the words comes before its answer about the task.
        await toast(page, 'Added').waitFor();
        assert.equal(await field.inputValue(), '');
        assert.equal(await page.locator('dueline-quick-add .chip').count(), 0);
        await editor.command('dueline.undo');
        await rowsOf(page, 'Quick tea').waitFor({ state: 'detached' });
      });

      it('applies a command from elsewhere to the active row', async () => {
        await rowsOf(page, 'Beta').click();
        await press('1');
        await rowsOf(page, 'Beta').locator('.check.high').waitFor();
        await editor.command('dueline.dueTomorrow');
        await becomes(editor, 'Beta', { due: taskNamed(editor, 'Alpha')!.due! + dayMs });
      });

      it('applies the menu of one row to all selected rows', async () => {
        await rowsOf(page, 'Alpha').click();
        await rowsOf(page, 'Beta').click({ modifiers: ['Control'] });
        await rowsOf(page, 'Alpha').click({ modifiers: ['Control'] });
        await shows(page, 'both selected', async () => (await page.locator('.selected').count()) === 2);
        await rowsOf(page, 'Beta').click({ button: 'right' });
        await editor.menus.choose('Priority › Set High Priority');
        await shows(page, 'both of high priority', async () => (await page.locator('.check.high').count()) === 2);
      });

      it('continues at the neighbor when the active row disappears', async () => {
        await rowsOf(page, 'Alpha').click();
        await press('Delete');
        await rowsOf(page, 'Alpha').waitFor({ state: 'detached' });
        await page.locator('.active', { hasText: 'Beta' }).waitFor();
        await press('1');
        await becomes(editor, 'Beta', { priority: 1 });
      });

      it('reopens what is done', async () => {
        await editor.command('dueline.complete', taskNamed(editor, 'Alpha')!.id);
        // Done tasks are folded away in Today.
        if (kind === 'today') await page.locator('.group.past').click();
        await rowsOf(page, 'Alpha').and(page.locator('.done')).locator('.check').click();
        await becomes(editor, 'Alpha', { status: 0 });
      });
    });

  it('Tasks: reopens what is done and matches a query', async () => {
    const page = await openWidget(editor, 'tasks', 'Beta');
    await editor.command('dueline.complete', taskNamed(editor, 'Alpha')!.id);
    await page.locator('.tree').press(',');
    await page.locator('dueline-query input').fill('is:done');
    await page.locator('dueline-query input').press('Enter');
    await page.locator('.setup .done').click();
    await rowsOf(page, 'Alpha').and(page.locator('.done')).locator('.check').click();
    await becomes(editor, 'Alpha', { status: 0 });
  });

  it('Week: two quick clicks on the circle of a card open no form', async () => {
    const page = await openWidget(editor, 'week', 'Beta');
    await rowsOf(page, 'Alpha').locator('.check').dispatchEvent('dblclick');
    // A later message comes later to the host, too.
    await rowsOf(page, 'Beta').locator('.title').dblclick();
    await editor.changes.until('the form of Beta', () => editor.tabs.titles.some(title => title.includes('Beta')));
    assert.deepEqual(
      editor.tabs.titles.filter(title => title.includes('Alpha')),
      [],
    );
  });

  it('Week: up and down report that its tasks have no manual order', async () => {
    const page = await openWidget(editor, 'week', 'Beta');
    await rowsOf(page, 'Alpha').click();
    await press('Alt+ArrowDown');
    const notice = await editor.notices.notification(/not sorted manually/);
    assert.equal(notice.buttons.includes('Sort Manually'), false, 'it cannot be');
  });

  it('shows a ticked row as open again at once when the question about its subtasks is canceled', async () => {
    await clear(editor);
    editor.settings.update('dueline.completion.completeSubtasks', 'ask');
    await fill(
      editor,
      ['Work'],
      [
        { list: 'Work', title: 'Alpha', day: 0 },
        { list: 'Work', title: 'Step', parent: 'Alpha' },
      ],
    );
    const page = await openWidget(editor, 'today', 'Alpha');
    // A row that is done stays for a while; here nothing ends that by itself.
    await editor.page.emulateMedia({ reducedMotion: 'no-preference' });
    await endless(page);
    await rowsOf(page, 'Alpha').locator('.check').click();
    await rowsOf(page, 'Alpha').and(page.locator('.done')).waitFor();
    (await editor.notices.dialog()).close();
    await rowsOf(page, 'Alpha').and(page.locator('.open')).waitFor();
    assert.equal(taskNamed(editor, 'Alpha')?.status, 0);
    await editor.page.emulateMedia({ reducedMotion: 'reduce' });
    editor.settings.update('dueline.completion.completeSubtasks', undefined);
  });

  it('Up Next: keys still apply to a task that moves to another day', async () => {
    await clear(editor);
    const days = { Alpha: 0, Beta: 0, Gamma: 1 };
    const tasks = Object.entries(days).map(([title, day]) => ({ list: 'Work', title, day }));
    await fill(editor, ['Work'], tasks);
    const page = await openWidget(editor, 'upNext', 'Gamma');
    await rowsOf(page, 'Alpha').click();
    await press('d');
    await editor.questions.answer(/./, 'tomorrow');
    await becomes(editor, 'Alpha', { due: taskNamed(editor, 'Gamma')!.due });
    await page.locator('.tree:focus .active', { hasText: 'Alpha' }).waitFor();
    await press('1');
    await becomes(editor, 'Alpha', { priority: 1 });
    assert.equal(taskNamed(editor, 'Beta')?.priority, 0);
  });

  it('Up Next and Today: rows are dragged to another day, several together', async () => {
    await clear(editor);
    await fill(
      editor,
      ['Work'],
      [
        { list: 'Work', title: 'Alpha', day: 0 },
        { list: 'Work', title: 'Beta', day: 0 },
        { list: 'Work', title: 'Gamma', day: 1 },
      ],
    );
    const page = await openWidget(editor, 'upNext', 'Gamma');
    await rowsOf(page, 'Alpha').click();
    await rowsOf(page, 'Beta').click({ modifiers: ['Shift'] });
    await rowsOf(page, 'Alpha').dragTo(rowsOf(page, 'Gamma'));
    await toast(page, 'Rescheduled 2 tasks').waitFor();
    const dues = ['Alpha', 'Beta', 'Gamma'].map(one => taskNamed(editor, one)?.due);
    assert.equal(new Set(dues).size, 1);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.locator('.group', { hasText: 'Today' }).waitFor();
  });

  describe('the keys', () => {
    it('are listed on ?, and apply to the rows again after Escape', async () => {
      await clear(editor);
      await fill(editor, ['Work'], [{ list: 'Work', title: 'Beta', day: 0 }]);
      const page = await openWidget(editor, 'tasks', 'Beta');
      await rowsOf(page, 'Beta').click();
      await press('?');
      await page.locator('dialog[open]', { hasText: 'Complete or reopen' }).waitFor();
      await press('Escape');
      await page.locator('dialog').waitFor({ state: 'detached' });
      await press('1');
      await becomes(editor, 'Beta', { priority: 1 });
    });
  });
});
