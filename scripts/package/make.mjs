// Makes a flavor's .vsix: build, lay out, and let vsce pack, with a fixed time so that it is the same at every run.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../paths.mjs';
import { checkPackage } from './check.mjs';
import { layOut } from './layOut.mjs';
import { billOfMaterials } from './packages.mjs';

/**
 * @typedef {import('../manifest.mjs').Flavor} Flavor
 * @typedef {object} Made
 * @property {string} file the .vsix
 * @property {string} bill the bill of materials beside it
 * @property {number} size in bytes
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
    const meta = join(work, 'meta.json');
    const folder = join(work, 'extension');
    const dist = relative(root, join(folder, 'dist'));
    await node(root, 'esbuild.js', '--production', '--flavor', flavor, '--out', dist, '--meta', meta);
    const inputs = JSON.parse(readFileSync(meta, 'utf8'));
    layOut(flavor, { folder, inputs, site: siteOf() });
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = join(target, `${name}-${version}.vsix`);
    const links = linksTo(version);
    await node(
      folder,
      join(root, 'node_modules/@vscode/vsce/vsce'),
      'package',
      '--no-dependencies',
      ...links,
      '--out',
      file,
    );
    const contents = checkPackage(flavor, file);
    const bill = join(target, `${name}-${version}.cdx.json`);
    const shipped = Object.entries(inputs).filter(([output]) =>
      contents.has(output.slice(output.lastIndexOf('dist/'))),
    );
    const listed = billOfMaterials(
      { name, version },
      shipped.flatMap(([, files]) => files),
    );
    writeFileSync(bill, `${JSON.stringify(listed, null, 2)}\n`);
    return { file, bill, size: statSync(file).size, contents };
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

/** @param {string[]} files of one folder, which gets their sums @returns {string} the sums, a line each */
export function writeSums(files) {
  const lines = files.map(file => `${sha256(file)}  ${basename(file)}\n`).join('');
  writeFileSync(join(dirname(files[0] ?? ''), 'SHA256SUMS'), lines);
  return lines.trimEnd();
}

/** @param {string} file */
const sha256 = file =>
  createHash('sha256')
    .update(new Uint8Array(readFileSync(file)))
    .digest('hex');

/**
 * @param {string} cwd
 * @param {string[]} args
 */
async function node(cwd, ...args) {
  // A zip's dates are local times without a zone; vsce takes this one for all files, and sorts them.
  const env = { ...process.env, SOURCE_DATE_EPOCH: '315532800', TZ: 'UTC' };
  await promisify(execFile)(process.execPath, args, { cwd, env }).catch(({ message, stdout, stderr }) => {
    throw new Error(`${args[0]} failed:\n${stdout || stderr ? stdout + stderr : message}`);
  });
}
