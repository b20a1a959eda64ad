// Installs a real VS Code from the npm registry: the server build inside the `code-server` package, with the few
// packages that it needs to run, and no compiler. `node scripts/vscode/install.mjs [newest|oldest ...]`
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { cacheFolder, root } from '../paths.mjs';
import { installNode } from './node.mjs';
import { npm } from './npm.mjs';

const run = promisify(execFile);

/** `oldest` is the version that package.json's `engines.vscode` promises. */
const versions = {
  newest: { package: 'code-server@4.139.1', vscode: '1.139.1', node: 24 },
  oldest: { package: 'code-server@4.90.3', vscode: '1.90.2', node: 20 },
};

/** What the server loads at run time. The rest of its dependencies serve remote machines, agents and Windows. */
const neededPackages = [
  '@microsoft/1ds-core-js',
  '@parcel/watcher',
  '@vscode/iconv-lite-umd',
  '@vscode/proxy-agent',
  '@vscode/ripgrep',
  '@vscode/ripgrep-universal',
  '@xterm/addon-serialize',
  '@xterm/addon-unicode11',
  '@xterm/headless',
  'cookie',
  'graceful-fs',
  'http-proxy-agent',
  'https-proxy-agent',
  'jschardet',
  'minimist',
  'node-pty',
  'tas-client',
  'tas-client-umd',
  'undici',
  'vscode-oniguruma',
  'vscode-regexpp',
  'vscode-textmate',
  'ws',
  'yauzl',
  'yazl',
];

/** Large, or in need of native modules or an account: none of them matters to a task list. */
const leftOut = ['copilot', 'mermaid-markdown-features', 'microsoft-authentication', 'github*', 'git', 'ms-vscode.*'];

/** Stand-ins for two native modules. Named exports, since the server imports them as ES modules. */
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
};

/**
 * @typedef {object} Installed
 * @property {string} folder the server's folder, holding out/server-main.js
 * @property {string} node the Node.js that runs it
 * @property {string} version VS Code's version
 *
 * Installs once; later calls reuse what is there. Safe when two processes do it at a time.
 * @param {keyof typeof versions} which
 * @returns {Promise<Installed>}
 */
export async function installVSCode(which) {
  const wanted = versions[which];
  if (!wanted) throw new Error(`There is no version "${which}": choose ${Object.keys(versions).join(' or ')}.`);
  const folder = join(cacheFolder, `vscode-${wanted.vscode}`);
  if (!existsSync(join(folder, '.done'))) await installInto(folder, wanted);
  return { folder, node: await installNode(wanted.node), version: wanted.vscode };
}

/**
 * The editor's git extension, which no other window of the tests has: it starts git. Its folder, by the same package.
 * @param {keyof typeof versions} which
 * @returns {Promise<string>}
 */
export async function installGit(which) {
  const wanted = versions[which];
  const folder = join(cacheFolder, `git-${wanted.vscode}`);
  if (existsSync(folder)) return folder;
  await mkdir(cacheFolder, { recursive: true });
  const work = await mkdtemp(join(cacheFolder, 'installing-'));
  try {
    const archive = await download(wanted, work);
    await run('tar', ['-xzf', archive, '-C', work, '--exclude=*.map', 'package/lib/vscode/extensions/git']);
    const git = join(work, 'package/lib/vscode/extensions/git');
    // A native module, for worktrees alone.
    await standIn(join(git, 'node_modules/@vscode/fs-copyfile'), 'exports.cp = require("node:fs").promises.cp;\n');
    await rename(git, folder).catch(error => {
      if (!existsSync(folder)) throw error; // else someone else was quicker
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return folder;
}

/**
 * @param {{package: string}} wanted
 * @param {string} folder
 * @returns {Promise<string>} the archive
 */
async function download(wanted, folder) {
  await npm(['pack', wanted.package, '--silent', '--pack-destination', folder], folder);
  return join(folder, `${wanted.package.replace('@', '-')}.tgz`);
}

/**
 * Builds beside the target and renames, so that a broken-off install is never taken for a whole one.
 * @param {string} folder
 * @param {{package: string, vscode: string}} wanted
 */
async function installInto(folder, wanted) {
  console.log(`Installing VS Code ${wanted.vscode} into ${folder.slice(root.length + 1)} ...`);
  await mkdir(cacheFolder, { recursive: true });
  const work = await mkdtemp(join(cacheFolder, 'installing-'));
  try {
    const archive = await download(wanted, work);
    const excludes = [...leftOut.map(name => `package/lib/vscode/extensions/${name}`), '*.map'];
    await run('tar', ['-xzf', archive, '-C', work, ...excludes.map(name => `--exclude=${name}`), 'package/lib/vscode']);
    const server = join(work, 'package/lib/vscode');
    await installPackages(server);
    await writeFile(join(server, '.done'), '');
    await rename(server, folder).catch(async error => {
      if (existsSync(join(folder, '.done'))) return; // someone else was quicker
      if (!existsSync(folder)) throw error;
      await rm(folder, { recursive: true });
      await rename(server, folder);
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** @param {string} server */
async function installPackages(server) {
  const own = JSON.parse(await readFile(join(server, 'package.json'), 'utf8'));
  const locked = JSON.parse(await readFile(join(server, 'npm-shrinkwrap.json'), 'utf8')).packages;
  const wanted = neededPackages.filter(name => own.dependencies[name] ?? locked[`node_modules/${name}`]);
  const versionOf = (/** @type {string} */ name) => locked[`node_modules/${name}`]?.version ?? own.dependencies[name];
  const dependencies = Object.fromEntries(wanted.map(name => [name, versionOf(name)]));
  const watcher = `@parcel/watcher-${process.platform}-${process.arch}${process.platform === 'linux' ? '-glibc' : ''}`;
  if (Number(dependencies['@parcel/watcher'].split('.')[1]) > 1)
    dependencies[watcher] = dependencies['@parcel/watcher'];
  dependencies['@vscode/ripgrep-universal'] ??= '1';
  const { name, version, type } = own;
  await rm(join(server, 'npm-shrinkwrap.json'));
  await writeFile(join(server, 'package.json'), JSON.stringify({ name, version, type, private: true, dependencies }));
  await npm(['install', '--omit=dev', '--ignore-scripts', '--no-package-lock', '--no-audit', '--no-fund'], server);
  const modules = join(server, 'node_modules');
  await standIn(join(modules, '@vscode/spdlog'), standIns.spdlog);
  await standIn(join(modules, '@vscode/native-watchdog'), standIns.watchdog);
  await standIn(join(modules, 'native-watchdog'), standIns.watchdog);
  await linkRipgrep(modules);
}

/**
 * @param {string} folder
 * @param {string} code
 */
async function standIn(folder, code) {
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'stand-in', version: '1.0.0', main: 'index.js' }),
  );
  await writeFile(join(folder, 'index.js'), code);
}

/**
 * The older server's ripgrep comes by an install script, which does not run here: it gets the newer one's program.
 * @param {string} modules
 */
async function linkRipgrep(modules) {
  const wanted = join(modules, '@vscode/ripgrep/bin/rg');
  const have = join(modules, '@vscode/ripgrep-universal/bin', `${process.platform}-${process.arch}`, 'rg');
  if (!existsSync(dirname(dirname(wanted))) || existsSync(wanted) || !existsSync(have)) return;
  await mkdir(dirname(wanted), { recursive: true });
  await symlink(relative(dirname(wanted), have), wanted).catch(() => cp(have, wanted));
}

async function main() {
  const { positionals: asked } = parseArgs({ allowPositionals: true });
  for (const which of asked.length ? asked : Object.keys(versions)) {
    const { folder, node } = await installVSCode(/** @type {keyof typeof versions} */ (which));
    console.log(`${which}: ${folder} on ${node}`);
  }
}

if (process.argv[1]?.endsWith('vscode/install.mjs')) void main();
