import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { Editor } from '../support/vscode/editor';
import { chipText, openChip, openTask } from './support/task';
import { clear, fill, rowsOf, shows, taskNamed, widgetWith } from './support/widgets';

const dayMs = 86_400_000;

describe('an occurrence that was moved', () => {
  let editor: Editor;
  before(async () => {
    editor = await Editor.open({ size: { width: 1280, height: 900 } });
  });
  after(() => editor?.close());
  beforeEach(async () => {
    await editor.command('workbench.action.closeAllEditors');
    await editor.command('workbench.action.closeSidebar');
    await editor.command('workbench.view.extension.dueline');
    await clear(editor);
    await editor.tree().gone('Water the plants');
    await fill(editor, ['Work'], [{ list: 'Work', title: 'Water the plants', day: 0, rrule: 'FREQ=WEEKLY' }]);
    await editor.tree().expand('Work');
    await editor.tree().row('Water the plants');
  });
  afterEach(function () {
    return editor.tidy(this.currentTest);
  });

  const due = (page: Frame) => chipText(page, 'due');
  const dates = () =>
    editor.engine
      .query('"Water the plants" show:occurrences')
      .slice(0, 3)
      .map(one => one.due! / dayMs);
  const today = Date.UTC(2026, 2, 11) / dayMs;
  const are = (subject: string, ...after: number[]) =>
    editor.changes.until(
      subject,
      () =>
        dates()
          .map(one => one - today)
          .join() === after.join(),
    );
  const moveInWidget = async (): Promise<Frame> => {
    await editor.command('dueline.today.focus');
    const page = await editor.frame('body.as-sidebar .row', 'Water the plants');
    await rowsOf(page, 'Water the plants').click({ position: { x: 60, y: 4 } });
    await editor.page.keyboard.press('s');
    await editor.questions.pick('By 1 day');
    return page;
  };
  const moveInTree = async () => {
    await editor.context('Water the plants', 'Due › Postpone…');
    await editor.questions.pick('By 1 day');
    await are('one of them', 1, 7, 14);
  };
  /** Opens it with a click on its row. */
  const form = async (): Promise<Frame> => {
    const { item } = await editor.tree().row('Water the plants');
    const { command, arguments: args = [] } = item.command!;
    editor.commands.start(command, ...args);
    return editor.frame('dueline-task #title');
  };

  it('can be undone in the widget that moved it, however narrow that is', async () => {
    const page = await moveInWidget();
    await page.locator('.bottom').getByRole('button', { name: 'Undo' }).click();
    await rowsOf(page, 'Water the plants').waitFor();
    await are('the series', 0, 7, 14);
  });

  it('applies its date to the whole series with All…, in a widget and in the status bar, as one undo step', async () => {
    await are('the series', 0, 7, 14);
    const page = await moveInWidget();
    await are('one of them', 1, 7, 14);
    await page.locator('.bottom').getByRole('button', { name: 'All…' }).click();
    await editor.questions.pick('Entire series');
    await are('all of them', 1, 8, 15);
    await page.locator('.bottom', { hasText: 'Rescheduled the entire series' }).waitFor();
    await editor.command('dueline.undo');
    await are('none', 0, 7, 14);

    await moveInTree();
    await editor.press('dueline.redateMore', 'All…');
    await editor.questions.pick('This and following occurrences');
    await are('all from the first on', 1, 8, 15);
    await editor.command('dueline.undo');
    await are('none', 0, 7, 14);
  });

  it('keeps the icon of its series in trees and widgets', async () => {
    await moveInTree();
    await editor.command('dueline.openWidget', 'tasks');
    const page = await widgetWith(editor, 'tasks', 'Water the plants');
    const row = await editor.changes.until('the moved row', () => {
      const found = editor.tree().find('Water the plants');
      return found?.item.accessibilityInformation?.label.includes('moved from') && found;
    });
    assert.match(`${row.label} ${row.description}`, /↻/);
    // A row with the focus, or below the mouse, shows its buttons in place of its date.
    await page.locator('dueline-quick-add input').focus();
    await editor.page.mouse.move(0, 0);
    await rowsOf(page, 'Water the plants').first().locator('.when svg').first().waitFor();
  });

  it('keeps the subtasks of its series, and their number, in trees and widgets', async () => {
    const parentId = taskNamed(editor, 'Water the plants')!.id;
    await editor.engine.createTask(taskNamed(editor, 'Water the plants')!.listId, { title: 'Fill the can', parentId });
    await moveInTree();
    const words = /moved from .*0 of 1 subtask done/;
    await editor.changes.until('the row', () =>
      words.test(editor.tree().find('Water the plants')?.item.accessibilityInformation?.label ?? ''),
    );
    for (const kind of ['tasks', 'lists'] as const) {
      await editor.command('dueline.openWidget', kind);
      const page = await widgetWith(editor, kind, 'Water the plants');
      await page.getByRole('treeitem', { name: words }).first().waitFor();
    }
  });

  it('opens with the repeat of its series, and follows undo and redo', async () => {
    await moveInTree();
    const page = await form();
    assert.match(await chipText(page, 'repeat'), /week/i);
    await page.getByText(/moved from/).waitFor();
    const moved = await due(page);
    await editor.command('dueline.undo');
    await shows(page, 'the date of the series', async () => (await due(page)) !== moved);
    assert.equal(await page.getByText('This task has been deleted').count(), 0);
    await editor.command('dueline.redo');
    await shows(page, 'the moved date', async () => (await due(page)) === moved);
  });

  it('is no longer called an occurrence once the repeat has ended', async () => {
    await moveInTree();
    const page = await openTask(editor, editor.engine.query('"Water the plants"')[0]!.task.id);
    const note = page.getByText('One occurrence of a repeating task');
    await note.waitFor();
    await page.getByRole('button', { name: /^Remove Every week/i }).click();
    await note.waitFor({ state: 'detached' });
  });

  it('gets a repeat for its whole series', async () => {
    await moveInTree();
    const page = await form();
    await openChip(page, 'repeat');
    await page.locator('#chip-suggestions li', { hasText: /^\s*Every day\s*$/ }).click();
    await editor.changes.until('the rule', () => {
      const rows = editor.engine.lists().flatMap(list => editor.engine.rows(list.id));
      const own = rows.filter(({ title, isDeleted }) => title === 'Water the plants' && !isDeleted);
      return own.every(({ masterId, rrule }) => rrule === (masterId === null ? 'FREQ=DAILY' : null));
    });
    assert.ok(taskNamed(editor, 'Water the plants'));
  });
});
