import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { needPrograms } from '../scripts/system';
import { Peer } from '../test/interop/support/peer';
import { isInstalled, type Server, startRadicale } from '../test/interop/support/servers';
import { Vdirsyncer } from '../test/interop/support/vdirsyncer';
import { compared, inFolder, inTurns, type Report, timed, took } from './reference/figure';
import { inOwnProcess } from './reference/ownProcess';
import { aTask, expectTasks, synced, withAccount } from './reference/synced';

const many = 5_000;
const changes = 1_000;
const others = Array.from({ length: 19 }, (_, at) => `list${at}`);

/** Sync against what curl and vdirsyncer do with the same server and the same data, in the same run. */
export async function run(report: Report): Promise<void> {
  needPrograms('radicale');
  // vdirsyncer cannot log in with a password outside Latin-1.
  const server = await startRadicale({ password: 'secret' });
  await inFolder(async folder => {
    const large = new Peer(server, `/${server.username}/large/`);
    const tasks = Array.from({ length: many }, (_, at) => [`UID:bench-${at}`, ...aTask(at, 'first')]);
    await large.putAll('large', tasks);
    const other = isInstalled('vdirsyncer') ? new Vdirsyncer(server, join(folder, 'vdirsyncer')) : undefined;
    await firstSync(report, server, folder, other);
    for (const list of others)
      await new Peer(server, `/${server.username}/${list}/`).putAll(list, [['UID:bench-0', ...aTask(0, list)]]);
    await later(report, server, folder, large, other);
  }).finally(() => server.stop());
}

async function firstSync(report: Report, server: Server, folder: string, other: Vdirsyncer | undefined): Promise<void> {
  const { url, username, password } = server;
  const times = await inTurns(5, {
    curl: () => query(server, folder),
    own: async round => {
      const engine = await withAccount(join(folder, `first${round}`), url, username, password);
      const own = await took(() => synced(engine));
      expectTasks(engine, many);
      await engine.close();
      return own;
    },
  });
  report(compared(`first sync of ${many} tasks / one calendar-query by curl`, times.own, times.curl, 2));
  const own = (round: number) => join(folder, `memory${round}`);
  const { before, added } = await inOwnProcess('firstSync', own, url, username, password, String(many));
  report({
    name: 'memory at its peak meanwhile, MB',
    ratio: added,
    goal: 40,
    detail: `over the process with its store open, ${before.toFixed(0)} MB`,
  });
  await other?.discover(['large']);
  report(compared(`first sync of ${many} tasks / by vdirsyncer`, times.own, await other?.sync(), 0.2));
}

/** With nothing to do, with one edit here, and with many there. */
async function later(report: Report, server: Server, folder: string, large: Peer, other: Vdirsyncer | undefined) {
  const engine = await withAccount(join(folder, 'later'), server.url, server.username, server.password);
  for (let round = 0; round < 2; round++) await synced(engine);
  const idle = await timed(3, () => took(() => synced(engine)));
  await other?.discover(['large', ...others]);
  await other?.sync();
  report({ name: `requests with nothing to do, ${others.length + 1} lists`, ratio: await synced(engine), goal: 1 });
  report(compared(`nothing to do, ${others.length + 1} lists / by vdirsyncer`, idle, await other?.sync()));

  const list = engine.lists().find(({ name }) => name === 'large')!;
  await engine.updateTask(engine.rows(list.id)[0]!.id, { title: 'Edited here' });
  // The request for the lists comes first, as with nothing to do.
  const requests = await synced(engine);
  report({ name: 'requests for one edit, the look at the lists included', ratio: requests, goal: 2 });
  await synced(engine);

  let at = 100;
  const change = async () => {
    for (let own = at++; own < 100 + changes; own = at++) await large.put(`bench-${own}`, ...aTask(own, 'second'));
  };
  await Promise.all(Array.from({ length: 8 }, change));
  const own = await took(() => synced(engine));
  expectTasks(engine, changes, 'second');
  report(compared(`${changes} changes pulled / one calendar-query of all by curl`, own, query(server, folder), 2.5));
  await engine.close();
}

/** Milliseconds in which curl asks for every task of the large list with its text. */
function query({ url, username, password }: Server, folder: string): number {
  const body = `<?xml version="1.0"?><C:calendar-query xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:prop><D:getetag/><C:calendar-data/></D:prop><C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VTODO"/></C:comp-filter></C:filter></C:calendar-query>`;
  const start = performance.now();
  const login = ['-sf', '-X', 'REPORT', '-u', `${username}:${password}`, '-H', 'Depth: 1'];
  const data = ['-H', 'Content-Type: application/xml', '--data-binary', body, '-o', join(folder, 'answer.xml')];
  const { status } = spawnSync('curl', [...login, ...data, `${url}${username}/large/`]);
  if (status !== 0) throw new Error(`curl ended with ${status}.`);
  return performance.now() - start;
}
