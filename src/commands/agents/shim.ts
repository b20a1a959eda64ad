import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  type Stats,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { quotedForShell } from './setups';

/** The program that starts the command line: the editor's own runtime, on the editor's own store. */
interface Start {
  readonly runtime: string;
  /** True if the runtime is the editor's, which must be started as plain Node.js. */
  readonly isElectron: boolean;
  readonly program: string;
  readonly store: string;
  readonly platform: NodeJS.Platform;
}

export const shimName = (platform: NodeJS.Platform): string => (platform === 'win32' ? 'dueline.cmd' : 'dueline');

/**
 * A store that the user chooses takes precedence. Node.js (22 and later) keeps the compiled program beside it, where only
 * those can write who can change the program itself.
 */
export function shimText({ runtime, isElectron, program, store, platform }: Start): string {
  const compiled = program.replace(/[^\\/]*$/, 'compiled');
  if (platform === 'win32') {
    const [run, file, folder, cache] = [runtime, program, store, compiled].map(path => path.replaceAll('%', '%%'));
    return [
      '@echo off',
      'setlocal',
      // The file is UTF-8, the console may not be.
      ...(/^[\x20-\x7e]*$/.test(run! + file + folder) ? [] : ['chcp 65001 >nul']),
      `if not defined DUELINE_STORE set "DUELINE_STORE=${folder}"`,
      `set "NODE_COMPILE_CACHE=${cache}"`,
      ...(isElectron ? ['set ELECTRON_RUN_AS_NODE=1'] : []),
      `"${run}" "${file}" %*`,
      '',
    ].join('\r\n');
  }
  return [
    '#!/bin/sh',
    `if [ -z "$DUELINE_STORE" ]; then DUELINE_STORE=${quotedForShell(store)}; export DUELINE_STORE; fi`,
    `NODE_COMPILE_CACHE=${quotedForShell(compiled)}; export NODE_COMPILE_CACHE`,
    ...(isElectron ? ['ELECTRON_RUN_AS_NODE=1; export ELECTRON_RUN_AS_NODE'] : []),
    `exec ${quotedForShell(runtime)} ${quotedForShell(program)} "$@"`,
    '',
  ].join('\n');
}

/**
 * Puts a program into a folder: whole or not at all. It replaces what has its name there, and never writes through a
 * link. Returns its path.
 *
 * @throws Error if the folder is a link to another one
 */
export function writeShim(folder: string, text: string, platform = process.platform): string {
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  if (!lstatSync(folder).isDirectory()) throw new Error(`${folder} is not a folder. Rename or remove it.`);
  const path = join(folder, shimName(platform));
  const aside = `${path}.${randomUUID()}`;
  try {
    writeFileSync(aside, text, { flag: 'wx', mode: 0o755 });
    // The system's umask takes permissions away from new files.
    chmodSync(aside, 0o755);
    renameSync(aside, path);
  } catch (error) {
    rmSync(aside, { force: true });
    throw error;
  }
  return path;
}

/** The link of another editor with Dueline, or of an earlier version: `…/globalStorage/dueline.dueline/bin/dueline`. */
const ours = /[\\/]globalStorage[\\/]dueline\.dueline[\\/]bin[\\/]dueline$/;

/** Creates a link at a path to the program; returns false if something else is there, which stays. */
export function linkShim(path: string, program: string): boolean {
  const there = at(path);
  if (there && !(there.isSymbolicLink() && (readlinkSync(path) === program || ours.test(readlinkSync(path)))))
    return false;
  mkdirSync(dirname(path), { recursive: true });
  const aside = `${path}.${randomUUID()}`;
  symlinkSync(program, aside);
  renameSync(aside, path);
  return true;
}

function at(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}
