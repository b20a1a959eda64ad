import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { aStart, type Start } from './aStart';

export const program = resolve('dist/cli.cjs');

/** The environment of every start: a home without editors, one time zone, and no store but the one that is named. */
function environment(home: string, env: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  return { PATH: process.env.PATH ?? '', HOME: home, TZ: 'UTC', LANG: 'en_US.UTF-8', ...env };
}

/** The command line on folders of its own: in this process, or the built program if only a process shows what is tested. */
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
  const surroundings = (env?: Readonly<Record<string, string>>) => environment(folders[0] ?? tmpdir(), env);
  const run = (args: readonly string[], start: Start = {}) =>
    aStart(args, { ...start, env: surroundings(start.env) }).answer;

  return {
    folder,
    run,
    /** The built program, as a user starts it. */
    runProcess: (
      args: readonly string[],
      { input = '', uid, built = program }: { input?: string; uid?: number | undefined; built?: string } = {},
    ) => {
      const options = { encoding: 'utf8', input, uid, env: surroundings() } as const;
      const { status, stdout, stderr } = spawnSync(process.execPath, [built, ...args], options);
      return { code: status, out: stdout, err: stderr };
    },
    start: (args: readonly string[], env?: Readonly<Record<string, string>>) =>
      spawn(process.execPath, [program, ...args], { env: surroundings(env) }),
    /** A store, and the command line on it. */
    on: (store = folder()) => {
      const dueline = (...args: readonly string[]) => run(['--store', store, ...args]);
      const json = async (...args: readonly string[]) => JSON.parse((await dueline(...args, '--json')).out);
      return {
        store,
        dueline,
        json,
        piped: (input: string, ...args: readonly string[]) => run(['--store', store, ...args], { input }),
      };
    },
  };
}

/** Runs it under a pseudo-terminal of util-linux; the answer has what a user's terminal would get. */
export function inTerminal(args: readonly string[], input = '', env: Readonly<Record<string, string>> = {}): string {
  const command = [process.execPath, program, ...args].map(arg => `'${arg}'`).join(' ');
  const { stdout } = spawnSync('script', ['-qec', `stty cols 80; ${command}`, '/dev/null'], {
    encoding: 'utf8',
    input,
    env: { ...environment(tmpdir(), env), TERM: 'xterm-256color' },
  });
  return stdout;
}

export const hasTerminal = (): boolean => spawnSync('script', ['--version']).status === 0;
