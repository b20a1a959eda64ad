import assert from 'node:assert/strict';
import { packageOnce } from '../../scripts/package/once';
import { drag, middleOf } from '../page/support/hands';
import type { Session } from './support/driver';
import { sharedSession } from './support/shared';
import { until } from './support/wait';
import { fill, openWidget, taskNamed } from './support/widgetPages';

/** Tasks are dragged out of the trees to the days of Week: the drag is the editor's, and the page shows its meaning. */
describe('tasks moved to a day', () => {
  let session: Session;
  before(async () => {
    const settings = { 'dueline.week.firstDay': 'monday', 'dueline.display.timeFormat': '24h' };
    session = await sharedSession(
      { theme: 'dark', size: { width: 1500, height: 900 }, settings },
      await packageOnce('full'),
    );
    await fill(
      session.window,
      ['Work'],
      [
        { list: 'Work', title: 'Whenever' },
        { list: 'Work', title: 'At ten', day: 0, time: 600 },
      ],
    );
  });
  afterEach(function () {
    return session.window.tidy(this.currentTest);
  });

  const dueOf = async (title: string) => (await taskNamed(session.window, title))?.due ?? null;
  const isDue = (title: string, value: number | null) =>
    until(`${title} due ${value}`, 20_000, async () => (await dueOf(title)) === value);

  it('rows of the trees are dragged to a day or an hour while Shift is held, as the page explains', async () => {
    const { window } = session;
    await window.view();
    await window.expand('Work');
    const page = await openWidget(window, 'week', 'At ten');
    const day = page.locator('.column:not(.accent)').last();
    const key = (await day.getAttribute('data-group'))!;
    const target = page.locator(`.column[data-group="${key}"]`);
    const toast = (words: string | RegExp) => page.locator('.bottom.on', { hasText: words });
    const row = window.pane('Lists').locator('.monaco-list-row', { hasText: 'Whenever' });
    await drag(row, await middleOf(target), () => toast('Hold Shift').waitFor());
    assert.equal(await dueOf('Whenever'), null, 'without Shift the editor keeps it');
    await drag(row, await middleOf(target), undefined, true);
    await isDue('Whenever', Date.parse(`${key}T00:00Z`));
    await toast(/Rescheduled .Whenever/)
      .getByRole('button', { name: 'Undo' })
      .click();
    await isDue('Whenever', null);
    // The days are narrower next to it.
    await page.locator('.unscheduled', { hasText: 'Whenever' }).waitFor();
    const overNine = async () => {
      const slot = target.locator('.hours span', { hasText: '09' });
      // First over the day, so that the hours are there.
      await slot.waitFor();
      const { x, y } = await middleOf(slot);
      await window.page.mouse.move(x, y, { steps: 4 });
      await page.locator('.hours .at', { hasText: '09' }).waitFor();
    };
    await drag(row, await middleOf(target), overNine, true);
    await target
      .locator('.card', { hasText: 'Whenever' })
      .locator('.when bdi', { hasText: /^0?9:00/ })
      .waitFor();
  });
});
