import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DuelineEngine } from '../src/api';
import { openEngine } from '../src/engine';
import { isInstalled, type Server, startRadicale } from '../test/interop/servers';
import { median, type Report } from './reference/figure';

const many = 5_000;
const changes = 1_000;
const manyLists = 20;

/** Sync against what curl does with the same server and the same data, in the same run. */
export async function run(report: Report): Promise<void> {
  if (!isInstalled('radicale') || !isInstalled('curl')) {
    report({ name: 'sync', ratio: Number.NaN, detail: 'needs radicale and curl' });
    return;
  }
  const server = await startRadicale();
  const folder = mkdtempSync(join(tmpdir(), 'dueline-bench-'));
  try {
    const peer = new Peer(server, folder);
    await peer.upload(
      'large',
      Array.from({ length: many }, (_, at) => todo(at, 'first')),
    );
    await firstSync(report, server, peer, join(folder, 'a'));
    await steadySync(report, server, peer, join(folder, 'b'));
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function firstSync(report: Report, server: Server, peer: Peer, folder: string): Promise<void> {
  // Radicale keeps what it parsed: the first reading warms it, for both alike.
  peer.query('large');
  const theirs = [peer.query('large')];
  const ours: number[] = [];
  let peak = 0;
  for (let round = 0; round < 3; round++) {
    const before = process.memoryUsage().rss;
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss - before);
    }, 20);
    const engine = await connected(server, `${folder}${round}`);
    ours.push((await timed(() => synced(engine))).ms);
    clearInterval(watch);
    const rows = engine.rows(engine.lists().find(({ name }) => name === 'large')!.id).length;
    if (rows !== many) throw new Error(`${rows} tasks arrived.`);
    await engine.close();
    theirs.push(peer.query('large'));
  }
  report({
    name: `first sync of ${many} tasks / one calendar-query by curl`,
    ratio: median(ours) / median(theirs),
    goal: 3,
    detail: `${ms(median(ours))} / ${ms(median(theirs))}`,
  });
  report({ name: 'memory at its peak meanwhile, MB', ratio: peak / 2 ** 20, detail: 'over the process at rest' });
  vdirsyncer(report, server, `${folder}-vdirsyncer`, median(ours));
}

/** vdirsyncer, where it is installed, does the same first sync into files. */
function vdirsyncer(report: Report, server: Server, folder: string, ours: number): void {
  const name = 'first sync / vdirsyncer';
  if (!isInstalled('vdirsyncer')) {
    report({ name, ratio: Number.NaN, goal: 0.2, detail: 'needs vdirsyncer' });
    return;
  }
  const config = join(folder, 'config');
  spawnSync('mkdir', ['-p', folder]);
  writeFileSync(
    config,
    `[general]\nstatus_path = "${folder}/status"\n[pair p]\na = "l"\nb = "r"\ncollections = ["large"]\n[storage l]\ntype = "filesystem"\npath = "${folder}/files"\nfileext = ".ics"\n[storage r]\ntype = "caldav"\nurl = "${server.url}"\nusername = "${server.username}"\npassword = "${server.password}"\nitem_types = ["VTODO"]\n`,
  );
  spawnSync('vdirsyncer', ['-c', config, 'discover'], { input: 'y\ny\n' });
  const start = performance.now();
  spawnSync('vdirsyncer', ['-c', config, 'sync']);
  const theirs = performance.now() - start;
  report({ name, ratio: ours / theirs, goal: 0.2, detail: `${ms(ours)} / ${ms(theirs)}` });
}

async function steadySync(report: Report, server: Server, peer: Peer, folder: string): Promise<void> {
  for (let at = 1; at < manyLists; at++) await peer.upload(`list${at}`, [todo(at, 'small')]);
  const engine = await connected(server, folder);
  await synced(engine);
  await synced(engine);
  const idle = await timed(() => synced(engine));
  report({ name: `requests with nothing to do, ${manyLists} lists`, ratio: idle.result, goal: 1, detail: ms(idle.ms) });

  const large = engine.lists().find(({ name }) => name === 'large')!.id;
  await engine.updateTask(engine.rows(large)[0]!.id, { title: 'Edited here' });
  const push = await timed(() => synced(engine));
  // The look at the lists comes first, as with nothing to do; the edit itself is what is counted.
  report({
    name: 'requests for one edit, the look at the lists included',
    ratio: push.result,
    goal: 2,
    detail: ms(push.ms),
  });
  await synced(engine);

  await peer.change('large', changes);
  const pull = await timed(() => synced(engine));
  const reference = peer.query('large');
  const arrived = engine.rows(large).filter(({ title }) => title?.endsWith('second')).length;
  if (arrived !== changes) throw new Error(`${arrived} changes arrived.`);
  report({
    name: `${changes} changes pulled / one calendar-query of all by curl`,
    ratio: pull.ms / reference,
    detail: `${ms(pull.ms)}, ${pull.result} requests`,
  });
  await engine.close();
}

async function connected(server: Server, folder: string): Promise<DuelineEngine> {
  const engine = await openEngine({ folder });
  // A busy machine is no reason to give up: what is measured is time.
  engine.configure({ syncTimeoutSeconds: 300 });
  await engine.addAccount({ serverUrl: server.url, username: server.username, password: server.password });
  return engine;
}

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

const todo = (at: number, word: string) =>
  [
    'BEGIN:VTODO',
    `UID:bench-${at}`,
    'DTSTAMP:20261101T080000Z',
    'CREATED:20261101T080000Z',
    `SUMMARY:Task ${at} ${word}`,
    'DESCRIPTION:Something to do\\, in a few words\\nand a second line.',
    `DUE;VALUE=DATE:202612${String((at % 28) + 1).padStart(2, '0')}`,
    `PRIORITY:${at % 10}`,
    'CATEGORIES:home,errand',
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    'DESCRIPTION:Reminder',
    'TRIGGER:-PT15M',
    'END:VALARM',
    'END:VTODO',
  ].join('\r\n');

const calendar = (...todos: string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Peer//EN', ...todos, 'END:VCALENDAR', ''].join('\r\n');

/** The server's other client: puts lists and tasks there, and asks as curl does. */
class Peer {
  constructor(
    private readonly server: Server,
    private readonly folder: string,
  ) {}

  /** Radicale takes a whole list as one file. */
  upload(list: string, todos: readonly string[]): Promise<void> {
    return this.#send('PUT', `${list}/`, calendar(`X-WR-CALNAME:${list}`, ...todos), 'text/calendar');
  }

  async change(list: string, count: number): Promise<void> {
    let at = 100;
    const worker = async () => {
      while (at < 100 + count) await this.#put(list, todo(at++, 'second'));
    };
    await Promise.all(Array.from({ length: 8 }, worker));
  }

  /** Milliseconds of one calendar-query of every task with its text. */
  query(list: string): number {
    const body = join(this.folder, 'query.xml');
    writeFileSync(
      body,
      `<?xml version="1.0"?><C:calendar-query xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:prop><D:getetag/><C:calendar-data/></D:prop><C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VTODO"/></C:comp-filter></C:filter></C:calendar-query>`,
    );
    const { username, password, url } = this.server;
    const start = performance.now();
    const { status } = spawnSync('curl', [
      ...[
        '-sf',
        '-X',
        'REPORT',
        '-u',
        `${username}:${password}`,
        '-H',
        'Depth: 1',
        '-H',
        'Content-Type: application/xml',
      ],
      ...['--data-binary', `@${body}`, '-o', join(this.folder, 'answer.xml'), `${url}${username}/${list}/`],
    ]);
    if (status !== 0) throw new Error(`curl ended with ${status}.`);
    return performance.now() - start;
  }

  #put(list: string, text: string): Promise<void> {
    const uid = /^UID:(.*)\r$/m.exec(text)![1]!;
    return this.#send('PUT', `${list}/${uid}.ics`, calendar(text), 'text/calendar');
  }

  async #send(method: string, path: string, body: string, type: string): Promise<void> {
    const { username, password, url } = this.server;
    const answer = await fetch(`${url}${username}/${path}`, {
      method,
      body,
      headers: {
        authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
        'content-type': `${type}; charset=utf-8`,
      },
    });
    await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status}`);
  }
}
