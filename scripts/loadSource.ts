// Sources for scripts: those that stand alone, with their types taken off.
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import { buildSync } from 'esbuild';
import { standIns } from './build/plugins.cjs';
import { root } from './paths';

/** Each load starts esbuild as a program, and each language asks for all words. */
const loaded = new Map<string, unknown>();

/** The exports of a file that imports nothing at run time but files like it; `isOffline`: with the stand-ins of that flavor. */
export function loadSource(file: string, isOffline = false): unknown {
  const key = `${file} ${isOffline}`;
  if (loaded.has(key)) return loaded.get(key);
  const options = { bundle: true, write: false, platform: 'node', format: 'cjs' } as const;
  const resolveExtensions = isOffline ? standIns : undefined;
  const { outputFiles } = buildSync({ ...options, resolveExtensions, entryPoints: [join(root, file)] });
  const module = { exports: {} };
  compileFunction(outputFiles[0]?.text ?? '', ['module', 'exports'])(module, module.exports);
  loaded.set(key, module.exports);
  return module.exports;
}
