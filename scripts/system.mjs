// Programs that come with the system rather than with npm.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** What the tests use: where else a program may be found, and the Debian package that brings it. */
const programs = {
  chromium: {
    variable: 'CHROMIUM',
    names: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'microsoft-edge'],
    places: [
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
      ...['ProgramFiles', 'ProgramFiles(x86)', 'LocalAppData'].flatMap(name => {
        const folder = process.env[name];
        const files = ['Google/Chrome/Application/chrome.exe', 'Microsoft/Edge/Application/msedge.exe'];
        return folder ? files.map(file => join(folder, file)) : [];
      }),
    ],
    debian: 'chromium',
  },
  radicale: { variable: 'RADICALE', names: ['radicale'], places: [], debian: 'radicale' },
  todoman: { variable: 'TODOMAN', names: ['todoman'], places: [], debian: 'todoman' },
  vdirsyncer: { variable: 'VDIRSYNCER', names: ['vdirsyncer'], places: [], debian: 'vdirsyncer' },
  xandikos: { variable: 'XANDIKOS', names: ['xandikos'], places: [], debian: 'xandikos' },
};

/** @typedef {keyof typeof programs} Program */

/**
 * @param {Program} name
 * @returns {string | undefined} the program's path
 */
export function findProgram(name) {
  const { variable, names, places } = programs[name];
  const folders = (process.env.PATH ?? '').split(delimiter);
  const paths = names.flatMap(file => folders.map(folder => join(folder, file)));
  return [process.env[variable] ?? '', ...paths, ...places].find(path => path !== '' && runnable(path));
}

/**
 * Finds the programs, and on Debian installs those that are missing where that takes no password.
 * @param {Program[]} names
 * @throws {Error} naming the command that would install what is missing
 */
export function needPrograms(...names) {
  const missing = () => names.filter(name => !findProgram(name));
  if (missing().length === 0) return;
  const packages = missing().map(name => programs[name].debian);
  const apt = existsSync('/usr/bin/apt-get');
  const root = process.getuid?.() === 0;
  const sudo = !root && process.env.CI !== undefined && spawnSync('sudo', ['-n', 'true']).status === 0;
  if (apt && (root || sudo)) {
    console.log(`Installing ${packages.join(', ')} with apt-get ...`);
    const install = ['install', '-y', ...packages];
    if (!aptGet(install, sudo)) {
      aptGet(['update'], sudo);
      aptGet(install, sudo, 'inherit');
    }
  }
  if (missing().length === 0) return;
  const way = apt
    ? `sudo apt-get install -y ${packages.join(' ')}`
    : `your system's package manager (${packages.join(', ')})`;
  const variables = missing().map(name => programs[name].variable);
  throw new Error(
    `Missing: ${missing().join(', ')}. Install with: ${way}. Or name the program in ${variables.join(', ')}.`,
  );
}

/**
 * @param {string[]} args
 * @param {boolean} sudo
 * @param {'ignore' | 'inherit'} [stdio]
 */
function aptGet(args, sudo, stdio = 'ignore') {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const command = sudo ? ['sudo', '-nE', 'apt-get', ...args] : ['apt-get', ...args];
  return spawnSync(command[0] ?? '', command.slice(1), { env, stdio, timeout: 900_000 }).status === 0;
}

/** @param {string} path */
function runnable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
