import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { compileFunction } from 'node:vm';
import type * as vscode from 'vscode';
import type { DuelineEngine } from '../../../src/api';
import type { Clock } from '../../../src/core/time/clock';

interface Main {
  start(context: vscode.ExtensionContext, clock: Clock): Promise<DuelineEngine | undefined>;
}

const key = Symbol.for('dueline.test.scripts');
const shared = globalThis as unknown as { [key]?: Map<string, ReturnType<typeof compileFunction>> };

/** Compiled once for the suite: several megabytes for each start would be a tenth of its computing. */
function compiled(path: string) {
  shared[key] ??= new Map();
  const known = shared[key].get(path);
  if (known) return known;
  const names = ['exports', 'require', 'module', '__dirname', '__filename'];
  const script = compileFunction(readFileSync(path, 'utf8'), names, { filename: path });
  shared[key].set(path, script);
  return script;
}

/** The extension's own bundle, fresh, with the given editor. */
export function loadExtension(api: typeof vscode): Main {
  const dist = resolve('dist');
  const modules = new Map<string, { exports: object }>();
  const load = (name: string): unknown => {
    if (name === 'vscode') return api;
    if (!name.startsWith('./')) return require(name);
    const known = modules.get(name);
    if (known) return known.exports;
    const module = { exports: {} };
    modules.set(name, module);
    const path = resolve(dist, name);
    compiled(path)(module.exports, load, module, dist, path);
    return module.exports;
  };
  return load('./main.cjs') as Main;
}
