import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { DuelineEngine } from '../src/api';
import { openEngine } from '../src/engine';
import { FaultProxy } from '../test/interop/support/faultProxy';
import { isInstalled, type Server, startRadicale } from '../test/interop/support/servers';
import { Vdirsyncer } from '../test/interop/support/vdirsyncer';
import { median, type Report } from './reference/figure';
import { Peer, todo } from './reference/peer';

const many = 5_000;
const changes = 1_000;
const manyLists = 20;
const rounds = 5;

/** Sync against what curl and vdirsyncer do with the same server and the same data, in the same run. */
export async function run(report: Report): Promise<void> {
  if (!isInstalled('radicale') || !isInstalled('curl')) {
    report({ name: 'sync', ratio: Number.NaN, detail: 'needs radicale and curl (Debian packages of these names)' });
    return;
  }
  // vdirsyncer cannot log in with a password outside Latin-1.
  const server = await startRadicale({ password: 'secret' });
  const folder = mkdtempSync(join(tmpdir(), 'dueline-bench-'));
  try {
    const peer = new Peer(server, folder);
    const lists = ['large', ...Array.from({ length: manyLists - 1 }, (_, at) => `list${at}`)];
    await peer.upload(
      'large',
      Array.from({ length: many }, (_, at) => todo(at, 'first')),
    );
    const other = isInstalled('vdirsyncer') ? new Vdirsyncer(server, join(folder, 'vdirsyncer')) : undefined;
    await firstSync(report, server, peer, other, join(folder, 'a'));
    for (const list of lists.slice(1)) await peer.upload(list, [todo(0, list)]);
    const engine = await connected(server, join(folder, 'b'));
    await synced(engine);
    await synced(engine);
    await idle(report, engine, server, other, lists);
    await push(report, engine);
    await pull(report, engine, peer, other);
    await engine.close();
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Compares with vdirsyncer, where it is there. */
function against(
  report: Report,
  name: string,
  ours: number,
  theirs: number | undefined,
  more: { goal?: number; detail?: string } = {},
): void {
  const { goal, detail = '' } = more;
  if (theirs === undefined) report({ name, ratio: Number.NaN, goal, detail: 'needs the Debian package vdirsyncer' });
  else report({ name, ratio: ours / theirs, goal, detail: `${ms(ours)} / ${ms(theirs)}${detail}` });
}

async function firstSync(
  report: Report,
  server: Server,
  peer: Peer,
  other: Vdirsyncer | undefined,
  folder: string,
): Promise<void> {
  // Radicale keeps what it parsed: the first reading warms it, for all alike.
  peer.query('large');
  const theirs = [peer.query('large')];
  const ours: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const engine = await connected(server, `${folder}${round}`);
    ours.push((await timed(() => synced(engine))).ms);
    const rows = engine.rows(listOf(engine, 'large')).length;
    if (rows !== many) throw new Error(`${rows} tasks arrived.`);
    await engine.close();
    theirs.push(peer.query('large'));
  }
  report({
    name: `first sync of ${many} tasks / one calendar-query by curl`,
    ratio: median(ours) / median(theirs),
    goal: 2,
    detail: `${ms(median(ours))} / ${ms(median(theirs))}`,
  });
  await memoryMeanwhile(report, server, folder);
  await other?.discover(['large']);
  against(report, `first sync of ${many} tasks / by vdirsyncer`, median(ours), await other?.sync(), { goal: 0.2 });
}

/** In processes of their own: what was measured before leaves memory that a sync would use without adding to it, or not. */
async function memoryMeanwhile(report: Report, { url, username, password }: Server, folder: string): Promise<void> {
  const script = join(__dirname, 'reference/syncOnly.js');
  const said: { before: number; added: number; tasks: number }[] = [];
  for (let round = 0; round < 3; round++) {
    const own = `${folder}-memory${round}`;
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--expose-gc',
      ...[script, own, url, username, password],
    ]);
    said.push(JSON.parse(stdout));
  }
  if (said.some(({ tasks }) => tasks !== many)) throw new Error('Not all tasks arrived.');
  const megabytes = (of: 'before' | 'added') => median(said.map(each => each[of])) / 2 ** 20;
  report({
    name: 'memory at its peak meanwhile, MB',
    ratio: megabytes('added'),
    goal: 40,
    detail: `over the process with its store open, ${megabytes('before').toFixed(0)} MB`,
  });
}

async function idle(
  report: Report,
  engine: DuelineEngine,
  server: Server,
  other: Vdirsyncer | undefined,
  lists: readonly string[],
): Promise<void> {
  const ours = await timed(() => synced(engine));
  report({
    name: `requests with nothing to do, ${manyLists} lists`,
    ratio: ours.result,
    goal: 1,
    detail: ms(ours.ms),
  });
  let theirs: number | undefined;
  let requests = 0;
  if (other) {
    // Counted on its way through a proxy, timed without one.
    const proxy = await FaultProxy.start(server.url);
    await other.discover(lists, proxy.url);
    await other.sync();
    requests = -proxy.requests;
    await other.sync();
    requests += proxy.requests;
    await proxy.stop();
    await other.discover(lists);
    await other.sync();
    theirs = await other.sync();
  }
  against(report, `nothing to do, ${manyLists} lists / by vdirsyncer`, ours.ms, theirs, {
    detail: `, 1 request / ${requests}`,
  });
}

async function push(report: Report, engine: DuelineEngine): Promise<void> {
  await engine.updateTask(engine.rows(listOf(engine, 'large'))[0]!.id, { title: 'Edited here' });
  const { result, ms: took } = await timed(() => synced(engine));
  // The look at the lists comes first, as with nothing to do.
  report({ name: 'requests for one edit, the look at the lists included', ratio: result, goal: 2, detail: ms(took) });
  await synced(engine);
}

async function pull(report: Report, engine: DuelineEngine, peer: Peer, other: Vdirsyncer | undefined): Promise<void> {
  await other?.discover(['large']);
  await other?.sync();
  await peer.change('large', changes);
  const ours = await timed(() => synced(engine));
  const reference = peer.query('large');
  const rows = engine.rows(listOf(engine, 'large'));
  const arrived = rows.filter(({ title }) => title?.endsWith('second')).length;
  if (arrived !== changes) throw new Error(`${arrived} changes arrived.`);
  report({
    name: `${changes} changes pulled / one calendar-query of all by curl`,
    ratio: ours.ms / reference,
    goal: 2.5,
    detail: `${ms(ours.ms)} / ${ms(reference)}, ${ours.result} requests`,
  });
  against(report, `${changes} changes pulled / by vdirsyncer`, ours.ms, await other?.sync());
}

async function connected(server: Server, folder: string): Promise<DuelineEngine> {
  const engine = await openEngine({ folder });
  // A busy machine is no reason to give up: what is measured is time.
  engine.configure({ syncTimeoutSeconds: 300 });
  await engine.addAccount({ serverUrl: server.url, username: server.username, password: server.password });
  return engine;
}

const listOf = (engine: DuelineEngine, name: string) => engine.lists().find(list => list.name === name)!.id;

/** Requests of one sync of everything. */
async function synced(engine: DuelineEngine): Promise<number> {
  const [report] = (await engine.sync()).accounts;
  if (!report || report.error !== null) throw new Error(report?.error ?? 'There is no account.');
  return report.requests;
}

async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  const start = performance.now();
  const result = await work();
  return { ms: performance.now() - start, result };
}

const ms = (value: number) => `${value.toFixed(0)} ms`;
