import type { Session } from './support/driver';
import { sharedSession } from './support/shared';
import { until } from './support/wait';

const timeoutMs = 60_000;

/** The first steps of a user who has no account and only looks around. */
describe('the first steps', () => {
  let session: Session;
  before(async () => {
    session = await sharedSession({ theme: 'light', size: { width: 1500, height: 900 } });
    await session.window.view();
    await session.window.rows('Inbox').first().waitFor({ timeout: timeoutMs });
  });
  afterEach(function () {
    return session.window.tidy(this.currentTest);
  });

  it('check off the Today step by its button, even if the view is already open', async () => {
    const { window } = session;
    await window.palette('Dueline: Get Started');
    const step = window.page.locator('.getting-started-step').filter({ hasText: 'See what’s due today' });
    await step.click({ timeout: timeoutMs });
    await step.getByRole('button', { name: 'Show Today' }).click();
    await step.locator('.codicon-getting-started-step-checked').first().waitFor({ timeout: timeoutMs });
    await window.command('workbench.action.closeAllEditors');
  });

  it('show what is new with an icon that follows the theme', async () => {
    const { window } = session;
    await window.command('dueline.whatsNew');
    await window.page.locator('.tab.active', { hasText: 'What’s New' }).waitFor();
    const pictures = () =>
      window.page.evaluate<string>(`[...document.querySelectorAll('.tab.active *')].map(one =>
        getComputedStyle(one).backgroundImage + getComputedStyle(one, '::before').backgroundImage).join()`);
    const drawings = async () =>
      [...(await pictures()).matchAll(/svg\+xml;base64,([\w+/=]+)/g)].map(([, text]) =>
        Buffer.from(text!, 'base64').toString(),
      );
    for (const [theme, color] of [
      ['dark', '#c5c5c5'],
      ['light', '#424242'],
    ] as const) {
      await window.theme(theme);
      await until(`the icon for ${theme}`, timeoutMs, async () => String(await drawings()).includes(color));
    }
    await window.command('workbench.action.closeAllEditors');
  });
});
