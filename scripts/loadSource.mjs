// Sources for scripts: those that stand alone, with their types taken off.
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import { buildSync } from 'esbuild';
import { standIns } from './build/plugins.cjs';
import { root } from './paths.mjs';

/** @type {Map<string, unknown>} what was loaded: each load starts esbuild as a program, and each language asks for all words */
const loaded = new Map();

/**
 * @param {string} file that imports nothing at run time but files like it
 * @param {boolean} [isOffline] with the stand-ins of that flavor
 * @returns {unknown} what it exports
 */
export function loadSource(file, isOffline = false) {
  const key = `${file} ${isOffline}`;
  if (loaded.has(key)) return loaded.get(key);
  const options = /** @type {const} */ ({ bundle: true, write: false, platform: 'node', format: 'cjs' });
  const resolveExtensions = isOffline ? standIns : undefined;
  const { outputFiles } = buildSync({ ...options, resolveExtensions, entryPoints: [join(root, file)] });
  const module = { exports: {} };
  compileFunction(outputFiles[0]?.text ?? '', ['module', 'exports'])(module, module.exports);
  loaded.set(key, module.exports);
  return module.exports;
}
