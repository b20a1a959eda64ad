// A window on a VS Code server: headless Chromium, driven by playwright-core.
import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { findProgram, needPrograms } from '../system';
import type { Server } from './server';

const flags = [
  '--no-sandbox', // Chromium refuses to run as root with it
  '--disable-gpu',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // No WebSocket opens under LocalNetworkAccessChecks once a route answers the page itself; the others load pages of the
  // browser's own that nobody sees, in a process that costs a second of computing for each window.
  '--disable-features=LocalNetworkAccessChecks,PreloadTopChromeWebUI,WebUIOmniboxPopup,WebUIOmniboxAimPopup',
];

export function launchBrowser(): Promise<Browser> {
  needPrograms('chromium');
  const executablePath = findProgram('chromium');
  const program = executablePath ? { executablePath } : { channel: 'chrome' };
  // A signal ends this process, and the process's end the browser: playwright would end the browser alone.
  const handling = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
  return chromium.launch({ ...program, args: flags, timeout: 120_000, ...handling });
}

export interface WindowOptions {
  readonly size?: { readonly width: number; readonly height: number };
  /** Device pixels for one CSS pixel: 2 makes sharp pictures. */
  readonly scale?: number;
  /** IANA zone of the page. */
  readonly timezone?: string;
}

/** A context is one user's browser: windows in the same context share secrets and state. */
export async function openContext(browser: Browser, server: Server, options: WindowOptions): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: options.size ?? { width: 1280, height: 800 },
    deviceScaleFactor: options.scale ?? 1,
    timezoneId: options.timezone,
  });
  context.setDefaultTimeout(30_000);
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.origin });
  return context;
}

/** The address at which a window opens with a folder, and with the extension under development that is in another one: on a driven server only. */
export function addressOf({ origin }: Pick<Server, 'origin'>, folder: string, extension?: string): string {
  const query = new URLSearchParams({ folder });
  const remote = `vscode-remote://${new URL(origin).host}${extension}`;
  if (extension) query.set('payload', JSON.stringify([['extensionDevelopmentPath', remote]]));
  return `${origin}/?${query}`;
}
