// Runs this folder inside the extension host of a real VS Code: `node out/test/host/run.js newest|oldest [full|offline]`, or
// `desktop`; a job of the tests. Every run tests each editor and each package once: the full one in the newest, the offline one, in
// German, in the oldest. The desktop has this folder as an extension under development.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageOnce } from '../../scripts/package/once';
import { resultsFile, root } from '../../scripts/paths';
import { runOnDesktop } from '../../scripts/vscode/desktop';
import { Session } from '../ui/support/driver';
import type { Window } from '../ui/support/window';

const entry = join(root, 'out/test/host/index.js');
const [name = 'newest', flavor = name === 'oldest' ? 'offline' : 'full'] = process.argv.slice(2);
const isOffline = flavor === 'offline';
const results = process.env.TEST_RESULTS ?? resultsFile(`host-${name}`);
const env = {
  TEST_RESULTS: results,
  TEST_GREP: process.env.TEST_GREP ?? '',
  DUELINE_TEST: '1',
  ...(isOffline && { DUELINE_ID: 'dueline.dueline-offline' }),
};

async function runOnServer(): Promise<void> {
  const session = await Session.open({
    version: name === 'oldest' ? 'oldest' : 'newest',
    vsix: [await packageOnce(isOffline ? 'offline' : 'full')],
    driven: true,
    size: { width: 900, height: 600 },
    // The tests ask for no words of a language: one package shows it, as German people have it, with all of the editor's own
    // extensions.
    ...(isOffline ? { locale: 'de', whole: true } : { builtIn: ['git-base', 'git'] }),
    env: { ...env, TEST_GIT: '1' },
  });
  void leaveDialogs(session.window).catch(() => {}); // until the window closes
  let isGood = false;
  try {
    await Promise.race([session.window.command('bridge.run', entry), brokenOff(session.window)]);
    isGood = true;
  } finally {
    if (!isGood)
      console.log(`${await session.window.shot(`host-${name}-failed`)}; logs are kept in ${session.server.data}`);
    await session.close(!isGood);
  }
}

/** A page that has crashed, or tests that have hung, never answer. */
async function brokenOff({ page }: Window): Promise<never> {
  const crash = await page.waitForEvent('crash', { timeout: 600_000 }).catch(() => undefined);
  throw new Error(crash ? 'The window has crashed.' : 'The tests have not ended within ten minutes.');
}

/** Nobody is there to answer: each dialog is left, as by Escape. */
async function leaveDialogs({ page }: Window): Promise<void> {
  const dialog = page.locator('.monaco-dialog-box');
  for (;;) {
    await dialog.waitFor({ timeout: 0 });
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  }
}

async function main(): Promise<void> {
  try {
    await (name === 'desktop' ? runOnDesktop(entry, env) : runOnServer());
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
  if (existsSync(results))
    for (const { fullTitle, err } of JSON.parse(readFileSync(results, 'utf8')).tests)
      console.log(`  ${err.message ? 'FAIL' : 'ok  '} ${fullTitle}`);
  process.exit();
}

void main();
