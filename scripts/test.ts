// `npm test`: every suite, and last a plain line with the sums. `node scripts/test.mjs unit host/oldest ui/newest/firstTask` runs
// some, `--grep text` those tests alone, `--all` every window file on both editors and in each language.
import type { ChildProcess } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { endGroup, startGroup } from './groups';
import { forgetPackages, packageFolder } from './package/once';
import { compiledFolder, resultsFile, resultsFolder, root } from './paths';
import { faultOf, readResults } from './results';
import { needPrograms, node, type Program } from './system';
import { installVSCode, removeOldEditors } from './vscode/install';

interface Job {
  /** A suite, or a part of one as `suite/part`. */
  readonly name: string;
  /** Arguments of Node.js. */
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const { values, positionals: selected } = parseArgs({
  allowPositionals: true,
  options: { grep: { type: 'string' }, all: { type: 'boolean' }, jobs: { type: 'string', default: '3' } },
});

/** The suites, and the programs of the system that each needs. */
const suites: Readonly<Record<string, readonly Program[]>> = {
  check: [],
  unit: [],
  page: ['chromium'],
  interop: ['radicale', 'xandikos', 'todoman', 'vdirsyncer'],
  host: ['chromium'],
  ui: ['chromium', 'radicale', 'xandikos'],
};

const mocha = (...args: string[]) => [
  ...['node_modules/mocha/bin/mocha.js', '--reporter', 'scripts/reporter.cjs', ...args],
  ...(values.grep ? ['--grep', values.grep, '--no-failZero'] : []),
];
const alone = ['--no-config', '--require', './test/seed.cjs', '--exit', '--timeout'];

/** The longest jobs begin first: begun last, they would run alone. Meanwhile the editors are fetched. */
const allJobs = (): Job[] => [
  { name: 'page', args: mocha('--config', 'test/page/mocharc.json') },
  { name: 'unit', args: mocha() },
  { name: 'interop', args: mocha(...alone, '120000', 'out/test/interop/**/*.test.js') },
  ...['newest', 'oldest', 'desktop', ...(values.all ? ['newest-offline', 'oldest-full'] : [])].map(part => ({
    name: `host/${part}`,
    args: ['out/test/host/run.js', ...part.split('-')],
    env: { TEST_GREP: values.grep ?? '' },
  })),
  ...windowJobs(),
  { name: 'check', args: ['scripts/check.mjs'] },
];

/** Every kind of view, menu, question, page and message once more: an older editor may draw or answer differently. */
const onBoth = ['storeFailure', 'firstTask', 'start', 'trees', 'capture', 'reminders', 'accountsAdd'];

/** It opens no window, and two of it at a time would take the folder of one package from each other. */
const onNewestAlone = ['packages'];

/** Files that share a window, and so a process; see test/ui/support/shared.ts. The first one starts it. */
const together = [
  ['trees', 'rows', 'widgetSpace', 'widgetUnscheduled', 'capture', 'reminders'],
  ['storeFailure', 'firstTask', 'start', 'keyboard', 'undo', 'accountsAdd', 'firstSteps', 'focusAfterQuestion'],
  ['code', 'codeLinks', 'todos', 'git'],
];

function windowJobs(): Job[] {
  const names = readdirSync(join(root, 'out/test/ui'))
    .filter(name => name.endsWith('.test.js'))
    .map(name => basename(name, '.test.js'));
  const named = selected.flatMap(name => /^ui\/\w+\/(\w+)$/.exec(name)?.[1] ?? []);
  const others = names.filter(name => !together.flat().includes(name));
  const groups = named.length > 0 ? named.map(name => [name]) : [...together, ...others.map(name => [name])];
  const isOn = (editor: string, name: string) =>
    names.includes(name) &&
    (editor === 'newest' ||
      (!onNewestAlone.includes(name) && (values.all || named.length > 0 || onBoth.includes(name))));
  return ['oldest', 'newest'].flatMap(editor =>
    groups
      .map(group => group.filter(name => isOn(editor, name)))
      .filter(group => group.length > 0)
      .map(group => ({
        name: `ui/${editor}/${group[0]}`,
        args: mocha(...alone, '300000', ...group.map(name => `out/test/ui/${name}.test.js`)),
        env: { DUELINE_UI_VERSION: editor, ...(values.all && { DUELINE_UI_ALL: '1' }) },
      })),
  );
}

/** Builds what the tests are of, and sees which of them can run here. */
function prepare(): Job[] {
  if (!node('esbuild.js') || !node('esbuild.js', '--tests')) throw new Error('The build failed.');
  for (const folder of [resultsFolder, compiledFolder]) rmSync(folder, { recursive: true, force: true });
  forgetPackages();
  const all = allJobs();
  const jobsOf = (part: string) => all.filter(({ name }) => `${name}/`.startsWith(`${part}/`));
  for (const part of selected) if (jobsOf(part).length === 0) throw new Error(`There is no ${part}.`);
  const jobs = withPrograms(
    selected.length > 0 ? all.filter(job => selected.some(part => jobsOf(part).includes(job))) : all,
  );
  const hasDesktop = selected.includes('host/desktop') || process.env.DUELINE_DESKTOP === '1';
  return jobs.filter(({ name }) => name !== 'host/desktop' || hasDesktop);
}

const isInEditor = ({ name }: Job) => /^(host|ui)/.test(name);

/** The editors and what is installed in them; false: no test can run in an editor. */
async function prepareEditors(): Promise<boolean> {
  try {
    await Promise.all((['newest', 'oldest'] as const).map(installVSCode));
    await removeOldEditors();
    for (const flavor of ['full', 'offline'] as const) await packageFolder(flavor);
    return true;
  } catch (error) {
    recordFault(error);
    return false;
  }
}

/** The jobs whose suites have their programs; for others the missing programs are reported as a fault. */
function withPrograms(jobs: Job[]): Job[] {
  const suiteOf = ({ name }: Job) => name.replace(/\/.*/, '');
  const lacking = [...new Set(jobs.map(suiteOf))].filter(suite => {
    try {
      needPrograms(...(suites[suite] ?? []));
      return false;
    } catch (error) {
      recordFault(new Error(`**${suite}:** ${error instanceof Error ? error.message : error}`));
      return true;
    }
  });
  return jobs.filter(job => !lacking.includes(suiteOf(job)));
}

/**
 * Every edit of a test's store waits for a disk, for milliseconds that no test is about; a folder in memory answers at once.
 * Containers often have 64 MB there, or run no program in it. TMPDIR names another folder.
 */
function useMemory() {
  const [mount] = existsSync('/proc/mounts')
    ? (readFileSync('/proc/mounts', 'utf8').match(/^\S+ \/dev\/shm .*/m) ?? [])
    : [];
  if (process.env.TMPDIR || !mount || mount.includes('noexec')) return;
  const { bavail, bsize } = statfsSync('/dev/shm');
  if (bavail * bsize < 4 * 2 ** 30) return;
  const folder = mkdtempSync('/dev/shm/dueline-');
  chmodSync(folder, 0o1777); // for everybody, as the system's own: tests run programs as another user
  process.env.TMPDIR = folder;
  process.on('exit', () => {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    } catch (error) {
      console.error(error); // the tests are not at fault
    }
  });
}

/** No suite takes that long, even on a busy machine. The workflows wait for longer. */
const limitMinutes = 40;
/** A program that is asked to end has this time before it is killed. */
const graceMs = 5000;
const running = new Set<ChildProcess>();
const rows = ['| Suite | Passed | Failed | Skipped | Seconds |', '| --- | --: | --: | --: | --: |'];
const failures: string[] = [];
const sums = { passed: 0, failed: 0, skipped: 0 };

/** The words of a program are shown if it fails, or if it is the only one. */
async function runJob({ name, args, env }: Job, isOnly: boolean) {
  const results = resultsFile(name.replaceAll('/', '-'));
  const start = Date.now();
  const output = isOnly ? 'inherit' : 'pipe';
  const seen = { ...process.env, ...env, TEST_RESULTS: results };
  const child = startGroup(process.execPath, args, { cwd: root, env: seen, stdio: ['ignore', output, output] });
  running.add(child);
  let printed = '';
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    void endGroup(child, graceMs);
  }, limitMinutes * 60_000);
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', text => (printed += text));
  const code: number | null = await new Promise(resolve =>
    child.on('close', resolve).on('error', error => {
      printed += `${error.message}\n`;
      resolve(-1);
    }),
  );
  running.delete(child);
  clearTimeout(timer);
  const read = readResults(results);
  const fault = isLate ? `was ended after ${limitMinutes} minutes` : faultOf(code, read, Boolean(values.grep));
  const { passed, failed, skipped, failures: reports } = read ?? { passed: 0, failed: 0, skipped: 0, failures: [] };
  if (fault && failed === 0) reports.push(`${fault}.`);
  sums.passed += passed;
  sums.failed += fault ? Math.max(failed, 1) : 0;
  sums.skipped += skipped;
  failures.push(...reports.map(failure => `**${name}:** ${failure}`));
  const seconds = Math.round((Date.now() - start) / 1000);
  rows.push(`| ${[name, passed, failed, skipped, seconds].join(' | ')} |`);
  const [words, mark] = fault ? [printed, 'FAIL'] : ['', 'ok  '];
  console.log(`${words}${mark} ${name}: ${passed} passed, ${failed} failed, ${seconds} s`);
}

/** Reports an error that keeps suites from being run. */
function recordFault(error: unknown) {
  failures.push(error instanceof Error ? error.message : String(error));
  sums.failed += 1;
}

let isEnding = false;
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(name, () => {
    isEnding = true;
    for (const child of running) void endGroup(child, graceMs);
    setTimeout(() => process.exit(130), graceMs);
  });
try {
  useMemory();
  const jobs = prepare();
  const isOnly = jobs.length === 1;
  const hasEditors = jobs.some(isInEditor) ? prepareEditors() : false;
  const work = async () => {
    for (let job = jobs.shift(); job && !isEnding; job = jobs.shift())
      if (!isInEditor(job) || ((await hasEditors) && !isEnding)) await runJob(job, isOnly);
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, work));
  if (isEnding) throw new Error('The run was ended.');
} catch (error) {
  recordFault(error);
}
const skipped = sums.skipped > 0 ? `, ${sums.skipped} skipped` : '';
const line = `${sums.passed} passed, ${sums.failed} failed${skipped}`;
const summary = ['', ...rows, '', ...failures.map(failure => `${failure}\n`), line].join('\n');
resultsFile('summary');
writeFileSync(join(resultsFolder, 'summary.txt'), `${line}\n`);
if (process.env.GITHUB_STEP_SUMMARY) appendFileSync(process.env.GITHUB_STEP_SUMMARY, summary);
// A pipe may still be full of it when the process would end.
process.stdout.write(`${summary}\n`, () => process.exit(sums.failed === 0 && sums.passed > 0 ? 0 : 1));
