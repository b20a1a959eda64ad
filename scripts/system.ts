// Programs beside this one: those of Node.js, and those that come with the system rather than with npm.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { root } from './paths';

/** Runs a program of Node.js in the project's folder, with what it says on the screen; true if it succeeds. */
export const node = (...args: readonly string[]): boolean =>
  spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status === 0;

/** The programs that tests and proofs use, by other names that a program may have; Debian's packages are called like the programs. */
const programs = {
  chromium: ['chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'microsoft-edge'],
  radicale: [],
  strace: [],
  todoman: [],
  vdirsyncer: [],
  xandikos: [],
};

export type Program = keyof typeof programs;

/** The program's path, or another one that a variable of its name in upper case has. */
export function findProgram(name: Program): string | undefined {
  const named = process.env[name.toUpperCase()];
  if (named && existsSync(named)) return named;
  return spawnSync('which', [name, ...programs[name]], { encoding: 'utf8' }).stdout?.split('\n')[0] || undefined;
}

/**
 * Finds the programs, and on Debian installs those that are missing: as root, or in CI if sudo asks for no password.
 * Throws if some are missing then, and names the command that would install them.
 */
export function needPrograms(...names: Program[]) {
  // macOS and Windows have Chrome outside the PATH, where Playwright finds it.
  const isElsewhere = (name: Program) => name === 'chromium' && process.platform !== 'linux';
  const missing = () => names.filter(name => !findProgram(name) && !isElsewhere(name));
  const hasApt = existsSync('/usr/bin/apt-get');
  const asRoot = missing().length > 0 && hasApt ? wayToRoot() : undefined;
  if (asRoot) {
    console.log(`Installing ${missing().join(', ')} with apt-get ...`);
    for (const args of [['update'], ['install', '-y', ...missing()]]) {
      const [program = '', ...rest] = [...asRoot, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...args];
      spawnSync(program, rest, { stdio: 'inherit', timeout: 900_000 });
    }
  }
  if (missing().length === 0) return;
  const all = missing().join(' ');
  const way = hasApt ? `sudo apt-get install -y ${all}` : `your system's package manager (${all})`;
  const variables = missing().map(name => name.toUpperCase());
  throw new Error(`Missing: ${all}. Install with: ${way}. Or name the program in ${variables.join(', ')}.`);
}

/** The beginning of a command of root; undefined if only someone at the keyboard can become root. */
function wayToRoot(): string[] | undefined {
  if (process.getuid?.() === 0) return [];
  return process.env.CI && spawnSync('sudo', ['-n', 'true']).status === 0 ? ['sudo', '-n'] : undefined;
}

/** True if a window can be shown here. */
export const hasScreen = () =>
  Boolean(process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
