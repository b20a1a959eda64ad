import type { Browser, BrowserContext } from 'playwright-core';
import { launchBrowser } from '../../../scripts/vscode/window';

const key = Symbol.for('dueline.test.browser');
const shared = globalThis as unknown as { [key]?: Promise<Browser> };

/** A user's browser of its own in the one Chromium of the suite, which ends with the process. */
export async function openBrowserPage(options: {
  size?: { readonly width: number; readonly height: number };
  timezone: string;
}): Promise<BrowserContext> {
  shared[key] ??= launchBrowser();
  const browser = await shared[key];
  const context = await browser.newContext({
    viewport: options.size ?? { width: 1280, height: 800 },
    timezoneId: options.timezone,
    reducedMotion: 'reduce',
    locale: 'en-US',
  });
  context.setDefaultTimeout(20_000);
  return context;
}
