// `npm run release -- --dry-run`: the three stages of the pipeline, on a scratch copy of this repository with folders in
// place of the code-hosting site and the stores; then once more, to see that nothing changes. A real release is made by
// .github/workflows/release.yml.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './paths.mjs';
import { git } from './release/git.mjs';
import { releaseOf, untoldFaults } from './release/version.mjs';

const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean' }, keep: { type: 'boolean' } } });
if (!values['dry-run']) {
  console.error('A release is made by the workflow .github/workflows/release.yml. To try it here: --dry-run');
  process.exit(2);
}

const scratch = mkdtempSync(join(tmpdir(), 'dueline-release-'));
let code = 1;
try {
  const source = makeScratch();
  console.log(`Scratch repository: ${source}\n`);
  stages(source);
  const before = fingerprint(scratch);
  console.log('\nThe same once more:\n');
  stages(source);
  const changed = fingerprint(scratch) !== before;
  console.log(changed ? '\nThe second run changed something.' : '\nThe second run changed nothing.');
  code = changed ? 1 : 0;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
} finally {
  if (!values.keep) rmSync(scratch, { recursive: true, force: true });
}
process.exit(code);

/** This source as it lies here, in a repository of its own with an origin of its own. */
function makeScratch() {
  const source = join(scratch, 'source');
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const file of files.split('\0').filter(name => name !== '')) {
    mkdirSync(dirname(join(source, file)), { recursive: true });
    cpSync(join(root, file), join(source, file), { recursive: true, dereference: true });
  }
  leaveOutUntold(join(source, 'CHANGELOG.md'));
  git(scratch, 'init', '--quiet', '--bare', '--initial-branch=main', 'origin.git');
  git(source, 'init', '--quiet', '--initial-branch=main');
  git(source, 'config', 'user.name', 'Dry Run');
  git(source, 'config', 'user.email', 'dry-run@example.invalid');
  git(source, 'add', '--all');
  git(source, 'commit', '--quiet', '--message', 'A dry run');
  git(source, 'remote', 'add', 'origin', join(scratch, 'origin.git'));
  git(source, 'push', '--quiet', 'origin', 'main');
  symlinkSync(join(root, 'node_modules'), join(source, 'node_modules'));
  return source;
}

/**
 * Between two versions there are entries that no version has yet. A release is refused because of them; a dry run says so and
 * goes on without them.
 * @param {string} file
 */
function leaveOutUntold(file) {
  const changelog = readFileSync(file, 'utf8');
  const faults = untoldFaults(changelog);
  if (faults.length === 0) return;
  console.log(`A release would be refused: ${faults.join('; ')}\n`);
  const [first, section] = ['## ', `## [${releaseOf().version}]`].map(heading => changelog.indexOf(`\n${heading}`));
  writeFileSync(file, changelog.slice(0, first) + changelog.slice(section));
}

/** @param {string} source */
function stages(source) {
  const out = join(scratch, 'packages');
  stage(source, 'detect');
  stage(source, 'release', '--skip-tests', '--host', join(scratch, 'host'), '--out', out);
  stage(source, 'publish', '--from', out, '--stores', join(scratch, 'stores'));
}

/**
 * @param {string} source
 * @param {string} name
 * @param {...string} args
 */
function stage(source, name, ...args) {
  console.log(`== ${name}`);
  const env = { ...process.env, GITHUB_OUTPUT: '' };
  const { status } = spawnSync(process.execPath, [`scripts/release/${name}.mjs`, ...args], {
    cwd: source,
    env,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error(`${name} failed.`);
}

/**
 * Everything that a stage could have changed: names, bytes and times, the repository's inner workings aside.
 * @param {string} folder
 */
function fingerprint(folder) {
  const sum = createHash('sha256');
  for (const part of ['host', 'stores', 'packages']) {
    for (const name of readdirSync(join(folder, part), { recursive: true, encoding: 'utf8' }).sort()) {
      const file = join(folder, part, name);
      if (statSync(file).isFile()) sum.update(`${part}/${name}\0`).update(new Uint8Array(readFileSync(file)));
    }
  }
  for (const repository of ['source', 'origin.git'])
    sum.update(git(join(folder, repository), 'show-ref', '--dereference'));
  return sum.digest('hex');
}
