import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(process.cwd(), 'out/quality');

/** Keeps a result as `out/quality/<name>.json` for the page of figures, with the time and the commit it is of. */
export function keepResult(name: string, result: object): void {
  mkdirSync(folder, { recursive: true });
  const stamped = { at: new Date().toISOString(), commit: commit(), ...result };
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(stamped, null, 2)}\n`);
}

function commit(): string | null {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return null;
  }
}
