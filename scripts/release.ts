// A version without a tag becomes a release: `node scripts/release.mjs detect`, then `release`, then `publish`, as
// .github/workflows/release.yml runs them. `--dry-run` builds and checks the same, runs no test, and says what it would do outside.
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './paths';
import { detect, hasTag, publish, type Run, release, stores } from './release/stages';
import { releaseOf } from './release/version';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { 'dry-run': { type: 'boolean' } } });
const isDry = values['dry-run'] ?? false;
const { tag } = releaseOf();
const out = join(root, 'packages');

const run: Run = (program, args, input = '') => {
  const shown = [basename(program), ...args].map(arg => arg.replace(`${root}/`, '')).join(' ');
  if (isDry) console.log(`Would run: ${shown}${input && `\nwith ${input.split('\n').length} lines of notes`}`);
  else execFileSync(program, args, { cwd: root, input, stdio: ['pipe', 'inherit', 'inherit'] });
};

const stages: Readonly<Record<string, () => unknown>> = {
  /**
   * Prints the tag to create; in a workflow it is the step's output `tag`, empty if there is nothing to do. A dry run
   * reads no other repository, and continues in spite of faults.
   */
  detect() {
    try {
      const found = detect(hasTag(root, isDry ? '.' : 'origin'));
      console.log(found ? `To be released: ${found}` : `${tag} is released.`);
      if (process.env.GITHUB_OUTPUT && !isDry) appendFileSync(process.env.GITHUB_OUTPUT, `tag=${found ?? ''}\n`);
    } catch (error) {
      if (!isDry) throw error;
      console.log(`${error instanceof Error ? error.message : error}\nTo be released once that is mended: ${tag}`);
    }
  },
  release() {
    if (isDry) console.log('The tests are left out.');
    else if (hasTag(root, 'origin')) throw new Error(`${tag} is released.`);
    const env = { ...process.env, GH_TOKEN: undefined }; // nothing that tests run can make a release
    for (const script of isDry ? [] : ['test', 'verify:offline'])
      if (spawnSync('npm', ['run', script], { cwd: root, env, stdio: 'inherit' }).status !== 0)
        throw new Error(`npm run ${script} failed: nothing was tagged.`);
    return release(out, run);
  },
  publish() {
    const missing = isDry ? undefined : stores.find(([token]) => !process.env[token]);
    if (missing) throw new Error(`${missing[0]} is not set.`);
    publish(out, run);
  },
};

const requested = positionals.length > 0 || !isDry ? positionals : Object.keys(stages);
if (requested.length === 0)
  throw new Error('The workflow makes releases. To try one here: npm run release -- --dry-run');
for (const stage of requested) {
  if (isDry) console.log(`\n== ${stage}`);
  if (!stages[stage]) throw new Error(`There is no stage "${stage}".`);
  await stages[stage]();
}
