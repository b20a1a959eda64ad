import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { Session } from './support/driver';
import { chipText, openChip } from './support/taskPage';
import { until } from './support/wait';
import { fill, rowsOf, taskNamed, widgetWith } from './support/widgetPages';
import type { Window } from './support/window';

const timeoutMs = 30_000;

describe('an occurrence that was moved', () => {
  let session: Session;
  let window: Window;
  before(async () => {
    session = await Session.open({ theme: 'dark', size: { width: 1280, height: 900 } });
    window = session.window;
    await window.view();
    await fill(window, ['Work'], [{ list: 'Work', title: 'Water the plants', day: 0, rrule: 'FREQ=WEEKLY' }]);
    await window.command('dueline.lists.focus');
    await window.expand('Work');
  });
  after(() => session?.close());
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await window.shot(`failed-${this.currentTest.title.slice(0, 40)}`);
  });

  const row = () => window.rows('Water the plants').first();
  const form = () => window.frame('dueline-task #title');
  const due = (page: Frame) => chipText(page, 'due');

  it('is offered to be taken back where a widget has moved it, however narrow it is', async () => {
    await window.command('dueline.today.focus');
    const page = await window.frame('body.as-sidebar .row', 'Water the plants');
    await rowsOf(page, 'Water the plants').click({ position: { x: 60, y: 4 } });
    await window.page.keyboard.press('s');
    await window.pick('By 1 day');
    const undo = page.locator('.bottom').getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    await window.pictures('moved-occurrence-said');
    await undo.click({ timeout: 5000 });
    await rowsOf(page, 'Water the plants').waitFor();
  });

  it('gives its date to the whole series by All…, in a widget and in the status bar, as one step to undo', async () => {
    const dates = () =>
      window.run(async vscode => {
        const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
        const found = api.query('"Water the plants" show:occurrences');
        return found.slice(0, 3).map(({ due }: { due: number }) => due / 86_400_000) as number[];
      });
    const day = (await dates())[0]!;
    const are = (what: string, ...after: number[]) =>
      until(what, timeoutMs, async () => (await dates()).map(one => one - day).join() === after.join());
    await are('the series', 0, 7, 14);
    await window.command('dueline.today.focus');
    const page = await window.frame('body.as-sidebar .row', 'Water the plants');
    await rowsOf(page, 'Water the plants').click({ position: { x: 60, y: 4 } });
    await window.page.keyboard.press('s');
    await window.pick('By 1 day');
    await are('one of them', 1, 7, 14);
    const more = page.locator('.bottom').getByRole('button', { name: 'All…' });
    await more.waitFor();
    await window.pictures('moved-occurrence-all');
    await more.click({ timeout: 5000 });
    await window.pick('Entire series');
    await are('all of them', 1, 8, 15);
    await page.locator('.bottom', { hasText: 'Rescheduled the entire series' }).waitFor();
    await window.command('dueline.undo');
    await are('none', 0, 7, 14);

    await window.chooseFor('Water the plants', 'Due › Postpone…', 'By 1 day');
    const item = window.page.locator('.statusbar-item[id*="dueline.redateMore"]');
    await item.click();
    await window.pick('This and following occurrences');
    await are('all from the first on', 1, 8, 15);
    await window.command('dueline.undo');
    await are('none', 0, 7, 14);
  });

  it('keeps the sign of its series in the trees and the widgets', async () => {
    await row().click();
    await window.command('workbench.action.closeAllEditors');
    await window.chooseFor('Water the plants', 'Due › Postpone…', 'By 1 day');
    await window.command('dueline.openWidget', 'tasks');
    const card = rowsOf(await widgetWith(window, 'tasks', 'Water the plants'), 'Water the plants').first();
    await until('the moved row', timeoutMs, async () =>
      (await row().getAttribute('aria-label'))?.includes('moved from'),
    );
    assert.match((await row().textContent()) ?? '', /↻/);
    // A row with the focus, or below the mouse, shows its buttons in place of its date.
    await window.command('dueline.lists.focus');
    await window.page.mouse.move(0, 0);
    await card.locator('.when svg').first().waitFor();
    await window.pictures('moved-occurrence');
  });

  it('opens with the repeat of its series, and follows undo and redo', async () => {
    await window.command('workbench.action.closeAllEditors');
    await row().click();
    const page = await form();
    assert.match(await chipText(page, 'repeat'), /week/i);
    await page.getByText(/moved from/).waitFor();
    const moved = await due(page);
    await window.pictures('moved-occurrence-form');
    await window.command('dueline.undo');
    await until('the date of the series', timeoutMs, async () => (await due(page)) !== moved);
    assert.equal(await page.getByText('This task has been deleted').count(), 0);
    await window.command('dueline.redo');
    await until('the moved date', timeoutMs, async () => (await due(page)) === moved);
  });

  it('takes a repeat for its whole series', async () => {
    const page = await form();
    await openChip(page, 'repeat');
    await page.locator('#chip-offers li', { hasText: /^\s*Every day\s*$/ }).click();
    await until('the rule', timeoutMs, async () =>
      window.run(async vscode => {
        const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
        const rows = api.lists().flatMap((list: { id: number }) => api.rows(list.id));
        return rows.every((one: { masterId: number | null; rrule: string | null; title: string }) =>
          one.title !== 'Water the plants'
            ? true
            : one.masterId === null
              ? one.rrule === 'FREQ=DAILY'
              : one.rrule === null,
        ) as boolean;
      }),
    );
    assert.ok(await taskNamed(window, 'Water the plants'));
  });
});
