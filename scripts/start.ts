// `npm start`: builds Dueline and opens VS Code with it: the desktop app if there is one, else, or with `-- --server`, a server.
// Everything that the editor keeps is in .vscode-test/start-data, and is there again the next time.
import { spawn, spawnSync } from 'node:child_process';
import { mkdir, readdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder, manifest, root } from './paths';
import { hasScreen, node } from './system';
import { startServer } from './vscode/server';
import { addressOf } from './vscode/window';

const data = join(cacheFolder, 'start-data');
const workspace = join(data, 'workspace');

if (!node('esbuild.js')) process.exit(1);
await mkdir(workspace, { recursive: true });
const shell = process.platform === 'win32';
const canRun = (app: string) => spawnSync(app, ['--version'], { shell }).status === 0;
const mayShow = hasScreen() && process.getuid?.() !== 0 && !process.argv.includes('--server');
const desktop = mayShow && ['code', 'codium', 'code-insiders'].find(canRun);
if (desktop) {
  console.log(`Opening ${desktop} with Dueline. Close its window, or press Ctrl+C here, to end.`);
  const kept = ['--user-data-dir', join(data, 'desktop'), '--extensions-dir', join(data, 'desktop-extensions')];
  const args = [...kept, '--new-window', '--wait', '--disable-workspace-trust', workspace];
  const all = [...args, `--extensionDevelopmentPath=${root}`].map(arg => (shell ? `"${arg}"` : arg));
  process.exit(spawnSync(desktop, all, { stdio: 'inherit', shell }).status ?? 1);
}
await linkExtension(join(data, 'extensions'));
// The browser finds its stored state again at the same port.
const server = await startServer({ data, driven: false, port: '17410-17430' });
for (const name of ['SIGINT', 'SIGTERM']) process.on(name, () => void server.stop().then(() => process.exit(0)));
const address = addressOf(server, workspace);
console.log(`\nDueline runs in VS Code ${server.version} at\n\n  ${address}\n\nPress Ctrl+C to end.`);
if (hasScreen()) openInBrowser(address);

/** Dueline is among the installed extensions as a link to this folder: a reload of the window brings a new build. */
async function linkExtension(extensions: string) {
  const { publisher, name, version } = manifest();
  await mkdir(extensions, { recursive: true });
  for (const file of await readdir(extensions)) {
    if (file.startsWith(`${publisher}.${name}-`)) await rm(join(extensions, file));
  }
  await rm(join(extensions, 'extensions.json'), { force: true }); // the server writes it again
  await symlink(root, join(extensions, `${publisher}.${name}-${version}`), 'junction');
}

function openInBrowser(address: string) {
  const openers: Record<string, string> = { darwin: 'open', win32: 'explorer' };
  // The address was printed: without a browser, nothing is lost.
  spawn(openers[process.platform] ?? 'xdg-open', [address], { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref();
}
