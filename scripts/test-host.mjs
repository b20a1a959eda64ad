// Runs test/host inside the extension host of a real VS Code, newest and oldest:
// `node scripts/test-host.mjs [--version newest|oldest|desktop|offline ...] [--grep text] [--keep] [--locale de]`
// The newest editor has the packages that people install: the full one, and as `offline` the offline one, in German. The
// oldest and the desktop have this folder as an extension under development. Of several, two run at a time.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runJobs } from './jobs.mjs';
import { forgetPackages, packageOnce } from './package/once.mjs';
import { resultsFile, root, screenshotFolder } from './paths.mjs';
import { isGood, readResults } from './results.mjs';
import { desktopHost } from './vscode/desktop.mjs';
import { startServer } from './vscode/server.mjs';
import { launchBrowser, openContext, openPage } from './vscode/window.mjs';

const { values } = parseArgs({
  options: {
    version: { type: 'string', multiple: true },
    grep: { type: 'string' },
    keep: { type: 'boolean' },
    locale: { type: 'string' },
  },
});
const limit = Number(process.env.TEST_HOST_LIMIT ?? 600) * 1000;
const entry = join(root, 'out/test/host/index.js');

const { version: [version = 'newest', ...more] = ['newest', 'oldest', 'offline', 'desktop?'], keep } = values;
const rest = [...named('--grep', values.grep), ...named('--locale', values.locale), ...(keep ? ['--keep'] : [])];
const jobs = [version, ...more].map(name => ({
  title: `host ${name}`,
  args: ['scripts/test-host.mjs', '--version', name, ...rest],
  results: resultsFile(`host-${name.replace('?', '')}`),
  mayLack: name.endsWith('?'),
}));
forgetPackages();
const good = await (more.length > 0 ? runAll() : runOn(version));
process.exit(good ? 0 : 1);

async function runAll() {
  await runJobs(jobs, 2);
  return jobs.every(({ results, mayLack }) => isGood(readResults(results)) || (mayLack && !readResults(results)));
}

/** @param {string} option @param {string | undefined} value */
function named(option, value) {
  return value === undefined ? [] : [option, value];
}

/**
 * @param {string} version
 * @returns {Promise<boolean>} true too where the version was left out, as it may be
 */
async function runOn(version) {
  const name = version.replace('?', '');
  const results = resultsFile(`host-${name}`);
  await rm(results, { force: true });
  const workspace = await mkdtemp(join(tmpdir(), 'dueline-workspace-'));
  const env = { TEST_RESULTS: results, TEST_GREP: values.grep ?? '', DUELINE_TEST: '1', ...idOf(name) };
  try {
    const ran =
      name === 'desktop'
        ? await desktopHost({ entry, env, workspace, must: version === name })
        : await serverHost(name, env, workspace);
    if (!ran) return true;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
  } finally {
    await rm(workspace, { recursive: true, force: true });
  }
  const read = readResults(results);
  const sums = read ? `${read.passed} passed, ${read.failed} failed` : 'the run did not come to its end';
  console.log(`host ${name}: ${sums}`);
  return isGood(read);
}

/**
 * @param {string} name
 * @returns {Record<string, string>} the id that the tests look for, where it is not the full flavor's
 */
function idOf(name) {
  return name === 'offline' ? { DUELINE_ID: 'dueline.dueline-offline' } : {};
}

/**
 * @param {string} version
 * @param {Record<string, string>} env
 * @param {string} folder
 */
async function serverHost(version, env, folder) {
  const editor = version === 'oldest' ? 'oldest' : 'newest';
  const isOffline = version === 'offline';
  const vsix = editor === 'newest' ? [await packageOnce(isOffline ? 'offline' : 'full')] : undefined;
  // The tests ask for no words of a language: one package shows it, as German people have it, with all of the editor's own
  // extensions.
  const locale = values.locale ?? (isOffline ? 'de' : undefined);
  const lean = !isOffline;
  const seen = lean ? { ...env, TEST_GIT: '1' } : env;
  const wanted = /** @type {const} */ ({ version: editor, env: seen, vsix, locale, lean, withGit: lean });
  const server = await startServer(wanted);
  /** @type {import('playwright-core').Browser | undefined} */
  let browser;
  let keep = Boolean(values.keep);
  try {
    browser = await launchBrowser();
    const context = await openContext(browser, server, { size: { width: 900, height: 600 }, unseen: true });
    /** @type {(code: number | undefined) => void} */
    let exit = () => {};
    const exited = new Promise(resolve => {
      exit = resolve;
    });
    const timer = setTimeout(() => exit(undefined), limit);
    const onLog = (/** @type {string} */ _type, /** @type {string} */ text) => {
      const at = text.indexOf('[test] ');
      if (at >= 0) console.log(`  ${text.slice(at + 7)}`);
    };
    const page = await openPage(context, server, {
      folder,
      // The installed package is not under development; something has to be, for an editor to run tests.
      extension: vsix ? join(root, 'test/ui/bridge') : root,
      tests: entry,
      unseen: true,
      onExit: code => exit(code),
      onLog,
    });
    page.on('crash', () => exit(undefined));
    page.on('close', () => exit(undefined));
    const code = await exited;
    clearTimeout(timer);
    if (code !== 0 || !isGood(readResults(env.TEST_RESULTS ?? ''))) {
      keep = true;
      await mkdir(screenshotFolder, { recursive: true });
      await page.evaluate('document.adoptedStyleSheets = []').catch(() => {}); // in sight again
      await page.screenshot({ path: join(screenshotFolder, `host-${version}-failed.png`) }).catch(() => {});
      console.log(`  code ${code ?? 'none'}; logs are kept in ${server.data}`);
    }
  } finally {
    await browser?.close().catch(() => {});
    await server.stop(keep);
  }
  return true;
}
