// A VS Code server as a process group of its own, with its data in one folder.
import { type ChildProcess, execFile } from 'node:child_process';
import { createWriteStream, existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { endGroup, startGroup } from '../groups';
import { compiledFolder } from '../paths';
import { installVSCode, type Release } from './install';

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

/** The editor's own extensions that tests need: its themes and icons, and the language of the notes that Dueline shows. */
const leanExtensions = ['theme-defaults', 'theme-modern-icons', 'theme-seti', 'markdown-basics'];

export interface ServerOptions {
  readonly version?: Release;
  /** The folder to keep everything in; a fresh temporary one if absent. */
  readonly data?: string | undefined;
  /** A port, or a range of which the first free one is taken; any if absent. */
  readonly port?: string;
  /** On top of the plain ones. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The extension host sees them too. */
  readonly env?: Readonly<Record<string, string>>;
  /** Packages to install before the start. */
  readonly vsix?: readonly string[] | undefined;
  /** Folders of unpacked extensions to put among the installed ones, or with `builtIn`, among the editor’s own. */
  readonly helpers?: readonly string[];
  /** False: a window as people have it: real toasts, no development extension. */
  readonly driven?: boolean;
  /** Folders are not trusted: Restricted Mode. */
  readonly restricted?: boolean;
  /**
   * The editor's own extensions besides its themes, by their folders; all of them if absent. With few, and its code compiled
   * once for all starts, a window's start computes a fifth.
   */
  readonly builtIn?: readonly string[];
  /** Texts that are in the user folder before the start, by their paths in it. */
  readonly files?: Readonly<Record<string, string>>;
  /** The display language; the workbench's own words stay English. */
  readonly locale?: string | undefined;
}

export interface Server {
  /** `http://127.0.0.1:port`. */
  readonly origin: string;
  readonly data: string;
  /** VS Code's user folder: settings.json, globalStorage ... */
  readonly user: string;
  readonly release: Release;
  /** VS Code's. */
  readonly version: string;
  /** Also removes a temporary data folder, unless `keep`. */
  stop(keep?: boolean): Promise<void>;
}

export async function startServer(options: ServerOptions = {}): Promise<Server> {
  const installed = await installVSCode(options.version ?? 'newest');
  const data = options.data ?? (await mkdtemp(join(tmpdir(), 'dueline-vscode-')));
  const user = join(data, 'user/User');
  await mkdir(user, { recursive: true });
  await mkdir(join(data, 'extensions'), { recursive: true });
  const settings = join(user, 'settings.json');
  // Those that someone has edited stay.
  if (!existsSync(settings))
    await writeFile(settings, JSON.stringify({ ...plainSettings, ...options.settings }, null, 2));
  for (const [name, text] of Object.entries(options.files ?? {})) {
    await mkdir(dirname(join(user, name)), { recursive: true });
    await writeFile(join(user, name), text);
  }
  if (options.locale) await speak({ data, user }, options.locale);
  const { helpers = [] } = options;
  if (!options.builtIn) for (const helper of helpers) await addHelper(join(data, 'extensions'), helper);

  const main = join(installed.folder, 'out/server-main.js');
  const env = environment({ ...(options.builtIn && { NODE_COMPILE_CACHE: compiledFolder }), ...options.env });
  const release = options.version ?? 'newest';
  for (const vsix of options.vsix ?? []) await editorCommand({ data, release }, '--install-extension', vsix);
  const args = [main, ...foldersOf(data), '--host', '127.0.0.1', '--port', options.port ?? '0'];
  args.push('--without-connection-token', '--telemetry-level', 'off');
  if (!options.restricted) args.push('--disable-workspace-trust');
  if (options.driven !== false) args.push('--enable-smoke-test-driver');
  if (options.builtIn) {
    const own = [...leanExtensions, ...options.builtIn].map(name => join(installed.folder, 'extensions', name));
    args.push('--builtin-extensions-dir', await leanFolder(data, [...own, ...helpers]));
  }
  const child = startGroup(installed.node, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });

  const stop = async (keep = false): Promise<void> => {
    await endGroup(child, stopLimit);
    if (!options.data && !keep) await rm(data, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  try {
    const port = await listening(child, join(data, 'server.log'));
    const { version } = installed;
    return { origin: `http://127.0.0.1:${port}`, data, user, release, version, stop };
  } catch (error) {
    await stop(true);
    throw error;
  }
}

/**
 * Does what `code` does from a terminal: `--install-extension`, `--uninstall-extension`, `--list-extensions`. Returns what it
 * printed; throws if it fails.
 */
export async function editorCommand(
  { data, release }: Pick<Server, 'data' | 'release'>,
  ...args: readonly string[]
): Promise<string> {
  const { folder, node } = await installVSCode(release);
  const main = join(folder, 'out/server-main.js');
  const options = { env: environment(), timeout: startLimit };
  return (await run(node, [main, ...foldersOf(data), ...args], options)).stdout;
}

/** A folder that holds the few of the editor's own extensions, and the helpers, by links: every profile has them. */
async function leanFolder(data: string, extensions: readonly string[]): Promise<string> {
  const folder = join(data, 'own-extensions');
  await mkdir(folder, { recursive: true });
  for (const have of extensions) {
    const link = join(folder, basename(have));
    if (existsSync(have) && !existsSync(link)) await symlink(have, link, 'junction');
  }
  return folder;
}

const foldersOf = (data: string) => [
  ...['--server-data-dir', join(data, 'server'), '--user-data-dir', join(data, 'user')],
  ...['--extensions-dir', join(data, 'extensions'), '--accept-server-license-terms'],
];

/**
 * Says which language windows come up in from the next load on. The editor takes up one that some pack names; an empty
 * pack does, and leaves selectors in English.
 */
export async function speak({ data, user }: Pick<Server, 'data' | 'user'>, locale: string) {
  const words = join(data, 'user/no-words.json');
  const none = { '': [], version: '1.0.0', contents: { 'vs/workbench/browser/viewPane': {} } };
  await writeFile(words, JSON.stringify(none));
  const extensions = [{ extensionIdentifier: { id: `dueline.pack-${locale}` }, version: '1.0.0' }];
  const pack = { hash: `h${locale}`, extensions, translations: { vscode: words }, label: locale };
  await writeFile(join(data, 'user/languagepacks.json'), JSON.stringify({ [locale]: pack }));
  await writeFile(join(user, 'argv.json'), JSON.stringify({ locale }));
}

async function addHelper(extensions: string, folder: string) {
  const { publisher, name, version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  await cp(folder, join(extensions, `${publisher}.${name}-${version}`), { recursive: true });
}

/** A terminal inside VS Code sets variables that would tie the new server to that window. */
function environment(extra?: Record<string, string>) {
  const env = { ...process.env, ...extra };
  for (const name of Object.keys(env)) if (/^(VSCODE_|ELECTRON_|NODE_OPTIONS$|npm_)/.test(name)) delete env[name];
  return env;
}

/** The port that a server listens on. */
function listening(child: ChildProcess, logFile: string): Promise<number> {
  const log = createWriteStream(logFile);
  let output = '';
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`VS Code's server ${why}.\n${output.slice(-4000)}`));
    const timer = setTimeout(() => fail(`did not start within ${startLimit / 1000} s`), startLimit);
    const hear = (chunk: Buffer) => {
      log.write(chunk);
      if (output.length < 100_000) output += chunk;
      const port = /Extension host agent listening on (\d+)/.exec(output)?.[1];
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
