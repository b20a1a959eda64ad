// The folder for temporary files of a run: in memory where the system offers that.

import { spawnSync } from 'node:child_process';
import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const inMemory = '/dev/shm';
/** Windows, stores and packages of several suites take less than half of it at a time. */
const neededBytes = 4 * 2 ** 30;

/**
 * Every edit of a test's store waits for a disk, for milliseconds that no test is about. A folder in memory answers at once.
 * A folder that TMPDIR names already is kept.
 * @param {NodeJS.ProcessEnv} [ours]
 * @returns {{env: Record<string, string>, remove: () => void}} `env`: for the programs of the run
 */
export function makeScratch(ours = process.env) {
  const none = { env: {}, remove: () => {} };
  if (process.platform !== 'linux' || ours.TMPDIR || !hasRoom()) return none;
  const folder = mkdtempSync(join(inMemory, 'dueline-'));
  // For everybody, as the system's own: tests run programs as another user.
  chmodSync(folder, 0o1777);
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  if (runsPrograms(folder)) return { env: { TMPDIR: folder }, remove };
  remove();
  return none;
}

/** Containers often have 64 MB there. */
function hasRoom() {
  try {
    accessSync(inMemory, constants.W_OK);
    const { bavail, bsize } = statfsSync(inMemory);
    return bavail * bsize >= neededBytes;
  } catch {
    return false;
  }
}

/** Tests write programs, such as git's hooks; a file system may be mounted so that nothing in it runs. */
function runsPrograms(/** @type {string} */ folder) {
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\n');
  chmodSync(program, 0o755);
  const { status } = spawnSync(program);
  rmSync(program);
  return status === 0;
}
