import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { DuelineEngine } from '../src/api';
import { openEngine } from '../src/engine';
import { isInstalled } from '../test/interop/support/servers';
import { Todoman } from '../test/interop/support/todoman';
import { median, type Report } from './reference/figure';
import { todo } from './reference/peer';

const many = 5_000;
const rounds = 3;

/** Milliseconds of a first run, and of one without news. */
interface Times {
  readonly first: number;
  readonly idle: number;
}

/** Folder lists against programs that keep the same files, in the same run. */
export async function run(report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'dueline-bench-'));
  try {
    const lists = join(folder, 'lists');
    mkdirSync(join(lists, 'large'), { recursive: true });
    for (let at = 0; at < many; at++) writeFileSync(join(lists, 'large', `bench-${at}.ics`), textOf(at));
    report({
      name: `a file of another program in a folder of ${many} tasks until its row is there, ms`,
      ratio: await untilRow(lists, join(folder, 'news')),
      goal: 1000,
    });
    const ours: Times[] = [];
    const others: Record<string, Times[]> = { todoman: [], vdirsyncer: [] };
    for (let round = 0; round < rounds; round++) {
      const own = join(folder, String(round));
      ours.push(await byDueline(lists, join(own, 'dueline')));
      if (isInstalled('todoman')) others.todoman!.push(byTodoman(lists, join(own, 'todoman')));
      if (isInstalled('vdirsyncer')) others.vdirsyncer!.push(byVdirsyncer(lists, join(own, 'vdirsyncer')));
    }
    for (const [name, times] of Object.entries(others))
      for (const [when, words] of [
        ['first', `first sync of a folder of ${many} tasks`],
        ['idle', `nothing to do, a folder of ${many} tasks`],
      ] as const) {
        const [here, there] = [median(ours.map(time => time[when])), median(times.map(time => time[when]))];
        report({
          name: `${words} / by ${name}`,
          ratio: times.length === 0 ? Number.NaN : here / there,
          goal: 1,
          detail:
            times.length === 0 ? `needs the Debian package ${name}` : `${here.toFixed(0)} ms / ${there.toFixed(0)} ms`,
        });
      }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const textOf = (at: number): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Peer//EN', todo(at, 'first'), 'END:VCALENDAR', ''].join('\r\n');

async function byDueline(lists: string, folder: string): Promise<Times> {
  const engine = await openEngine({ folder });
  engine.configure({ syncTimeoutSeconds: 300 });
  await engine.addAccount({ serverUrl: pathToFileURL(lists).href, username: '', password: '' });
  const first = await timed(() => synced(engine));
  const rows = engine.lists().flatMap(({ id, accountId }) => (accountId === null ? [] : engine.rows(id))).length;
  if (rows !== many) throw new Error(`${rows} tasks arrived.`);
  await synced(engine);
  const idle = await timed(() => synced(engine));
  await engine.close();
  return { first, idle };
}

/** As the editor has it: the watch asks for a run of the list. The median of several files. */
async function untilRow(lists: string, folder: string): Promise<number> {
  const engine = await openEngine({ folder });
  await engine.addAccount({ serverUrl: pathToFileURL(lists).href, username: '', password: '' });
  await synced(engine);
  const { syncing } = engine;
  const watching = syncing!.watchFolders(listId => void engine.sync({ listId, trigger: 'news' }));
  const times: number[] = [];
  try {
    for (let at = many; at < many + 5; at++) {
      await wait(1000);
      const path = join(lists, 'large', `bench-${at}.ics`);
      const start = performance.now();
      const arrived = new Promise<void>(resolve => {
        const listening = engine.onDidChange(() => {
          if (engine.query(`"Task ${at}"`).length === 0) return;
          listening.dispose();
          resolve();
        });
      });
      writeFileSync(path, textOf(at));
      await Promise.race([arrived, wait(20_000)]);
      times.push(performance.now() - start);
      rmSync(path);
      await wait(1000);
    }
  } finally {
    watching.dispose();
    await engine.close();
  }
  return median(times);
}

async function synced(engine: DuelineEngine): Promise<void> {
  const [report] = (await engine.sync()).accounts;
  if (!report || report.error !== null) throw new Error(report?.error ?? 'There is no account.');
}

/** It reads every file into a cache, and then those that are new. */
function byTodoman(lists: string, folder: string): Times {
  const todoman = new Todoman(lists, folder);
  const list = () => {
    if (todoman.list().length !== many) throw new Error('todoman has other tasks.');
  };
  return { first: timedNow(list), idle: timedNow(list) };
}

/** Into a second folder. */
function byVdirsyncer(lists: string, folder: string): Times {
  const copy = join(folder, 'copy');
  mkdirSync(join(copy, 'large'), { recursive: true });
  const config = join(folder, 'config');
  const storage = (name: string, path: string) =>
    `[storage ${name}]\ntype = "filesystem"\npath = "${path}"\nfileext = ".ics"`;
  writeFileSync(
    config,
    [
      `[general]\nstatus_path = "${join(folder, 'status')}"`,
      '[pair p]\na = "here"\nb = "there"\ncollections = ["large"]',
      storage('here', lists),
      storage('there', copy),
      '',
    ].join('\n'),
  );
  const vdirsyncer = (verb: string) => {
    const { status, stderr } = spawnSync('vdirsyncer', ['-c', config, verb], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`vdirsyncer ${verb} ended with ${status}: ${stderr.slice(-500)}`);
  };
  vdirsyncer('discover');
  const first = timedNow(() => vdirsyncer('sync'));
  if (readdirSync(join(copy, 'large')).length < many) throw new Error('vdirsyncer left tasks out.');
  return { first, idle: timedNow(() => vdirsyncer('sync')) };
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function timedNow(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}
