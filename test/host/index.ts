import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import Mocha from 'mocha';

/**
 * Runs inside the extension host, in the desktop editor and in the server build alike: the tests beside it, and the
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
  await new Promise<void>((resolve, reject) => {
    const runner = mocha.run(failures => (failures ? reject(new Error(`${failures} tests failed.`)) : resolve()));
    runner.on('pass', test => console.log(`[test] ok   ${test.fullTitle()}`));
    runner.on('pending', test => console.log(`[test] skip ${test.fullTitle()}`));
    runner.on('fail', (test, error) => console.log(`[test] FAIL ${test.fullTitle()}\n${error.stack ?? error.message}`));
  });
}
