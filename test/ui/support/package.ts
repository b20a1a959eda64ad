import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

const made = resolve('out/packages');

/** The packed full flavor; files that run side by side share the one that the first of them makes. */
export function packExtension(): string {
  const file = packageIn(made);
  if (file) return file;
  mkdirSync(resolve('out'), { recursive: true });
  const folder = mkdtempSync(resolve('out/packing-'));
  const script = ['scripts/package.mjs', '--flavor', 'full', '--out', folder, '--quiet'];
  const { status, stdout, stderr } = spawnSync(process.execPath, script, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The package was not made.\n${stderr}${stdout}`);
  try {
    renameSync(folder, made);
  } catch (error) {
    if (!packageIn(made)) throw error; // else another file was quicker
    rmSync(folder, { recursive: true });
  }
  return packageIn(made)!;
}

function packageIn(folder: string): string | undefined {
  try {
    const name = readdirSync(folder).find(file => file.endsWith('.vsix'));
    return name && join(folder, name);
  } catch {
    return undefined;
  }
}
