import Module from 'node:module';
import { resolve } from 'node:path';
import type * as vscode from 'vscode';
import type { DuelineEngine } from '../../../src/api';
import type { Clock } from '../../../src/core/time/clock';

interface Main {
  start(context: vscode.ExtensionContext, clock: Clock): Promise<DuelineEngine | undefined>;
}

type Load = (request: string, ...rest: unknown[]) => unknown;
const modules = Module as unknown as { _load: Load };

/** The extension's own bundle, fresh, with the given editor. */
export function loadExtension(api: typeof vscode): Main {
  const dist = resolve('dist');
  for (const name of Object.keys(require.cache)) if (name.startsWith(dist)) delete require.cache[name];
  const original = modules._load;
  modules._load = function load(request, ...rest) {
    return request === 'vscode' ? api : Reflect.apply(original, this, [request, ...rest]);
  };
  return require(resolve(dist, 'main.cjs')) as Main;
}
