// Watches a session of the offline engine from outside, for sockets.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../../scripts/paths';
import { findProgram } from '../../../scripts/system';

export const hasStrace = () => findProgram('strace') !== undefined;

/** `engine`: the bundle, e.g. dist/engine-offline.cjs. */
export const watchSession = (engine: string) => watchProgram([join(root, 'test/support/offline/session.cjs'), engine]);

/** The words of a program of Node.js, and its system calls that are about networks. Throws if it fails. */
export function watchProgram(args: readonly string[], input?: string): { output: string; calls: string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'dueline-trace-'));
  try {
    const log = join(folder, 'calls');
    const program = ['-f', '-e', 'trace=network', '-o', log, process.execPath, ...args];
    const { status, stdout, stderr } = spawnSync(findProgram('strace') ?? 'strace', program, {
      encoding: 'utf8',
      ...(input === undefined ? { stdio: ['ignore', 'pipe', 'pipe'] } : { input }),
    });
    if (status !== 0) throw new Error(`The session failed: ${stderr}`);
    return { output: stdout.trim(), calls: networkCalls(readFileSync(log, 'utf8')) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Asking whether standard input is a socket (getsockname and the like) opens nothing, and Node.js does so at its start.
 */
export const networkCalls = (log: string) =>
  log
    .split('\n')
    .filter(line => /\b(socket|connect|bind|listen|accept4?|send(to|msg|mmsg)?|recv(from|msg|mmsg)?)\(/.test(line));
