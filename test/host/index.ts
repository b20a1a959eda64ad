import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import Mocha from 'mocha';
import { commands } from 'vscode';

/**
 * Runs inside the extension host, in the desktop editor and in the server build alike: the tests next to it, and the
 * contract that the double of the page tests keeps, too.
 * The results go to the file that TEST_RESULTS names, as mocha's `json` reporter writes them; a line a test is printed.
 */
export async function run(): Promise<void> {
  try {
    await runFound();
  } catch (error) {
    console.log(`[test] ${error instanceof Error ? error.stack : error}`);
    throw error;
  }
}

async function runFound(): Promise<void> {
  const files = [__dirname, join(__dirname, '../contract')].flatMap(folder =>
    readdirSync(folder)
      .filter(name => name.endsWith('.test.js'))
      .map(name => join(folder, name)),
  );
  if (files.length === 0) throw new Error('No host tests were built.');
  const mocha = new Mocha({
    ui: 'bdd',
    timeout: 60_000,
    reporter: 'json',
    reporterOptions: { output: process.env.TEST_RESULTS },
    grep: process.env.TEST_GREP || undefined,
  });
  for (const name of files.sort()) mocha.addFile(name);
  const loading = mocha as unknown as { lazyLoadFiles(on: boolean): void; loadFiles(): void }; // hidden by the types
  loading.lazyLoadFiles(true); // what is loaded here is not loaded once more
  loading.loadFiles();
  for (const suite of mocha.suite.suites) suite.afterAll(closeAll);
  await new Promise<void>((resolve, reject) => {
    const runner = mocha.run(failures => (failures ? reject(new Error(`${failures} tests failed.`)) : resolve()));
    runner.on('pass', test => console.log(`[test] ok   ${test.fullTitle()}`));
    runner.on('pending', test => console.log(`[test] skip ${test.fullTitle()}`));
    runner.on('fail', (test, error) => console.log(`[test] FAIL ${test.fullTitle()}\n${error.stack ?? error.message}`));
  });
}

/** Hides what a suite has left in sight: it would be drawn after every change of the suites that follow. */
async function closeAll(): Promise<void> {
  await commands.executeCommand('workbench.action.closeAllEditors');
  await commands.executeCommand('workbench.action.closePanel');
  await commands.executeCommand('workbench.view.explorer');
}
