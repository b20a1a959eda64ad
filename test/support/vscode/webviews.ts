import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import type { BrowserContext, Frame, Page } from 'playwright-core';
import type * as vscode from 'vscode';
import type { Changes } from './changes';
import { EventEmitter, Uri } from './values';

export type Theme = 'light' | 'dark' | 'hc' | 'hc-light';
interface ThemeValues {
  readonly classes: readonly string[];
  readonly kind: string;
  readonly id: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** Recorded from the editor's own themes. */
const themes = new Map<Theme, ThemeValues>();
function themeOf(theme: Theme): ThemeValues {
  const known = themes.get(theme);
  if (known) return known;
  const read = JSON.parse(readFileSync(join('test/support/vscode/themes', `${theme}.json`), 'utf8')) as ThemeValues;
  themes.set(theme, read);
  return read;
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/** The part of the window that a webview is in. */
type Area = 'side' | 'editor' | 'panel';

const shell = `<!DOCTYPE html><html><head><meta charset="utf-8"><style>
html, body { height: 100%; margin: 0; overflow: hidden; }
body { display: grid; grid-template: minmax(0, 1fr) auto / auto minmax(0, 1fr); }
#side { grid-area: 1 / 1 / 3 / 2; inline-size: 300px; display: flex; flex-direction: column; }
#panel { grid-area: 2 / 2; block-size: 230px; display: flex; }
#side:empty, #panel:empty { display: none; }
#editor { grid-area: 1 / 2; }
iframe { border: 0; inline-size: 100%; flex: 1; min-block-size: 0; }
#editor iframe { block-size: 100%; }
</style></head><body><div id="side"></div><div id="editor"></div><div id="panel"></div></body></html>`;

/** Runs first in every frame and provides `acquireVsCodeApi`, as the editor does. The state comes in the address. */
const pageScript = `(() => {
  const id = /^\\/webview\\/([^/]+)\\//.exec(location.pathname)?.[1];
  if (!id) return;
  let isTaken = false;
  let state = location.hash === '' ? undefined : JSON.parse(decodeURIComponent(location.hash.slice(1)));
  addEventListener('contextmenu', event => {
    if (event.defaultPrevented) return;
    event.preventDefault();
    const contexts = event.composedPath().flatMap(one => one.dataset?.vscodeContext ?? []).map(text => JSON.parse(text));
    void globalThis.toMenu(id, JSON.stringify(Object.assign({}, ...contexts.reverse())));
  });
  globalThis.acquireVsCodeApi = () => {
    if (isTaken) throw new Error('An instance of the VS Code API has already been acquired');
    isTaken = true;
    return Object.freeze({
      postMessage: message => void globalThis.toExtension(id, JSON.stringify(message)),
      setState: next => {
        state = next;
        globalThis.kept = globalThis.toState(id, JSON.stringify(next));
        return next;
      },
      getState: () => state,
    });
  };
})()`;

/** Focuses a page, which keeps the focus where it is if it has it already; false if it is not there. */
const focusOf = (id: string) => `{
  const frame = document.getElementById('${id}');
  if (document.activeElement !== frame) frame?.focus();
  frame !== null;
}`;

/** One page of the extension. It is removed when it is hidden, and starts again when it is shown, as in the editor. */
export class WebviewDouble {
  readonly cspSource: string;
  options: vscode.WebviewOptions = {};
  readonly received = new EventEmitter<unknown>();
  readonly onDidReceiveMessage = this.received.event;
  #html = '';
  #isShown = false;
  #takesFocus = false;
  /** Settled with the frame once its page has run its scripts; replaced by each new page. */
  #frame: Promise<Frame> | undefined;
  #version = 0;

  constructor(
    readonly id: string,
    readonly viewType: string,
    private readonly area: Area,
    private readonly pages: Webviews,
  ) {
    this.cspSource = pages.origin;
  }

  get html(): string {
    return this.#html;
  }

  set html(html: string) {
    this.#html = html;
    if (this.#isShown) this.#load();
  }

  asWebviewUri = (uri: vscode.Uri) => Uri.parse(`${this.pages.origin}/file${uri.path}`);

  async postMessage(message: unknown): Promise<boolean> {
    const frame = this.#frame;
    if (!frame) return false;
    const text = JSON.stringify(message);
    return this.pages.inOrder(async () => {
      if (this.#frame !== frame) return false;
      await (await frame).evaluate(`postMessage(JSON.parse(${JSON.stringify(text)}), '*')`);
      return true;
    });
  }

  show(): void {
    if (this.#isShown) return;
    this.#isShown = true;
    if (this.#html !== '') this.#load();
  }

  hide(): void {
    if (!this.#isShown) return;
    this.#isShown = false;
    this.#frame = undefined;
    void this.pages.inOrder(() => this.pages.page.evaluate(`document.getElementById('${this.id}')?.remove()`));
  }

  /** The frame of the page that is shown now. */
  get frame(): Promise<Frame> | undefined {
    return this.#frame;
  }

  /** A page that is still loading gets the focus once it is there. */
  focus(): void {
    void this.pages.inOrder(async () => {
      this.#takesFocus = !(await this.pages.page.evaluate(focusOf(this.id)));
    });
  }

  #load(): void {
    const version = ++this.#version;
    const address = `/webview/${this.id}/${version}`;
    this.#frame = this.pages.inOrder(async () => {
      if (!this.#isShown || this.#version !== version) throw new Error('It was hidden before it loaded.');
      const { page } = this.pages;
      const state = this.pages.stateOf(this.id);
      const hash = state === undefined ? '' : `#${encodeURIComponent(JSON.stringify(state))}`;
      await page.evaluate(`new Promise(resolve => {
        const known = document.getElementById('${this.id}');
        const frame = known ?? Object.assign(document.createElement('iframe'), { id: '${this.id}' });
        frame.addEventListener('load', resolve, { once: true });
        frame.src = ${JSON.stringify(address + hash)};
        if (!known) document.getElementById('${this.area}').append(frame);
      })`);
      if (this.#takesFocus) await page.evaluate(focusOf(this.id));
      this.#takesFocus = false;
      return page.frames().find(frame => new URL(frame.url()).pathname === address)!;
    });
    this.#frame.then(
      () => this.pages.loaded(),
      () => {},
    );
  }
}

/** The pages of one window, in one page of a browser that stands for the window. */
export class Webviews {
  page!: Page;
  theme: Theme = 'dark';
  readonly #all = new Map<string, WebviewDouble>();
  /** The states that pages kept by `setState`. */
  readonly #states = new Map<string, unknown>();
  #work: Promise<unknown> = Promise.resolve();
  #count = 0;
  #server!: Server;
  /** The origin of the pages and their files: a browser caches compiled code only if it comes from a real one. */
  origin = '';
  /** Called at a right click in a page, with the type of its view and the context of the element. */
  onMenu: (viewType: string, context: Readonly<Record<string, unknown>>) => void = () => {};

  constructor(private readonly changes: Changes) {}

  async open(context: BrowserContext): Promise<void> {
    this.page = await context.newPage();
    await this.page.exposeFunction('toExtension', (id: string, text: string) => {
      this.#all.get(id)?.received.fire(JSON.parse(text));
      this.changes.notify();
    });
    await this.page.exposeFunction('toState', (id: string, text: string) => {
      if (this.#all.has(id)) this.#states.set(id, JSON.parse(text));
    });
    await this.page.exposeFunction('toMenu', (id: string, text: string) => {
      const webview = this.#all.get(id);
      if (webview) this.onMenu(webview.viewType, JSON.parse(text));
    });
    await this.page.addInitScript(pageScript);
    this.#server = createServer((request, response) => {
      const answer = this.#answer(decodeURIComponent(new URL(request.url!, this.origin).pathname));
      if (answer) response.writeHead(200, answer.headers).end(answer.body);
      else response.writeHead(404).end();
    });
    await new Promise<void>(resolve => this.#server.listen(0, '127.0.0.1', resolve));
    this.origin = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    await this.page.goto(`${this.origin}/`);
  }

  async close(): Promise<void> {
    await this.page.context().close();
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** With the `id` of a webview that was forgotten, its page finds the state of that one. */
  create(area: Area, viewType: string, id = `w${++this.#count}`): WebviewDouble {
    const webview = new WebviewDouble(id, viewType, area, this);
    this.#all.set(id, webview);
    return webview;
  }

  stateOf = (id: string): unknown => this.#states.get(id);

  forget(webview: WebviewDouble): void {
    webview.hide();
    this.#all.delete(webview.id);
  }

  /** The pages that are shown, as far as they have loaded. */
  get frames(): readonly Promise<Frame>[] {
    return [...this.#all.values()].flatMap(({ frame }) => frame ?? []);
  }

  /** Resolves once the states that pages have set are stored; the editor has them at once. */
  async kept(): Promise<void> {
    await Promise.all(this.frames.map(async frame => (await frame).evaluate('globalThis.kept')));
  }

  loaded(): void {
    this.changes.notify();
  }

  /** Runs one step after the other, as messages between the editor's processes arrive. */
  inOrder<T>(step: () => Promise<T>): Promise<T> {
    const done = this.#work.then(() => {
      if (this.page.isClosed()) throw new Error('The window is closed.');
      return step();
    });
    this.#work = done.catch(() => {});
    return done;
  }

  async setTheme(theme: Theme): Promise<void> {
    this.theme = theme;
    const { classes, kind, id, variables } = themeOf(theme);
    const values = JSON.stringify({ classes, kind, id, css: cssOf(variables) });
    await this.inOrder(async () => {
      for (const frame of this.page.frames())
        await frame.evaluate(`(({ classes, kind, id, css }) => {
          const { body } = document;
          body.classList.remove(...[...body.classList].filter(name => name.startsWith('vscode-')));
          body.classList.add(...classes);
          Object.assign(body.dataset, { vscodeThemeKind: kind, vscodeThemeId: id });
          const sheet = new CSSStyleSheet();
          sheet.replaceSync(css);
          document.adoptedStyleSheets = [sheet];
          document.querySelector('link[href="/theme.css"]')?.remove(); // it may have variables that this theme lacks
        })(${values})`);
    });
  }

  #answer(path: string): { body: string | Buffer; headers: Readonly<Record<string, string>> } | undefined {
    if (path === '/') return fresh(shell, 'text/html');
    if (path === '/theme.css') return fresh(cssOf(themeOf(this.theme).variables), 'text/css');
    const [, file] = /^\/file(\/.*)$/.exec(path) ?? [];
    const type = file && types[extname(file)];
    if (type) return { body: readFileSync(file), headers: { 'Content-Type': type, 'Cache-Control': 'max-age=3600' } };
    const [, id] = /^\/webview\/([^/]+)\//.exec(path) ?? [];
    const webview = this.#all.get(id ?? '');
    return webview && fresh(this.#themed(webview.html), 'text/html');
  }

  /** The page's HTML with the theme's variables and classes, which the editor adds before scripts run. */
  #themed(html: string): string {
    const { classes, kind, id } = themeOf(this.theme);
    const theme = `data-vscode-theme-kind="${kind}" data-vscode-theme-id="${id}"`;
    return html
      .replace('<head>', '<head><link rel="stylesheet" href="/theme.css">')
      .replace(
        /<body( class="([^"]*)")?/,
        (_, _class, own = '') => `<body ${theme} class="${own} ${classes.join(' ')}"`,
      );
  }
}

const fresh = (body: string, type: string) => ({
  body,
  headers: { 'Content-Type': `${type}; charset=utf-8`, 'Cache-Control': 'no-store' },
});

const cssOf = (variables: Readonly<Record<string, string>>) => `:root {
${Object.entries(variables)
  .map(([name, value]) => `${name}: ${value};`)
  .join('\n')}
}
body { margin: 0; padding: 0 20px; color: var(--vscode-editor-foreground); font-family: var(--vscode-font-family); font-size: var(--vscode-font-size); }
`;
