import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';

const key = Symbol.for('dueline.processGroups');
const here = globalThis as { [key]?: Set<ChildProcess> };

/**
 * Process groups that are to end with this process, come what may. Every test file is a bundle with a copy of this
 * module in it; one list and its listeners serve all of them.
 */
here[key] ??= endedWithProcess();
const groups = here[key];

function endedWithProcess(): Set<ChildProcess> {
  const all = new Set<ChildProcess>();
  process.on('exit', () => {
    for (const child of all) signal(child, 'SIGKILL');
  });
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(name, () => {
      if (process.listenerCount(name) === 1) process.exit(130); // nobody else ends this process in a gentler way
    });
  return all;
}

/** Starts a program in a group of its own, with what it starts itself. */
export function startGroup(program: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const child = spawn(program, args, { ...options, detached: process.platform !== 'win32' });
  groups.add(child);
  return child.once('close', () => groups.delete(child));
}

/** Asks a group of processes to end, and kills the rest after `graceMs` milliseconds. */
export async function endGroup(child: ChildProcess, graceMs: number): Promise<void> {
  const hasEnded = child.exitCode !== null || child.signalCode !== null;
  const end = hasEnded ? undefined : new Promise(resolve => child.once('exit', resolve));
  signal(child, 'SIGTERM');
  await Promise.race([end, new Promise(resolve => setTimeout(resolve, graceMs).unref())]);
  signal(child, 'SIGKILL');
}

function signal({ pid }: ChildProcess, name: NodeJS.Signals): void {
  try {
    if (pid) process.kill(process.platform === 'win32' ? pid : -pid, name); // Windows has no groups
  } catch {
    // it has ended, or never begun
  }
}
