// The folders and files of the project. npm starts every script with the project's folder as its working folder.
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = process.cwd();
if (!existsSync(join(root, 'esbuild.js'))) throw new Error(`Run this in the project's folder, not in ${root}.`);

/** Downloads and the data of `npm start`: kept between runs, never committed. */
export const cacheFolder = join(root, '.vscode-test');
/** One JSON file for each suite, as mocha's `json` reporter writes it. */
export const resultsFolder = join(root, 'out/results');
/** Code that Node.js 22 and later have compiled for test windows. */
export const compiledFolder = join(root, 'out/compiled');
export const screenshotFolder = join(root, 'test/ui/output');

// biome-ignore lint/suspicious/noExplicitAny: a manifest has no type here
export type Json = Record<string, any>;

/** The extension's. */
export const manifest = (): Json => JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The files below a folder of the project whose names end so, by their paths in the project. */
export const filesBelow = (folder: string, ending: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith(ending))
    .map(name => `${folder}/${name.replaceAll('\\', '/')}`)
    .sort();

/** The file that the suite's results go to; its folder exists. */
export function resultsFile(suite: string): string {
  mkdirSync(resultsFolder, { recursive: true });
  return join(resultsFolder, `${suite}.json`);
}
