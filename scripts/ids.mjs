// src/ids.ts for scripts: the same source, with its types taken off.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import { transformSync } from 'esbuild';
import { root } from './paths.mjs';

const { code } = transformSync(readFileSync(join(root, 'src/ids.ts'), 'utf8'), { loader: 'ts', format: 'cjs' });
const module = { exports: {} };
compileFunction(code, ['module', 'exports'])(module, module.exports);

export const { commandIds, contextKeys, isFullOnly, settingIds } = /** @type {typeof import('../src/ids')} */ (
  module.exports
);
