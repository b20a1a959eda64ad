// Sources for scripts: those that stand alone, with their types taken off.
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import { buildSync } from 'esbuild';
import { root } from './paths.mjs';

/** @type {Map<string, unknown>} what was loaded: each load starts esbuild as a program, and each language asks for all words */
const loaded = new Map();

/**
 * @param {string} file that imports nothing at run time but files like it
 * @returns {unknown} what it exports
 */
export function loadSource(file) {
  if (loaded.has(file)) return loaded.get(file);
  const options = /** @type {const} */ ({ bundle: true, write: false, platform: 'node', format: 'cjs' });
  const { outputFiles } = buildSync({ ...options, entryPoints: [join(root, file)] });
  const module = { exports: {} };
  compileFunction(outputFiles[0]?.text ?? '', ['module', 'exports'])(module, module.exports);
  loaded.set(file, module.exports);
  return module.exports;
}
