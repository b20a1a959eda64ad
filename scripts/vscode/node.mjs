// VS Code's server is particular about its Node.js: the newest needs 22.15 or later, the oldest was made for 20.
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder } from '../paths.mjs';
import { npm } from './npm.mjs';

const [major = 0] = process.versions.node.split('.').map(Number);

/**
 * @param {number} wanted major version
 * @returns {Promise<string>} a Node.js program of that version: this process's own where it fits.
 */
export async function installNode(wanted) {
  if (major === wanted) return process.execPath;
  const folder = join(cacheFolder, `node${wanted}`);
  const name = `node-${process.platform === 'darwin' && process.arch === 'arm64' ? 'bin-darwin' : process.platform}-${process.arch}`;
  const program = join(folder, 'node_modules', name, 'bin/node');
  if (existsSync(join(folder, '.done'))) return program;
  console.log(`Installing Node.js ${wanted} ...`);
  await mkdir(cacheFolder, { recursive: true });
  const work = await mkdtemp(join(cacheFolder, 'installing-'));
  try {
    await writeFile(
      join(work, 'package.json'),
      JSON.stringify({ private: true, dependencies: { [name]: String(wanted) } }),
    );
    await npm(['install', '--ignore-scripts', '--no-package-lock', '--no-audit', '--no-fund'], work);
    await chmod(join(work, 'node_modules', name, 'bin/node'), 0o755);
    await writeFile(join(work, '.done'), '');
    await rename(work, folder).catch(error => {
      if (!existsSync(join(folder, '.done'))) throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return program;
}
