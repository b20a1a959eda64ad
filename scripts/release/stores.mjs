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
    publishWith('node_modules/@vscode/vsce/vsce', file);
  },
};

/** @type {Store} needs OVSX_PAT */
export const openVsx = {
  name: 'Open VSX',
  publish: file => {
    needToken('OVSX_PAT');
    publishWith('node_modules/ovsx/bin/ovsx', file);
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
 * The programs are those of the lock file: each is handed a token that can publish in Dueline's name.
 * @param {string} program
 * @param {string} file
 */
function publishWith(program, file) {
  execFileSync(process.execPath, [program, 'publish', '--packagePath', file, '--skip-duplicate'], { stdio: 'inherit' });
}
