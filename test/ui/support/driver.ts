import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import { type Server, type ServerOptions, speak, startServer } from '../../../scripts/vscode/server';
import { addressOf, launchBrowser, openContext, type WindowOptions } from '../../../scripts/vscode/window';
import { ExtensionHost } from './host';
import { type Theme, themeName } from './themes';
import { Window } from './window';

/**
 * Defaults: `version` is that of `DUELINE_UI_VERSION`, or `newest`. Without `vsix`, the extension in this folder runs under
 * development. `driven` is true, unless there is a `vsix`.
 */
export interface SessionOptions extends Omit<ServerOptions, 'helpers'>, WindowOptions {
  /** Keeps all built-in extensions of the editor, as users have them. */
  readonly whole?: boolean;
  readonly theme?: Theme;
  /** Folder to open, or its URI if it is not on a disk; by default an empty temporary one. */
  readonly folder?: string;
}

/** The suite can run on the newest and on the oldest version that the manifest allows. */
function versionToRun(): 'newest' | 'oldest' {
  const version = process.env.DUELINE_UI_VERSION ?? 'newest';
  if (version === 'newest' || version === 'oldest') return version;
  throw new Error(`DUELINE_UI_VERSION is newest or oldest, not ${version}.`);
}

/**
 * A VS Code with Dueline in it, and its first window: `const session = await Session.open({ theme: 'dark' })`. With
 * `vsix` it is the window that users have, with real toasts; without it, a window for development, which shows
 * notifications in the notification center only. {@link Window} works with both.
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
    const version = options.version ?? versionToRun();
    const server = await startServer({
      version,
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
        'workbench.colorTheme': themeName(options.theme ?? 'light', version),
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

  /** Opens another window: with `context`, one of the same user and secrets; otherwise one of another user on the same files. */
  async openWindow(context?: BrowserContext): Promise<Window> {
    const user = context ?? (await openContext(this.browser, this.server, this.options));
    const extension = this.options.vsix ? undefined : resolve('.');
    const page = await user.newPage();
    page.on('crash', () => console.error('The page of the window has crashed.'));
    const address = addressOf(this.server, this.folder, extension);
    await page.goto(address, { waitUntil: 'domcontentloaded', timeout: 120_000 });
    await page.locator('.monaco-workbench').waitFor({ timeout: 120_000 });
    const window = new Window(page, this.server.release, () => ExtensionHost.next(this.bridge, this.hosts));
    await window.ready();
    this.windows.push(window);
    return window;
  }

  /** Reloads the first window in another display language, as if the user had chosen it in the editor. */
  async speak(locale: string): Promise<void> {
    await speak(this.server, locale);
    await this.window.reload();
  }

  /** Ends the editor and the browser. With `keep`, the editor's data stays on disk and can be opened again. */
  async close(keep = false): Promise<void> {
    await this.browser.close().catch(() => undefined);
    await this.server.stop(keep);
    rmSync(this.bridge, { recursive: true, force: true, maxRetries: 5 });
  }
}
