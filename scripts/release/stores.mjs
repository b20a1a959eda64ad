// The extension stores. None of them ever gets the offline flavor: it is published to the code-hosting release alone.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';

/**
 * @typedef {{name: string, publish(file: string): void}} Store `publish` leaves a version alone that is there already
 */

/** @type {Store} needs VSCE_PAT */
export const marketplace = {
  name: 'the Visual Studio Marketplace',
  publish: file => {
    needToken('VSCE_PAT');
    run(process.execPath, ['node_modules/@vscode/vsce/vsce', 'publish', '--packagePath', file, '--skip-duplicate']);
  },
};

/** @type {Store} needs OVSX_PAT */
export const openVsx = {
  name: 'Open VSX',
  publish: file => {
    needToken('OVSX_PAT');
    run('npx', ['--yes', 'ovsx@1.3.0', 'publish', file, '--skip-duplicate']);
  },
};

/**
 * @param {string} name
 * @param {string} folder stands in for the store
 * @returns {Store}
 */
export const folderStore = (name, folder) => ({
  name,
  publish: file => {
    mkdirSync(folder, { recursive: true });
    if (!existsSync(join(folder, basename(file)))) copyFileSync(file, join(folder, basename(file)));
  },
});

/** @param {string} variable */
function needToken(variable) {
  if (!process.env[variable]) throw new Error(`${variable} is not set.`);
}

/**
 * @param {string} program
 * @param {string[]} args
 */
function run(program, args) {
  execFileSync(program, args, { stdio: 'inherit' });
}
