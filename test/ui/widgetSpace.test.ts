import assert from 'node:assert/strict';
import { packageOnce } from '../../scripts/package/once';
import { boxOf, wholeIn } from '../page/support/hands';
import type { Session } from './support/driver';
import { sharedSession } from './support/shared';
import { fill, openWidget } from './support/widgetPages';

/** How much of the tasks the views show by default, and where the rest is. */
describe('space for tasks', () => {
  let session: Session;
  const pane = (kind: string) => session.window.frame(`body[data-boot*='"kind":"${kind}"'] :is(.row, .card)`);
  const title = (name: string) => session.window.pane(name);

  before(async () => {
    session = await sharedSession({ theme: 'dark', size: { width: 1400, height: 900 } }, await packageOnce('full'));
    const late = ['Renew the passport', 'Call the insurance', 'Pay the invoice'].map((title, at) => ({
      ...{ list: at % 2 ? 'Work' : 'Home', title, day: -1 },
    }));
    // All of them are overdue at any hour, so that there is one heading.
    const due = Array.from({ length: 12 }, (_, at) => ({
      list: at % 2 ? 'Work' : 'Home',
      title: `Look at what came in with the mail, part ${at}`,
      day: -1,
      time: 600 + at * 10,
      tags: ['mail'],
    }));
    const tags = Array.from({ length: 9 }, (_, at) => `tag${at}`);
    await fill(
      session.window,
      ['Work', 'Home'],
      [...late, ...due, { list: 'Home', title: 'Sort what was kept', tags }],
    );
    await session.window.view();
  });
  afterEach(function () {
    return session.window.tidy(this.currentTest);
  });

  it('Today shows eight rows or more below one heading at a height of 900 pixels', async () => {
    const page = await pane('today');
    const count = await wholeIn(page, 'dueline-rows', '.row');
    assert.ok(count >= 8, `${count} rows`);
    assert.equal(await page.locator('.heading, .control').count(), 0, 'nothing above the rows but quick add');
    assert.equal((await boxOf(page, '.bottom')).height, 0);
    assert.match((await title('Today').textContent()) ?? '', /15 open/);
  });

  it('Lists has two fifths of the height at first, and the views below it one line each', async () => {
    const { window } = session;
    const heightOf = async (name: string) => (await window.pane(name).boundingBox())!.height;
    const [today, lists, filters, todos] = await Promise.all(
      ['Today', 'Lists', 'Filters', 'TODO Comments'].map(heightOf),
    );
    const share = lists! / (today! + lists! + filters! + todos!);
    assert.ok(Math.abs(share - 0.4) < 0.02, `${share}`);
    assert.ok(filters! < 30 && todos! < 30, `${filters}, ${todos}`);
  });

  it('the panel shows Week, without the names of other widgets', async () => {
    const { window } = session;
    await window.command('dueline.widgets.week.focus');
    await window.frame(`body[data-boot*='"kind":"week"'] .columns`);
    await window.picture('panel');
    assert.equal(await window.page.locator('.part.panel .pane').count(), 1);
  });

  it('the setup of a tab opens by a button next to the tabs, which opens that tab’s own', async () => {
    const { window } = session;
    await window.command('workbench.action.closePanel');
    const page = await openWidget(window, 'tasks', 'Pay the invoice');
    await window.page.locator('.editor-actions').getByRole('button', { name: 'Configure Widget' }).click();
    await page.locator('.setup').waitFor();
    await window.page.keyboard.type('Mail');
    await window.page.keyboard.press('Tab');
    await page.locator('h1', { hasText: 'Mail' }).waitFor();
    await window.page.keyboard.press('Escape');
    await page.locator('.setup').waitFor({ state: 'detached' });
  });
});
