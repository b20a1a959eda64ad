// `npm start`: builds Dueline and opens an editor with it. `-- --server` passes a desktop editor by.
// Everything that the editor keeps lies in .vscode-test/start-data, and is there again the next time.
import { spawn, spawnSync } from 'node:child_process';
import { mkdir, readdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cacheFolder, manifest, root } from './paths';
import { hasScreen, node } from './system';
import { startServer } from './vscode/server';
import { addressOf } from './vscode/window';

const { values } = parseArgs({ options: { server: { type: 'boolean' } } });
const shell = process.platform === 'win32';
const data = join(cacheFolder, 'start-data');
const workspace = join(data, 'workspace');

if (!node('esbuild.js')) process.exit(1);
await mkdir(workspace, { recursive: true });
const desktop = values.server ? undefined : desktopEditor();
if (desktop) await openDesktop(desktop);
else await openServer();

/** A desktop editor that can show a window here. */
function desktopEditor(): string | undefined {
  if (!hasScreen() || process.getuid?.() === 0) return undefined;
  return ['code', 'codium', 'code-insiders'].find(name => spawnSync(name, ['--version'], { shell }).status === 0);
}

async function openDesktop(program: string) {
  const kept = ['--user-data-dir', join(data, 'desktop'), '--extensions-dir', join(data, 'desktop-extensions')];
  const args = ['--new-window', '--wait', '--disable-workspace-trust', ...kept];
  console.log(`Opening ${program} with Dueline. Close its window, or press Ctrl+C here, to end.`);
  const all = [...args, `--extensionDevelopmentPath=${root}`, workspace];
  const child = spawn(program, shell ? all.map(arg => `"${arg}"`) : all, { stdio: 'inherit', shell });
  await new Promise(resolve => child.on('exit', resolve));
}

async function openServer() {
  await linkExtension(join(data, 'extensions'));
  // The browser finds its stored state again at the same port.
  const server = await startServer({ data, driven: false, port: '17410-17430' });
  const end = async () => {
    await server.stop();
    process.exit(0);
  };
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
  const address = addressOf(server, workspace);
  console.log(`\nDueline runs in VS Code ${server.version} at\n\n  ${address}\n\nPress Ctrl+C to end.`);
  if (hasScreen()) openInBrowser(address);
}

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
