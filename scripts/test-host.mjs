// Runs test/host inside the extension host of a real VS Code: `node scripts/test-host.mjs newest|oldest|offline|desktop`, a
// job of test.mjs. The newest editor has the packages that people install: the full one, and as `offline` the offline one, in
// German. The oldest and the desktop have this folder as an extension under development.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageOnce } from './package/once.mjs';
import { resultsFile, root, screenshotFolder } from './paths.mjs';
import { runOnDesktop } from './vscode/desktop.mjs';
import { startServer } from './vscode/server.mjs';
import { launchBrowser, openContext, openPage } from './vscode/window.mjs';

const limit = 600_000;
const entry = join(root, 'out/test/host/index.js');
/** It has a view for the tests. */
const bridge = join(root, 'test/ui/bridge');
const [name = 'newest'] = process.argv.slice(2);
const env = {
  TEST_RESULTS: process.env.TEST_RESULTS ?? resultsFile(`host-${name}`),
  TEST_GREP: process.env.TEST_GREP ?? '',
  DUELINE_TEST: '1',
  ...(name === 'offline' && { DUELINE_ID: 'dueline.dueline-offline' }),
};
const workspace = mkdtempSync(join(tmpdir(), 'dueline-workspace-'));
try {
  if (name === 'desktop') await runOnDesktop(entry, workspace, env);
  else await runOnServer();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  rmSync(workspace, { recursive: true, force: true });
}
process.exit();

async function runOnServer() {
  const version = name === 'oldest' ? 'oldest' : 'newest';
  const flavor = name === 'offline' ? 'offline' : 'full';
  const vsix = version === 'newest' ? [await packageOnce(flavor)] : undefined;
  // The tests ask for no words of a language: one package shows it, as German people have it, with all of the editor's own
  // extensions.
  const look = flavor === 'offline' ? { locale: 'de' } : { builtIn: ['git-base', 'git'] };
  const seen = flavor === 'offline' ? env : { ...env, TEST_GIT: '1' };
  const server = await startServer({ version, env: seen, vsix, ...look, helpers: vsix ? [] : [bridge] });
  const browser = await launchBrowser();
  let code;
  try {
    const context = await openContext(browser, server, { size: { width: 900, height: 600 }, unseen: true });
    /** @type {(code?: number) => void} */
    let exit = () => {};
    const exited = new Promise(resolve => {
      exit = resolve;
    });
    const timer = setTimeout(exit, limit);
    const page = await openPage(context, server, {
      folder: workspace,
      // The installed package is not under development; something has to be, for an editor to run tests.
      extension: vsix ? bridge : root,
      tests: entry,
      unseen: true,
      onExit: exit,
      onLog: (_, text) => text.includes('[test] ') && console.log(`  ${text.slice(text.indexOf('[test] ') + 7)}`),
    });
    page.on('crash', () => exit());
    page.on('close', () => exit());
    code = await exited;
    clearTimeout(timer);
    if (code !== 0) {
      process.exitCode = 1;
      mkdirSync(screenshotFolder, { recursive: true });
      await page.evaluate('document.adoptedStyleSheets = []').catch(() => {}); // in sight again
      await page.screenshot({ path: join(screenshotFolder, `host-${name}-failed.png`) }).catch(() => {});
      console.log(`  code ${code ?? 'none'}; logs are kept in ${server.data}`);
    }
  } finally {
    await browser.close().catch(() => {});
    await server.stop(code !== 0);
  }
}
