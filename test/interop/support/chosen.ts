import { spawnSync } from 'node:child_process';
import { Authenticator } from '../../../src/sync/dav/auth';
import { CaldavAccount } from '../../../src/sync/dav/caldavAccount';
import { discover, startingPoint } from '../../../src/sync/dav/discovery';
import { HttpClient } from '../../../src/sync/dav/httpClient';
import type { RemoteAccount } from '../../../src/sync/remote/remote';
import { howToInstall, isInstalled, type Server, startRadicale, startXandikos } from './servers';

interface Choice {
  readonly name: string;
  start(): Promise<Server>;
}

const { DUELINE_SERVER_URL: url, DUELINE_SERVER_USER: username, DUELINE_SERVER_PASSWORD: password } = process.env;

const installed = (program: string, start: () => Promise<Server>): Choice => ({
  name: `${program} ${isInstalled(program) ? versionOf(program) : ''}`.trim(),
  start: async () => {
    if (!isInstalled(program)) throw new Error(howToInstall(program));
    return start();
  },
});

function versionOf(program: string): string {
  const { stdout } = spawnSync('dpkg-query', ['-s', program], { encoding: 'utf8' });
  return stdout?.match(/^Version: ([^-\n]+)/m)?.[1] ?? '';
}

/**
 * The servers to test with: the one that `DUELINE_SERVER_URL` and its neighbors name, else those that Debian packages. On a
 * named server, tests only read data of others, and delete the lists that they create.
 */
export const choices: readonly Choice[] = url
  ? [
      {
        name: new URL(url).host,
        start: async () => ({
          name: url,
          url,
          username: username ?? '',
          password: password ?? '',
          stop: async () => {},
        }),
      },
    ]
  : [installed('radicale', startRadicale), installed('xandikos', startXandikos)];

/** The port to a server, found the way an account's is. */
export async function connectTo(server: Server): Promise<RemoteAccount> {
  const start = await startingPoint(server.url, async () => undefined);
  const auth = new Authenticator({ username: server.username, password: server.password });
  const http = new HttpClient({ fetch, home: new URL(start.urls[0]!).origin, auth });
  return new CaldavAccount(http, await discover(http, start));
}
