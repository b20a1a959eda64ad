// Makes a flavor's .vsix: build, lay out, and let vsce pack, with a fixed time so that it is the same at every run.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import type { Flavor } from '../manifest';
import { root } from '../paths';
import { checkPackage } from './check';
import { layOut } from './layOut';
import { billOfMaterials } from './packages';

export interface Made {
  /** The .vsix. */
  readonly file: string;
  /** The bill of materials beside it. */
  readonly bill: string;
  /** In bytes. */
  readonly size: number;
  /** Sizes by path inside the extension's folder. */
  readonly contents: ReadonlyMap<string, number>;
}

/** Makes both in the folder `target`. Throws if the package contains what it should not, lacks what it needs, or is too large. */
export async function makePackage(flavor: Flavor, target: string): Promise<Made> {
  mkdirSync(target, { recursive: true });
  const work = mkdtempSync(join(tmpdir(), 'dueline-package-'));
  try {
    const meta = join(work, 'meta.json');
    const folder = join(work, 'extension');
    const dist = relative(root, join(folder, 'dist'));
    await node(root, 'esbuild.js', '--production', '--flavor', flavor, '--out', dist, '--meta', meta);
    const outputs = JSON.parse(readFileSync(meta, 'utf8'));
    const files = layOut(flavor, { folder, outputs, site: siteOf() });
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = join(target, `${name}-${version}.vsix`);
    const vsce = join(root, 'node_modules/@vscode/vsce/vsce');
    await node(folder, vsce, 'package', '--no-dependencies', ...linksTo(version), '--out', file);
    const contents = checkPackage(flavor, file);
    const bill = join(target, `${name}-${version}.cdx.json`);
    writeFileSync(bill, `${JSON.stringify(billOfMaterials({ name, version }, files), null, 2)}\n`);
    return { file, bill, size: statSync(file).size, contents };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The address of the repository. The manifest names none; the workflow that makes a release knows it. */
export function siteOf({ GITHUB_SERVER_URL: site, GITHUB_REPOSITORY: name }: NodeJS.ProcessEnv = process.env) {
  return site && name ? `${site}/${name}` : undefined;
}

/** Arguments for vsce: the addresses of the README's pictures and pages. */
export function linksTo(version: string, env: NodeJS.ProcessEnv = process.env): string[] {
  const site = siteOf(env);
  if (!site) return ['--allow-missing-repository', '--no-rewrite-relative-links'];
  return ['--baseContentUrl', `${site}/blob/v${version}`, '--baseImagesUrl', `${site}/raw/v${version}`];
}

/** Writes the sums of files into their folder; returns them, a line each. */
export function writeSums(files: readonly string[]): string {
  const lines = files.map(file => `${sha256(file)}  ${basename(file)}\n`).join('');
  writeFileSync(join(dirname(files[0] ?? ''), 'SHA256SUMS'), lines);
  return lines.trimEnd();
}

const sha256 = (file: string) =>
  createHash('sha256')
    .update(new Uint8Array(readFileSync(file)))
    .digest('hex');

async function node(cwd: string, ...args: string[]) {
  // A zip's dates are local times without a zone; vsce takes this one for all files, and sorts them.
  const env = { ...process.env, SOURCE_DATE_EPOCH: '315532800', TZ: 'UTC' };
  await promisify(execFile)(process.execPath, args, { cwd, env }).catch(({ message, stdout, stderr }) => {
    throw new Error(`${args[0]} failed:\n${stdout || stderr ? stdout + stderr : message}`);
  });
}
