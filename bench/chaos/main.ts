import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { systemClock } from '../../src/core/time/clock';
import { openTaskStore } from '../../src/store/taskStore';
import { newRandom } from '../../test/interop/support/random';
import { flipBit, pick, type RowsOf, tearTail } from './damage';
import { Terminal, titleByTerminal } from './terminal';
import type { WriterPlan } from './writer';

/**
 * `npm run chaos -- --minutes 15 --seed 7`: several processes on one store, the command line among them, killed and frozen
 * at random; every acknowledged edit must be there, once. A seed repeats the choices, not the moments at which the machine gets to them.
 */

const tally = {
  rounds: 0,
  kills: 0,
  stops: 0,
  acknowledged: 0,
  byTerminal: 0,
  lost: 0,
  duplicated: 0,
  diverged: 0,
  faults: 0,
  errors: 0,
};
const problems: string[] = [];
const report = (problem: string) => problems.push(`round ${tally.rounds}: ${problem}`);
const tables = ['accounts', 'task_lists', 'tasks', 'task_alarms'];
const rowsOf: RowsOf = store =>
  createHash('md5')
    .update(JSON.stringify(tables.map(table => store.select(`SELECT * FROM ${table} ORDER BY id`))))
    .digest('hex');

class Writer {
  readonly acknowledged: string[] = [];
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  readonly #heard = new Map<string, string>();
  #listener: (() => void) | undefined;

  constructor(plan: WriterPlan) {
    this.#child = spawn(process.execPath, [join(__dirname, 'writer.js'), JSON.stringify(plan)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#child.stdin!.on('error', () => {});
    this.#ended = new Promise(resolve => this.#child.once('close', resolve));
    createInterface({ input: this.#child.stdout! }).on('line', line => this.#hear(line));
  }

  #hear(line: string): void {
    const [word, rest] = [line.split(' ')[0], line.slice(line.indexOf(' ') + 1)];
    if (word === 'ack') this.acknowledged.push(rest);
    this.#heard.set(word!, rest);
    this.#listener?.();
    if (word !== 'error') return;
    tally.errors++;
    report(`a writer failed: ${rest}`);
  }

  async freeze(ms: number): Promise<void> {
    this.#child.kill('SIGSTOP');
    tally.stops++;
    await pause(ms);
    this.#child.kill('SIGCONT');
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode === null) tally.kills++;
    this.#child.kill('SIGKILL');
    await this.#ended;
  }

  /** Sends an order and waits for its answer; undefined from a process that has ended. */
  ask(order: string, answer: string): Promise<string | undefined> {
    this.#child.stdin!.write(`${order}\n`);
    return this.answer(answer);
  }

  async answer(answer: string): Promise<string | undefined> {
    const heard = new Promise<void>(resolve => {
      this.#listener = () => this.#heard.has(answer) && resolve();
      this.#listener();
    });
    await Promise.race([heard, this.#ended, pause(30_000, undefined, { ref: false })]);
    return this.#heard.get(answer);
  }

  async end(): Promise<void> {
    this.#child.stdin!.write('end\n');
    await Promise.race([this.#ended, pause(5_000, undefined, { ref: false })]);
    this.#child.kill('SIGKILL');
  }
}

async function open(folder: string) {
  return openTaskStore({ folder, clock: systemClock });
}

/** Checks a store at rest against all that was ever acknowledged in it: UIDs, and titles of what the command line added. */
async function check(folder: string, acknowledged: readonly string[]): Promise<string> {
  const store = await open(folder);
  for (const { text } of store.notices) report(text);
  const [found, byTerminal] = [false, true].map(isByTerminal =>
    store.select<{ name: string; n: number }>(
      `SELECT ${isByTerminal ? 'title' : 'uid'} AS name, count(*) AS n FROM tasks
        WHERE id > 1 AND (title LIKE '${titleByTerminal}%') = ${isByTerminal} GROUP BY name`,
    ),
  ) as [{ name: string; n: number }[], { name: string; n: number }[]];
  const names = new Set([...found, ...byTerminal].map(row => row.name));
  tally.lost += acknowledged.filter(name => !names.has(name)).length;
  tally.duplicated += byTerminal.filter(row => row.n > 1).length;
  tally.duplicated += found.filter(row => row.n > 1).length;
  const count = Number(store.task(1)!.title);
  // Every edit counted once and added one row: more rows or counts mean that one ran twice.
  if (count !== found.length) tally.duplicated += Math.abs(count - found.length);
  const rows = rowsOf(store);
  await store.close();
  const again = await open(folder);
  if (rowsOf(again) !== rows) tally.diverged++;
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
    return new Writer({ folder, name: `${number}.${at}`, compactAt, lock, fullDisk, seed: own });
  });
  const terminal = random() < 0.4 ? new Terminal(folder, String(number)) : undefined;
  // A slow machine would kill them before they wrote anything; some are killed while they open anyway.
  if (random() < 0.8) await Promise.all(writers.map(writer => writer.answer('open')));
  const survivors = new Set(writers);
  for (let act = pick(random, [1, 2, 3, 4]); act > 0; act--) {
    await pause(random() * 300);
    const writer = pick(random, writers);
    if (random() < 0.3 && terminal?.kill()) tally.kills++;
    if (random() < 0.35) await writer.freeze(pick(random, [20, 150, 600, 3_500]));
    else {
      await writer.kill();
      survivors.delete(writer);
    }
  }
  const alive = [...survivors];
  await terminal?.end();
  await Promise.all(alive.map(writer => writer.ask('stop', 'stopped')));
  const seen = await Promise.all(alive.map(writer => writer.ask('look', 'rows')));
  for (const writer of alive) await writer.end();
  for (const writer of writers) acknowledged.push(...writer.acknowledged);
  tally.acknowledged += writers.reduce((sum, writer) => sum + writer.acknowledged.length, 0);
  if (terminal) {
    acknowledged.push(...terminal.acknowledged);
    tally.byTerminal += terminal.acknowledged.length;
    tally.errors += terminal.errors.length;
    for (const error of terminal.errors) report(`the command line failed: ${error}`);
  }
  const rows = await check(folder, acknowledged);
  tally.diverged += seen.filter(each => each !== rows).length;
  if (random() < 0.3) await tearTail(folder, random);
  const flip = random() < 0.5 ? await flipBit(folder, rows, rowsOf, random) : undefined;
  if (!flip) return;
  tally.faults++;
  if (flip.fault === undefined) return;
  tally.diverged++;
  report(flip.fault);
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { minutes: { type: 'string' }, seed: { type: 'string' } } });
  const minutes = Number(values.minutes ?? 3);
  const seed = Number(values.seed ?? Math.floor(Math.random() * 1e6));
  console.log(`${minutes} minutes, seed ${seed}`);
  const end = Date.now() + minutes * 60_000;
  while (Date.now() < end) {
    const folder = mkdtempSync(join(tmpdir(), 'dueline-chaos-'));
    const acknowledged: string[] = [];
    const store = await open(folder);
    await store.edit({ origin: 'sync' }, tx => {
      tx.insertTask({ listId: tx.insertList({ name: 'Chaos', color: 0 }), uid: 'counter', title: '0' });
    });
    await store.close();
    for (let number = 0; number < 12 && Date.now() < end; number++) await round(folder, number, seed, acknowledged);
    if (tally.lost + tally.duplicated + tally.diverged + tally.errors > 0) {
      console.log(`The store is kept in ${folder}.`);
      break;
    }
    rmSync(folder, { recursive: true, force: true });
  }
  for (const problem of new Set(problems)) console.log(problem);
  console.log(
    `${tally.rounds} rounds, ${tally.stops} processes frozen, ${tally.faults} bits flipped, ${tally.byTerminal} tasks by the command line`,
  );
  const { kills, acknowledged, lost, duplicated, diverged, errors } = tally;
  console.log(
    `kills ${kills}, acknowledged edits ${acknowledged}, lost ${lost}, duplicated ${duplicated}, diverged ${diverged}, failed ${errors}`,
  );
  if (lost + duplicated + diverged + errors > 0 || acknowledged === 0) process.exitCode = 1;
}

main().catch(error => {
  console.error(error);
  process.exitCode = 1;
});
