// Where things lie. Every script of the project runs with the project's folder as its working folder: npm sees to that.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = process.cwd();
if (!existsSync(join(root, 'esbuild.js'))) throw new Error(`Run this in the project's folder, not in ${root}.`);

/** Downloads and the data of `npm start`: kept between runs, never committed. */
export const cacheFolder = join(root, '.vscode-test');
/** One JSON file for each suite, as mocha's `json` reporter writes it. */
export const resultsFolder = join(root, 'out/results');
/** What Node.js 22 and later keep of the code that they compiled for test windows. */
export const compiledFolder = join(root, 'out/compiled');
export const screenshotFolder = join(root, 'test/ui/output');

/** @returns {Record<string, any>} the extension's manifest. */
export const manifest = () => JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/**
 * @param {string} suite
 * @returns {string} the file that the suite's results go to; its folder exists.
 */
export function resultsFile(suite) {
  mkdirSync(resultsFolder, { recursive: true });
  return join(resultsFolder, `${suite}.json`);
}
