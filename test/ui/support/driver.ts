import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import { type Server, type ServerOptions, speak, startServer } from '../../../scripts/vscode/server';
import { addressOf, launchBrowser, openContext, type WindowOptions } from '../../../scripts/vscode/window';
import { ExtensionHost } from './host';
import { type Theme, themeNames } from './themes';
import { Window } from './window';

/**
 * `version`: if absent the one that `DUELINE_UI_VERSION` names, `newest` without it. `vsix`: if absent, the extension
 * of this folder is one under development. `driven`: a window with packages is not driven by default.
 */
export interface SessionOptions extends Omit<ServerOptions, 'helpers'>, WindowOptions {
  /** With all of the editor's own extensions, as people have it. */
  readonly whole?: boolean;
  readonly theme?: Theme;
  /** Folder to open, or its address if it is on no disk; an empty temporary one if absent. */
  readonly folder?: string;
}

/** The whole suite can run on either version that the manifest promises. */
function askedVersion(): 'newest' | 'oldest' {
  const asked = process.env.DUELINE_UI_VERSION ?? 'newest';
  if (asked === 'newest' || asked === 'oldest') return asked;
  throw new Error(`DUELINE_UI_VERSION is newest or oldest, not ${asked}.`);
}

/**
 * A VS Code with Dueline in it, and its first window: `const session = await Session.open({ theme: 'dark' })`. With
 * `vsix` the window is the one that people have, with real toasts; without it, one for development, in which
 * notifications are found in the notification center only. Both are the same for {@link Window}.
 */
export class Session {
  readonly windows: Window[] = [];

  private constructor(
    readonly server: Server,
    readonly browser: Browser,
    private readonly options: SessionOptions,
    private readonly bridge: string,
    readonly folder: string,
    private readonly hosts = new Set<number>(),
  ) {}

  static async open(options: SessionOptions = {}): Promise<Session> {
    const bridge = mkdtempSync(join(tmpdir(), 'dueline-bridge-'));
    const folder = options.folder ?? join(bridge, 'workspace');
    if (isAbsolute(folder)) mkdirSync(folder, { recursive: true });
    const server = await startServer({
      version: options.version ?? askedVersion(),
      data: options.data,
      vsix: options.vsix,
      driven: options.driven ?? options.vsix === undefined,
      ...(!options.whole && { builtIn: options.builtIn ?? [] }),
      ...(options.files && { files: options.files }),
      ...(options.restricted && { restricted: true }),
      locale: options.locale,
      helpers: [resolve('test/ui/bridge')],
      env: { DUELINE_BRIDGE: bridge, ...(options.timezone && { TZ: options.timezone }), ...options.env },
      settings: {
        'workbench.colorTheme': themeNames[options.theme ?? 'light'],
        ...(options.restricted && { 'security.workspace.trust.startupPrompt': 'never' }),
        ...options.settings,
      },
    });
    try {
      const session = new Session(server, await launchBrowser(), options, bridge, folder);
      await session.openWindow();
      return session;
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  get window(): Window {
    return this.windows[0]!;
  }

  /** One more window: in the same `context` the same user, who shares secrets; in a new one another user on the same files. */
  async openWindow(context?: BrowserContext): Promise<Window> {
    const user = context ?? (await openContext(this.browser, this.server, this.options));
    const extension = this.options.vsix ? undefined : resolve('.');
    const page = await user.newPage();
    const address = addressOf(this.server, this.folder, extension);
    await page.goto(address, { waitUntil: 'domcontentloaded', timeout: 120_000 });
    await page.locator('.monaco-workbench').waitFor({ timeout: 120_000 });
    const window = new Window(page, () => ExtensionHost.next(this.bridge, this.hosts));
    await window.ready();
    this.windows.push(window);
    return window;
  }

  /** Reloads the first window into another display language, like a user who has chosen it in the editor. */
  async speak(locale: string): Promise<void> {
    await speak(this.server, locale);
    await this.window.reload();
  }

  /** Ends the editor and the browser. `keep` leaves the editor's data in place, for another look. */
  async close(keep = false): Promise<void> {
    await this.browser.close().catch(() => undefined);
    await this.server.stop(keep);
    rmSync(this.bridge, { recursive: true, force: true, maxRetries: 5 });
  }
}
