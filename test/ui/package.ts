import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Packs the full flavor; gives the .vsix. */
export function packExtension(): string {
  const folder = resolve('out/packages');
  rmSync(folder, { recursive: true, force: true });
  const script = ['scripts/package.mjs', '--flavor', 'full', '--out', folder, '--quiet'];
  const made = spawnSync(process.execPath, script, { encoding: 'utf8' });
  const file = made.status === 0 && readdirSync(folder).find(name => name.endsWith('.vsix'));
  if (!file) throw new Error(`The package was not made.\n${made.stderr}${made.stdout}`);
  return join(folder, file);
}
