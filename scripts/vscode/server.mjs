// A VS Code server as a process group of its own, with its data in one folder.
import { execFile, spawn } from 'node:child_process';
import { createWriteStream, existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { compiledFolder } from '../paths.mjs';
import { installVSCode } from './install.mjs';

const run = promisify(execFile);
const startLimit = 60_000;
const stopLimit = 4_000;

/** Quiet and plain: no welcome page, no assistant, no prompts. */
const plainSettings = {
  'chat.disableAIFeatures': true,
  // The default on a desktop; in a browser, the editor saves what is typed after a second.
  'files.autoSave': 'off',
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'remote.autoForwardPorts': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'window.commandCenter': false,
  'workbench.enableExperiments': false,
  'workbench.layoutControl.enabled': false,
  'workbench.reduceMotion': 'on',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

/** Of the editor's own extensions: its themes and icons, and the language of the notes that Dueline shows. */
const leanExtensions = ['theme-defaults', 'theme-modern-icons', 'theme-seti', 'markdown-basics'];

const groupsKey = Symbol.for('dueline.processGroups');
const here = /** @type {{[groupsKey]?: Set<number>}} */ (globalThis);

/**
 * Process groups that are to end with this process, come what may. Every test file is a bundle with a copy of this
 * module in it; one list and its listeners serve all of them.
 */
here[groupsKey] ??= endedWithProcess();
const groups = here[groupsKey];

/** @returns {Set<number>} */
function endedWithProcess() {
  const all = new Set();
  process.on('exit', () => {
    for (const group of all) signal(group, 'SIGKILL');
  });
  for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
    process.on(name, () => {
      if (process.listenerCount(name) === 1) process.exit(130); // nobody else ends this process in a gentler way
    });
  }
  return all;
}

/**
 * @typedef {object} ServerOptions
 * @property {'newest' | 'oldest'} [version]
 * @property {string} [data] folder to keep everything in; a fresh temporary one where absent
 * @property {Record<string, unknown>} [settings] on top of the plain ones
 * @property {Record<string, string>} [env] seen by the extension host too
 * @property {string[]} [vsix] packages to install before the start
 * @property {string[]} [helpers] folders of unpacked extensions to put among the installed ones
 * @property {boolean} [driven] false = a window as people have it: real toasts, no development extension
 * @property {boolean} [restricted] folders are not trusted: Restricted Mode
 * @property {string[]} [builtIn] the editor's own extensions besides its themes, by their folders, all of them where absent. With
 *   few, and its code compiled once for all starts, a window's start computes a fifth
 * @property {Record<string, string>} [files] texts that are in the user folder before the start, by their paths in it
 * @property {string} [locale] display language; the workbench's own words stay English
 *
 * @typedef {object} Server
 * @property {string} origin `http://127.0.0.1:port`
 * @property {string} authority `127.0.0.1:port`
 * @property {string} data
 * @property {string} user VS Code's user folder: settings.json, globalStorage ...
 * @property {'newest' | 'oldest'} release
 * @property {string} version VS Code's version
 * @property {number} pid of the process group
 * @property {(keep?: boolean) => Promise<void>} stop also removes a temporary data folder, unless it is to be kept
 */

/**
 * @param {ServerOptions} [options]
 * @returns {Promise<Server>}
 */
export async function startServer(options = {}) {
  const installed = await installVSCode(options.version ?? 'newest');
  const data = options.data ?? (await mkdtemp(join(tmpdir(), 'dueline-vscode-')));
  const user = join(data, 'user/User');
  await mkdir(user, { recursive: true });
  await mkdir(join(data, 'extensions'), { recursive: true });
  await writeSettings(join(user, 'settings.json'), options.settings ?? {});
  for (const [name, text] of Object.entries(options.files ?? {})) {
    await mkdir(dirname(join(user, name)), { recursive: true });
    await writeFile(join(user, name), text);
  }
  if (options.locale) await speak({ data, user }, options.locale);
  for (const helper of options.helpers ?? []) await addHelper(join(data, 'extensions'), helper);

  const main = join(installed.folder, 'out/server-main.js');
  const env = environment({ ...(options.builtIn && { NODE_COMPILE_CACHE: compiledFolder }), ...options.env });
  const release = options.version ?? 'newest';
  for (const vsix of options.vsix ?? []) await editorCommand({ data, release }, '--install-extension', vsix);
  const args = [main, ...foldersOf(data), '--host', '127.0.0.1', '--port', '0'];
  args.push('--without-connection-token', '--telemetry-level', 'off');
  if (!options.restricted) args.push('--disable-workspace-trust');
  if (options.driven !== false) args.push('--enable-smoke-test-driver');
  if (options.builtIn) args.push('--builtin-extensions-dir', await leanFolder(installed.folder, data, options.builtIn));
  const child = spawn(installed.node, args, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const pid = /** @type {number} */ (child.pid);
  if (pid) groups.add(pid);

  const stop = async (keep = false) => {
    await endGroup(child);
    groups.delete(pid);
    if (!options.data && !keep) await rm(data, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  try {
    const port = await listening(child, join(data, 'server.log'));
    const authority = `127.0.0.1:${port}`;
    const { version } = installed;
    return { origin: `http://${authority}`, authority, data, user, release, version, pid, stop };
  } catch (error) {
    await stop(true);
    throw error;
  }
}

/**
 * What `code` does from a terminal: `--install-extension`, `--uninstall-extension`, `--list-extensions`.
 * @param {Pick<Server, 'data' | 'release'>} server
 * @param {...string} args
 * @returns {Promise<string>} what it printed
 * @throws {Error} where it fails
 */
export async function editorCommand({ data, release }, ...args) {
  const { folder, node } = await installVSCode(release);
  const main = join(folder, 'out/server-main.js');
  const options = { env: environment(), timeout: startLimit };
  return (await run(node, [main, ...foldersOf(data), ...args], options)).stdout;
}

/**
 * @param {string} editor
 * @param {string} data
 * @param {string[]} more
 * @returns {Promise<string>} a folder that holds the few of the editor's own extensions, by links
 */
async function leanFolder(editor, data, more) {
  const folder = join(data, 'own-extensions');
  await mkdir(folder, { recursive: true });
  for (const name of [...leanExtensions, ...more]) {
    const have = join(editor, 'extensions', name);
    if (existsSync(have) && !existsSync(join(folder, name))) await symlink(have, join(folder, name), 'junction');
  }
  return folder;
}

/** @param {string} data */
const foldersOf = data => [
  ...['--server-data-dir', join(data, 'server'), '--user-data-dir', join(data, 'user')],
  ...['--extensions-dir', join(data, 'extensions'), '--accept-server-license-terms'],
];

/**
 * Keeps what a person has set there before; a file with a person's comments is left alone.
 * @param {string} file
 * @param {Record<string, unknown>} wanted
 */
async function writeSettings(file, wanted) {
  const before = await readFile(file, 'utf8').catch(() => '{}');
  try {
    const settings = { ...plainSettings, ...JSON.parse(before), ...wanted };
    await writeFile(file, `${JSON.stringify(settings, null, 2)}\n`);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
}

/**
 * Says which language windows come up in from the next load on. The editor takes up one that some pack names; an empty
 * pack does, and leaves selectors in English.
 * @param {Pick<Server, 'data' | 'user'>} server
 * @param {string} locale
 */
export async function speak({ data, user }, locale) {
  const words = join(data, 'user/no-words.json');
  await writeFile(
    words,
    JSON.stringify({ '': [], version: '1.0.0', contents: { 'vs/workbench/browser/viewPane': {} } }),
  );
  const extensions = [{ extensionIdentifier: { id: `dueline.pack-${locale}` }, version: '1.0.0' }];
  const pack = { hash: `h${locale}`, extensions, translations: { vscode: words }, label: locale };
  await writeFile(join(data, 'user/languagepacks.json'), JSON.stringify({ [locale]: pack }));
  await writeFile(join(user, 'argv.json'), JSON.stringify({ locale }));
}

/**
 * @param {string} extensions
 * @param {string} folder
 */
async function addHelper(extensions, folder) {
  const { publisher, name, version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  await cp(folder, join(extensions, `${publisher}.${name}-${version}`), { recursive: true });
}

/**
 * A terminal inside VS Code sets variables that would tie the new server to that window.
 * @param {Record<string, string>} [extra]
 */
function environment(extra) {
  const env = { ...process.env, ...extra };
  for (const name of Object.keys(env)) if (/^(VSCODE_|ELECTRON_|NODE_OPTIONS$|npm_)/.test(name)) delete env[name];
  return env;
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {string} logFile
 * @returns {Promise<number>} the port
 */
function listening(child, logFile) {
  const log = createWriteStream(logFile);
  let said = '';
  return new Promise((resolve, reject) => {
    const fail = (/** @type {string} */ why) => reject(new Error(`VS Code's server ${why}.\n${said.slice(-4000)}`));
    const timer = setTimeout(() => fail(`did not start within ${startLimit / 1000} s`), startLimit);
    const hear = (/** @type {Buffer} */ chunk) => {
      log.write(chunk);
      if (said.length < 100_000) said += chunk;
      const port = /Extension host agent listening on (\d+)/.exec(said)?.[1];
      if (port) {
        clearTimeout(timer);
        resolve(Number(port));
      }
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    child.on('error', error => fail(`could not be started: ${error.message}`));
    child.on('exit', code => {
      clearTimeout(timer);
      log.end();
      fail(`ended with code ${code}`);
    });
  });
}

/**
 * @param {number} group of processes; one that has ended is left in peace
 * @param {NodeJS.Signals} name
 */
function signal(group, name) {
  try {
    process.kill(process.platform === 'win32' ? group : -group, name); // Windows has no groups
  } catch {
    // it has ended
  }
}

/** @param {import('node:child_process').ChildProcess} child */
async function endGroup(child) {
  const group = child.pid;
  if (!group) return;
  const ended = child.exitCode !== null || child.signalCode !== null;
  const exit = ended ? Promise.resolve() : new Promise(resolve => child.once('exit', resolve));
  signal(group, 'SIGTERM');
  await Promise.race([exit, new Promise(resolve => setTimeout(resolve, stopLimit).unref())]);
  signal(group, 'SIGKILL');
}
