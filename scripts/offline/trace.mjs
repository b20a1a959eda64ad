// Watches a session of the offline engine from outside, for sockets.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../paths.mjs';
import { findProgram } from '../system.mjs';

export const hasStrace = () => findProgram('strace') !== undefined;

/** @param {string} engine the bundle, e.g. dist/engine-offline.cjs */
export const watchSession = engine => watchProgram([join(root, 'scripts/offline/session.cjs'), engine]);

/**
 * @param {readonly string[]} args of Node.js
 * @param {string} [input] what it reads
 * @returns {{said: string, calls: string[]}} what the program said, and every system call of it that is about networks
 * @throws {Error} where the program fails
 */
export function watchProgram(args, input) {
  const folder = mkdtempSync(join(tmpdir(), 'dueline-trace-'));
  try {
    const log = join(folder, 'calls');
    const program = ['-f', '-e', 'trace=network', '-o', log, process.execPath, ...args];
    const { status, stdout, stderr } = spawnSync(findProgram('strace') ?? 'strace', program, {
      encoding: 'utf8',
      ...(input === undefined ? { stdio: ['ignore', 'pipe', 'pipe'] } : { input }),
    });
    if (status !== 0) throw new Error(`The session failed: ${stderr}`);
    return { said: stdout.trim(), calls: networkCalls(readFileSync(log, 'utf8')) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Asking whether standard input is a socket (getsockname and the like) opens nothing, and Node.js does so at its start.
 * @param {string} log of strace
 */
export const networkCalls = log =>
  log
    .split('\n')
    .filter(line => /\b(socket|connect|bind|listen|accept4?|send(to|msg|mmsg)?|recv(from|msg|mmsg)?)\(/.test(line));
