import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const program = resolve('dist/cli.cjs');

interface Answer {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

interface Surroundings {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly uid?: number | undefined;
  readonly cwd?: string;
}

/** What every start finds: a home without editors, one time zone, and no store but the one that is named. */
function environment(home: string, env: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: home, TZ: 'UTC', LANG: 'en_US.UTF-8', ...env };
}

/** The built command line on folders of its own, started as a person would. */
export function aTerminal() {
  const folders: string[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });

  const folder = (): string => {
    const made = mkdtempSync(join(tmpdir(), 'dueline-cli-'));
    folders.push(made);
    return made;
  };

  const run = (args: readonly string[], { input = '', env, uid, cwd }: Surroundings = {}): Answer => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
      encoding: 'utf8',
      input,
      uid,
      cwd,
      env: environment(folders[0] ?? tmpdir(), env),
    });
    return { code: status, out: stdout, err: stderr };
  };

  return {
    folder,
    run,
    start: (args: readonly string[]) =>
      spawn(process.execPath, [program, ...args], { env: environment(folders[0] ?? tmpdir()) }),
    /** A store, and the command line on it. */
    on: (store = folder()) => {
      const dueline = (...args: readonly string[]) => run(['--store', store, ...args]);
      const json = (...args: readonly string[]) => JSON.parse(dueline(...args, '--json').out);
      return {
        store,
        dueline,
        json,
        piped: (input: string, ...args: readonly string[]) => run(['--store', store, ...args], { input }),
      };
    },
  };
}

/** Runs it under a pseudo-terminal of util-linux, whose answer has what a person's terminal would get. */
export function inTerminal(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  input = '',
  columns = 80,
): string {
  const command = [process.execPath, program, ...args].map(arg => `'${arg}'`).join(' ');
  const { stdout } = spawnSync('script', ['-qec', `stty cols ${columns}; ${command}`, '/dev/null'], {
    encoding: 'utf8',
    input,
    env: { ...environment(tmpdir(), env), TERM: 'xterm-256color' },
  });
  return stdout;
}

export const hasTerminal = (): boolean => spawnSync('script', ['--version']).status === 0;
