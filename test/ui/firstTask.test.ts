import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import type { Session } from './support/driver';
import { sharedSession } from './support/shared';
import { until } from './support/wait';
import { clear, fill, taskNamed } from './support/widgetPages';

/** A user's first minutes: add, see it everywhere, complete it, come back tomorrow. */
describe('the first task', () => {
  let session: Session;
  before(async () => {
    session = await sharedSession({ isUntouched: true, theme: 'dark' });
    await session.window.view();
  });
  beforeEach(() => clear(session.window));

  const badge = () => session.window.page.locator('.part.activitybar').getByRole('tab', { name: /^Dueline/ });

  it('starts with an Inbox and nothing due, in each theme', async () => {
    const { window } = session;
    await window.rows('Inbox').first().waitFor();
    const page = await window.frame('.empty', 'Nothing due today.');
    assert.equal(await page.locator('.row').count(), 0);
    for (const theme of ['hc', 'hc-light', 'light', 'dark'] as const) {
      await window.theme(theme);
      assert.ok(statSync(await window.shot(`window-${theme}`)).size > 5000);
    }
  });

  it('is added by the command, appears in the widget, the tree, the badge and the status bar, and is completed by its checkbox', async () => {
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
    await window.tick('Buy milk');
    await window.frame('.empty', 'All done for today.');
    await window.frame('.group', '1 done today');
    await until('the status bar', 20_000, async () => ((await window.status().textContent()) ?? '').trim() === '0');
    await window.picture('walk-done');
  });

  it('is completed and reopened by keyboard only in the widget, survives a reload, and is counted before Dueline is opened', async () => {
    const { window } = session;
    await window.expand('Inbox');
    await fill(window, [], [{ list: 'Inbox', title: 'Buy milk', day: 0 }]);
    await window.rows('Buy milk').first().waitFor();
    await window.command('dueline.complete', (await taskNamed(window, 'Buy milk'))!.id);
    // A tree that has the focus takes it again right after its rows are drawn, also from a field of a page.
    await window.rows('Buy milk').first().waitFor({ state: 'detached' });
    const page = await window.frame('.group', '1 done today');
    await page.locator('.field input').fill('Plan the week');
    await page.locator('.field input').press('Enter');
    await page.locator('.row.open', { hasText: 'Plan the week' }).waitFor();
    await page.locator('.field input').focus();
    await window.page.keyboard.press('ArrowDown');
    await window.page.keyboard.press(' ');
    await page.locator('.row.done', { hasText: 'Plan the week' }).first().waitFor();
    await page.locator('.row', { hasText: 'Plan the week' }).waitFor({ state: 'detached' });
    await window.page.keyboard.press('Control+z');
    await page.locator('.row.open', { hasText: 'Plan the week' }).waitFor();

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
