import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { systemClock } from '../../src/core/time/clock';
import { openTaskStore } from '../../src/store/taskStore';
import { program } from '../../test/cli/support/terminal';
import { newRandom } from '../../test/interop/support/random';
import { dump } from '../../test/store/support/store';
import { forMinutes } from '../reference/forMinutes';
import { flipBit, pick, tearTail } from './damage';
import type { WriterPlan } from './writer';

const harm = { lost: 0, duplicated: 0, diverged: 0, errors: 0 };
const tally = { ...harm, rounds: 0, kills: 0, stops: 0, acknowledged: 0, byTerminal: 0, faults: 0 };
const problems = new Set<string>();
const report = (problem: string) => void problems.add(`round ${tally.rounds}: ${problem}`);
const open = (folder: string) => openTaskStore({ folder, clock: systemClock });

function failed(problem: string): void {
  tally.errors++;
  report(problem);
}

/** A process that edits the store until it is killed or asked to stop. */
function startWriter(plan: WriterPlan) {
  const child = spawn(process.execPath, [join(__dirname, 'writer.js'), JSON.stringify(plan)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.on('error', () => {});
  const ended = once(child, 'close').then(() => undefined);
  const replies = new EventEmitter();
  const acknowledged: string[] = [];
  createInterface({ input: child.stdout }).on('line', line => {
    const [word, rest] = [line.split(' ')[0]!, line.slice(line.indexOf(' ') + 1)];
    if (word === 'ack') acknowledged.push(rest);
    else if (word === 'error') failed(`a writer failed: ${rest}`);
    else replies.emit(word, rest);
  });
  const within = (ms: number) => pause(ms, undefined, { ref: false });
  return {
    acknowledged,
    /** Sends an order, if any, and waits for a word; undefined from a process that has ended. */
    hear(word: string, order?: string): Promise<string | undefined> {
      const heard = new Promise<string>(resolve => replies.once(word, resolve));
      if (order) child.stdin.write(`${order}\n`);
      return Promise.race([heard, ended, within(30_000)]);
    },
    async freeze(ms: number): Promise<void> {
      child.kill('SIGSTOP');
      tally.stops++;
      await pause(ms);
      child.kill('SIGCONT');
    },
    async kill(): Promise<void> {
      if (child.exitCode === null) tally.kills++;
      child.kill('SIGKILL');
      await ended;
    },
    async end(): Promise<void> {
      child.stdin.write('end\n');
      await Promise.race([ended, within(5_000)]);
      child.kill('SIGKILL');
    },
  };
}

const byTerminal = 'By the command line';

/** A user at a terminal: one start of the command line after the other, each of which adds a task. */
function startTerminal(folder: string, name: string) {
  const acknowledged: string[] = [];
  let [isOver, now]: [boolean, ChildProcess | undefined] = [false, undefined];
  const work = async () => {
    for (let count = 0; !isOver; count++) {
      const title = `${byTerminal} ${name}-${count}`;
      const adding = promisify(execFile)(process.execPath, [program, 'add', title, '--store', folder]);
      const { child } = adding;
      now = child;
      await adding.then(
        () => acknowledged.push(title),
        error => child.killed || failed(`the command line failed: ${error.message}`),
      );
    }
  };
  const ended = work();
  return {
    acknowledged,
    /** Kills the command that is running; the next one starts. */
    kill: () => now?.exitCode === null && now.kill('SIGKILL') && tally.kills++,
    /** Lets the command that is running come to its end, and starts none after it. */
    async end(): Promise<void> {
      isOver = true;
      await ended;
    },
  };
}

/** Checks a store at rest against all that was ever acknowledged in it: UIDs, and titles of what the command line added. */
async function check(folder: string, acknowledged: readonly string[]): Promise<string> {
  const store = await open(folder);
  for (const { text } of store.notices) report(text);
  const found = store.select<{ name: string; n: number }>(
    `SELECT CASE WHEN title LIKE '${byTerminal}%' THEN title ELSE uid END AS name, count(*) AS n FROM tasks
      WHERE id > 1 GROUP BY name`,
  );
  const names = new Set(found.map(row => row.name));
  tally.lost += acknowledged.filter(name => !names.has(name)).length;
  tally.duplicated += found.filter(row => row.n > 1).length;
  // Every edit counted once and added one row: more rows or counts mean that one ran twice.
  const edits = found.filter(({ name }) => !name.startsWith(byTerminal)).length;
  tally.duplicated += Math.abs(Number(store.task(1)!.title) - edits);
  const rows = dump(store);
  await store.close();
  const again = await open(folder);
  if (dump(again) !== rows) tally.diverged++;
  await again.close();
  return rows;
}

/** Each round draws from a row of numbers of its own, so that what came before shifts none of them. */
async function round(folder: string, number: number, seed: number, acknowledged: string[]): Promise<void> {
  tally.rounds++;
  const random = newRandom(seed + tally.rounds * 1_000);
  const compactAt = pick(random, [3_000, 8_000, 40_000]);
  const writers = Array.from({ length: pick(random, [1, 2, 3, 4]) }, (_, at) => {
    const fullDisk = pick(random, [0, 0, 0.03]);
    const lock = pick(random, [true, true, false]);
    const own = Math.floor(random() * 1e9);
    return startWriter({ folder, name: `${number}.${at}`, compactAt, lock, fullDisk, seed: own });
  });
  const terminal = random() < 0.4 ? startTerminal(folder, String(number)) : undefined;
  // A slow machine would kill them before they wrote anything; some are killed while they open anyway.
  if (random() < 0.8) await Promise.all(writers.map(writer => writer.hear('open')));
  const survivors = new Set(writers);
  for (let act = pick(random, [1, 2, 3, 4]); act > 0; act--) {
    await pause(random() * 300);
    const writer = pick(random, writers);
    if (random() < 0.3) terminal?.kill();
    if (random() < 0.35) await writer.freeze(pick(random, [20, 150, 600, 3_500]));
    else {
      await writer.kill();
      survivors.delete(writer);
    }
  }
  const alive = [...survivors];
  await terminal?.end();
  await Promise.all(alive.map(writer => writer.hear('stopped', 'stop')));
  const seen = await Promise.all(alive.map(writer => writer.hear('rows', 'look')));
  for (const writer of alive) await writer.end();
  const edits = writers.flatMap(writer => writer.acknowledged);
  acknowledged.push(...edits, ...(terminal?.acknowledged ?? []));
  tally.acknowledged += edits.length;
  tally.byTerminal += terminal?.acknowledged.length ?? 0;
  const rows = await check(folder, acknowledged);
  tally.diverged += seen.filter(each => each !== rows).length;
  if (random() < 0.3) await tearTail(folder, random);
  const fault = random() < 0.5 ? await flipBit(folder, rows, random) : undefined;
  if (fault !== undefined) tally.faults++;
  if (typeof fault !== 'string') return;
  tally.diverged++;
  report(fault);
}

/**
 * `npm run chaos -- --minutes 15 --seed 7`: several processes on one store, the command line among them, killed and frozen
 * at random; every acknowledged edit must be there, once. A seed repeats the choices, not the moments at which the machine gets to them.
 */
forMinutes(3, async (minutes, seed) => {
  const end = Date.now() + minutes * 60_000;
  const isWrong = () => tally.lost + tally.duplicated + tally.diverged + tally.errors > 0;
  while (Date.now() < end && !isWrong()) {
    const folder = mkdtempSync(join(tmpdir(), 'dueline-chaos-'));
    const acknowledged: string[] = [];
    const store = await open(folder);
    await store.edit({ origin: 'sync' }, tx => {
      tx.insertTask({ listId: tx.insertList({ name: 'Chaos', color: 0 }), uid: 'counter', title: '0' });
    });
    await store.close();
    for (let number = 0; number < 12 && Date.now() < end; number++) await round(folder, number, seed, acknowledged);
    if (isWrong()) console.log(`The store is kept in ${folder}.`);
    else rmSync(folder, { recursive: true, force: true });
  }
  for (const problem of problems) console.log(problem);
  const { rounds, stops, faults, kills, acknowledged, lost, duplicated, diverged, errors } = tally;
  console.log(
    `${rounds} rounds, ${stops} processes frozen, ${faults} bits flipped, ${tally.byTerminal} tasks by the command line`,
  );
  console.log(
    `kills ${kills}, acknowledged edits ${acknowledged}, lost ${lost}, duplicated ${duplicated}, diverged ${diverged}, failed ${errors}`,
  );
  return !isWrong() && acknowledged > 0;
});
