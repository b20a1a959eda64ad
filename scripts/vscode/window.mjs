// A window on a VS Code server: headless Chromium, driven by playwright-core.
import { chromium } from 'playwright-core';
import { findProgram, needPrograms } from '../system.mjs';

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

/** @returns {Promise<import('playwright-core').Browser>} */
export async function launchBrowser() {
  needPrograms('chromium');
  const executablePath = findProgram('chromium');
  const program = executablePath ? { executablePath } : { channel: 'chrome' };
  // A signal ends this process, and the process's end the browser: playwright would end the browser alone.
  const handling = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
  return chromium.launch({ ...program, args: flags, timeout: 120_000, ...handling });
}

/**
 * @typedef {object} WindowOptions
 * @property {string} [folder] the folder to open
 * @property {string} [extension] folder of the extension under development
 * @property {string} [tests] the test entry to run in the extension host
 * @property {{width: number, height: number}} [size]
 * @property {number} [scale] device pixels for one CSS pixel
 * @property {boolean} [unseen] nobody looks at the window or acts in it: it is laid out, but not painted
 * @property {string} [timezone] IANA zone of the page
 * @property {(code: number, logs: unknown) => void} [onExit] the test run's end, as the workbench tells it
 * @property {(type: string, text: string) => void} [onLog] every console line, those of the extension host included
 */

/**
 * A context is one user's browser: windows in the same context share secrets and state.
 * @param {import('playwright-core').Browser} browser
 * @param {import('./server.mjs').Server} server
 * @param {WindowOptions} [options]
 */
export async function openContext(browser, server, options = {}) {
  const context = await browser.newContext({
    viewport: options.size ?? { width: 1280, height: 800 },
    deviceScaleFactor: options.scale ?? 1,
    timezoneId: options.timezone,
  });
  context.setDefaultTimeout(30_000);
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.origin });
  await context.addInitScript(answerMintKey);
  if (options.unseen) await context.addInitScript({ content: dress(standStill + outOfSight) });
  return context;
}

/**
 * In the page: gives the workbench the key that this server lacks. Without it secrets stay in memory only, and a reload
 * forgets every password. A route would give it too, but has every file of the page pass through the test's process, and
 * none of them kept for the next load.
 */
function answerMintKey() {
  const { fetch } = globalThis;
  globalThis.fetch = async (wanted, how) =>
    String(wanted).endsWith('/mint-key') ? new Response(new Uint8Array(32).fill(7)) : fetch(wanted, how);
}

/** A bar of progress, a wheel that turns and scrollbars that fade have the window drawn sixty times a second. */
const standStill = '*, ::before, ::after { animation: none !important; transition: none !important; }';

/** All is laid out and can have the focus, but nothing is painted. */
const outOfSight = '.monaco-workbench { transform: translateX(-30000px); }';

/**
 * @param {string} rules
 * @returns {string} a script that gives the workbench more styles, and none to the pages inside it
 */
const dress = rules => `if (parent === self) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(${JSON.stringify(rules)});
  document.adoptedStyleSheets.push(sheet);
}`;

/**
 * @param {import('playwright-core').BrowserContext} context
 * @param {import('./server.mjs').Server} server
 * @param {WindowOptions} [options]
 * @returns {Promise<import('playwright-core').Page>}
 */
export async function openPage(context, server, options = {}) {
  const page = await context.newPage();
  if (options.onExit) await page.exposeFunction('codeAutomationExit', options.onExit);
  if (options.onLog) {
    const onLog = options.onLog;
    const text = (/** @type {unknown} */ arg) => (typeof arg === 'string' ? arg : (JSON.stringify(arg) ?? String(arg)));
    await page.exposeFunction('codeAutomationLog', (/** @type {string} */ type, /** @type {unknown} */ args) =>
      onLog(type, Array.isArray(args) ? args.map(text).join(' ') : text(args)),
    );
  }
  await page.goto(addressOf(server, options), { waitUntil: 'domcontentloaded', timeout: 120_000 });
  if (options.unseen) await hearNoTraffic(page);
  return page;
}

/**
 * Playwright hears of all that a page receives and sends, for events that nobody here asks for. What the workbench and
 * its extension host tell each other would pass through the browser once more, in base64: a tenth of what a window computes.
 * Playwright has no option for it.
 * @param {any} page
 */
async function hearNoTraffic(page) {
  await page._connection.toImpl(page).delegate._mainFrameSession._client.send('Network.disable');
}

/**
 * @param {{origin: string, authority: string}} server
 * @param {{folder?: string, extension?: string, tests?: string}} options `extension` and `tests`: a driven server only
 */
export function addressOf(server, { folder, extension, tests }) {
  const remote = (/** @type {string} */ path) => `vscode-remote://${server.authority}${path}`;
  const payload = [];
  if (extension) payload.push(['extensionDevelopmentPath', remote(extension)]);
  if (tests) payload.push(['extensionTestsPath', remote(tests)]);
  const query = new URLSearchParams(folder ? { folder } : { ew: 'true' });
  if (payload.length > 0) query.set('payload', JSON.stringify(payload));
  return `${server.origin}/?${query}`;
}
