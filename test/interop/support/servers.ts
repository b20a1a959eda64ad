import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A real server on loopback, with one user, that a test started and stops. */
export interface Server {
  readonly name: string;
  /** The root, with a slash at its end. */
  readonly url: string;
  readonly username: string;
  readonly password: string;
  stop(): Promise<void>;
}

export const isInstalled = (program: string): boolean => spawnSync('which', [program]).status === 0;

/** The one thing that may keep a server test from running, said in a way that can be acted on. */
export const howToInstall = (program: string): string => `${program} is not installed: sudo apt-get install ${program}`;

/** Below the ports that systems give to connections: one of these could have it before the server does. */
async function freePort(): Promise<number> {
  const server = createServer();
  for (;;) {
    const port = randomInt(10_000, 32_000);
    const isFree = await new Promise<boolean>(resolve => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise(resolve => server.close(resolve));
    return port;
  }
}

/** The port that Radicale has chosen, by its log: the server of another test could answer at one that is chosen for it. */
function chosenPort({ stderr }: ChildProcess): Promise<number | undefined> {
  let log = '';
  return new Promise(resolve => {
    // The log goes on to be read: a full pipe would stop the server.
    stderr!.setEncoding('utf8').on('data', text => {
      log = log.slice(-200) + text;
      const [, port] = log.match(/Listening on .*:(\d+)\D/) ?? [];
      if (port) resolve(Number(port));
    });
    stderr!.once('end', () => resolve(undefined));
  });
}

export async function startRadicale({ password = 'pä€ss' } = {}): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), 'dueline-radicale-'));
  await mkdir(join(folder, 'collections'));
  await writeFile(join(folder, 'users'), `anna:${password}\n`);
  await writeFile(
    join(folder, 'config'),
    [
      `[server]\nhosts = 127.0.0.1:0\nmax_connections = 100\ntimeout = 300`,
      `[auth]\ntype = htpasswd\nhtpasswd_filename = ${join(folder, 'users')}\nhtpasswd_encryption = plain\ndelay = 0`,
      `[storage]\nfilesystem_folder = ${join(folder, 'collections')}`,
      '[logging]\nlevel = info',
    ].join('\n'),
  );
  const child = spawn('radicale', ['--config', join(folder, 'config')], { stdio: ['ignore', 'ignore', 'pipe'] });
  return running('Radicale', child, folder, chosenPort(child), { username: 'anna', password });
}

export async function startXandikos(): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), 'dueline-xandikos-'));
  const port = await freePort();
  const child = spawn(
    'xandikos',
    ['-d', folder, '--defaults', '-l', '127.0.0.1', '-p', String(port), '--current-user-principal', '/anna/'],
    { stdio: 'ignore' },
  );
  return running('Xandikos', child, folder, port, { username: 'anna', password: 'secret' });
}

async function running(
  name: string,
  child: ChildProcess,
  folder: string,
  portOf: number | Promise<number | undefined>,
  user: { username: string; password: string },
): Promise<Server> {
  // Nothing may outlive a test run, however it ends.
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const stop = async () => {
    process.off('exit', kill);
    if (child.exitCode === null && child.signalCode === null) {
      const ended = new Promise(resolve => child.once('exit', resolve));
      kill();
      await ended;
    }
    await rm(folder, { recursive: true, force: true });
  };
  const port = await portOf;
  const url = `http://127.0.0.1:${port}/`;
  for (let attempt = 0; attempt < 600; attempt++) {
    if (child.exitCode !== null || port === undefined) break;
    try {
      await fetch(url, { method: 'OPTIONS' });
      return { name, url, ...user, stop };
    } catch {
      await new Promise(resolve => setTimeout(resolve, 50));
    }
  }
  await stop();
  throw new Error(`${name} did not start.`);
}
