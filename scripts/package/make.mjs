// Makes a flavor's .vsix: build, lay out, pack, and write the file again so that it is the same at every run.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { root } from '../paths.mjs';
import { allowed, largest, layOut, needed } from './contents.mjs';
import { billOfMaterials } from './packages.mjs';
import { readBytes, readZip, writeZip } from './zip.mjs';

/**
 * @typedef {import('../manifest.mjs').Flavor} Flavor
 * @typedef {object} Made
 * @property {Flavor} flavor
 * @property {string} file the .vsix
 * @property {string} bill the bill of materials beside it
 * @property {number} size in bytes
 * @property {string} sha256
 * @property {Map<string, number>} contents sizes by path inside the extension's folder
 *
 * @param {Flavor} flavor
 * @param {string} target the folder that gets the files
 * @returns {Promise<Made>}
 * @throws {Error} where the package holds what it should not, lacks what it needs, or is too large
 */
export async function makePackage(flavor, target) {
  mkdirSync(target, { recursive: true });
  const work = mkdtempSync(join(tmpdir(), 'dueline-package-'));
  try {
    const built = join(work, 'dist');
    const meta = join(work, 'meta.json');
    const relativeToRoot = relative(root, built);
    node(root, 'esbuild.js', '--production', '--flavor', flavor, '--out', relativeToRoot, '--meta', meta);
    const inputs = JSON.parse(readFileSync(meta, 'utf8'));
    const folder = join(work, 'extension');
    layOut(flavor, { built, inputs, folder, site: siteOf() });
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = join(target, `${name}-${version}.vsix`);
    const links = linksTo(version);
    node(folder, join(root, 'node_modules/@vscode/vsce/vsce'), 'package', '--no-dependencies', ...links, '--out', file);
    const entries = await readZip(file);
    await writeZip(file, entries);
    const contents = contentsOf(entries);
    const bytes = readBytes(file);
    refuse(flavor, contents, bytes.length);
    const shipped = Object.entries(inputs).filter(([output]) => !output.includes('/engine'));
    const bill = join(target, `${name}-${version}.cdx.json`);
    const listed = billOfMaterials(
      { name, version },
      shipped.flatMap(([, files]) => files),
    );
    writeFileSync(bill, `${JSON.stringify(listed, null, 2)}\n`);
    return { flavor, file, bill, size: bytes.length, sha256: sha256(bytes), contents };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * The address of the repository. The manifest names none; the workflow that makes a release knows it.
 * @param {Record<string, string | undefined>} [env]
 */
export function siteOf({ GITHUB_SERVER_URL: site, GITHUB_REPOSITORY: name } = process.env) {
  return site && name ? `${site}/${name}` : undefined;
}

/**
 * Where the README's pictures and pages lie.
 * @param {string} version
 * @param {Record<string, string | undefined>} [env]
 * @returns {string[]} arguments for vsce
 */
export function linksTo(version, env = process.env) {
  const site = siteOf(env);
  if (!site) return ['--allow-missing-repository', '--no-rewrite-relative-links'];
  return ['--baseContentUrl', `${site}/blob/v${version}`, '--baseImagesUrl', `${site}/raw/v${version}`];
}

/** @param {Uint8Array} bytes */
export const sha256 = bytes => createHash('sha256').update(bytes).digest('hex');

/** @param {Map<string, Uint8Array>} entries what is not below `extension/` is the container's own */
function contentsOf(entries) {
  const inside = [...entries].filter(([path]) => path.startsWith('extension/'));
  return new Map(inside.map(([path, bytes]) => /** @type {const} */ ([path.slice(10), bytes.length])));
}

/**
 * @param {Flavor} flavor
 * @param {Map<string, number>} contents
 * @param {number} size
 */
function refuse(flavor, contents, size) {
  const names = [...contents.keys()];
  const strange = names.filter(name => !allowed.some(pattern => pattern.test(name)));
  if (strange.length > 0) throw new Error(`The ${flavor} package holds what it should not: ${strange.join(', ')}`);
  const small = new Set(names.map(name => name.toLowerCase()));
  const missing = needed.filter(name => !small.has(name.toLowerCase()));
  if (missing.length > 0) throw new Error(`The ${flavor} package lacks ${missing.join(', ')}`);
  if (size > largest[flavor]) throw new Error(`The ${flavor} package has ${size} bytes, more than ${largest[flavor]}.`);
}

/**
 * @param {string} cwd
 * @param {string[]} args
 */
function node(cwd, ...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${args[0]} failed:\n${stdout}${stderr}`);
}
