// Stage 2: tests, builds both flavors twice and compares, tags, and attaches everything to the code-hosting release.
// `node scripts/release/release.mjs [--skip-tests] [--host folder] [--out folder]`
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { makePackage, sha256 } from '../package/make.mjs';
import { root } from '../paths.mjs';
import { detect } from './detect.mjs';
import { git, whereIsTag } from './git.mjs';
import { folderHost, gitHub } from './hosts.mjs';
import { releaseNotes } from './notes.mjs';
import { releaseOf } from './version.mjs';

/**
 * @typedef {object} Stage
 * @property {string} folder the repository
 * @property {import('./version.mjs').Release} release
 * @property {import('./hosts.mjs').Host} host
 * @property {string} out the folder that gets the files
 * @property {() => void} test throws where a test fails
 * @property {(flavor: 'full' | 'offline', out: string) => Promise<{file: string, bill: string}>} [pack]
 * @property {string[]} [faults]
 * @property {(line: string) => void} [log]
 *
 * @param {Stage} stage
 * @returns {Promise<string[]>} the files of the release; none where it was made before
 */
export async function release({
  folder,
  release: made,
  host,
  out,
  test,
  pack = makePackage,
  faults,
  log = console.log,
}) {
  const { tag, version } = made;
  if (detect({ folder, release: made, ...(faults && { faults }) }) === undefined && host.has(tag)) {
    log(`${tag} is released.`);
    return [];
  }
  test();
  const files = await packTwice(out, pack);
  log(`Built twice, the same bytes: ${files.map(file => basename(file)).join(', ')}`);
  const sums = join(out, 'SHA256SUMS');
  writeFileSync(sums, files.map(file => `${sha256(file)}  ${basename(file)}\n`).join(''));
  tagOnce(folder, tag, log);
  const attached = [...files, sums];
  host.put({ tag, title: `Dueline ${version}`, notes: releaseNotes(version), files: attached });
  log(`Attached to the release ${tag} on ${host.name}: ${attached.map(file => basename(file)).join(', ')}`);
  return attached;
}

/**
 * @param {string} out
 * @param {NonNullable<Stage['pack']>} pack
 */
async function packTwice(out, pack) {
  const again = mkdtempSync(join(tmpdir(), 'dueline-again-'));
  try {
    mkdirSync(out, { recursive: true });
    /** @type {string[]} */
    const files = [];
    for (const flavor of /** @type {const} */ (['full', 'offline'])) {
      const first = await pack(flavor, out);
      const second = await pack(flavor, again);
      for (const part of /** @type {const} */ (['file', 'bill'])) {
        if (sha256(first[part]) !== sha256(second[part]))
          throw new Error(`Two builds of ${basename(first[part])} differ.`);
        files.push(first[part]);
      }
    }
    return files;
  } finally {
    rmSync(again, { recursive: true, force: true });
  }
}

/**
 * @param {string} folder
 * @param {string} tag
 * @param {(line: string) => void} log
 */
function tagOnce(folder, tag, log) {
  const { here, origin } = whereIsTag(folder, tag);
  const head = git(folder, 'rev-parse', 'HEAD');
  if (here !== undefined && here !== head) throw new Error(`${tag} already names another commit: ${here}`);
  if (here === undefined) git(folder, 'tag', '--annotate', '--message', `Dueline ${tag.slice(1)}`, tag);
  if (!origin && git(folder, 'remote').split('\n').includes('origin'))
    git(folder, 'push', 'origin', `refs/tags/${tag}`);
  log(`${tag} names ${head}`);
}

function runTests() {
  for (const script of ['test', 'verify:offline']) {
    const { status } = spawnSync('npm', ['run', script], { cwd: root, stdio: 'inherit' });
    if (status !== 0) throw new Error(`npm run ${script} failed: nothing was tagged.`);
  }
}

async function main() {
  const { values } = parseArgs({
    options: { host: { type: 'string' }, out: { type: 'string' }, 'skip-tests': { type: 'boolean' } },
  });
  await release({
    folder: root,
    release: releaseOf(),
    host: values.host ? folderHost(resolve(values.host)) : gitHub,
    out: resolve(values.out ?? join(root, 'packages')),
    test: values['skip-tests'] ? () => console.log('The tests are left out.') : runTests,
  });
}

if (process.argv[1]?.endsWith('release/release.mjs')) {
  main().catch(error => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  });
}
