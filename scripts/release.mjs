// A version without a tag becomes a release: `node scripts/release.mjs detect`, then `release`, then `publish`, as
// .github/workflows/release.yml runs them. `--dry-run` builds and checks the same, runs no test, and says what it would do outside.
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { readPackage } from './package/check.mjs';
import { makePackage, writeSums } from './package/make.mjs';
import { manifest, root } from './paths.mjs';
import { locales, notesFile, notesFor, releaseOf, untoldFaults, versionFaults } from './release/version.mjs';

/** @typedef {(program: string, args: string[], input?: string) => void} Run Starts what changes something outside. */

const { version, tag } = releaseOf();

/**
 * @param {string} folder the repository
 * @param {string} remote `.` for the folder itself
 */
export const hasTag = (folder, remote) =>
  execFileSync('git', ['ls-remote', '--tags', remote, `refs/tags/${tag}`], { cwd: folder }).length > 0;

/**
 * Stage 1: is there a version without a tag?
 * @param {boolean} isTagged
 * @param {string[]} faults
 * @returns {string | undefined} the tag that is still to be made
 * @throws {Error} if something disagrees with the version
 */
export function detect(isTagged, faults = [...versionFaults(), ...untoldFaults()]) {
  if (isTagged) return undefined;
  if (faults.length > 0) throw new Error(`${version} cannot be released:\n- ${faults.join('\n- ')}`);
  return tag;
}

/**
 * Stage 2: both flavors, each built twice. GitHub makes the tag when everything is attached: a release that was broken off has
 * none, and is detected again.
 * @param {string} out the folder that gets the files
 * @param {Run} run
 * @param {typeof makePackage} [pack]
 */
export async function release(out, run, pack = makePackage) {
  const again = mkdtempSync(join(tmpdir(), 'dueline-again-'));
  /** @type {string[]} */
  const files = [];
  try {
    for (const flavor of /** @type {const} */ (['full', 'offline'])) {
      const first = await pack(flavor, out);
      const second = await pack(flavor, again);
      for (const part of /** @type {const} */ (['file', 'bill'])) {
        if (!readFileSync(first[part]).equals(new Uint8Array(readFileSync(second[part]))))
          throw new Error(`Two builds of ${basename(first[part])} differ.`);
        files.push(first[part]);
      }
    }
  } finally {
    rmSync(again, { recursive: true, force: true });
  }
  console.log(`Built twice, the same bytes:\n${writeSums(files)}`);
  const head = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  const about = ['--target', head, '--title', `Dueline ${version}`, '--notes-file', '-'];
  run('gh', ['release', 'create', tag, ...about, ...files, join(out, 'SHA256SUMS')], releaseNotes());
}

/** The notes in English, the same in the other languages below, and how to check the files. */
function releaseNotes() {
  const [source = '', ...others] = locales.map(locale => {
    const text = notesFor('full', readFileSync(join(root, notesFile(version, locale)), 'utf8')).trim();
    if (locale === 'en-US') return text;
    const name = new Intl.DisplayNames([locale], { type: 'language' }).of(locale);
    return `<details lang="${locale}"${locale === 'ar' ? ' dir="rtl"' : ''}><summary>${name}</summary>\n\n${text}\n\n</details>`;
  });
  const check =
    'Check the files with `sha256sum --check SHA256SUMS`; the bills of materials are the `.cdx.json` files.';
  return `${[source, ...others, check].join('\n\n')}\n`;
}

/** The programs are those of the lock file: each is handed a token that can publish in Dueline's name. */
const stores = /** @type {const} */ ([
  ['VSCE_PAT', 'node_modules/@vscode/vsce/vsce'],
  ['OVSX_PAT', 'node_modules/ovsx/bin/ovsx'],
]);

/**
 * Stage 3: the full flavor goes to the extension stores, the offline one to none. What a file is called proves nothing: the
 * package itself says what it is.
 * @param {string} folder with the release's packages
 * @param {Run} run
 */
export function publish(folder, run) {
  const file = join(folder, `${manifest().name}-${version}.vsix`);
  const { name } = JSON.parse(new TextDecoder().decode(readPackage(file).get('extension/package.json')));
  if (name !== manifest().name)
    throw new Error(`${basename(file)} is ${name}: only ${manifest().name} goes to a store.`);
  for (const [, program] of stores)
    run(process.execPath, [program, 'publish', '--packagePath', file, '--skip-duplicate']);
  for (const other of readdirSync(folder).filter(each => each.endsWith('.vsix') && each !== basename(file)))
    console.log(`${other} goes to no store.`);
}

async function main() {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { 'dry-run': { type: 'boolean' } } });
  const isDry = values['dry-run'] ?? false;
  const stages = positionals.length > 0 || !isDry ? positionals : ['detect', 'release', 'publish'];
  if (stages.length === 0)
    throw new Error('The workflow makes releases. To try one here: npm run release -- --dry-run');
  /** @type {Run} */
  const run = (program, args, input = '') => {
    const shown = [basename(program), ...args].map(arg => arg.replace(`${root}/`, '')).join(' ');
    if (isDry) console.log(`Would run: ${shown}${input && `\nwith ${input.split('\n').length} lines of notes`}`);
    else execFileSync(program, args, { cwd: root, input, stdio: ['pipe', 'inherit', 'inherit'] });
  };
  const out = join(root, 'packages');
  for (const stage of stages) {
    if (isDry) console.log(`\n== ${stage}`);
    if (stage === 'detect') tellTag(isDry);
    else if (stage === 'release') {
      if (isDry) console.log('The tests are left out.');
      else {
        if (hasTag(root, 'origin')) throw new Error(`${tag} is released.`);
        const env = { ...process.env, GH_TOKEN: undefined }; // nothing that tests run can make a release
        for (const script of ['test', 'verify:offline'])
          if (spawnSync('npm', ['run', script], { cwd: root, env, stdio: 'inherit' }).status !== 0)
            throw new Error(`npm run ${script} failed: nothing was tagged.`);
      }
      await release(out, run);
    } else if (stage === 'publish') {
      const missing = isDry ? undefined : stores.find(([token]) => !process.env[token]);
      if (missing) throw new Error(`${missing[0]} is not set.`);
      publish(out, run);
    } else throw new Error(`There is no stage "${stage}".`);
  }
}

/**
 * Says which tag is to be made; in a workflow it is the step's output `tag`, empty if there is nothing to do.
 * @param {boolean} isDry looks at no other repository, and goes on in spite of faults
 */
function tellTag(isDry) {
  try {
    const found = detect(hasTag(root, isDry ? '.' : 'origin'));
    console.log(found ? `To be released: ${found}` : `${tag} is released.`);
    if (process.env.GITHUB_OUTPUT && !isDry) appendFileSync(process.env.GITHUB_OUTPUT, `tag=${found ?? ''}\n`);
  } catch (error) {
    if (!isDry) throw error;
    console.log(`${error instanceof Error ? error.message : error}\nTo be released once that is mended: ${tag}`);
  }
}

if (process.argv[1]?.endsWith('scripts/release.mjs')) {
  main().catch(error => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  });
}
