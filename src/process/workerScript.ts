import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The path of a worker's script, `NAME.worker.cjs`: beside the bundle that runs, or, for tests and the offline build, in a
 * folder above it. Undefined if a program is without it.
 */
export function workerScript(name: string): string | undefined {
  let folder = __dirname;
  for (let level = 0; level < 3; level++) {
    const script = join(folder, `${name}.worker.cjs`);
    if (existsSync(script)) return script;
    folder = dirname(folder);
  }
  return undefined;
}
