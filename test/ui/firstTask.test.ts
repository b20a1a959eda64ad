import assert from 'node:assert/strict';
import type { Session } from './support/driver';
import { sharedSession } from './support/shared';
import { until } from './support/wait';

/** A person's first minutes: add, see it everywhere, complete it, come back tomorrow. */
describe('the first task', () => {
  let session: Session;
  before(async () => {
    session = await sharedSession({ isFirst: true, theme: 'dark' });
    await session.window.view();
  });

  const badge = () => session.window.page.locator('.part.activitybar').getByRole('tab', { name: /^Dueline/ });

  /** The widget, with a task that was added in it. */
  const planned = async () => {
    const page = await session.window.frame('dueline-widget');
    const row = page.locator('.row.open', { hasText: 'Plan the week' });
    if ((await row.count()) > 0) return page;
    await page.locator('.field input').fill('Plan the week');
    await page.locator('.field input').press('Enter');
    await row.waitFor();
    return page;
  };

  it('finds an Inbox and nothing due', async () => {
    const { window } = session;
    await window.rows('Inbox').first().waitFor();
    const page = await window.frame('.empty', 'Nothing due today.');
    assert.equal(await page.locator('.row').count(), 0);
  });

  it('is added by the command, and shows in the widget, the tree, the badge and the status bar', async () => {
    const { window } = session;
    await window.palette('Dueline: Quick Add Task…');
    await window.quickText.fill('Buy milk today #shop');
    await window.picks('Add').first().waitFor();
    await window.picks('#shop').first().waitFor();
    await window.page.keyboard.press('Enter');
    const page = await window.frame('.row', 'Buy milk');
    assert.equal(await page.locator('.row').count(), 1);
    // The first task that is ever added opens its list.
    await window.rows('Buy milk').first().waitFor();
    await until('the status bar to count it', 20_000, async () =>
      ((await window.status().textContent()) ?? '').includes('1'),
    );
    await until('the badge', 20_000, async () => /1/.test((await badge().getAttribute('aria-label')) ?? ''));
    await window.picture('walk-added');
  });

  it('is completed by its checkbox, and everything follows', async () => {
    const { window } = session;
    await window.tick('Buy milk');
    await window.frame('.empty', 'All done for today.');
    await window.frame('.group', '1 done today');
    await until('the status bar', 20_000, async () => ((await window.status().textContent()) ?? '').trim() === '0');
    await window.picture('walk-done');
  });

  it('works by keyboard alone in the widget', async () => {
    const { window } = session;
    const page = await planned();
    await page.locator('.field input').focus();
    await window.page.keyboard.press('ArrowDown');
    await window.page.keyboard.press(' ');
    await page.locator('.row.done', { hasText: 'Plan the week' }).first().waitFor();
    await page.locator('.row', { hasText: 'Plan the week' }).waitFor({ state: 'detached' });
    await window.page.keyboard.press('Control+z');
    await page.locator('.row.open', { hasText: 'Plan the week' }).waitFor();
  });

  it('is still there after a reload, and counted before Dueline is opened', async () => {
    const { window } = session;
    await planned();
    await window.command('workbench.view.explorer');
    const before = window.host.pid;
    await window.reload();
    assert.notEqual(window.host.pid, before);
    const tab = window.page.locator('.part.activitybar').getByRole('tab', { name: /^Dueline.*1/ });
    await tab.waitFor({ timeout: 30_000 });
    await window.view();
    await window.frame('.row', 'Plan the week');
    await window.frame('.group', '1 done today');
    await until('the status bar', 20_000, async () => ((await window.status().textContent()) ?? '').includes('1'));
  });
});
